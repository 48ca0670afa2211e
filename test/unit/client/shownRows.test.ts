import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { TreeDataProvider, TreeItem } from 'vscode';
import { shownMessage, shownRows } from '../../../client/src/shownRows';

const SOURCE = join(import.meta.dirname, '../../../client/src');
const EVIL = 'pay\u202Ext.\n\u001B[31mfree';
const SHOWN = 'pay\\u{202e}xt.\\n\\u{1b}[31mfree';

function sources(): readonly (readonly [string, string])[] {
  const paths = readdirSync(SOURCE, { recursive: true }).map(String);
  return paths.filter(path => path.endsWith('.ts')).map(path => [path.replaceAll('\\', '/'), readFileSync(join(SOURCE, path), 'utf8')]);
}

/** A provider with private state, as those of views have. */
class Provider implements TreeDataProvider<string> {
  readonly #item: TreeItem;

  constructor(item: TreeItem) {
    this.#item = item;
  }

  getTreeItem(): TreeItem {
    return Object.assign({}, this.#item);
  }

  getChildren(element?: string): string[] {
    return element === undefined ? ['a'] : [];
  }

  getParent(element: string): string {
    return `above ${element}`;
  }
}

test('no name hides, forges or turns around what a row of a view says', () => {
  const rows = shownRows(new Provider({ label: EVIL, description: EVIL, tooltip: EVIL, accessibilityInformation: { label: EVIL } }));
  expect(rows.getTreeItem('a')).toEqual({
    label: SHOWN,
    description: SHOWN,
    tooltip: 'pay\\u{202e}xt.\n\\u{1b}[31mfree',
    accessibilityInformation: { label: SHOWN },
  });
  expect(rows.getChildren()).toEqual(['a']);
  expect(rows.getParent?.('a')).toBe('above a');
  expect(shownRows(new Provider({ label: { label: EVIL, highlights: [[0, 1]] } })).getTreeItem('a')).toMatchObject({ label: SHOWN });
  expect(shownRows(new Provider({ label: { label: 'a', highlights: [[0, 1]] } })).getTreeItem('a')).toMatchObject({ label: { highlights: [[0, 1]] } });
});

test('no name makes a link or a command of a message', () => {
  expect(shownMessage('Do you want to delete "[free](command:evil)\u202E"?')).toBe('Do you want to delete "[free] (command:evil)\\u{202e}"?');
});

test('every tree and every message of the editor is escaped', () => {
  const direct = sources().filter(([path, text]) => path !== 'messages.ts' && /window\s*\.show(?:Information|Warning|Error)Message/.test(text));
  expect(direct.map(([path]) => path)).toEqual([]);
  const trees = sources().flatMap(([path, text]) => [...text.matchAll(/treeDataProvider: (?<given>[\w.]+)/g)].map(match => [path, match.groups?.['given']]));
  expect(trees).toHaveLength(7);
  expect(trees.filter(([, given]) => given !== 'shownRows')).toEqual([]);
  const tests = sources().flatMap(([, text]) => [...text.matchAll(/createTestItem\(`[^`]*`, (?<label>\w+)/g)].map(match => match.groups?.['label']));
  expect(tests).toEqual(['shownText', 'shownText']);
});

/** A tree that fills later, and whoever listens to its changes. */
function filling(firstRowsMs: number) {
  let rows: string[] = [];
  const listeners: (() => void)[] = [];
  const provider: TreeDataProvider<string> = {
    onDidChangeTreeData: listener => {
      listeners.push(() => listener(undefined));
      return { dispose: () => undefined };
    },
    getChildren: () => rows,
    getTreeItem: label => ({ label }),
  };
  const tree = shownRows(provider, firstRowsMs);
  let told = 0;
  tree.onDidChangeTreeData?.(() => told++);
  const fill = (...now: string[]): void => {
    rows = now;
    for (const listener of listeners) listener();
  };
  return { tree, fill, told: () => told };
}

const NEVER_MS = 3_600_000;

test('the first rows of an empty tree are those of its first change, which is not told as well', async () => {
  const { fill, told, tree } = filling(NEVER_MS);
  const first = tree.getChildren();
  await Promise.resolve();
  fill('a');
  expect(await first).toEqual(['a']);
  expect(told()).toBe(0);
  fill('b');
  expect(told()).toBe(1);
  expect(await tree.getChildren()).toEqual(['b']);
});

test('a tree with rows answers at once, and one whose rows do not come is empty', async () => {
  const full = filling(NEVER_MS);
  full.fill('a');
  expect(await full.tree.getChildren()).toEqual(['a']);
  expect(await filling(0).tree.getChildren()).toEqual([]);
  expect(await filling(1).tree.getChildren()).toEqual([]);
});
