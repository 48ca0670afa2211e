/**
 * Door of the memory features: what tools and the editor ask of episodes, learnings and claims.
 *
 * Does not know: how an answer is budgeted or shown, doors.
 * Invariants: sensitive episodes are in no answer that does not ask for them by name; a write is decided inside `Records.write`.
 */
import type { CancellationToken } from '../../base/cancellation';
import { normalize, relativeTo } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import type { CurrentCode, HashOf } from '../../memory/episodes';
import type { MemoryFailure } from '../../memory/failures';
import { headOf, SEPARATOR, type StableId } from '../../model/ids';
import { kindOfPrefix } from '../../model/kinds';
import type { Author, Decision, Records } from '../../model/records';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromStore } from '../shared/failure';

/** Files compared with the disk before hashes are taken. */
const MAX_TOUCHED = 50;
/** How long a write waits for the versions of the files that it names: a claim or an anchor on an earlier version ends with the change that was made before it. */
export const WRITE_PATIENCE_MS = 10_000;

/** Writes what `decide` decides; a retry with the author's key is answered what the first try was. */
export async function changeMemory<T>(
  workspace: Pick<Workspace, 'records'>,
  author: Author,
  decide: (records: Records, author: Author) => Result<Decision<T>, MemoryFailure>,
): Promise<Result<T, FeatureFailure>> {
  const { records } = workspace;
  const written = await records.write(author, () => decide(records, author));
  if (written.ok) return ok(written.value.result);
  return err(isRefusal(written.error) ? written.error : fromStore(written.error));
}

function isRefusal(error: MemoryFailure | { readonly code: string }): error is MemoryFailure {
  return 'hint' in error;
}

/** The id that a spelling of code means: node ids, paths of any spelling, `path#symbol`. What is no code (tasks, atoms) stays as it is. */
export function entityId(workspace: Pick<Workspace, 'root'>, spelling: string): StableId {
  const text = spelling.trim().replace(/^(?:file|symbol)::/, '');
  if (kindOfPrefix(headOf(text)) !== undefined) return text;
  const at = text.search(/::|#(?!\d+$)/);
  const [path, names] = at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at).replace(/^#/, SEPARATOR)];
  const isAbsolute = /^(?:[a-zA-Z]:)?[\\/]/.test(path);
  const inside = isAbsolute ? relativeTo(workspace.root, path, /^[a-zA-Z]:/.test(workspace.root)) : normalize(path);
  const names2 = at >= 0 && text[at] === '#' ? names.replaceAll('.', SEPARATOR) : names;
  return inside === undefined || inside === '' ? text : `${inside}${names2}`;
}

/** Content hashes in a graph. */
export function hashesIn(graph: GraphView | undefined): HashOf {
  return id => {
    const node = graph?.find(id);
    if (graph === undefined || node === undefined || !graph.isLive(node)) return undefined;
    const { contentHash } = graph.node(node);
    return contentHash === '' ? undefined : contentHash;
  };
}

/** The code as it is on disk where these ids point to; without an index nothing is known of it. */
export async function currentCodeAt(workspace: Workspace, ids: readonly StableId[], token: CancellationToken): Promise<CurrentCode> {
  const files = [...new Set(ids.filter(id => kindOfPrefix(headOf(id)) === undefined).map(headOf))];
  const snapshot = await workspace.snapshot(files.slice(0, MAX_TOUCHED), token, WRITE_PATIENCE_MS);
  return { hashOf: hashesIn(snapshot.ok ? snapshot.value.graph : undefined), checkout: workspace.root };
}
