import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import { resolverFile, resolverFiles, testTurn } from '../helpers/resolveFixture';

const HELPER = ['helper.ts', 'export class Old { run(): void {} }\nexport class New { run(): void {} }\nexport function helper(): Old { return new Old(); }\n'];
const EDITED = HELPER[1]?.replace('helper(): Old { return new Old(); }', 'helper(): New { return new New(); }') ?? '';

/** Number of files that are resolved when `helper` gives something else: itself, those that ask for it, and what rests on them. */
async function resolvedAfterEdit(files: Readonly<Record<string, string>>): Promise<number> {
  const resolver = new Resolver({ ids: new Interner<NodeHandle>() });
  const upserts = await resolverFiles(new Map([...Object.entries(files), HELPER as [string, string]]));
  await resolver.update({ upserts, removed: [] }, testTurn(), neverCancelled);
  const result = await resolver.update({ upserts: [await resolverFile('helper.ts', EDITED)], removed: [] }, testTurn(), neverCancelled);
  return result.resolved;
}

test('a field does not rest on what else the body of its class asks for', async () => {
  const emitter = 'export class Emitter { fire(): void {} }\n';
  const manager = `import { Emitter } from './emitter';
import { helper } from './helper';
export class Manager {
  readonly emitter = new Emitter();
  readonly started = helper();
}
`;
  const user = "import { Manager } from './manager';\nexport function use(manager: Manager): void { manager.emitter.fire(); }\n";
  expect(await resolvedAfterEdit({ 'emitter.ts': emitter, 'manager.ts': manager, 'user.ts': user })).toBe(2);
  const asking = user.replace('manager.emitter.fire()', 'manager.started.run()');
  expect(await resolvedAfterEdit({ 'emitter.ts': emitter, 'manager.ts': manager, 'user.ts': asking })).toBe(3);
});

test('a declared type does not rest on what else the first file that asks for it does', async () => {
  const command =
    'export class Label { show(): void {} }\nexport interface Command { label: Label }\nexport function register(command: Command, run: (on: Label) => void): void {}\n';
  const first = `import { register } from './command';
import { helper } from './helper';
export function first(): void {
  const old = helper();
  old.run();
  register({ label: undefined }, on => on.show());
}
`;
  const user = "import { register } from './command';\nexport function use(): void { register({ label: undefined }, on => on.show()); }\n";
  expect(await resolvedAfterEdit({ 'a.ts': first, 'command.ts': command, 'user.ts': user })).toBe(2);
});
