import type { WorkspacePath } from '../../../base/path';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';

const TEST_FOLDER = /(?:^|\/)(?:__tests__|__mocks__|e2e|specs?|testdata|tests?|[\w.]+[-_]tests?)\//i;
const DOCUMENT_FOLDER = /(?:^|\/)(?:docs?|documentation|docs_src)\//i;
const DOT_FOLDER = /(?:^|\/)\.[^/]+\//;

/** What kind of thing beside the code a file is; `undefined` for the code itself. */
export type BesideKind = 'tests' | 'docs' | 'other';

/** Whether a file is one that an overview leaves out until it is asked for: tests, documentation, dot folders, and whatever holds no code. */
export function besideKindOf(graph: GraphView, file: NodeHandle): BesideKind | undefined {
  const path: WorkspacePath = graph.idOf(file);
  if (graph.isTest(file) || TEST_FOLDER.test(path)) return 'tests';
  if (DOCUMENT_FOLDER.test(path) || /\.(?:md|mdx|rst|adoc|txt)$/i.test(path)) return 'docs';
  return DOT_FOLDER.test(path) || graph.node(file).language === undefined ? 'other' : undefined;
}

/** How many files an overview leaves out. */
export interface BesideCounts {
  readonly tests: number;
  readonly docs: number;
  readonly other: number;
}

/** Files of the code, and how many there are beside it. Where nothing is code, everything is shown. */
export function codeFiles(graph: GraphView, isEverything: boolean): { readonly accept: (file: NodeHandle) => boolean; readonly leftOut: BesideCounts } {
  const leftOut = { tests: 0, docs: 0, other: 0 };
  const code = new Set<NodeHandle>();
  for (const file of graph.files()) {
    const aside = besideKindOf(graph, file);
    if (aside === undefined) code.add(file);
    else leftOut[aside]++;
  }
  return { leftOut, accept: file => isEverything || code.size === 0 || code.has(file) };
}
