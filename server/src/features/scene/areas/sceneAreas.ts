import { isWithin, type WorkspacePath } from '../../../base/path';
import { compareText } from '../../../base/text';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { entityId } from '../../../knowledge/rules';
import { type KnowledgeView, knowledgeOf } from '../../../knowledge/view';
import type { Workspace } from '../../../workspace/snapshot';
import type { SceneSources } from '../overview/sceneSources';
import { Groups } from '../sceneGroups';
import type { SceneAreaShare, SceneAreasDto, SceneAtomDto, SceneNodeDto } from '../sceneShapes';

/** Areas that are told apart: more colors and letters than these nobody keeps in mind. */
const MAX_AREAS = 12;
/** Stands for all atoms that are in no molecule. */
const ORPHANS = 'orphans';

/** The areas that something belongs to. */
interface Area {
  readonly id: string;
  readonly label: string;
}

/** To which molecules, communities or owners the nodes of a scene belong. */
export function areasOf(
  workspace: Pick<Workspace, 'records'>,
  graph: GraphView,
  nodes: readonly SceneNodeDto[],
  by: SceneAreasDto['by'],
  sources: SceneSources,
): SceneAreasDto {
  const parts = new NodeParts(graph, sources);
  const areasOfPart = areasByPart(workspace, graph, by, sources);
  const labels = new Map<string, string>();
  const shares = new Map<string, { readonly ids: readonly string[]; readonly parts: number; readonly within: number }>();
  const nodesOf = new Map<string, number>();
  for (const node of nodes) {
    const own = by === 'community' ? parts.symbols(node) : parts.files(node);
    const counts = new Map<string, number>();
    for (const part of own) {
      for (const { id, label } of areasOfPart(part)) {
        labels.set(id, label);
        counts.set(id, (counts.get(id) ?? 0) + 1);
      }
    }
    if (counts.size === 0) continue;
    const ids = [...counts].sort((a, b) => b[1] - a[1] || compareText(labels.get(a[0]) ?? '', labels.get(b[0]) ?? '')).map(([id]) => id);
    // A group mostly belongs to one community; that a few of its symbols lie elsewhere would only be noise.
    const shown = by === 'community' ? ids.slice(0, 1) : ids;
    shares.set(node.id, { ids: shown, parts: own.length, within: counts.get(ids[0] ?? '') ?? 0 });
    for (const id of shown) nodesOf.set(id, (nodesOf.get(id) ?? 0) + 1);
  }
  const ranked = [...nodesOf].map(([id, count]) => ({ id, label: labels.get(id) ?? id, nodes: count }));
  ranked.sort((a, b) => b.nodes - a.nodes || compareText(a.label, b.label) || compareText(a.id, b.id));
  const list = ranked.slice(0, MAX_AREAS);
  const placeOf = new Map(list.map(({ id }, place) => [id, place]));
  const of = [...shares].map(([id, { ids, ...rest }]): [string, SceneAreaShare] => [
    id,
    { areas: ids.map(area => placeOf.get(area)).filter(place => place !== undefined), ...rest },
  ]);
  return { by, list, of: Object.fromEntries(of) };
}

function areasByPart(
  workspace: Pick<Workspace, 'records'>,
  graph: GraphView,
  by: SceneAreasDto['by'],
  sources: SceneSources,
): (part: NodeHandle) => readonly Area[] {
  if (by === 'owner') return file => sources.ownersOf(graph.idOf(file)).map(owner => ({ id: owner, label: owner }));
  return by === 'molecule' ? moleculesOf(knowledgeOf(workspace.records), graph) : communityOf(graph);
}

/** Which nodes of a scene hold files of an atom; `undefined` when there is no such atom. */
export function atomOf(
  workspace: Pick<Workspace, 'records'>,
  graph: GraphView,
  nodes: readonly SceneNodeDto[],
  asked: string,
  sources: SceneSources,
): SceneAtomDto | undefined {
  const view = knowledgeOf(workspace.records);
  const atom = view.atom(entityId('atom', asked) ?? asked);
  if (atom === undefined) return undefined;
  const covered = new Set([...graph.files()].filter(file => view.atomsCovering(graph.idOf(file)).some(({ id }) => id === atom.id)));
  const parts = new NodeParts(graph, sources);
  const shown = covered.size === 0 ? [] : nodes.filter(node => parts.files(node).some(file => covered.has(file)));
  return { id: atom.id, name: atom.name, files: covered.size, nodes: shown.map(node => node.id) };
}

function moleculesOf(view: KnowledgeView, graph: GraphView): (file: NodeHandle) => readonly Area[] {
  const known = new Map<WorkspacePath, readonly Area[]>();
  return file => {
    const path = graph.idOf(file);
    let areas = known.get(path);
    if (areas === undefined) {
      const found = new Map<string, string>();
      for (const { moleculeId } of view.atomsCovering(path)) {
        const molecule = moleculeId === null ? undefined : view.molecule(moleculeId);
        found.set(molecule?.id ?? ORPHANS, molecule?.name ?? 'Atoms without a molecule');
      }
      areas = [...found].map(([id, label]) => ({ id, label }));
      known.set(path, areas);
    }
    return areas;
  };
}

function communityOf(graph: GraphView): (symbol: NodeHandle) => readonly Area[] {
  const groups = new Groups(graph, 'community');
  return symbol => {
    const group = groups.of(symbol);
    return group === undefined ? [] : [{ id: group.id, label: group.label }];
  };
}

/** The files and symbols that a node of a scene stands for. */
export class NodeParts {
  #all: readonly (readonly [path: WorkspacePath, file: NodeHandle])[] | undefined;
  #groups: Groups | undefined;

  constructor(
    private readonly graph: GraphView,
    private readonly sources: SceneSources,
  ) {}

  files({ id, role, kind }: SceneNodeDto): readonly NodeHandle[] {
    if (role === 'bundle') return [];
    const own = this.graph.find(id);
    if (own !== undefined) return [this.graph.fileNodeOf(own)].filter(file => file !== undefined);
    const [, name = ''] = /^[a-z]+:(?<name>.*)$/s.exec(id) ?? [];
    if (id === 'folder:.') return this.#where(path => !path.includes('/'));
    if (kind === 'folder') return this.#where(path => isWithin(path, name));
    if (kind === 'package') return this.#where(path => this.#packages.packageOf(path) === name);
    if (kind === 'service') return this.#where(path => this.sources.serviceOf(path) === name);
    if (kind === 'owner') return this.#where(path => this.sources.ownersOf(path).join(' ') === name);
    if (kind !== 'community') return [];
    return [...new Set(this.graph.membersOf(Number(name)).map(member => this.graph.fileNodeOf(member)))].filter(file => file !== undefined);
  }

  symbols(node: SceneNodeDto): readonly NodeHandle[] {
    if (node.kind === 'community') return this.graph.membersOf(Number(node.id.slice('community:'.length)));
    const own = this.graph.find(node.id);
    if (own !== undefined && this.graph.fileNodeOf(own) !== own) return [own];
    return this.files(node).flatMap(file => {
      const symbols = this.graph.symbolsOf(file);
      return symbols.length === 0 ? [file] : symbols;
    });
  }

  #where(accept: (path: WorkspacePath) => boolean): readonly NodeHandle[] {
    this.#all ??= [...this.graph.files()].map(file => [this.graph.idOf(file), file] as const);
    return this.#all.filter(([path]) => accept(path)).map(([, file]) => file);
  }

  get #packages(): Groups {
    this.#groups ??= new Groups(this.graph, 'package');
    return this.#groups;
  }
}
