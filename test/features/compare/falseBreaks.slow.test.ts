/** Changes of what others use that break nobody, and next to each one that does. */
import { afterEach, expect, test } from 'vitest';
import { closeAll, repository } from '../../engine/repository';

afterEach(closeAll);

type Files = Readonly<Record<string, string>>;

/** Ids of what breaks from one commit to the next. */
async function broken(older: Files, ...newer: readonly Files[]): Promise<readonly (readonly string[])[]> {
  const made = repository();
  const commits = [older, ...newer].map(files => made.commit(files));
  const asking = await made.checkout.open();
  const found: string[][] = [];
  for (const to of commits.slice(1)) {
    const { envelope } = await asking.call('graph_diff', { from: commits[0], to, include: ['api'], profile: 'debug' });
    found.push(((envelope.data?.['breaking'] ?? []) as readonly { readonly id: string }[]).map(({ id }) => id));
  }
  return found;
}

test('a call over several lines is unchanged only with all of them', async () => {
  const lib = (parameters: string): string => `export function push(${parameters}): void {}\n`;
  const call = (...more: readonly string[]): string =>
    `import { push } from './lib';\nexport function use(): void {\n  push(\n    'a (',\n${more.map(line => `    ${line},\n`).join('')}    'b',\n  );\n}\n`;
  const adapted = { 'lib.ts': lib('a: string, n: number, b: string'), 'use.ts': call('1') };
  const notAdapted = { 'lib.ts': lib('a: string, n: number, b: string'), 'use.ts': `${call()}export const other = 1;\n` };
  expect(await broken({ 'lib.ts': lib('a: string, b: string'), 'use.ts': call() }, adapted, notAdapted)).toEqual([[], ['lib.ts::push']]);
});

test('long signatures are compared whole', async () => {
  const many = Array.from({ length: 20 }, (_, at) => `parameter_number_${at}: string = "a"`).join(', ');
  const lib = (last: string): string => `def push(first: int, ${many}, ${last}) -> None:  # sends (it)\n    print(first)\n`;
  const use = 'from lib import push\n\n\ndef use():\n    push(1)\n';
  const older = { 'lib.py': lib('last: int = 1'), 'use.py': use };
  expect(await broken(older, { 'lib.py': lib('last: str = 2, more: int = 3') }, { 'lib.py': lib('late: int = 1') })).toEqual([[], ['lib.py::push']]);
});

test('in Python, where and as what an attribute is declared binds nobody', async () => {
  const lib = (declared: string, first: string): string => `class Crawler:\n${declared}    def __init__(self):\n        ${first}\n`;
  const use = 'from lib import Crawler\n\n\ndef use(crawler: Crawler):\n    return crawler.engine\n';
  const older = { 'lib.py': lib('', 'self.engine: int | None = make(1)'), 'use.py': use };
  const newer = { 'lib.py': lib('    engine: Late[int]\n\n', 'self.engine = make(2)') };
  expect(await broken(older, newer, { 'lib.py': lib('', 'self.motor = make(1)') })).toEqual([[], ['lib.py::Crawler::engine']]);
});

test('a tag of a field of a structure in Go breaks no code', async () => {
  const lib = (field: string): string => `package lib\n\ntype Config struct {\n\t${field}\n}\n`;
  const main = 'package main\n\nimport "a/lib"\n\nfunc main() {\n\tc := lib.Config{}\n\tprintln(c.Name)\n}\n';
  const older = { 'go.mod': 'module a\n', 'lib/lib.go': lib('Name string `json:"name,omitempty"`'), 'main.go': main };
  const tagged = { 'lib/lib.go': lib('Name string `json:"name"`') };
  expect(await broken(older, tagged, { 'lib/lib.go': lib('Name int `json:"name"`') })).toEqual([[], ['lib/lib.go::Config::Name']]);
});

test('a field without pub is hidden in Rust', async () => {
  const lib = (secret: string, shown: string): string =>
    `pub struct Config {\n    secret: ${secret},\n    pub shown: ${shown},\n}\n\nimpl Config {\n    pub fn read(&self) -> bool {\n        self.secret.is_empty() || self.shown.is_empty()\n    }\n}\n`;
  const older = { 'Cargo.toml': '[package]\nname = "a"\nversion = "0.1.0"\n', 'src/lib.rs': lib('String', 'String') };
  expect(await broken(older, { 'src/lib.rs': lib('Vec<u8>', 'String') }, { 'src/lib.rs': lib('String', 'Vec<u8>') })).toEqual([
    [],
    ['src/lib.rs::Config::shown'],
  ]);
});

test('a method that overrides nothing any more stays what it is, unless it says that it overrides', async () => {
  const base = (member: string): string => `export class Base {\n${member}}\n`;
  const run = '  run(): number {\n    return 1;\n  }\n';
  const child = (mark: string): string =>
    `import { Base } from './base';\nexport class Child extends Base {\n  ${mark}run(): number {\n    return 2;\n  }\n}\n`;
  expect(await broken({ 'base.ts': base(run), 'child.ts': child('') }, { 'base.ts': base('') })).toEqual([[]]);
  expect(await broken({ 'base.ts': base(run), 'child.ts': child('override ') }, { 'base.ts': base('') })).toEqual([['base.ts::Base::run']]);
});

test('a class of Python has the base object, whether or not it says so', async () => {
  const lib = (base: string): string => `class Other:\n    pass\n\n\nclass Config${base}:\n    pass\n`;
  const older = { 'lib.py': lib('(object)'), 'use.py': 'from lib import Config\n\n\ndef use():\n    return Config()\n' };
  expect(await broken(older, { 'lib.py': lib('') }, { 'lib.py': lib('(Other)') })).toEqual([[], ['lib.py::Config']]);
});

test('a method that its class inherits instead is there as before', async () => {
  const range = (base: string, member: string): string => `${base}\n\nclass Range(Base):\n    kind = 1\n\n${member}`;
  const make = '    def __init__(self, low=None, high=None):\n        self.low = low\n';
  const lean = 'class Base:\n    name = 1\n';
  const use = 'from lib import Range\n\n\ndef use():\n    return Range(1, 2)\n';
  const older = { 'lib.py': range(lean, make), 'use.py': use };
  const [inherited, gone] = await broken(older, { 'lib.py': range(`${lean}\n${make}`, '') }, { 'lib.py': range(lean, '') });
  expect(inherited).toEqual([]);
  expect(gone).toEqual(['lib.py::Range::__init__']);
});
