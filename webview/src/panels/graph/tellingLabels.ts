import type { SceneDto, SceneNodeDto } from '../../../../server/protocol/features';

/** What nodes are called in a list where those of one name stand beside each other: `core/src` and `plugin/src`. */
export function tellingLabels(nodes: readonly SceneNodeDto[], groups: SceneDto['groups']): readonly string[] {
  const around = new Map(groups.map(({ id, label }) => [id, label]));
  return nodes.map(node => {
    const group = around.get(node.parent ?? '');
    const isAlone = nodes.every(other => other === node || other.label !== node.label);
    return isAlone || group === undefined ? node.label : `${group}/${node.label}`;
  });
}
