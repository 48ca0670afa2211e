import { normalize, relativeTo } from '../../base/path';
import { SEPARATOR, type StableId } from '../../model/ids';
import { kindOfPrefix } from '../../model/kinds';
import { contextFiles } from '../../work/contextFiles';
import type { Container, Section } from '../../work/entities';
import type { LayerDelta, LayerEdge, LayerNode } from '../layer';

/** Where paths of a checkout are written absolutely. */
export interface CheckoutPlace {
  readonly root: string;
  readonly caseInsensitive: boolean;
}

/** A feature or a task; of a task what it touches, by its sections `Context Files`, its feature and the tasks that block it. */
export function containerUpsert(
  container: Container,
  sections: readonly Section[],
  blockers: readonly StableId[],
  place: CheckoutPlace,
): LayerDelta['upserts'][number] {
  const { featureId, id, type } = container;
  const edges: LayerEdge[] = [];
  const add = (relation: LayerEdge['relation'], target: StableId, provenance: LayerEdge['provenance'] = 'human'): void => {
    edges.push({ source: id, relation, target, provenance });
  };
  if (type === 'task') {
    if (featureId !== null) add('PART_OF', featureId);
    for (const blocker of blockers) add('DEPENDS_ON', blocker);
    for (const target of new Set(contextFiles(sections).flatMap(piece => codeId(piece, place) ?? []))) add('TOUCHES', target);
  }
  return { node: nodeOf(container), edges };
}

function nodeOf(container: Container): LayerNode {
  const { createdAt, featureId, id, name, priority, status, summary, tags, type, updatedAt, version } = container;
  const { assignedAgentId, blockedReason, outcome, startTxId } = container;
  const own = { summary, status, priority, tags, version, createdAt, updatedAt };
  const attributes = type === 'task' ? { ...own, featureId, outcome, blockedReason, assignedAgentId, startTxId } : own;
  return { id, kind: type, name, summary: summary === '' ? status.replace('_', ' ') : summary, doc: summary, attributes };
}

/** The id of the file or symbol that a piece of `Context Files` names; `undefined` for what lies outside and for ids of other kinds. */
export function codeId(piece: string, { caseInsensitive, root }: CheckoutPlace): StableId | undefined {
  const text = piece.replace(/^(?:file|symbol)::/, '');
  const at = text.indexOf(SEPARATOR);
  const [path, names] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
  if (kindOfPrefix(path) !== undefined) return undefined;
  const inside = normalize(path) ?? relativeTo(root, path, caseInsensitive);
  return inside === undefined || inside === '' ? undefined : `${inside}${names}`;
}
