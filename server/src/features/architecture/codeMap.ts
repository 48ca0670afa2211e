import type { PathTest } from '../../base/globs';
import type { WorkspacePath } from '../../base/path';
import { eachInSteps, type Steps } from '../../base/steps';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence, FACT_CONFIDENCE } from '../../model/evidence';
import { NO_NODE } from '../../model/ids';
import { type Relation, relationCode } from '../../model/relations';
import { globPattern } from '../shared/globs';
import { kindOf } from '../shared/rows';
import { serviceOf } from '../shared/services';
import type { Layer, RuleSet, Selector } from './rules';

/** Files of a graph with their layers and services, and what selectors mean in it. */
export class CodeMap {
  /** Filled when first asked for: thousands of files against many globs take a while. */
  readonly #layerOf = new Map<NodeHandle, number>();
  readonly #patterns: readonly ReturnType<typeof patternsOf>[];
  readonly #matchers = new Map<Selector, (node: NodeHandle) => boolean>();

  constructor(
    readonly graph: GraphView,
    readonly rules: Pick<RuleSet, 'layers'>,
  ) {
    this.#patterns = rules.layers.map(patternsOf);
  }

  /** The layer that a file of this path has or would have. */
  layerOfPath(path: WorkspacePath): Layer | undefined {
    return this.rules.layers[this.#layerAt(path)];
  }

  /** The layer of the file that a node is in: the first one declared that takes it. */
  layerOf(node: NodeHandle): Layer | undefined {
    const file = this.graph.fileNodeOf(node);
    if (file === undefined) return undefined;
    let layer = this.#layerOf.get(file);
    if (layer === undefined) this.#layerOf.set(file, (layer = this.#layerAt(this.graph.idOf(file))));
    return this.rules.layers[layer];
  }

  /** Whether a selector takes a node. */
  matcher(selector: Selector | undefined): (node: NodeHandle) => boolean {
    if (selector === undefined) return () => true;
    const known = this.#matchers.get(selector);
    if (known !== undefined) return known;
    const made = remembered(this.graph.adjacency.size, this.#compile(selector));
    this.#matchers.set(selector, made);
    return made;
  }

  #layerAt(path: WorkspacePath): number {
    return this.#patterns.findIndex(({ include, exclude }) => include.some(glob => glob.test(path)) && !exclude.some(glob => glob.test(path)));
  }

  #compile(selector: Selector): (node: NodeHandle) => boolean {
    const { graph } = this;
    const paths = selector.path.map(globPattern);
    const packages = selector.package.map(name => globPattern(name.replace(/\/$/, '')));
    const pathOf = (node: NodeHandle): WorkspacePath => {
      const file = graph.fileNodeOf(node);
      return file === undefined ? '' : graph.idOf(file);
    };
    const tests: readonly (readonly [unknown, (node: NodeHandle) => boolean])[] = [
      [selector.layer[0], node => selector.layer.includes(this.layerOf(node)?.id ?? '')],
      [selector.path[0], node => paths.some(glob => pathOf(node) !== '' && glob.test(pathOf(node)))],
      [selector.service[0], node => selector.service.includes(serviceOf(pathOf(node)))],
      [selector.package[0], node => graph.kindOf(node) === 'external' && packages.some(glob => glob.test(packageOf(graph.idOf(node))))],
      [selector.kind[0], node => selector.kind.includes(kindOf(graph.node(node)))],
      [selector.community[0], node => this.#communityNames(node).some(name => selector.community.includes(name))],
    ];
    const wanted = tests.filter(([given]) => given !== undefined).map(([, test]) => test);
    return node => wanted.every(test => test(node));
  }

  /** Number and label of a node's community. */
  #communityNames(node: NodeHandle): readonly string[] {
    const id = this.graph.communities().of[node] ?? -1;
    return id < 0 ? [] : [String(id), this.graph.describedCommunities().find(row => row.id === id)?.label ?? ''];
  }
}

function patternsOf({ include, exclude }: Layer): { readonly include: readonly PathTest[]; readonly exclude: readonly PathTest[] } {
  return { include: include.map(globPattern), exclude: exclude.map(globPattern) };
}

/** Answers of a test, asked once for each node. */
function remembered(size: number, test: (node: NodeHandle) => boolean): (node: NodeHandle) => boolean {
  const known = new Uint8Array(size);
  return node => {
    if (known[node] === 0) known[node] = test(node) ? 1 : 2;
    return known[node] === 1;
  };
}

/** `express` of `external::express`. */
export function packageOf(id: string): string {
  return id.replace(/^external::/, '');
}

/** A link between two files, or from a file to a package, that is a fact. */
export interface Link {
  readonly source: NodeHandle;
  readonly target: NodeHandle;
  /** Code from `RELATIONS`. */
  readonly relation: number;
  readonly sourceFile: NodeHandle;
  /** `undefined` for packages from outside. */
  readonly targetFile: NodeHandle | undefined;
}

/** Every fact along some relations that leaves its file, in the order of nodes. */
export function* linksAlong(graph: GraphView, relations: Iterable<Relation>): Steps<Link[]> {
  const { forward, live } = graph.adjacency;
  const wanted = new Uint8Array(256);
  for (const relation of relations) wanted[relationCode[relation]] = 1;
  const least = encodeConfidence(FACT_CONFIDENCE);
  const links: Link[] = [];
  yield* eachInSteps(graph.nodes(), source => {
    const sourceFile = graph.fileNodeOf(source);
    if (sourceFile === undefined) return;
    const end = forward.ends[source] ?? 0;
    for (let at = forward.starts[source] ?? 0; at < end; at++) {
      const relation = forward.relations[at] ?? 0;
      const target = forward.targets[at] ?? NO_NODE;
      if (wanted[relation] !== 1 || (forward.confidences[at] ?? 0) < least || live[target] !== 1) continue;
      const targetFile = graph.fileNodeOf(target);
      if (targetFile !== sourceFile) links.push({ source, target, relation, sourceFile, targetFile });
    }
  });
  return links;
}
