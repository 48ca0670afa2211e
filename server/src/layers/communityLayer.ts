import type { GraphView, NodeHandle } from '../code/graph/graphView';
import { nodeColumn, type StableId } from '../model/ids';
import { relationCode } from '../model/relations';
import { rowsOf } from './freeze';
import type { FrozenLayer, LayerNode, LayerSource } from './layer';

/** A community of one is none: nothing hangs together in it. */
const MIN_MEMBERS = 2;

export function communityId(community: number): StableId {
  return `community::${community}`;
}

/** Communities of a view of the code as nodes that its nodes belong to. Follows from the code alone, so it is made for each view that is asked. */
export function communityLayer(): LayerSource {
  const known = new WeakMap<GraphView, FrozenLayer>();
  return {
    relations: ['BELONGS_TO'],
    kinds: ['community'],
    isOnRequest: true,
    version: 0,
    onChange: () => ({ dispose: () => undefined }),
    frozen(code, intern) {
      let frozen = known.get(code);
      if (frozen === undefined) known.set(code, (frozen = freezeCommunities(code, intern)));
      return frozen;
    },
  };
}

function freezeCommunities(code: GraphView, intern: (id: StableId) => NodeHandle): FrozenLayer {
  const nodes = new Map<NodeHandle, LayerNode>();
  const handles = new Map<StableId, NodeHandle>();
  const members: NodeHandle[] = [];
  const communities: NodeHandle[] = [];
  const { revision } = code.communities();
  for (const { centralNode, id: number, label, memberCount, summary } of code.describedCommunities()) {
    if (memberCount < MIN_MEMBERS) continue;
    const id = communityId(number);
    const handle = intern(id);
    handles.set(id, handle);
    nodes.set(handle, {
      id,
      kind: 'community',
      name: label,
      summary,
      doc: '',
      attributes: { summary, memberCount, centralNode: code.idOf(centralNode), computedAt: revision },
    });
    for (const member of code.membersOf(number)) {
      members.push(member);
      communities.push(handle);
    }
  }
  const size = Math.max(code.adjacency.size, 1 + communities.reduce((top, handle) => Math.max(top, handle), -1));
  const from = nodeColumn(Int32Array.from(members));
  const to = nodeColumn(Int32Array.from(communities));
  const relations = new Uint8Array(from.length).fill(relationCode.BELONGS_TO);
  return {
    nodes,
    forward: rowsOf(from, to, relations, size),
    backward: rowsOf(to, from, relations, size),
    find: id => handles.get(id),
    edge: () => ({ provenance: 'derived' }),
  };
}
