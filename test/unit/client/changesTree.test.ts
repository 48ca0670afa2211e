import { expect, test, vi } from 'vitest';
import type { TreeItem, Uri } from 'vscode';
import type { BranchImpactAnswer, InterfaceChange } from '../../../server/protocol/features';

/** As much of the editor as rows are made of; a place is the text of its address. */
vi.mock('vscode', () => {
  class Address {
    constructor(readonly text: string) {}
    toString(): string {
      return this.text;
    }
    with({ fragment }: { readonly fragment: string }): Address {
      return new Address(`${this.text}#${fragment}`);
    }
    static joinPath(base: Address, ...parts: readonly string[]): Address {
      return new Address([base.text, ...parts].join('/'));
    }
    static from({ path, query, scheme }: { readonly path: string; readonly query: string; readonly scheme: string }): Address {
      return new Address(`${scheme}:${path}?${JSON.parse(query).at}`);
    }
  }
  return {
    EventEmitter: class {
      event = (): void => undefined;
      fire(): void {}
    },
    MarkdownString: class {
      value = '';
      appendText(text: string): this {
        this.value += text;
        return this;
      }
    },
    Range: class {
      constructor(readonly start: number) {}
    },
    ThemeColor: class {
      constructor(readonly id: string) {}
    },
    ThemeIcon: class {
      static File = {};
      constructor(
        readonly id: string,
        readonly color?: { readonly id: string },
      ) {}
    },
    TreeItem: class {
      constructor(
        readonly label: string,
        readonly collapsibleState: number,
      ) {}
    },
    TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
    Uri: Address,
    commands: {},
    window: {},
    workspace: {},
  };
});

const { Uri: Address } = await import('vscode');
const { ChangesTree, summaryOf } = await import('../../../client/src/changes/changesTree');

const folder = new (Address as unknown as new (text: string) => Uri)('file:///shop');
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
    ['lattice-past:/shop/old.py?commit:abc1234', 2, 'gitDecoration.deletedResourceForeground'],
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
