/**
 * The memory layer: what people and agents wrote about the code, as nodes and edges of the graph.
 * It follows the records of a project, and the files of one checkout for what depends on them. The records stay the truth; nothing is stored here.
 */

import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/emitter';
import { type Glob, matchesPath } from '../../base/globs';
import { runAtOnce, runSteps, type Steps } from '../../base/steps';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { compilePattern } from '../../knowledge/patterns';
import type { Atom } from '../../knowledge/types';
import { type KnowledgeView, knowledgeOf } from '../../knowledge/view';
import type { StableId } from '../../model/ids';
import type { RecordDraft, Records } from '../../model/records';
import type { Container } from '../../work/entities';
import { WorkView } from '../../work/view';
import type { FrozenLayer, LayerDelta, LayerEdge, LayerSource } from '../layer';
import { LayerGraph } from '../layerGraph';
import { atomUpsert, coversEdge, moleculeUpsert } from './knowledgeNodes';
import { type CheckoutPlace, containerUpsert } from './workNodes';

const EVERYTHING = 'everything';
/** How often reading everything in steps is begun before it is left to the first question. */
const MAX_ATTEMPTS = 3;
const NODES_PER_PART = 64;

/** The layer of what people and agents wrote. It follows the records: each write is a delta. */
export class MemoryLayer implements LayerSource, Disposable {
  readonly relations = ['COVERS', 'IN_MOLECULE', 'RELATED_ATOM', 'RELATED_MOLECULE', 'TOUCHES', 'PART_OF', 'DEPENDS_ON'] as const;
  readonly kinds = ['atom', 'molecule', 'feature', 'task'] as const;
  readonly isOnRequest = false;
  readonly #graph = new LayerGraph();
  readonly #knowledge: KnowledgeView;
  readonly #work: WorkView;
  readonly #change = new Emitter<void>();
  readonly #listening = new DisposableStore();
  /** Ids of atoms, molecules, features and tasks whose records were written since they were last read. */
  #stale: Set<StableId> | typeof EVERYTHING = EVERYTHING;
  /** Files that COVERS was computed for; the same array as long as none came or went. */
  #files: Iterable<NodeHandle> | undefined;
  #version = 0;

  constructor(
    private readonly records: Records,
    private readonly place: CheckoutPlace,
  ) {
    this.#knowledge = knowledgeOf(records);
    this.#work = new WorkView(records);
    this.#listening.add(records.onApplied(drafts => this.#note(drafts)));
  }

  get version(): number {
    return this.#version;
  }

  get onChange(): LayerSource['onChange'] {
    return this.#change.event;
  }

  frozen(code: GraphView, intern: (id: StableId) => NodeHandle): FrozenLayer | undefined {
    this.#catchUp(code);
    return this.#graph.isEmpty ? undefined : this.#graph.frozen(intern);
  }

  /** Changes that come in between have it begin again, but for a few times only. */
  async prepare(code: GraphView, intern: (id: StableId) => NodeHandle, pause: () => Promise<void> | undefined): Promise<void> {
    if (this.#stale !== EVERYTHING) return;
    const go = async (): Promise<boolean> => {
      await pause();
      return true;
    };
    await this.#knowledge.prepare(go);
    for (let attempt = 0; attempt < MAX_ATTEMPTS && this.#stale === EVERYTHING; attempt++) {
      const began = this.#version;
      const delta = await runSteps(this.#everything(code), pause);
      if (this.#version !== began || this.#stale !== EVERYTHING) continue;
      for (const part of partsOf(delta)) {
        this.#graph.apply(part);
        await pause();
        if (this.#version !== began || this.#stale !== EVERYTHING) break;
      }
      if (this.#version !== began || this.#stale !== EVERYTHING) continue;
      this.#stale = new Set();
      this.#files = this.#knowledge.atoms().length === 0 ? undefined : code.files();
    }
    if (!this.#graph.isEmpty) await this.#graph.freeze(intern, pause);
  }

  dispose(): void {
    this.#listening.dispose();
    this.#change.dispose();
  }

  #note(drafts: readonly RecordDraft[]): void {
    const ids = drafts.flatMap(idsIn);
    if (ids.length === 0) return;
    if (ids.includes(EVERYTHING)) this.#stale = EVERYTHING;
    else if (this.#stale !== EVERYTHING) for (const id of ids) this.#stale.add(id);
    this.#version++;
    this.#change.fire();
  }

  #catchUp(code: GraphView): void {
    const stale = this.#stale;
    const hadAtoms = this.#files !== undefined;
    if (stale === EVERYTHING || stale.size > 0) {
      this.#stale = new Set();
      this.#graph.apply(stale === EVERYTHING ? runAtOnce(this.#everything(code)) : this.#changes(code, stale));
    }
    const atoms = this.#knowledge.atoms();
    if (atoms.length === 0) {
      this.#files = undefined;
      return;
    }
    // Without atoms nobody looks at the files; the first atoms were matched with all there are.
    const files = code.files();
    if (hadAtoms && files !== this.#files) this.#graph.apply(this.#moved(code, files, this.#files ?? []));
    this.#files = files;
  }

  *#everything(code: GraphView): Steps<LayerDelta> {
    const atoms = this.#knowledge.atoms();
    const covered = new Map<StableId, LayerEdge[]>(atoms.map(atom => [atom.id, []]));
    for (const file of atoms.length === 0 ? [] : code.files()) {
      const path = code.idOf(file);
      for (const atom of this.#knowledge.atomsCovering(path)) covered.get(atom.id)?.push(coversEdge(atom.id, path));
      yield;
    }
    const containers = this.#work.all();
    const sections = grouped(
      this.#work.titled('context files'),
      section => section.containerId,
      section => section,
    );
    const blockers = grouped(
      this.#work.allDependencies(),
      ({ toId }) => toId,
      ({ fromId }) => fromId,
    );
    yield;
    const known = new Set([...atoms, ...this.#knowledge.molecules(), ...containers].map(({ id }) => id));
    return {
      upserts: [
        ...atoms.map(atom => atomUpsert(atom, covered.get(atom.id) ?? [])),
        ...this.#knowledge.molecules().map(moleculeUpsert),
        ...containers.map(container => containerUpsert(container, sections.get(container.id) ?? [], blockers.get(container.id) ?? [], this.place)),
      ],
      removed: this.#graph.nodes().flatMap(({ id }) => (known.has(id) ? [] : [id])),
      linked: [],
      unlinked: [],
    };
  }

  #changes(code: GraphView, stale: ReadonlySet<StableId>): LayerDelta {
    const upserts: LayerDelta['upserts'][number][] = [];
    const removed: StableId[] = [];
    const members = [...stale].flatMap(id => this.#graph.edgesTo(id).flatMap(edge => (edge.relation === 'IN_MOLECULE' ? [edge.source] : [])));
    for (const id of new Set([...stale, ...members])) {
      const atom = this.#knowledge.atom(id);
      const molecule = this.#knowledge.molecule(id);
      const container = this.#work.container(id);
      if (atom !== undefined) upserts.push(atomUpsert(atom, this.#covers(code, atom)));
      else if (molecule !== undefined) upserts.push(moleculeUpsert(molecule));
      else if (container !== undefined) upserts.push(this.#container(container));
      else removed.push(id);
    }
    return { upserts, removed, linked: [], unlinked: [] };
  }

  /** Files that came are matched with all atoms; of those that went the edges go. */
  #moved(code: GraphView, now: Iterable<NodeHandle>, before: Iterable<NodeHandle>): LayerDelta {
    const [here, there] = [new Set(now), new Set(before)];
    const linked = [...here].flatMap(file => {
      const path = there.has(file) ? undefined : code.idOf(file);
      return path === undefined ? [] : this.#knowledge.atomsCovering(path).map(atom => coversEdge(atom.id, path));
    });
    const gone = [...there].filter(file => !here.has(file)).map(file => code.idOf(file));
    const unlinked = gone.flatMap(path => this.#graph.edgesTo(path).filter(edge => edge.relation === 'COVERS'));
    return { upserts: [], removed: [], linked, unlinked };
  }

  /** As before when its patterns are the same. */
  #covers(code: GraphView, atom: Atom): readonly LayerEdge[] {
    const before = this.#graph.node(atom.id)?.attributes['paths'];
    if (Array.isArray(before) && this.#files !== undefined && before.length === atom.paths.length && before.every((path, at) => path === atom.paths[at])) {
      return this.#graph.edgesFrom(atom.id).filter(edge => edge.relation === 'COVERS');
    }
    const patterns = atom.paths.map(compilePattern);
    return [...code.files()].flatMap(file => {
      const path = code.idOf(file);
      return coversAny(patterns, path) ? [coversEdge(atom.id, path)] : [];
    });
  }

  #container(container: Container): LayerDelta['upserts'][number] {
    const { id, type } = container;
    const isTask = type === 'task';
    const blockers = isTask ? this.#work.dependencies(id).flatMap(({ fromId, toId }) => (toId === id ? [fromId] : [])) : [];
    return containerUpsert(container, isTask ? this.#work.sections(id) : [], blockers, this.place);
  }
}

/** A delta that only puts and removes nodes, in parts of some nodes each. */
function* partsOf({ removed, upserts }: LayerDelta): Iterable<LayerDelta> {
  yield { upserts: [], removed, linked: [], unlinked: [] };
  for (let at = 0; at < upserts.length; at += NODES_PER_PART) yield { upserts: upserts.slice(at, at + NODES_PER_PART), removed: [], linked: [], unlinked: [] };
}

function grouped<T, V>(items: readonly T[], keyOf: (item: T) => string, valueOf: (item: T) => V): ReadonlyMap<string, readonly V[]> {
  const groups = new Map<string, V[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), valueOf(item)]);
  return groups;
}

function coversAny(patterns: readonly Glob[], path: string): boolean {
  const segments = path.split('/');
  return patterns.some(({ alternatives }) =>
    alternatives.some(
      alternative =>
        (path === alternative.folder || alternative.folder === '' || path.startsWith(`${alternative.folder}/`)) && matchesPath(alternative, segments),
    ),
  );
}

/** Ids of what a record changes. */
function idsIn({ kind, payload }: RecordDraft): readonly StableId[] {
  if (kind.endsWith('.restored')) return [EVERYTHING];
  const given = payload as Readonly<Record<string, unknown>>;
  const text = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : []);
  const entity = (given['entity'] ?? {}) as Readonly<Record<string, unknown>>;
  switch (kind) {
    case 'knowledge.putAtom':
    case 'knowledge.putMolecule':
    case 'knowledge.removeAtom':
    case 'knowledge.removeMolecule':
      return text(given['id']);
    case 'work.container':
      return text(entity['id']);
    case 'work.containerRemoved':
      return text(given['id']);
    case 'work.section':
      return text(entity['containerId']);
    case 'work.sectionRemoved':
      return text(given['containerId']);
    case 'work.dependency':
    case 'work.dependencyRemoved':
      return text(given['toId']);
    default:
      return [];
  }
}
