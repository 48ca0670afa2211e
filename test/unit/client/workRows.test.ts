import { expect, test } from 'vitest';
import { type FolderWork, MAX_ROWS, type Node, rowsOf, tasksIn } from '../../../client/src/work/workRows';
import type { WorkTask } from '../../../server/protocol/features';

const FOLDER = { toString: () => 'file:///shop' } as FolderWork['folder'];
const EVERYTHING = { statuses: new Set(['pending'] as const), words: [] };

function task(at: number): WorkTask {
  return {
    id: `task-${at}`,
    name: `Step ${at}`,
    summary: '',
    status: 'pending',
    priority: 'medium',
    tags: [],
    version: 1,
    blockers: [],
    claimedBy: [],
    assignedAgentId: null,
  };
}

const workOf = (shown: number, taskCount = shown): FolderWork => ({
  folder: FOLDER,
  name: 'shop',
  tree: { features: [], tasks: Array.from({ length: shown }, (_, at) => task(at)), taskCount, nextTaskId: null },
});

const last = (rows: readonly Node[]): Node | undefined => rows.at(-1);
const below = (row: Node | undefined): readonly Node[] => row?.children ?? [];

test('a long list opens page by page, down to its last task', () => {
  const rows = rowsOf(workOf(2 * MAX_ROWS + 1), EVERYTHING);
  expect([rows.length, tasksIn(rows)]).toEqual([MAX_ROWS + 1, 2 * MAX_ROWS + 1]);
  expect(last(rows)).toMatchObject({ type: 'more', count: MAX_ROWS + 1 });
  expect(last(below(last(rows)))).toMatchObject({ type: 'more', count: 1, children: [{ type: 'task', item: { name: `Step ${2 * MAX_ROWS}` } }] });
});

test('a list that fits has no row for more, and each such row an identity of its own', () => {
  expect(rowsOf(workOf(MAX_ROWS), EVERYTHING).every(row => row.type === 'task')).toBe(true);
  const rows = rowsOf(workOf(2 * MAX_ROWS + 1), EVERYTHING);
  const mores = [last(rows), last(below(last(rows)))].flatMap(row => (row?.type === 'more' ? [row.id] : []));
  expect(new Set(mores).size).toBe(2);
});

test('what a filter leaves out is not counted as more; what was not sent is', () => {
  expect(rowsOf(workOf(MAX_ROWS + 9), { ...EVERYTHING, words: ['step 7'] }).every(row => row.type === 'task')).toBe(true);
  expect(last(rowsOf(workOf(3, 5), EVERYTHING))).toMatchObject({ type: 'more', count: 2, children: [] });
});
