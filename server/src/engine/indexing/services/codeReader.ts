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

/** Types. What they extend and their methods are found on request: few types are asked for them. */
function* typesOf(graph: GraphView): Generator<TypeSymbol> {
  let beside: ReturnType<typeof methodsBeside> | undefined;
  for (const file of graph.files()) {
    if (graph.isTest(file)) continue;
    const path = graph.idOf(file);
    for (const symbol of graph.symbolsOf(file)) {
      if (!TYPES.has(graph.kindOf(symbol))) continue;
      const { id, name } = graph.node(symbol);
      yield {
        id,
        name,
        path,
        get bases() {
          return graph.out(symbol, undefined, BASES).map(edge => graph.node(edge.target).name);
        },
        get methods() {
          beside ??= methodsBeside(graph);
          return methodsOf(graph, symbol, beside.get(`${dirname(path)} ${name}`) ?? []);
        },
      };
    }
  }
}

/** Methods inside a type, and in Go those declared beside it. */
function methodsOf(graph: GraphView, type: NodeHandle, beside: readonly NodeHandle[]): TypeSymbol['methods'] {
  const methods = [...new Set([...graph.childrenOf(type), ...beside])].filter(child => METHODS.has(graph.kindOf(child)));
  return methods.map(method => {
    const { id, name, nameLine } = graph.node(method);
    return { id, name, line: nameLine };
  });
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
