import type { LinkFilter } from '../../algorithms/rows';
import type { GraphEdge, GraphView, NodeHandle } from '../../code/graph/graphView';
import { encodeConfidence } from '../../model/evidence';
import { RELATIONS, type Relation } from '../../model/relations';
import { anyLinks } from '../shared/links';
import { kindOf } from '../shared/rows';
import type { SceneParams } from './sceneShapes';

/** Relations that are drawn unless asked otherwise: those along which a change travels. */
const DRAWN: readonly Relation[] = RELATIONS.filter(row => row.layer === 'code' && row.dependency).map(row => row.name);

/** Which nodes and links of the graph a scene may hold. */
export class SceneFilter {
  readonly relations: readonly Relation[];
  readonly links: LinkFilter;
  /** Whether files that only import or re-export a name are users of it: where no relation is asked for. */
  readonly withNamers: boolean;
  readonly #wanted: ReadonlySet<string>;
  readonly #minConfidence: number;
  readonly #kinds: ReadonlySet<string>;
  readonly #languages: ReadonlySet<string>;
  readonly #tests: boolean;
  readonly #externals: boolean;

  constructor(
    private readonly graph: GraphView,
    query: Pick<SceneParams, 'kinds' | 'languages' | 'minConfidence' | 'tests' | 'externals' | 'relations'>,
  ) {
    this.withNamers = query.relations === undefined || query.relations.length === 0;
    this.relations = query.relations === undefined || query.relations.length === 0 ? DRAWN : query.relations;
    this.#wanted = new Set(this.relations);
    this.#minConfidence = query.minConfidence ?? 0;
    this.links = { ...anyLinks(this.relations), minConfidence: encodeConfidence(this.#minConfidence) };
    this.#kinds = new Set(query.kinds);
    this.#languages = new Set(query.languages);
    this.#tests = query.tests !== false;
    this.#externals = query.externals === true;
  }

  edge(edge: GraphEdge): boolean {
    return edge.confidence >= this.#minConfidence && this.#wanted.has(edge.relation);
  }

  node(handle: NodeHandle): boolean {
    if (!this.#tests && this.graph.isTest(handle)) return false;
    const node = this.graph.node(handle);
    if (node.nodeType === 'external') return this.#externals && this.#languages.size === 0;
    if (this.#languages.size > 0 && !this.#languages.has(node.language ?? 'other')) return false;
    return this.#kinds.size === 0 || this.#kinds.has(kindOf(node));
  }

  /** Whether a file may be shown as a part of something larger, whatever kinds are asked for. */
  file(handle: NodeHandle): boolean {
    if (!this.#tests && this.graph.isTest(handle)) return false;
    return this.#languages.size === 0 || this.#languages.has(this.graph.node(handle).language ?? 'other');
  }

  /** Whether a symbol inside a shown file counts. */
  kind(handle: NodeHandle): boolean {
    return this.#kinds.size === 0 || this.#kinds.has(kindOf(this.graph.node(handle)));
  }
}
