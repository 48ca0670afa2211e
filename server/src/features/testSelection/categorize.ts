import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { extname, type WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import { type NodeHandle } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { feature } from '../shared/feature';
import type { Stamped } from '../shared/fresh';
import { text, texts } from '../shared/params';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { FRAMEWORK_NAMES } from './frameworks';
import { CATEGORIES, type Category, categoriesOf, type FileCategory, type TestFile, testFilesOf } from './inventory';
import { ReadTexts } from './reach/readTexts';
import { namesakeOf, stemOf } from './reach/testNames';

export const categorizeParams = shape(() =>
  object({
    /** Files or folders; all when absent. */
    paths: optional(texts()),
    category: optional(text()),
    framework: optional(text()),
  }),
);
export type CategorizeParams = Shaped<typeof categorizeParams>;

export const testRowShape = shape(() =>
  object({
    id: z.string(),
    file: z.string(),
    framework: z.enum(FRAMEWORK_NAMES),
    category: z.enum(CATEGORIES),
    reason: z.string(),
  }),
);

export const categorizeAnswerShape = shape(() =>
  object({
    counts: z.record(z.enum(['unit', 'integration', 'e2e', 'performance', 'unknown']), z.number()),
    tests: z.array(testRowShape()),
    /** Test files that refer to nothing of the project and are called after no file. */
    withoutTargets: z.array(z.string()),
  }),
);
export type CategorizeAnswer = Shaped<typeof categorizeAnswerShape>;

/** The tests of the workspace by framework and category. */
export async function categorizeTests(
  workspace: Workspace,
  params: CategorizeParams,
  token: CancellationToken,
): Promise<Result<Stamped<CategorizeAnswer>, FeatureFailure>> {
  const folders: WorkspacePath[] = [];
  for (const path of params.paths ?? []) {
    const inside = workspacePath(workspace, path);
    if (!inside.ok) return inside;
    folders.push(inside.value);
  }
  const snapshot = await workspace.snapshot(folders.slice(0, 50), token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, stamp } = snapshot.value;
  const texts = new ReadTexts(workspace);
  const isAsked = ({ path, framework }: TestFile): boolean =>
    (folders.length === 0 || folders.some(folder => folder === '' || path === folder || path.startsWith(`${folder}/`))) &&
    (params.framework === undefined || framework === params.framework);
  const asked = (await testFilesOf(texts, graph, token)).filter(isAsked);
  const categories = await categoriesOf(texts, graph, asked, token);
  const tests = [...categories]
    .map(([file, of]) => ({ ...file, ...of }))
    .filter(({ category }) => params.category === undefined || category === params.category);
  const counts = Object.fromEntries(CATEGORIES.map(name => [name, tests.filter(test => test.category === name).length])) as Record<Category, number>;
  return ok({
    counts,
    tests: tests.map(({ path, framework, category, reason }) => ({ id: path, file: path, framework, category, reason })),
    withoutTargets: withoutTargets(graph, tests),
    stamp,
  });
}

function withoutTargets(graph: GraphView, tests: readonly (TestFile & FileCategory)[]): WorkspacePath[] {
  const byStem = sourcesByStem(graph);
  return tests.filter(test => test.category !== 'unknown' && !refersToCode(graph, test) && namesake(test.path, byStem) === undefined).map(test => test.path);
}

function refersToCode(graph: GraphView, { node }: TestFile): boolean {
  return [node, ...graph.symbolsOf(node)].some(from =>
    graph.out(from).some(edge => edge.relation === 'TESTS' || (edge.relation === 'IMPORTS' && isSource(graph, edge.target))),
  );
}

function isSource(graph: GraphView, node: NodeHandle): boolean {
  return graph.node(node).nodeType === 'file' && !graph.isTest(node);
}

/** Files with code that are no tests, by stem and extension. */
export function sourcesByStem(graph: GraphView): ReadonlyMap<string, readonly WorkspacePath[]> {
  const byStem = new Map<string, WorkspacePath[]>();
  for (const file of graph.files()) {
    if (graph.isTest(file) || graph.symbolsOf(file).length === 0) continue;
    const path = graph.idOf(file);
    const known = byStem.get(stemOf(path));
    if (known === undefined) byStem.set(stemOf(path), [path]);
    else known.push(path);
  }
  return byStem;
}

/** The source that a test file is called after. */
export function namesake(test: WorkspacePath, byStem: ReadonlyMap<string, readonly WorkspacePath[]>): WorkspacePath | undefined {
  const family = familyOf(test);
  return namesakeOf(
    test,
    (byStem.get(stemOf(test)) ?? []).filter(path => path !== test && familyOf(path) === family),
  );
}

function familyOf(path: WorkspacePath): string {
  const extension = extname(path);
  return /^\.[cm]?[jt]sx?$/.test(extension) ? 'script' : extension;
}

export const categorizeTestsFeature = feature({
  name: 'categorizeTests',
  about: 'Tests by category and framework.',
  params: categorizeParams,
  answer: stamped(categorizeAnswerShape),
  run: categorizeTests,
});
