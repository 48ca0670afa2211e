import type { Event, TreeDataProvider, TreeItem } from 'vscode';
import { shownLines, shownText } from '../../server/protocol/shownText';

/** The longest that the first question for rows waits for some. */
const FIRST_ROWS_MS = 2000;

/**
 * A tree as it is shown: no name from the workspace turns the direction of a row around, hides what follows or begins a line of its own.
 * Its first rows wait up to `firstRowsMs` for the first change.
 */
export function shownRows<T>(provider: TreeDataProvider<T>, firstRowsMs = FIRST_ROWS_MS): TreeDataProvider<T> {
  return {
    ...withFirstRows(provider, firstRowsMs),
    getTreeItem: element => {
      const item = provider.getTreeItem(element);
      return 'then' in item ? item.then(shownItem) : shownItem(item);
    },
    ...(provider.getParent === undefined ? {} : { getParent: (element: T) => provider.getParent?.(element) }),
    ...(provider.resolveTreeItem === undefined
      ? {}
      : { resolveTreeItem: (item: TreeItem, element: T, token) => provider.resolveTreeItem?.(item, element, token) ?? item }),
  };
}

/**
 * The editor forgets a change that it is told of while it still asks for the first rows, and shows none then. So an empty tree answers that question with
 * what the first change brings, which need not be told any more.
 */
function withFirstRows<T>(provider: TreeDataProvider<T>, waitMs: number): Pick<TreeDataProvider<T>, 'getChildren' | 'onDidChangeTreeData'> {
  const { onDidChangeTreeData: onChange } = provider;
  if (onChange === undefined) return { getChildren: element => provider.getChildren(element) };
  let isFirst = true;
  let arrived: (() => void) | undefined;
  const onDidChangeTreeData: NonNullable<TreeDataProvider<T>['onDidChangeTreeData']> = (listener, self, disposables) =>
    (onChange as Event<T | T[] | undefined | null | void>)(
      change => {
        if (arrived === undefined) listener.call(self, change);
        else arrived();
      },
      undefined,
      disposables,
    );
  const getChildren = async (element?: T): Promise<T[]> => {
    const rows = (await provider.getChildren(element)) ?? [];
    if (element !== undefined || !isFirst) return rows;
    isFirst = false;
    if (rows.length > 0 || waitMs === 0) return rows;
    await new Promise<void>(resolve => {
      const late = setTimeout(resolve, waitMs);
      arrived = () => {
        clearTimeout(late);
        resolve();
      };
    });
    arrived = undefined;
    return (await provider.getChildren()) ?? [];
  };
  return { getChildren, onDidChangeTreeData };
}

function shownItem(item: TreeItem): TreeItem {
  const { accessibilityInformation, description, label, tooltip } = item;
  if (typeof label === 'string') item.label = shownText(label);
  else if (label !== undefined && shownText(label.label) !== label.label) item.label = shownText(label.label);
  if (typeof description === 'string') item.description = shownText(description);
  if (typeof tooltip === 'string') item.tooltip = shownLines(tooltip);
  if (accessibilityInformation !== undefined) item.accessibilityInformation = { ...accessibilityInformation, label: shownText(accessibilityInformation.label) };
  return item;
}

/**
 * A text as the editor's messages show it: the editor makes links of `[text](target)`, also to commands, and what it shows may hold names and words
 * of the workspace. Messages of ours hold no links.
 */
export function shownMessage(message: string): string {
  return shownLines(message).replace(/\]\(/g, '] (');
}
