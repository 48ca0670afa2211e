import { expect, test, vi } from 'vitest';
import type { TreeItem, Uri } from 'vscode';
import type { BranchImpactAnswer, InterfaceChange } from '../../../server/protocol/features';
import { Address } from '../../helpers/editorStandIn';

vi.mock('vscode', async () => (await import('../../helpers/editorStandIn')).editor);
const { ChangesTree, summaryOf } = await import('../../../client/src/changes/changesTree');

const folder = Address.file('/shop') as unknown as Uri;
const ADDED: InterfaceChange = { change: 'added', kind: 'endpoint', id: 'e', name: 'GET /bills', service: 'shop', path: 'shop/app.py', line: 7 };
const GONE: InterfaceChange = { ...ADDED, change: 'removed', name: 'GET /orders', path: 'shop/old.py', line: 3 };

function answer(interfaces: readonly InterfaceChange[], more: Partial<BranchImpactAnswer> = {}): BranchImpactAnswer {
  return {
    from: { name: 'merge-base', commit: 'abc1234' },
    to: { name: 'working', commit: '' },
    symbols: [],
    files: [],
    fileCount: 0,
    breaking: [],
    interfaces,
    violations: [],
    tests: [],
    commands: [],
    untested: [],
    notes: [],
    ...more,
  } as unknown as BranchImpactAnswer;
}

/** The rows of the only section, and the section. */
function rowsOf(shown: BranchImpactAnswer): { readonly section: TreeItem; readonly rows: readonly TreeItem[] } {
  const tree = new ChangesTree();
  tree.show([{ folder, name: 'shop', answer: shown, problem: undefined }], 'reach');
  const [section] = tree.getChildren();
  if (section === undefined) throw new Error('there is no section');
  return { section: tree.getTreeItem(section), rows: tree.getChildren(section).map(node => tree.getTreeItem(node)) };
}

test('an endpoint that came opens the code as it is, one that went the code as it was, each in the color of Git', () => {
  const { rows, section } = rowsOf(answer([ADDED, GONE]));
  expect(section).toMatchObject({ label: 'Endpoints, Events and Entities', description: '2', collapsibleState: 2 });
  const opened = rows.map(({ command, iconPath }) => [
    String(command?.arguments?.[0]),
    command?.arguments?.[1].selection.start,
    (iconPath as unknown as { readonly color: { readonly id: string } }).color.id,
  ]);
  expect(opened).toEqual([
    ['file:///shop/shop/app.py', 6, 'gitDecoration.addedResourceForeground'],
    ['lattice-past:///shop/old.py?{"folder":"file:///shop","at":"commit:abc1234","path":"shop/old.py"}', 2, 'gitDecoration.deletedResourceForeground'],
  ]);
  const { rows: lost } = rowsOf(answer([{ ...GONE, path: '' }]));
  expect(lost[0]?.command).toBeUndefined();
});

test('many endpoints are folded, and those beyond the longest list are counted', () => {
  const { rows, section } = rowsOf(answer(Array.from({ length: 310 }, () => ADDED)));
  expect(section).toMatchObject({ description: '310', collapsibleState: 1 });
  expect(rows).toHaveLength(301);
  expect(rows.at(-1)?.label).toBe('and 10 more');
});

test('the line above the list says what services offer beside what changed', () => {
  expect(summaryOf(answer([ADDED, GONE], { risk: 'low' }))).toBe('No changed symbols, 1 endpoint added, 1 endpoint removed, no tests to run. Risk: low.');
  expect(summaryOf(answer([]))).toBe('No changed symbols, no tests to run.');
});
