import { dirname } from '../../../base/path';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { type Relation, relationCode } from '../../../model/relations';
import type { CodeReader, TypeSymbol } from '../../../services/codeReader';

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'type', 'struct', 'trait']);
const METHODS: ReadonlySet<string> = new Set(['method', 'function']);

function only(...relations: readonly Relation[]): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const relation of relations) kinds[relationCode[relation]] = 1;
  return kinds;
}

const IMPORTS = only('IMPORTS');
const CALLS = only('CALLS');
const BASES = only('INHERITS', 'IMPLEMENTS');
const USES = only('USES_TYPE', 'INSTANTIATES', 'INHERITS', 'IMPLEMENTS', 'CALLS');

/** The graph of the code as the services room asks it. Reads on request, keeps nothing but the types. */
export function codeReader(graph: GraphView): CodeReader {
  let types: readonly TypeSymbol[] | undefined;
  const pathOf = (node: NodeHandle): string => {
    const file = graph.fileNodeOf(node);
    return file === undefined ? '' : graph.idOf(file);
  };
  return {
    *imports() {
      for (const file of graph.files()) {
        if (graph.isTest(file)) continue;
        for (const { count, target } of graph.out(file, undefined, IMPORTS)) {
          const path = pathOf(target);
          if (path !== '') yield { source: graph.idOf(file), target: path, count };
        }
      }
    },
    types() {
      types ??= [...typesOf(graph)];
      return types;
    },
    callersOf(id) {
      const node = graph.find(id);
      if (node === undefined) return [];
      return graph
        .in(node, undefined, CALLS)
        .filter(edge => !graph.isTest(edge.source))
        .map(edge => ({ id: graph.idOf(edge.source), path: pathOf(edge.source) }));
    },
    usersOf(id) {
      const node = graph.find(id);
      if (node === undefined) return [];
      return [...new Set(graph.in(node, undefined, USES).map(edge => pathOf(edge.source)))].filter(path => path !== '');
    },
  };
}

/** Types with their methods: those inside them, and in Go those declared beside them. */
function* typesOf(graph: GraphView): Generator<TypeSymbol> {
  const beside = methodsBeside(graph);
  for (const file of graph.files()) {
    if (graph.isTest(file)) continue;
    const path = graph.idOf(file);
    for (const symbol of graph.symbolsOf(file)) {
      if (!TYPES.has(graph.kindOf(symbol))) continue;
      const { id, name } = graph.node(symbol);
      const methods = [...new Set([...graph.childrenOf(symbol), ...(beside.get(`${dirname(path)} ${name}`) ?? [])])].filter(child =>
        METHODS.has(graph.kindOf(child)),
      );
      yield {
        id,
        name,
        path,
        bases: graph.out(symbol, undefined, BASES).map(edge => graph.node(edge.target).name),
        methods: methods.map(child => {
          const method = graph.node(child);
          return { id: method.id, name: method.name, line: method.startLine };
        }),
      };
    }
  }
}

/** Methods that are written outside their type, by folder and name of the type. */
function methodsBeside(graph: GraphView): ReadonlyMap<string, readonly NodeHandle[]> {
  const found = new Map<string, NodeHandle[]>();
  for (const file of graph.files()) {
    if (graph.isTest(file)) continue;
    for (const symbol of graph.symbolsOf(file)) {
      if (graph.kindOf(symbol) !== 'method') continue;
      const [path = '', type = '', ...rest] = graph.idOf(symbol).split('::');
      if (rest.length !== 1) continue;
      const key = `${dirname(path)} ${type}`;
      const known = found.get(key);
      if (known === undefined) found.set(key, [symbol]);
      else known.push(symbol);
    }
  }
  return found;
}
