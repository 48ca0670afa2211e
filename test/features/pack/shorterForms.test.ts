import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { contextPack } from '../../../server/src/features/pack/contextPack';
import { type ShorterForm, shorterForms } from '../../../server/src/features/pack/shorterForms';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { type MemoryWorkspace, type WorkspaceOptions, workspaceOf } from '../../helpers/workspaceOf';

const PATH = 'src/money.ts';
const HEAD = ['export function parseMoney(text) {', '  // Amounts come as text.', '  const parts = text.split(","); // by comma', ''];
const INNER = ['  function round(amount) {', '    // Half up.', ...Array.from({ length: 30 }, (_, at) => `    step${at}(amount);`), '  }'];
const TAIL = ['  return parts.map(round);', '}'];
const SOURCE = [...HEAD, ...INNER, ...TAIL];
const WITHOUT_COMMENTS = SOURCE.map(line => (line.trim().startsWith('//') ? '' : line.replace(/\s*\/\/.*/, '')));
const SKETCH: WorkspaceSketch = {
  [PATH]: {
    symbols: [
      { name: 'parseMoney', lines: [1, SOURCE.length], signature: 'function parseMoney(text)' },
      { name: 'parseMoney.round', lines: [HEAD.length + 1, HEAD.length + INNER.length], signature: 'function round(amount)' },
    ],
  },
};
const PLAIN = SOURCE.filter(line => line !== '' && !line.trim().startsWith('//')).join('\n');
const SKELETON = [HEAD[0], HEAD[2], INNER[0], '…', INNER.at(-1), ...TAIL].join('\n');

function workspaceWith(options: WorkspaceOptions = {}): MemoryWorkspace {
  return workspaceOf(SKETCH, { texts: { [PATH]: SOURCE.join('\n') }, codeTexts: { [PATH]: WITHOUT_COMMENTS.join('\n') }, ...options });
}

async function formsIn(workspace: MemoryWorkspace): Promise<readonly ShorterForm[]> {
  const found = await contextPack(workspace, { task: 'parse money' }, neverCancelled);
  const [symbol] = found.ok ? found.value.symbols : [];
  if (symbol === undefined) throw new Error('nothing is packed');
  return shorterForms(workspace)(symbol);
}

test('a unit has a form without lines of comments, and one that also keeps only the first line and the bracket of what is inside; the other lines are verbatim', async () => {
  expect(await formsIn(workspaceWith())).toEqual([
    { code: PLAIN, omitted: 'comments', hidden: [] },
    { code: SKELETON, omitted: 'comments and inner bodies', hidden: [{ startLine: HEAD.length + 1, endLine: HEAD.length + INNER.length }] },
  ]);
});

test('where the graph is older than the file, nothing inside is left out by its lines, and what has changed since it was packed has no shorter form', async () => {
  expect((await formsIn(workspaceWith())).length).toBe(2);
  const workspace = workspaceWith();
  const found = await contextPack(workspace, { task: 'parse money' }, neverCancelled);
  const [symbol] = found.ok ? found.value.symbols : [];
  if (symbol === undefined) throw new Error('nothing is packed');
  expect((await shorterForms(workspace)({ ...symbol, stale: true })).map(({ omitted }) => omitted)).toEqual(['comments']);
  expect(await shorterForms(workspace)({ ...symbol, code: 'function parseMoney() {}' })).toEqual([]);
});

test('a file is parsed once, and of many files only the first 16 are', async () => {
  const workspace = workspaceWith();
  const found = await contextPack(workspace, { task: 'parse money' }, neverCancelled);
  const [symbol] = found.ok ? found.value.symbols : [];
  if (symbol === undefined) throw new Error('nothing is packed');
  const parsed: string[] = [];
  const shorterOf = shorterForms({
    readText: () => workspace.readText(PATH),
    codeText: async path => {
      parsed.push(path);
      return WITHOUT_COMMENTS.join('\n');
    },
  });
  const forms: (readonly ShorterForm[])[] = [];
  for (let at = 0; at < 36; at++) forms.push(await shorterOf({ ...symbol, path: `src/${at % 18}.ts` }));
  expect(parsed).toEqual(Array.from({ length: 16 }, (_, at) => `src/${at}.ts`));
  expect(forms.map(those => those.length)).toEqual(Array.from({ length: 36 }, (_, at) => (at % 18 < 16 ? 2 : 0)));
});

async function rowIn(maxTokens: number): Promise<{ readonly row: Readonly<Record<string, unknown>> | undefined; readonly text: string }> {
  const asked = { name: 'context_pack', input: { task: 'parse money', maxTokens }, agentId: undefined, sessionId: 's' };
  const { envelope, text } = await invoke(TOOLS, workspaceWith(), asked, neverCancelled);
  const rows = envelope.data?.['coreSymbols'] as readonly Readonly<Record<string, unknown>>[] | undefined;
  return { row: rows?.[0], text };
}

test.each([
  [1_200, SOURCE.join('\n'), undefined, ''],
  [400, SKELETON, 'comments and inner bodies', ' – without comments and inner bodies\n'],
  [150, 'function parseMoney(text)', 'body', ' – signature only\n'],
])('at %i tokens a unit is as long as there is room for, and says what is left out', async (maxTokens, code, omitted, label) => {
  const { row, text } = await rowIn(maxTokens);
  expect(row?.['code']).toContain(code);
  expect(row?.['omitted']).toBe(omitted);
  expect(row?.['truncated']).toBe(omitted === undefined ? undefined : true);
  expect(text).toContain(label);
});

test('a symbol of another file comes before the further ones of a file that are little better', async () => {
  const body = 'function f() {\n  return 1;\n}\n';
  const files = ['src/money.ts', 'src/other.ts'];
  const many = ['parseMoney', 'parseMoneyLater', 'parseMoneyNow', 'parseMoneyOnce', 'parseMoneyTwice'];
  const symbols = many.map((name, at) => ({ name, lines: [at * 3 + 1, at * 3 + 3] as [number, number] }));
  const sketch: WorkspaceSketch = { 'src/money.ts': { symbols }, 'src/other.ts': { symbols: [{ name: 'parseMoneyThere', lines: [1, 3] }] } };
  const workspace = workspaceOf(sketch, { texts: Object.fromEntries(files.map(path => [path, body.repeat(many.length)])) });
  const found = await contextPack(workspace, { task: 'parse money' }, neverCancelled);
  const order = found.ok ? found.value.symbols.map(({ id }) => id) : [];
  const there = order.indexOf('src/other.ts::parseMoneyThere');
  expect(there).toBeGreaterThan(0);
  expect(there).toBeLessThan(many.length);
});

async function unitsOf(
  sketch: WorkspaceSketch,
  source: readonly string[],
  task: string,
  maxTokens: number,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const texts = { [PATH]: source.join('\n') };
  const workspace = workspaceOf(sketch, { texts, codeTexts: texts });
  const asked = { name: 'context_pack', input: { task, maxTokens }, agentId: undefined, sessionId: 's' };
  const { envelope } = await invoke(TOOLS, workspace, asked, neverCancelled);
  return (envelope.data?.['coreSymbols'] ?? []) as readonly Readonly<Record<string, unknown>>[];
}

test('what a unit holds has no place beside the whole unit, and its own where the unit left its body out', async () => {
  const inside = { name: 'parseMoney.parseMoneyPart', lines: [2, 33] as [number, number] };
  const body = (call: string): string[] => ['  function parseMoneyPart() {', ...Array.from({ length: 30 }, () => `    ${call}();`), '  }'];
  const outside = (call: string, more: number): string[] => [
    'function parseMoney() {',
    ...body(call),
    ...Array.from({ length: more }, (_, at) => `  callNumber${at}();`),
    '}',
  ];
  const asked = async (more: number, maxTokens: number): Promise<readonly unknown[]> => {
    const source = outside('step', more);
    const sketch: WorkspaceSketch = { [PATH]: { symbols: [{ name: 'parseMoney', lines: [1, source.length] }, inside] } };
    return (await unitsOf(sketch, source, 'parse money', maxTokens)).map(({ omitted, symbolName }) => [symbolName, omitted]);
  };
  expect(await asked(3, 1_200)).toEqual([['parseMoney', undefined]]);
  expect(await asked(60, 900)).toEqual([
    ['parseMoney', 'comments and inner bodies'],
    ['parseMoney::parseMoneyPart', undefined],
  ]);
});

test('a type behind its members does not repeat their bodies', async () => {
  const source = [
    'class Till {',
    '  parseMoney() {',
    '    const text = read();',
    '    return Number(text);',
    '  }',
    '  close() {',
    '    lock();',
    '    log();',
    '  }',
    '}',
  ];
  const sketch: WorkspaceSketch = {
    [PATH]: {
      symbols: [
        { name: 'Till', kind: 'class', lines: [1, 10] },
        { name: 'Till.parseMoney', kind: 'method', lines: [2, 5] },
        { name: 'Till.close', kind: 'method', lines: [6, 9] },
      ],
    },
  };
  const [first, second, ...more] = await unitsOf(sketch, source, 'parse money', 1_200);
  expect(first).toMatchObject({ symbolName: 'Till::parseMoney', code: source.slice(1, 5).join('\n') });
  expect(second).toMatchObject({
    symbolName: 'Till',
    omitted: 'what is shown above',
    truncated: true,
    code: ['class Till {', '  parseMoney() {', '…', '  }', ...source.slice(5)].join('\n'),
  });
  expect(more).toEqual([]);
});

test('the first three units keep their comments and all their reasons; further ones have the strongest reason and no lines that hold only comments', async () => {
  const names = ['parseMoney', 'parseMoneyEarly', 'parseMoneyLate', 'parseMoneyNever', 'parseMoneyTwice'];
  const source = names.flatMap(name => [`function ${name}() {`, '  // Of all the money that there is, in cents: no rounding here.', '  read();', '}']);
  const symbols = names.map((name, at) => ({ name, lines: [at * 4 + 1, at * 4 + 4] as [number, number] }));
  const codeTexts = { [PATH]: source.map(line => (line.includes('//') ? '' : line)).join('\n') };
  const workspace = workspaceOf({ [PATH]: { symbols } }, { texts: { [PATH]: source.join('\n') }, codeTexts });
  const asked = { name: 'context_pack', input: { task: 'parse money', maxTokens: 2_000 }, agentId: undefined, sessionId: 's' };
  const rows = (await invoke(TOOLS, workspace, asked, neverCancelled)).envelope.data?.['coreSymbols'] as readonly Readonly<Record<string, unknown>>[];
  expect(rows.map(({ code, omitted }) => [String(code).includes('//'), omitted])).toEqual([
    [true, undefined],
    [true, undefined],
    [true, undefined],
    [false, 'comments'],
    [false, 'comments'],
  ]);
  expect(rows.map(({ why }) => (why as readonly string[]).length)).toEqual([2, 2, 2, 1, 1]);
});

test('where its comments take less room than the note that they are left out, a unit keeps them', async () => {
  const names = ['parseMoney', 'parseMoneyEarly', 'parseMoneyLate', 'parseMoneyNever'];
  const source = names.flatMap(name => [`function ${name}() {`, '  // Cents.', '  read();', '}']);
  const symbols = names.map((name, at) => ({ name, lines: [at * 4 + 1, at * 4 + 4] as [number, number] }));
  const codeTexts = { [PATH]: source.map(line => (line.includes('//') ? '' : line)).join('\n') };
  const workspace = workspaceOf({ [PATH]: { symbols } }, { texts: { [PATH]: source.join('\n') }, codeTexts });
  const asked = { name: 'context_pack', input: { task: 'parse money', maxTokens: 2_000 }, agentId: undefined, sessionId: 's' };
  const rows = (await invoke(TOOLS, workspace, asked, neverCancelled)).envelope.data?.['coreSymbols'] as readonly Readonly<Record<string, unknown>>[];
  expect(rows.map(({ omitted }) => omitted)).toEqual([undefined, undefined, undefined, undefined]);
});
