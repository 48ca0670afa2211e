import { err, ok, type Result } from '../base/result';
import { phrase, toolRef } from '../model/hints';
import type { Author, Decision, Records } from '../model/records';
import { Edit } from './edits';
import { broken, missing, type WorkFailure } from './failures';
import type { WorkView } from './view';

export interface DependencyRequest {
  /** Blocks `toId`. */
  readonly fromId: string;
  readonly toId: string;
}

export interface DependencyWritten extends DependencyRequest {
  /** False when it was so already. */
  readonly changed: boolean;
}

/** A dependency that is there already is left as it is. */
export function addDependency(records: Records, author: Author, request: DependencyRequest): Result<Decision<DependencyWritten>, WorkFailure> {
  const edit = new Edit(records, author.agentId);
  const ends = bothEnds(edit.view, request);
  if (!ends.ok) return ends;
  const { fromId, toId } = ends.value;
  const cycle = pathBetween(edit.view, toId, fromId);
  if (cycle !== undefined) {
    return err(
      broken(`${fromId} cannot block ${toId}, because that would create a cycle.`, 'Remove a dependency of the cycle first.', { cycle: [...cycle, toId] }),
    );
  }
  if (edit.view.blockedBy(fromId).includes(toId)) return ok({ records: [], result: { fromId, toId, changed: false } });
  edit.link({ fromId, toId, projectId: edit.projectId, createdAt: edit.at });
  return ok({ records: edit.drafts, result: { fromId, toId, changed: true } });
}

/** Removes a dependency between two tasks. Fails when there is none. */
export function removeDependency(records: Records, author: Author, request: DependencyRequest): Result<Decision<DependencyWritten>, WorkFailure> {
  const edit = new Edit(records, author.agentId);
  const ends = bothEnds(edit.view, request);
  if (!ends.ok) return ends;
  const { fromId, toId } = ends.value;
  if (!edit.view.blockedBy(fromId).includes(toId))
    return err(missing('dependency', `${fromId} → ${toId}`, phrase`Use ${toolRef('query_container', { operation: 'get', id: toId })} to list them.`));
  edit.unlink(fromId, toId);
  return ok({ records: edit.drafts, result: { fromId, toId, changed: true } });
}

function bothEnds(view: WorkView, { fromId, toId }: DependencyRequest): Result<DependencyRequest, WorkFailure> {
  const [from, to] = [view.container(fromId, 'task'), view.container(toId, 'task')];
  if (from === undefined) return err(missing('task', fromId));
  if (to === undefined) return err(missing('task', toId));
  return ok({ fromId: from.id, toId: to.id });
}

/** Tasks from `from` to `to` along "blocks", both ends included; breadth first, so the shortest. */
function pathBetween(view: WorkView, from: string, to: string): string[] | undefined {
  const cameFrom = new Map<string, string | undefined>([[from, undefined]]);
  for (const id of cameFrom.keys()) {
    if (id === to) return pathTo(cameFrom, id);
    for (const next of view.blockedBy(id)) if (!cameFrom.has(next)) cameFrom.set(next, id);
  }
  return undefined;
}

function pathTo(cameFrom: ReadonlyMap<string, string | undefined>, end: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = end; at !== undefined; at = cameFrom.get(at)) path.unshift(at);
  return path;
}
