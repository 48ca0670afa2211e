import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { FeatureName } from '../../../server/src/features/catalogue/catalogue';
import { excerptOf } from '../../../server/src/features/editor/fileNotes';
import { createKnowledge } from '../../../server/src/features/knowledge/edits';
import type { CreateInput } from '../../../server/src/knowledge/writes';
import { askFeature } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

const files: WorkspaceSketch = {
  'src/pay/cash.ts': { symbols: [{ name: 'pay', lines: [1, 3] }] },
  'src/pay/card.ts': {},
  'src/cart.ts': { symbols: [{ name: 'add', lines: [1, 2] }] },
  'lib/a.ts': {},
  'README.md': {},
};

async function known(atoms: readonly (Partial<CreateInput> & { readonly name: string })[]): Promise<MemoryWorkspace> {
  const workspace = workspaceOf(files, { records: await memoryRecords() });
  for (const atom of atoms) {
    const input: CreateInput = { entityType: 'atom', createdByTaskId: 'manual', ...atom };
    expect(await createKnowledge(workspace, SOMEBODY, input, neverCancelled)).toMatchObject({ ok: true });
  }
  return workspace;
}

async function ask(workspace: MemoryWorkspace, name: FeatureName, params: object = {}): Promise<unknown> {
  const answer = await askFeature(name, workspace, params);
  return answer.ok ? answer.value : answer.error.code;
}

test('the tree has molecules with their atoms, orphans, and the folders with files that nothing covers', async () => {
  const workspace = await known([
    { entityType: 'molecule', name: 'Shop' },
    { name: 'Pay', paths: ['src/pay/**'], knowledge: 'See `src/cart.ts::add`.' },
  ]);
  const later = workspaceOf({ ...files, 'src/cart.ts': {} }, { records: workspace.records });
  expect(await ask(later, 'knowledgeTree')).toMatchObject({
    molecules: [{ name: 'Shop', atoms: [] }],
    orphanAtoms: [{ name: 'Pay', moleculeId: null, paths: ['src/pay/**'], state: 'gone' }],
    // The README is no code.
    coverage: { files: 4, covered: 2 },
    gaps: [
      { folder: 'lib', files: 1 },
      { folder: 'src', files: 1 },
    ],
    gapCount: 2,
  });
  expect(await ask(workspace, 'knowledgeTree')).toMatchObject({ orphanAtoms: [{ state: 'current' }] });
  expect(await ask(workspace, 'knowledgeGapFiles', { folder: 'src' })).toEqual({ files: ['src/cart.ts'], total: 1 });
  const early = workspaceOf(files, { records: workspace.records, notReady: true });
  expect(await ask(early, 'knowledgeTree')).toMatchObject({ orphanAtoms: [{ name: 'Pay' }], gaps: [] });
});

test('patterns tell what they match before they are stored, and what is wrong with them', async () => {
  const workspace = await known([{ name: 'Pay', paths: ['src/pay/**', '**/cash.ts'] }]);
  expect(await ask(workspace, 'patternMatches', { patterns: ['./src/**', 'src/pay/*', '/x', 'nothing'] })).toEqual({
    patterns: [
      { pattern: 'src/**', files: ['src/cart.ts', 'src/pay/card.ts', 'src/pay/cash.ts'], total: 3 },
      { pattern: 'src/pay/*', files: ['src/pay/card.ts', 'src/pay/cash.ts'], total: 2 },
      { pattern: '/x', files: [], total: 0, problem: expect.stringContaining('absolute') },
      { pattern: 'nothing', files: [], total: 0 },
    ],
    total: 3,
  });
  const tree = (await ask(workspace, 'knowledgeTree')) as { orphanAtoms: readonly { id: string }[] };
  expect(await ask(workspace, 'atomFiles', { id: tree.orphanAtoms[0]?.id })).toMatchObject({
    patterns: [{ total: 2 }, { files: ['src/pay/cash.ts'] }],
    total: 2,
  });
  expect(await ask(workspace, 'atomFiles', { id: 'atom::none' })).toBe('NOT_FOUND');
});

test.each([
  ['src/pay', 'src/money', ['src/money/**', '**/cash.ts', 'src/money/card.ts'], true],
  ['src/pay/card.ts', 'src/pay/cards.ts', ['src/pay/**', '**/cash.ts', 'src/pay/cards.ts'], true],
  ['/home/ada/shop/src/pay/card.ts', '/home/ada/shop/src/pay/cards.ts', ['src/pay/**', '**/cash.ts', 'src/pay/cards.ts'], true],
  ['src', 'source', ['source/pay/**', '**/cash.ts', 'source/pay/card.ts'], true],
  ['lib', 'library', [], false],
  ['src/pa', 'src/x', [], false],
])('after %s became %s the patterns without files are offered anew', async (from, to, after, isOffered) => {
  const workspace = await known([{ name: 'Pay', paths: ['src/pay/**', '**/cash.ts', 'src/pay/card.ts'] }]);
  const answer = await ask(workspace, 'movedPatterns', { from, to });
  expect(answer).toMatchObject({ atoms: isOffered ? [{ name: 'Pay', version: 1, before: ['src/pay/**', '**/cash.ts', 'src/pay/card.ts'], after }] : [] });
});

test('a hover tells up to three atoms of the file, as text and not as Markdown', async () => {
  const evil = '[x](command:evil) <b> `y`';
  const workspace = await known([
    { entityType: 'molecule', name: 'M' },
    ...['D', 'C', 'B', 'A'].map(name => ({ name, paths: ['src/pay/*'], knowledge: name === 'A' ? evil : '' })),
  ]);
  const hover = (await ask(workspace, 'hover', { path: 'src/pay/cash.ts', line: 1, column: 9 })) as { atoms: readonly { line: string }[]; path: string };
  expect(hover.path).toBe('src/pay/cash.ts');
  expect(hover.atoms.map(atom => atom.line)).toEqual([
    String.raw`Knowledge: **A**: \[x\](command:evil) \<b\> \`y\``,
    'Knowledge: **B**',
    'Knowledge: **C** *and 1 more atom*',
  ]);
});

test('an excerpt ends after a word', () => {
  expect(excerptOf(' a\n\nb  c ')).toBe('a b c');
  const text = 'word '.repeat(100);
  expect(excerptOf(text)).toBe(`${'word '.repeat(60).trim()}…`);
  expect(excerptOf('x'.repeat(400))).toBe(`${'x'.repeat(300)}…`);
  expect(excerptOf('x'.repeat(300))).toBe('x'.repeat(300));
});
