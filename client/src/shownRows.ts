import type { TreeDataProvider, TreeItem } from 'vscode';
import { shownLines, shownText } from '../../server/protocol/shownText';

/** A tree as it is shown: no name from the workspace turns the direction of a row around, hides what follows or begins a line of its own. */
export function shownRows<T>(provider: TreeDataProvider<T>): TreeDataProvider<T> {
  const { onDidChangeTreeData } = provider;
  return {
    ...(onDidChangeTreeData === undefined ? {} : { onDidChangeTreeData }),
    getChildren: element => provider.getChildren(element),
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
