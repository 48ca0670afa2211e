import type { SceneGrouping } from '../../../protocol/graphView';
import { basename, dirname, type WorkspacePath } from '../../base/path';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { marksProject } from '../../model/toolchains';
import { NO_SOURCES, type SceneSources } from './overview/sceneSources';
import type { SceneGroupDto, SceneNodeDto } from './sceneShapes';

export interface Group {
  readonly id: string;
  readonly label: string;
  readonly kind: 'folder' | 'package' | 'service' | 'owner' | 'community';
}

/** Tells in which group a node is: its folder, the nearest folder with a manifest, its service, who owns it, or what it hangs together with. */
export class Groups {
  readonly #packages: ReadonlySet<WorkspacePath>;

  constructor(
    private readonly graph: GraphView,
    private readonly grouping: SceneGrouping,
    private readonly sources: SceneSources = NO_SOURCES,
  ) {
    this.#packages = grouping === 'package' ? packagesOf(graph) : new Set();
  }

  of(node: NodeHandle): Group | undefined {
    const { path, nodeType } = this.graph.node(node);
    if (nodeType === 'external') return undefined;
    if (this.grouping === 'folder') return folderGroup(dirname(path));
    if (this.grouping === 'package') return packageGroup(this.packageOf(path));
    if (this.grouping === 'service') return serviceGroup(this.sources.serviceOf(path));
    if (this.grouping === 'owner') return ownerGroup(this.sources.ownersOf(path));
    if (this.grouping === 'community') return this.communityGroup(this.graph.communities().of[node] ?? -1);
    return undefined;
  }

  /** Folder of the package that a file is in; `''` for the workspace itself. */
  packageOf(path: WorkspacePath): WorkspacePath {
    for (let folder = dirname(path); folder !== ''; folder = dirname(folder)) if (this.#packages.has(folder)) return folder;
    return '';
  }

  communityGroup(id: number): Group | undefined {
    const found = this.graph.describedCommunities().find(community => community.id === id);
    return found === undefined ? undefined : { id: `community:${id}`, label: found.label, kind: 'community' };
  }
}

export function folderGroup(path: WorkspacePath): Group {
  return { id: `folder:${path}`, label: path === '' ? '(root)' : path, kind: 'folder' };
}

export function packageGroup(path: WorkspacePath): Group {
  return { id: `package:${path}`, label: path === '' ? '(workspace)' : path, kind: 'package' };
}

export function serviceGroup(name: string): Group {
  return { id: `service:${name}`, label: name === '' ? '(no service)' : name, kind: 'service' };
}

/** Files that several own together are a group of their own. */
export function ownerGroup(owners: readonly string[]): Group {
  return { id: `owner:${owners.join(' ')}`, label: owners.length === 0 ? '(no owner)' : owners.join(', '), kind: 'owner' };
}

export function packagesOf(graph: GraphView): ReadonlySet<WorkspacePath> {
  const found = new Set<WorkspacePath>();
  for (const file of graph.files()) if (marksProject(basename(graph.idOf(file)))) found.add(dirname(graph.idOf(file)));
  return found;
}

/** Frames for the groups of some nodes, largest first. */
export function framesOf(groups: ReadonlyMap<string, Group>, nodes: readonly SceneNodeDto[]): SceneGroupDto[] {
  const sizes = new Map<string, number>();
  for (const { parent } of nodes) if (parent !== undefined) sizes.set(parent, (sizes.get(parent) ?? 0) + 1);
  return [...groups.values()]
    .filter(group => sizes.has(group.id))
    .map(group => ({ ...group, size: sizes.get(group.id) ?? 0 }))
    .sort((a, b) => b.size - a.size || (a.id < b.id ? -1 : 1));
}
