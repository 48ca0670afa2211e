/** Text of projects with many generic types: builders whose every call gives a larger type, overloads with tuples of handlers, mapped and conditional types. */

const OVERLOADS = 10;

/** The library of a builder: each method has overloads for up to ten handlers. */
function builder() {
  const lines = [
    'export interface Env { Variables?: object; Bindings?: object }',
    'export type Schema = { [path: string]: { [method: string]: { input: unknown; output: unknown } } };',
    'export type Merge<B extends string, P extends string> = P extends `/${string}` ? `${B}${P}` : B;',
    'export type ToSchema<M extends string, P extends string, I, R> = { [K in P]: { [N in M]: { input: I; output: R extends Promise<infer T> ? T : R } } };',
    'export type Both<A, B> = { [K in keyof A]: A[K] } & { [K in keyof B]: B[K] };',
    'export class Context<E extends Env = Env, P extends string = string, I = {}> {',
    '  get<K extends keyof E>(key: K): E[K] { return undefined as never; }',
    '  answer<T>(value: T): Answer<T, E> { return new Answer(value, this); }',
    '}',
    'export class Answer<T, E extends Env> {',
    '  constructor(readonly value: T, readonly context: Context<E>) {}',
    '  then<R>(next: (value: T, answer: Answer<T, E>) => R): Answer<R, E> { return this.context.answer(next(this.value, this)); }',
    '}',
    'export type Handler<E extends Env, P extends string, I, R> = (context: Context<E, P, I>, next: () => Promise<void>) => R;',
    'export class Server<E extends Env = Env, S extends Schema = {}, B extends string = "/"> {',
  ];
  for (const method of ['get', 'post', 'put']) {
    for (let count = 1; count <= OVERLOADS; count++) {
      const at = Array.from({ length: count }, (_, index) => index);
      const parameters = at.map(
        index => `E${index} extends Env = ${index === 0 ? 'E' : `Both<E, E${index - 1}>`}, I${index} = ${index === 0 ? '{}' : `I${index - 1}`}`,
      );
      const handlers = at.map(index => `Handler<E${index}, Merge<B, P>, I${index}, R>`);
      const last = count - 1;
      lines.push(
        `  ${method}<P extends string, R, ${parameters.join(', ')}>(path: P, ...handlers: [${handlers.join(', ')}]): Server<Both<E, E${last}>, Both<S, ToSchema<'${method}', Merge<B, P>, I${last}, R>>, B>;`,
      );
    }
    lines.push(`  ${method}(path: string, ...handlers: Handler<any, any, any, any>[]): any { return this.add(path, handlers); }`);
  }
  lines.push(
    '  use<E2 extends Env>(handler: Handler<E2, B, {}, void>): Server<Both<E, E2>, S, B> { return this.add(handler, []) as never; }',
    '  route<P extends string, S2 extends Schema>(path: P, other: Server<E, S2, P>): Server<E, Both<S, S2>, B> { return this.add(path, other) as never; }',
    '  add(path: unknown, other: unknown): this { return this; }',
    '  start(): void {}',
    '}',
  );
  return `${lines.join('\n')}\n`;
}

/** One module: a chain of `depth` calls on a builder, which is handed to other modules. */
function chain(index, depth) {
  const lines = [
    "import { Server } from './server';",
    ...(index === 0 ? [] : [`import { app${index - 1} } from './app${index - 1}';`]),
    `export const app${index} = new Server()`,
  ];
  for (let at = 0; at < depth; at++) {
    const method = ['get', 'post', 'put'][at % 3];
    lines.push(
      at % 5 === 4
        ? `  .use(async (context, next) => { context.answer(${at}).then(value => value); await next(); })`
        : `  .${method}('/path${at}', (context, next) => context.answer({ id: ${at} }).then((value, answer) => answer.context.answer(value.id)))`,
    );
  }
  if (index > 0) lines.push(`  .route('/other', app${index - 1})`);
  return `${lines.join('\n')};\napp${index}.start();\n`;
}

/** `files` modules with chains of `depth` calls, and the library they use: texts by path. */
export function typeHeavy(files, depth) {
  return new Map([['server.ts', builder()], ...Array.from({ length: files }, (_, index) => [`app${index}.ts`, chain(index, depth)])]);
}
