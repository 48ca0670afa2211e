import type { Steps } from '../../base/steps';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE, type StableId } from '../../model/ids';
import { kindRow } from '../../model/kinds';
import { type Pairing, pairNodes } from './pairing';

/**
 * What nodes that are gone from a newer view are called there: moved files, also edited ones, symbols moved with their text, and symbols that were
 * given another name in their place. Ids that are still there, and those without a successor, are left out.
 */
export async function renamesOf(before: GraphView, after: GraphView, ids: Iterable<StableId>, run: RunSteps): Promise<ReadonlyMap<StableId, StableId>> {
  const gone = [...ids].flatMap(id => {
    const node = before.find(id);
    return node === undefined || !before.isLive(node) || isThere(after, id) ? [] : [node];
  });
  const renames = new Map<StableId, StableId>();
  if (gone.length === 0) return renames;
  const pairing = await run(pairNodes(before, after));
  for (const node of gone) {
    const next = pairing.successors.get(node) ?? successorByShape(pairing, node);
    if (next !== undefined) renames.set(before.idOf(node), after.idOf(next));
  }
  return renames;
}

/** Runs work that is done in steps, with pauses where others wait. */
export type RunSteps = <T>(steps: Steps<T>) => Promise<T>;

function isThere(view: GraphView, id: StableId): boolean {
  const node = view.find(id);
  return node !== undefined && view.isLive(node);
}

/** The only new symbol in the same place that differs from it by nothing but its name: kind, signature, lines, and what it calls and uses. */
function successorByShape({ after, before, predecessors, successors }: Pairing, node: NodeHandle): NodeHandle | undefined {
  if (kindRow(before.kindOf(node)).nodeType !== 'symbol') return undefined;
  const holder = before.parentOf(node) ?? before.fileNodeOf(node) ?? NO_NODE;
  const place = successors.get(holder) ?? after.find(before.idOf(holder));
  if (place === undefined) return undefined;
  const shape = shapeOf(before, node);
  const members = (view: GraphView, of: NodeHandle): readonly NodeHandle[] => (view.fileNodeOf(of) === of ? view.symbolsOf(of) : view.childrenOf(of));
  const holderOf = (view: GraphView, member: NodeHandle): NodeHandle | undefined => view.parentOf(member) ?? view.fileNodeOf(member);
  const fresh = members(after, place).filter(other => holderOf(after, other) === place && !predecessors.has(other) && shapeOf(after, other) === shape);
  const gone = members(before, holder).filter(other => holderOf(before, other) === holder && !successors.has(other) && shapeOf(before, other) === shape);
  return fresh.length === 1 && gone.length === 1 ? fresh[0] : undefined;
}

function shapeOf(view: GraphView, node: NodeHandle): string {
  const { endLine, id, kind, name, signature, startLine } = view.node(node);
  const uses = view.out(node).map(({ relation, target }) => `${relation} ${view.idOf(target) === id ? '' : view.idOf(target)}`);
  return JSON.stringify([kind, signature.split(name).join(''), endLine - startLine, uses.sort()]);
}
