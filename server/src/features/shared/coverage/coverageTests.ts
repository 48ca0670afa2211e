import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { SEPARATOR } from '../../../model/ids';
import { KIND_GROUPS } from '../../../model/nodes';

/** Finds the case or file of tests that a coverage report names. */
export type TestNames = (name: string) => NodeHandle | undefined;

/** Means that several tests have a name. */
const SEVERAL = -1;

/**
 * Reports name tests as they like: by path and names (`tests/test_a.py::TestA::test_b`), by their module (`tests.test_a.TestA.test_b`, from whatever folder),
 * or with an underscore for each sign (lcov). What fits one test only is that one. A case that a class inherits is that class.
 */
export function testNames(graph: GraphView): TestNames {
  let known: Names | undefined;
  const find = (name: string): NodeHandle | undefined => {
    const node = graph.find(name);
    if (node !== undefined) return graph.isTest(node) ? node : undefined;
    known ??= namesIn(graph);
    const keys = [name, name.slice(name.lastIndexOf('/') + 1)].map(keyOf);
    const found = keys.map(key => known?.whole.get(key) ?? known?.ends.get(key)).find(each => each !== undefined);
    return found === undefined || found === SEVERAL ? undefined : (found as NodeHandle);
  };
  return name => {
    const found = find(name);
    const type = found === undefined ? find(name.replace(/(?:::|\.)[^:.]*$/, '')) : undefined;
    return type !== undefined && CLASSES.has(graph.kindOf(type)) ? type : found;
  };
}

const CLASSES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);

/** Tests by their path and names, and by whatever those end with: from any folder on, from the file on, without it, the last one. */
interface Names {
  readonly whole: ReadonlyMap<string, number>;
  readonly ends: ReadonlyMap<string, number>;
}

function namesIn(graph: GraphView): Names {
  const [whole, ends] = [new Map<string, number>(), new Map<string, number>()];
  const note = (names: Map<string, number>, words: readonly string[], node: NodeHandle): void => {
    const key = words.map(plain).join('_');
    const known = names.get(key);
    names.set(key, known === undefined || known === node ? node : SEVERAL);
  };
  for (const file of graph.files()) {
    const path = withoutExtension(graph.idOf(file)).split('/');
    const symbols = graph.symbolsOf(file).filter(symbol => graph.runsAsTest(symbol) || (graph.isTest(symbol) && CLASSES.has(graph.kindOf(symbol))));
    if (symbols.length === 0 && !graph.isTest(file)) continue;
    for (const node of [file, ...symbols]) {
      const names = graph.idOf(node).split(SEPARATOR).slice(1);
      note(whole, [...path, ...names], node);
      for (let from = 1; from < path.length; from++) note(ends, [...path.slice(from), ...names], node);
      if (names.length > 0) note(ends, names, node);
      if (names.length > 1) note(ends, names.slice(-1), node);
    }
  }
  return { whole, ends };
}

function keyOf(name: string): string {
  const [path = '', ...names] = name.split(SEPARATOR);
  return (names.length === 0 ? [name] : [withoutExtension(path), ...names]).map(plain).join('_');
}

function withoutExtension(path: string): string {
  return path.replace(/\.\w+$/, '');
}

function plain(word: string): string {
  return word.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_|_$/g, '');
}
