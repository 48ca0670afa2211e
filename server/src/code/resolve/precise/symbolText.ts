/**
 * Texts of SCIP symbols: `scheme manager package version descriptors`, a space in one of the first four doubled;
 * each descriptor a name with a suffix that tells its kind, names with other characters between backticks.
 */
export interface SymbolText {
  /** Name of the package that declares the symbol, `''` when the index has none. */
  readonly packageName: string;
  /** From the outermost to the symbol itself; namespaces (folders, files, modules) are among them. */
  readonly descriptors: readonly Descriptor[];
}

export interface Descriptor {
  readonly name: string;
  readonly kind: 'namespace' | 'type' | 'term' | 'meta' | 'method' | 'typeParameter' | 'parameter' | 'macro';
}

const SUFFIXES: Readonly<Record<string, Descriptor['kind']>> = { '/': 'namespace', '#': 'type', '.': 'term', ':': 'meta', '!': 'macro' };

/** `undefined` for a text that does not follow the grammar, and for local symbols. */
export function parseSymbol(text: string): SymbolText | undefined {
  const heads: string[] = [];
  let at = 0;
  for (let head = ''; heads.length < 4; ) {
    const space = text.indexOf(' ', at);
    if (space < 0) return undefined;
    head += text.slice(at, space);
    at = space + 1;
    if (text[at] === ' ') {
      head += ' ';
      at++;
      continue;
    }
    heads.push(head === '.' ? '' : head);
    head = '';
  }
  const descriptors: Descriptor[] = [];
  while (at < text.length) {
    const read = readDescriptor(text, at);
    if (read === undefined) return undefined;
    descriptors.push(read.descriptor);
    at = read.end;
  }
  return descriptors.length === 0 ? undefined : { packageName: heads[2] ?? '', descriptors };
}

/**
 * Names that a symbol's id has after the path of its file, joined by `::`; accessors and constructors as TypeScript's indexer writes them (`<get>x`).
 * A parameter of a constructor that declares a field is the field.
 */
export function nameOf({ descriptors }: SymbolText): string {
  const names = descriptors.filter(({ kind }, at) => kind !== 'namespace' && !(at === descriptors.length - 2 && isConstructorParameter(descriptors)));
  return names.map(({ name }) => name).join('::');
}

function isConstructorParameter(descriptors: readonly Descriptor[]): boolean {
  return descriptors.at(-1)?.kind === 'parameter' && descriptors.at(-2)?.name === '<constructor>';
}

function readDescriptor(text: string, at: number): { readonly descriptor: Descriptor; readonly end: number } | undefined {
  const opening = text[at];
  if (opening === '(' || opening === '[') {
    const name = readName(text, at + 1);
    const closes = name !== undefined && text[name.end] === (opening === '(' ? ')' : ']');
    return closes ? { descriptor: { name: name.text, kind: opening === '(' ? 'parameter' : 'typeParameter' }, end: name.end + 1 } : undefined;
  }
  const name = readName(text, at);
  if (name === undefined) return undefined;
  const mark = text[name.end] ?? '';
  if (mark === '(') {
    const close = text.indexOf(')', name.end);
    return close < 0 || text[close + 1] !== '.' ? undefined : { descriptor: { name: name.text, kind: 'method' }, end: close + 2 };
  }
  const kind = SUFFIXES[mark];
  return kind === undefined ? undefined : { descriptor: { name: name.text, kind }, end: name.end + 1 };
}

const SIMPLE_NAME = /[\w+$-]+/y;

function readName(text: string, at: number): { readonly text: string; readonly end: number } | undefined {
  if (text[at] !== '`') {
    SIMPLE_NAME.lastIndex = at;
    const simple = SIMPLE_NAME.exec(text)?.[0];
    return simple === undefined ? undefined : { text: simple, end: at + simple.length };
  }
  let name = '';
  for (let from = at + 1; ; ) {
    const tick = text.indexOf('`', from);
    if (tick < 0) return undefined;
    name += text.slice(from, tick);
    if (text[tick + 1] !== '`') return { text: name, end: tick + 1 };
    name += '`';
    from = tick + 2;
  }
}
