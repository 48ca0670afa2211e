import type { SceneDto } from '../../../../server/protocol/features';

/** Ids of nodes that came and changed between two scenes, and how many went. */
export function sceneDifference(
  before: SceneDto,
  after: SceneDto,
  withLines: boolean,
): { readonly added: readonly string[]; readonly changed: readonly string[]; readonly removed: number } {
  const old = new Map(before.nodes.map(node => [node.id, node]));
  const now = new Set(after.nodes.map(node => node.id));
  const isChanged = ({ id, line, signature, summary }: SceneDto['nodes'][number]): boolean => {
    const known = old.get(id);
    return known !== undefined && (known.signature !== signature || known.summary !== summary || (withLines && known.line !== line));
  };
  return {
    added: after.nodes.filter(({ id }) => !old.has(id)).map(({ id }) => id),
    changed: after.nodes.filter(isChanged).map(({ id }) => id),
    removed: before.nodes.filter(({ id }) => !now.has(id)).length,
  };
}
