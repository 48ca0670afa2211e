import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Claim, Episode, Learning } from '../../memory/entities';
import { type Moves, movesOf } from '../../memory/moves';
import { MemoryView } from '../../memory/view';
import { headOf, type StableId } from '../../model/ids';
import { type Kind, kindOfPrefix } from '../../model/kinds';
import type { RecordDraft, Records } from '../../model/records';
import { joins, type Relation } from '../../model/relations';
import type { FrozenLayer, LayerDelta, LayerEdge, LayerNode, LayerSource } from '../layer';
import { LayerGraph } from '../layerGraph';

/** The newest episodes are nodes; records keep them all. */
const MAX_EPISODES = 5_000;
const NAME_LENGTH = 80;

/** Episodes, learnings and active claims as nodes, each with the code and the work that it names. Sensitive episodes are no nodes. Frozen when asked for. */
export class EpisodeLayer implements LayerSource, Disposable {
  readonly relations = ['NEXT_EPISODE', 'INVOLVES', 'DERIVED_FROM', 'APPLIES_TO', 'TARGETS'] as const;
  readonly kinds = ['episode', 'learning', 'claim'] as const;
  readonly isOnRequest = true;
  readonly #graph = new LayerGraph();
  readonly #view: MemoryView;
  readonly #moves: Moves;
  readonly #change = new Emitter<void>();
  readonly #listening = new DisposableStore();
  /** Drafts since it was last read; `undefined` before the first time and after a restore. */
  #since: RecordDraft[] | undefined;
  #version = 0;

  constructor(records: Records) {
    this.#view = new MemoryView(records);
    this.#moves = movesOf(records);
    this.#listening.add(records.onApplied(drafts => this.#note(drafts)));
  }

  get version(): number {
    return this.#version;
  }

  get onChange(): LayerSource['onChange'] {
    return this.#change.event;
  }

  frozen(_code: GraphView, intern: (id: StableId) => NodeHandle): FrozenLayer | undefined {
    const since = this.#since;
    this.#since = [];
    if (since === undefined) this.#graph.apply(this.#everything());
    else if (since.length > 0) this.#graph.apply(this.#changes(since));
    return this.#graph.isEmpty ? undefined : this.#graph.frozen(intern);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#change.dispose();
  }

  #note(drafts: readonly RecordDraft[]): void {
    const own = drafts.filter(({ kind }) => kind.startsWith('memory.'));
    if (own.length === 0) return;
    if (own.some(({ kind }) => kind === 'memory.restored' || kind === 'memory.moved')) this.#since = undefined;
    else this.#since?.push(...own);
    this.#version++;
    this.#change.fire();
  }

  #everything(): LayerDelta {
    const episodes = this.#view.episodes({}, MAX_EPISODES);
    const learnings = this.#view.learnings();
    const upserts = [...episodes.map(one => this.#episode(one)), ...learnings.map(one => this.#learning(one)), ...this.#view.activeClaims().map(claimUpsert)];
    const known = new Set(upserts.map(({ node }) => node.id));
    return { upserts, removed: this.#graph.nodes().flatMap(({ id }) => (known.has(id) ? [] : [id])), linked: episodes.flatMap(chained), unlinked: [] };
  }

  #changes(drafts: readonly RecordDraft[]): LayerDelta {
    const upserts = new Map<StableId, LayerDelta['upserts'][number] | undefined>();
    for (const { kind, payload } of drafts) {
      const { id } = payload as { readonly id: StableId };
      upserts.set(id, this.#upsertOf(kind, payload));
    }
    const removed = [...upserts].flatMap(([id, upsert]) => (upsert === undefined ? [id] : []));
    const kept = [...upserts.values()].flatMap(upsert => (upsert === undefined ? [] : [this.#withNext(upsert)]));
    const linked = drafts.flatMap(({ kind, payload }) => (kind === 'memory.episode' ? chained(payload as Episode) : []));
    return { upserts: kept, removed, linked, unlinked: [] };
  }

  /** What a record makes of a node; `undefined` when it is none (any more). */
  #upsertOf(kind: string, payload: unknown): LayerDelta['upserts'][number] | undefined {
    if (kind === 'memory.episode') return (payload as Episode).sensitive ? undefined : this.#episode(payload as Episode);
    if (kind === 'memory.learning') return (payload as Learning).supersededBy === null ? this.#learning(payload as Learning) : undefined;
    if (kind === 'memory.claim') return (payload as Claim).validTo === null ? claimUpsert(payload as Claim) : undefined;
    return undefined;
  }

  #episode(episode: Episode): LayerDelta['upserts'][number] {
    return episodeUpsert(episode, this.#names(episode.entities, episode.timestamp));
  }

  #learning(learning: Learning): LayerDelta['upserts'][number] {
    return learningUpsert(learning, this.#names(learning.entities, learning.extractedAt));
  }

  /** Ids that were named at a time, and what they have been called since: an edge counts where its end is there. */
  #names(ids: readonly StableId[], since: number): readonly StableId[] {
    return this.#moves.isEmpty ? ids : [...new Set(ids.flatMap(id => [id, ...this.#moves.laterNames(id, since)]))];
  }

  /** An episode that is written anew keeps the edge to the one after it, which that one brought. */
  #withNext({ edges, node }: LayerDelta['upserts'][number]): LayerDelta['upserts'][number] {
    return { node, edges: [...edges, ...this.#graph.edgesFrom(node.id).filter(({ relation }) => relation === 'NEXT_EPISODE')] };
  }
}

function episodeUpsert(episode: Episode, entities: readonly StableId[]): LayerDelta['upserts'][number] {
  const { agentId, content, id, metadata, outcome, sessionId, taskId, timestamp, type } = episode;
  const sources = type === 'REFLECTION' ? metadata['sourceEpisodeIds'] : undefined;
  const node: LayerNode = {
    id,
    kind: 'episode',
    name: nameOf(type, typeof metadata['title'] === 'string' ? metadata['title'] : content),
    summary: nameOf(type, content),
    doc: content,
    attributes: { type, agentId, sessionId, taskId, outcome, timestamp: new Date(timestamp).toISOString() },
  };
  return {
    node,
    edges: [
      ...[...entities, ...(taskId === null ? [] : [taskId])].flatMap(target => linked(id, 'INVOLVES', 'episode', target)),
      ...(Array.isArray(sources) ? sources.map(source => edge(id, 'DERIVED_FROM', String(source))) : []),
    ],
  };
}

/** The edge from the episode before it: both begin to be there with this one. */
function chained({ id, prevEpisodeId, sensitive }: Episode): LayerEdge[] {
  return prevEpisodeId === null || sensitive ? [] : [edge(prevEpisodeId, 'NEXT_EPISODE', id)];
}

function learningUpsert(learning: Learning, entities: readonly StableId[]): LayerDelta['upserts'][number] {
  const { agentId, confidence, content, extractedAt, id, kind, reflectionId, taskId } = learning;
  const node: LayerNode = {
    id,
    kind: 'learning',
    name: nameOf('Learning', content),
    summary: content,
    doc: content,
    attributes: { pattern: kind, agentId, taskId, confidence, timestamp: new Date(extractedAt).toISOString() },
  };
  return { node, edges: [...entities.flatMap(target => linked(id, 'APPLIES_TO', 'learning', target)), edge(id, 'DERIVED_FROM', reflectionId)] };
}

function claimUpsert({ agentId, claimType, id, intent, targetId, taskId, validFrom }: Claim): LayerDelta['upserts'][number] {
  const node: LayerNode = {
    id,
    kind: 'claim',
    name: `${agentId}: ${intent}`.slice(0, NAME_LENGTH),
    summary: intent,
    doc: '',
    attributes: { agentId, intent, claimType, taskId, validFrom: new Date(validFrom).toISOString() },
  };
  return { node, edges: linked(id, 'TARGETS', 'claim', targetId) };
}

/** An edge to what may be such an end; ids of other kinds are kept in the record alone. */
function linked(source: StableId, relation: Relation, from: Kind, target: StableId): LayerEdge[] {
  const to = kindOfPrefix(headOf(target)) ?? (target.includes('::') ? 'function' : 'file');
  return joins(relation, from, to) ? [edge(source, relation, target)] : [];
}

function edge(source: StableId, relation: Relation, target: StableId): LayerEdge {
  return { source, relation, target, provenance: relation === 'DERIVED_FROM' ? 'derived' : 'human' };
}

function nameOf(type: string, text: string): string {
  const line = text.split('\n', 1)[0]?.trim() ?? '';
  const name = `${type.toLowerCase().replace('_', ' ')}: ${line}`;
  return name.length > NAME_LENGTH ? `${name.slice(0, NAME_LENGTH - 1)}…` : name;
}
