/**
 * Layers above the code: nodes and edges that other sources than files make, each rich in attributes and small beside the code.
 * This room knows how a layer is kept, changed and walked, and how views of all layers are one; what is in a layer, its source knows.
 */
import type { Event } from '../base/emitter';
import type { GraphView, HalfAdjacency, NodeHandle } from '../code/graph/graphView';
import type { SourceName } from '../model/evidence';
import type { StableId } from '../model/ids';
import type { AttributeValues, Kind } from '../model/kinds';
import type { Relation } from '../model/relations';

/** A node of a layer above the code, with the attributes that the row of its kind lists. */
export interface LayerNode {
  readonly id: StableId;
  readonly kind: Kind;
  readonly name: string;
  /** One sentence, `''` when there is none. */
  readonly summary: string;
  /** Markdown that people wrote, whole. */
  readonly doc: string;
  readonly attributes: AttributeValues;
}

/** An edge of a layer above the code; its ends must be of kinds that the row of its relation allows. */
export interface LayerEdge {
  readonly source: StableId;
  readonly relation: Relation;
  readonly target: StableId;
  readonly provenance: SourceName;
  readonly attributes?: AttributeValues;
}

/** The only way a layer changes. An edge may end at what is not there yet: it shows when both ends are. */
export interface LayerDelta {
  /** New or changed nodes; `edges` are all that begin at the node. */
  readonly upserts: readonly { readonly node: LayerNode; readonly edges: readonly LayerEdge[] }[];
  readonly removed: readonly StableId[];
  /** Edges that come and go beside those of `upserts`. */
  readonly linked: readonly LayerEdge[];
  readonly unlinked: readonly Pick<LayerEdge, 'source' | 'relation' | 'target'>[];
}

/** A layer as columns; never changes. Rows are by handle, of its own nodes and of those below that its edges end at. */
export interface FrozenLayer {
  readonly nodes: ReadonlyMap<NodeHandle, LayerNode>;
  readonly forward: LayerRows;
  readonly backward: LayerRows;
  find(id: StableId): NodeHandle | undefined;
  /** What rows do not say of an edge. */
  edge(at: number): Pick<LayerEdge, 'provenance' | 'attributes'>;
}

export interface LayerRows extends HalfAdjacency {
  /** For each link what `FrozenLayer.edge` takes. */
  readonly edges: Int32Array;
}

/** What a layer is fed by, for one checkout. */
export interface LayerSource {
  /** Relations of its edges. */
  readonly relations: readonly Relation[];
  /** Kinds of its nodes. */
  readonly kinds: readonly Kind[];
  /** Costly or of little interest by itself: frozen when its relations or kinds are asked for, not before. */
  readonly isOnRequest: boolean;
  /** A number that moves with each change of what it is fed by, and a warning when it does. */
  readonly version: number;
  readonly onChange: Event<void>;
  /** Does in short steps what the first `frozen` for this code would have to do at once, with `pause` after each. Left out where that is little. */
  prepare?(code: GraphView, intern: (id: StableId) => NodeHandle, pause: () => Promise<void> | undefined): Promise<void>;
  /** The layer over the code as it is in a view; `undefined` when it is empty. The same object as long as nothing changed. */
  frozen(code: GraphView, intern: (id: StableId) => NodeHandle): FrozenLayer | undefined;
}
