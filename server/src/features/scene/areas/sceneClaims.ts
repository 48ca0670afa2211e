import { isPart } from '../../../memory/claims';
import { MemoryView } from '../../../memory/view';
import type { Workspace } from '../../../workspace/snapshot';
import type { SceneNodeDto } from '../sceneShapes';

/** Nodes with who is working on them, on their file or on something in them. */
export function withClaims({ records }: Pick<Workspace, 'records'>, nodes: readonly SceneNodeDto[]): readonly SceneNodeDto[] {
  const active = new MemoryView(records).activeClaims();
  if (active.length === 0) return nodes;
  return nodes.map(node => {
    const held = active.filter(({ targetId }) => targetId === node.id || isPart(targetId, node.id));
    return held.length === 0 ? node : { ...node, claimed: held.map(({ agentId, intent }) => `${agentId}: ${intent}`) };
  });
}
