import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, test } from 'vitest';
import { tableDifference } from '../../server/src/code/parse/selfCheck';
import { SyntaxReader } from '../../server/src/code/parse/syntaxReader';
import { syntaxNode } from '../../server/src/code/parse/syntaxTable';
import { copyTable } from '../../server/src/code/parse/tableBuffers';
import { type LanguageId, languageOfExtension, languageRow } from '../../server/src/model/languages';
import { createParser, FactsReader } from '../helpers/extract';

const root = join(import.meta.dirname, '..', '..');
const isSoak = process.env['LATTICE_SOAK'] === '1';

/** Real sources of every grammar: our own, and those that the packages installed here bring along. */
function samples(): readonly { readonly path: string; readonly language: LanguageId }[] {
  const found: { path: string; language: LanguageId }[] = [];
  const visit = (folder: string, limit: number): void => {
    const names = readdirSync(folder).sort();
    for (const name of names) {
      if (found.length >= limit) return;
      const path = join(folder, name);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat === undefined) continue;
      if (stat.isDirectory()) visit(path, limit);
      else {
        const language = languageOfExtension(extname(name));
        if (language !== undefined && stat.size < (isSoak ? 1_000_000 : 60_000)) found.push({ path, language });
      }
    }
  };
  const places = ['server/src', 'test/fixtures', 'client/src', 'node_modules/zod', 'node_modules/vscode-languageserver', 'node_modules/tree-sitter-python'];
  for (const place of isSoak ? ['server', 'client', 'test', 'node_modules'] : places) visit(join(root, place), found.length + (isSoak ? 20_000 : 25));
  return found;
}

test('trees read from memory are those that the cursor reports, node by node', async () => {
  const heap = await createParser();
  const cursor = await createParser({ flatten: 'cursor' });
  const files = samples();
  expect(files.length).toBeGreaterThan(100);
  for (const { path, language } of files) {
    const { grammar } = languageRow(language);
    await heap.load(grammar);
    await cursor.load(grammar);
    const text = readFileSync(path, 'utf8');
    const a = heap.parse(grammar, text);
    const b = cursor.parse(grammar, text);
    if (!a.ok || !b.ok) throw new Error(`${path} did not parse`);
    expect([path, tableDifference(a.value, b.value)]).toEqual([path, undefined]);
  }
});

test('a table is a well-formed preorder tree', async () => {
  const reader = await FactsReader.create();
  const { table, names } = await reader.table('typescript', 'class A { m(x: B) { return x.y(1) } }\n');
  for (let node = 1; node < table.count; node++) {
    const parent = table.parent[node] ?? -1;
    expect(parent).toBeLessThan(node);
    expect(table.next[node]).toBeLessThanOrEqual(table.next[parent] ?? 0);
    expect(table.start[node]).toBeGreaterThanOrEqual(table.start[parent] ?? 0);
  }
  const syntax = new SyntaxReader(table);
  const declaration = syntax.firstNamedChild(syntaxNode(0));
  expect(names.kindName(syntax.kind(declaration))).toBe('class_declaration');
  expect(syntax.text(syntax.childByField(declaration, names.field('name')))).toBe('A');
  expect(syntax.nextSibling(declaration)).toBe(-1);
});

test('a table is overwritten by the next parse, a copy is not', async () => {
  const reader = await FactsReader.create();
  const { table } = await reader.table('typescript', 'a;');
  const copy = copyTable(table);
  await reader.table('typescript', 'class B {}');
  expect([copy.text, copy.count, copy.end[0]]).toEqual(['a;', 4, 2]);
});

test('parsing gives up after its time', async () => {
  let now = 0;
  const parser = await createParser({ timeoutMs: 1000, clock: { now: () => 0, monotonic: () => (now += 400) } });
  await parser.load('typescript');
  const parsed = parser.parse('typescript', 'const a = 1;\n'.repeat(20_000));
  expect(parsed.ok ? 'parsed' : parsed.error.code).toBe('parse_timeout');
  now = 0;
  const next = parser.parse('typescript', 'a');
  expect(next.ok && next.value.count).toBe(3);
});

test('time in which other processes ran is not the time of a file', async () => {
  let now = 0;
  const parser = await createParser({ timeoutMs: 1000, clock: { now: () => 0, monotonic: () => (now += 400) }, processorMs: () => now / 1e6 });
  await parser.load('typescript');
  expect(parser.parse('typescript', 'const a = 1;\n'.repeat(20_000)).ok).toBe(true);
});

test('names that a grammar lacks are refused', async () => {
  const parser = await createParser();
  const names = await parser.load('python');
  expect(() => names.kind('arrow_function')).toThrow(RangeError);
  expect(() => names.field('nothing')).toThrow(RangeError);
  expect(names.optionalKind('arrow_function')).toBe(0);
});
