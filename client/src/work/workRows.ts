import type { Uri } from 'vscode';
import type { WorkFeature, WorkStatus, WorkTask, WorkTreeAnswer } from '../../../server/protocol/features';

/** Rows of the Work view. */

export interface FolderWork {
  readonly folder: Uri;
  readonly name: string;
  readonly tree: WorkTreeAnswer;
}

/** What is shown: statuses, and words that all occur in the name, the summary or the tags. */
export interface WorkFilter {
  readonly statuses: ReadonlySet<WorkStatus>;
  readonly words: readonly string[];
}

/** A feature or task of the tree, as commands are handed it. */
export interface WorkNode {
  readonly type: 'feature' | 'task';
  readonly folder: Uri;
  readonly item: WorkFeature | WorkTask;
  readonly isNext: boolean;
  /** Rows below a feature. */
  readonly children: readonly Node[];
}

export interface FolderNode {
  readonly type: 'folder';
  readonly label: string;
  readonly children: readonly Node[];
}

/** Tasks that a long list does not show at first; without any where they were not asked for. */
export interface MoreNode {
  readonly type: 'more';
  readonly id: string;
  readonly count: number;
  readonly children: readonly Node[];
}

export type Node = WorkNode | FolderNode | MoreNode;

/** Rows that one heading shows before the others are folded. */
export const MAX_ROWS = 500;

export function rowsOf({ folder, tree }: FolderWork, filter: WorkFilter): Node[] {
  const rowsUnder = ({ tasks, taskCount }: Pick<WorkTreeAnswer, 'tasks' | 'taskCount'>, heading: string): Node[] => {
    const rows = tasks
      .filter(task => passes(task, filter))
      .map((task): WorkNode => ({ type: 'task', folder, item: task, isNext: task.id === tree.nextTaskId, children: [] }));
    return folded(rows, taskCount - tasks.length, `${folder.toString()} ${heading}`);
  };
  const features = tree.features.flatMap((feature): Node[] => {
    const children = rowsUnder(feature, feature.id);
    const isShown = passes(feature, filter) || children.length > 0;
    return isShown ? [{ type: 'feature', folder, item: feature, isNext: false, children }] : [];
  });
  return [...features, ...rowsUnder(tree, '')];
}

/** The first rows, and a row that opens the next ones; `missing` is how many others there are. */
function folded(rows: readonly WorkNode[], missing: number, id: string): Node[] {
  const rest = rows.slice(MAX_ROWS);
  const count = rest.length + missing;
  if (count === 0) return [...rows];
  const more = `${id} after ${rows[MAX_ROWS - 1]?.item.id ?? ''}`;
  return [...rows.slice(0, MAX_ROWS), { type: 'more', id: more, count, children: rest.length === 0 ? [] : folded(rest, missing, id) }];
}

function passes({ name, status, summary, tags }: WorkFeature | WorkTask, { statuses, words }: WorkFilter): boolean {
  const text = [name, summary, ...tags].join('\n').toLowerCase();
  return statuses.has(status) && words.every(word => text.includes(word));
}

/** Tasks in the rows and below them. */
export function tasksIn(rows: readonly Node[]): number {
  return rows.reduce((sum, row) => sum + (row.type === 'task' ? 1 : tasksIn(row.children)), 0);
}

/** Whether a row is of work, not a heading. */
export function isWorkNode(value: unknown): value is WorkNode {
  return typeof value === 'object' && value !== null && 'item' in value && 'folder' in value;
}
