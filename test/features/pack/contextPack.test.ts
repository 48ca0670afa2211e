import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { contextPack, type PackAnswer } from '../../../server/src/features/pack/contextPack';
import { namesInTask } from '../../../server/src/features/pack/namesInTask';
import { MemoryView } from '../../../server/src/memory/view';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { estimateTokens } from '../../../server/src/tools/shaping';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords } from '../../helpers/memoryRecords';
import { pastChangesOf } from '../../helpers/pastChangesOf';
import { workspaceOf } from '../../helpers/workspaceOf';

const TEXTS = {
  'src/money.ts': 'export function parseMoney(text) {\n  return split(text);\n}\n\nfunction split(text) {\n  return text.split(",");\n}\n',
  'src/till.ts': 'export class Till {\n  add(text) {\n    return parseMoney(text);\n  }\n}\n',
  'src/weather.ts': 'export function forecast() {\n  return "rain";\n}\n',
  'test/money.test.ts': 'function parsesMoney() {\n  parseMoney("1");\n}\n',
};

const SKETCH: WorkspaceSketch = {
  'src/money.ts': {
    symbols: [
      { name: 'parseMoney', lines: [1, 3], signature: 'function parseMoney(text)', doc: 'Reads an amount.' },
      { name: 'split', lines: [5, 7], signature: 'function split(text)' },
    ],
    references: [{ from: 'parseMoney', relation: 'CALLS', to: 'src/money.ts::split', line: 2 }],
  },
  'src/till.ts': {
    symbols: [
      { name: 'Till', kind: 'class', lines: [1, 5] },
      { name: 'Till.add', kind: 'method', lines: [2, 4], signature: 'add(text)' },
    ],
    references: [{ from: 'Till.add', relation: 'CALLS', to: 'src/money.ts::parseMoney', line: 3 }],
  },
  'src/weather.ts': { symbols: [{ name: 'forecast', lines: [1, 3] }] },
  'test/money.test.ts': {
    isTest: true,
    symbols: [{ name: 'parsesMoney', lines: [1, 3] }],
    references: [{ from: 'parsesMoney', relation: 'CALLS', to: 'src/money.ts::parseMoney', line: 2 }],
  },
};

async function packed(task: string): Promise<PackAnswer> {
  const found = await contextPack(workspaceOf(SKETCH, { texts: TEXTS }), { task }, neverCancelled);
  if (!found.ok) throw new Error(found.error.message);
  return found.value;
}

test('what the words find comes first, with its whole source, then what it calls and what calls it', async () => {
  const { entryPoint, symbols } = await packed('parse money');
  expect(entryPoint).toBe('src/money.ts::parseMoney');
  expect(symbols[0]?.code).toBe('export function parseMoney(text) {\n  return split(text);\n}');
  expect(symbols[0]?.why).toContain('words');
  expect(symbols.find(({ name }) => name === 'split')?.why).toContain('called_by parseMoney');
  expect(symbols.find(({ name }) => name === 'add')?.why).toContain('calls parseMoney');
  expect(symbols.map(({ name }) => name)).not.toContain('forecast');
});

test('what is near to what the words find, over more than one step, is in it behind what is called', async () => {
  const sketch: WorkspaceSketch = {
    ...SKETCH,
    'src/money.ts': {
      symbols: SKETCH['src/money.ts']?.symbols ?? [],
      references: [
        { from: 'parseMoney', relation: 'CALLS', to: 'src/money.ts::split', line: 2 },
        { from: 'split', relation: 'CALLS', to: 'src/comma.ts::comma', line: 6 },
      ],
    },
    'src/comma.ts': {
      symbols: [{ name: 'comma', lines: [1, 3] }],
      references: [{ from: 'comma', relation: 'CALLS', to: 'src/sign.ts::sign', line: 2 }],
    },
    'src/sign.ts': { symbols: [{ name: 'sign', lines: [1, 3] }] },
  };
  const texts = {
    ...TEXTS,
    'src/comma.ts': 'export function comma() {\n  return sign(",");\n}\n',
    'src/sign.ts': 'export function sign(mark) {\n  return mark;\n}\n',
  };
  const found = await contextPack(workspaceOf(sketch, { texts }), { task: 'parse money' }, neverCancelled);
  const symbols = found.ok ? found.value.symbols : [];
  expect(symbols.find(({ name }) => name === 'sign')?.why).toEqual(['linked']);
  expect(symbols.findIndex(({ name }) => name === 'sign')).toBeGreaterThan(symbols.findIndex(({ name }) => name === 'comma'));
  expect(symbols.map(({ name }) => name)).not.toContain('forecast');
});

test('tests are named apart, those that reach the code first, and never among the code', async () => {
  const { symbols, tests } = await packed('parse money');
  expect(tests[0]).toEqual({ file: 'test/money.test.ts', id: 'test/money.test.ts::parsesMoney', depth: 1 });
  expect(symbols.map(({ path }) => path)).not.toContain('test/money.test.ts');
});

test('the closest test is named as a case and the others as files', async () => {
  const further = { isTest: true, symbols: [{ name: 'adds', lines: [1, 3] as [number, number] }], references: [] };
  const sketch: WorkspaceSketch = {
    ...SKETCH,
    'test/till.test.ts': { ...further, references: [{ from: 'adds', relation: 'CALLS', to: 'src/till.ts::Till::add', line: 2 }] },
  };
  const workspace = workspaceOf(sketch, { texts: { ...TEXTS, 'test/till.test.ts': 'function adds() {\n  new Till().add("1");\n}\n' } });
  const asked = { name: 'context_pack', input: { task: 'parse money' }, agentId: undefined, sessionId: 's' };
  const { envelope } = await invoke(TOOLS, workspace, asked, neverCancelled);
  expect(envelope.data?.['tests']).toEqual(['test/money.test.ts::parsesMoney', 'test/till.test.ts']);
});

test('words that find nothing lead to the most central code, and the answer says so', async () => {
  const { isFound, symbols } = await packed('zzz qqq');
  expect(isFound).toBe(false);
  expect(symbols.length).toBeGreaterThan(0);
  const { envelope } = await call('zzz qqq');
  expect(envelope.hint).toMatch(/^No code matches the task/);
});

async function call(task: string, more: Readonly<Record<string, unknown>> = {}) {
  return invoke(
    TOOLS,
    workspaceOf(SKETCH, { texts: TEXTS }),
    { name: 'context_pack', input: { task, ...more }, agentId: undefined, sessionId: 's' },
    neverCancelled,
  );
}

test.each([150, 200, 300, 1200, 4000])('text and data stay within %i tokens, and the first symbol is there', async maxTokens => {
  const { envelope, text } = await call('parse money', { maxTokens });
  expect(envelope.ok).toBe(true);
  expect(envelope._tokenEstimate).toBeLessThanOrEqual(maxTokens);
  expect(text.length / 4).toBeLessThanOrEqual(maxTokens);
  expect((envelope.data as { coreSymbols: { symbolName: string }[] } | undefined)?.coreSymbols[0]?.symbolName).toBe('parseMoney');
});

test('a small budget is spent on source: it only keeps back what the rest of the answer takes', async () => {
  const long = `export function parseMoney(text) {\n${'  const amount = text;\n'.repeat(22)}}`;
  const lines = long.split('\n').length;
  const sketch: WorkspaceSketch = { 'src/money.ts': { symbols: [{ name: 'parseMoney', lines: [1, lines], signature: 'function parseMoney(text)' }] } };
  const workspace = workspaceOf(sketch, { texts: { 'src/money.ts': `${long}\n` } });
  const asked = { name: 'context_pack', input: { task: 'parse money', maxTokens: 300 }, agentId: undefined, sessionId: 's' };
  const { envelope } = await invoke(TOOLS, workspace, asked, neverCancelled);
  expect(envelope.data).toMatchObject({ coreSymbols: [{ symbolName: 'parseMoney', code: long }] });
  expect(envelope._tokenEstimate).toBeLessThanOrEqual(300);
  expect(envelope.hint).toBeUndefined();
});

test('a unit is whole or in its smaller form, which says so; never cut', async () => {
  const long = `export function parseMoney(text) {\n${'  const x = 1;\n'.repeat(200)}}`;
  const lines = long.split('\n').length;
  const sketch: WorkspaceSketch = {
    'src/money.ts': {
      symbols: [
        { name: 'parseMoney', lines: [1, lines], signature: 'function parseMoney(text)', doc: 'Reads an amount.' },
        { name: 'Money', kind: 'class', lines: [lines + 1, lines + 3] },
      ],
    },
  };
  const workspace = workspaceOf(sketch, { texts: { 'src/money.ts': `${long}\nclass Money {\n  parse = 1;\n}\n` } });
  const asked = { name: 'context_pack', input: { task: 'parse money', maxTokens: 300 }, agentId: undefined, sessionId: 's' };
  const { envelope, text } = await invoke(TOOLS, workspace, asked, neverCancelled);
  const rows = envelope.data?.['coreSymbols'] as { symbolName: string; code: string; truncated?: true }[];
  expect(rows.find(({ symbolName }) => symbolName === 'parseMoney')).toMatchObject({ code: 'function parseMoney(text)\nReads an amount', truncated: true });
  expect(rows.find(({ symbolName }) => symbolName === 'Money')?.code).toBe('class Money {\n  parse = 1;\n}');
  expect(text).toContain('signature only');
  expect(estimateTokens(envelope)).toBeLessThanOrEqual(320);
});

test('the same question gets the same bytes', async () => {
  expect((await call('parse money')).text).toBe((await call('parse money')).text);
});

test('what past commits with a subject like the task changed is in it, before what a commit changed that changed much, and never tests', async () => {
  const pastChanges = pastChangesOf([
    { subject: 'Round prices to cents', changed: ['src/weather.ts::forecast'] },
    { subject: 'Round everything', changed: ['src/till.ts::Till', 'src/till.ts::Till::add', 'src/money.ts::split', 'test/money.test.ts::parsesMoney'] },
    { subject: 'Sunshine', changed: ['src/money.ts::parseMoney'] },
  ]);
  const found = await contextPack(workspaceOf(SKETCH, { texts: TEXTS, pastChanges }), { task: 'round prices' }, neverCancelled);
  if (!found.ok) throw new Error(found.error.message);
  expect(found.value.symbols.map(({ id, why }) => [id, why])).toEqual([
    ['src/weather.ts::forecast', ['past_commits']],
    ['src/money.ts::split', ['past_commits']],
    ['src/till.ts::Till', ['past_commits']],
    ['src/till.ts::Till::add', ['past_commits']],
  ]);
});

test('a commit that changed very many files says nothing of any', async () => {
  const pastChanges = pastChangesOf([{ subject: 'Round prices', changed: ['src/weather.ts::forecast'], files: 500 }]);
  const found = await contextPack(workspaceOf(SKETCH, { texts: TEXTS, pastChanges }), { task: 'round prices' }, neverCancelled);
  expect(found.ok && found.value.isFound).toBe(false);
});

test.each([
  ['Make send_task check the queue', ['send_task']],
  ['Let `Context.json` and close() take options', ['json', 'close']],
  ['HonoRequest: fix Flask.wsgi_app and std::sort', ['HonoRequest', 'wsgi_app', 'sort']],
  ['Fix the README, and e.g. i.e. words of prose.', []],
])('names spelled in %s', (task, names) => {
  expect([...namesInTask(task)]).toEqual(names);
});

test('what the task names keeps its signature where there is no room for its source', async () => {
  const signature = `function parseMoney(${Array.from({ length: 40 }, (_, at) => `option${at}`).join(', ')})`;
  const long = `${signature} {\n${'  const money = 1;\n'.repeat(200)}}`;
  const lines = long.split('\n').length;
  const sketch: WorkspaceSketch = {
    'src/money.ts': {
      symbols: [
        { name: 'parseMoney', lines: [1, lines], signature },
        { name: 'countCoins', lines: [lines + 1, lines + 3], signature: 'function countCoins()', doc: 'Counts coins: count all coins.' },
      ],
    },
  };
  const workspace = workspaceOf(sketch, { texts: { 'src/money.ts': `${long}\nfunction countCoins() {\n  return coins;\n}\n` } });
  const rows = async (task: string): Promise<readonly string[]> => {
    const { envelope } = await invoke(
      TOOLS,
      workspace,
      { name: 'context_pack', input: { task, maxTokens: 900 }, agentId: undefined, sessionId: 's' },
      neverCancelled,
    );
    const found = envelope.data?.['coreSymbols'] as readonly { symbolName: string }[] | undefined;
    return (found ?? []).map(({ symbolName }) => symbolName);
  };
  expect(await rows('Count coins: count all coins, parseMoney')).toEqual(['countCoins', 'parseMoney']);
  expect(await rows('Count coins: count all coins, parse money')).toEqual(['countCoins']);
});

test('an agent that names itself holds what it starts at; what another holds is a blocker', async () => {
  const workspace = workspaceOf(SKETCH, { texts: TEXTS, records: await memoryRecords() });
  const ask = async (input: Readonly<Record<string, unknown>>, mayClaim: boolean): Promise<Readonly<Record<string, unknown>>> => {
    const asked = { name: 'context_pack', input: { task: 'parse money', ...input }, agentId: 'client:1', sessionId: 's', mayClaim };
    return (await invoke(TOOLS, workspace, asked, neverCancelled)).envelope.data ?? {};
  };
  const held = (): readonly unknown[] => new MemoryView(workspace.records).activeClaims().map(({ agentId, intent, targetId }) => [agentId, targetId, intent]);
  expect(await ask({}, true)).not.toHaveProperty('claimId');
  expect(await ask({ agentId: 'ada' }, false)).not.toHaveProperty('claimId');
  expect(held()).toEqual([]);
  const { claimId } = await ask({ agentId: 'ada' }, true);
  expect(held()).toEqual([['ada', 'src/money.ts::parseMoney', 'parse money']]);
  expect(await ask({ agentId: 'ada' }, true)).toMatchObject({ claimId });
  const others = await ask({ agentId: 'bob' }, true);
  expect(others).toMatchObject({ activeBlockers: [{ agentId: 'ada', targetId: 'src/money.ts::parseMoney' }] });
  expect(others).not.toHaveProperty('claimId');
});
