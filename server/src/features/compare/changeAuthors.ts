import type { CancellationToken } from '../../base/cancellation';
import type { Workspace } from '../../workspace/snapshot';
import type { GraphDiffAnswer } from './graphDiff';
import type { Changed } from './nodeChanges';

/** Commits whose authors are asked for. */
const MAX_COMMITS = 500;

/** By id of a changed symbol: who made the commits since `from` that changed it, newest first; without one, agents whose transactions changed its file. */
export async function authorsOfChanges(
  workspace: Workspace,
  from: GraphDiffAnswer['from'],
  changes: readonly Changed[],
  token: CancellationToken,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const past = workspace.pastChanges?.();
  const base = past === undefined || from.commit === '' ? -1 : past.commits.findIndex(({ hash }) => hash.startsWith(from.commit));
  const since = past?.commits.slice(0, Math.min(MAX_COMMITS, base < 0 ? 0 : base)) ?? [];
  const authors =
    since.length === 0
      ? new Map<string, string>()
      : await workspace.authorsOf?.(
          since.map(({ hash }) => hash),
          token,
        );
  const agents = agentsSince(workspace, from.at);
  const by = new Map<string, readonly string[]>();
  for (const { row } of changes) {
    const names = [...(past?.of(row.id) ?? [])].flatMap(place => (place < since.length ? (authors?.get(since[place]?.hash ?? '') ?? []) : []));
    const found = names.length > 0 ? names : (agents.get(row.path) ?? []);
    if (found.length > 0) by.set(row.id, [...new Set(found)]);
  }
  return by;
}

/** Agents by the files that their transactions changed after a time in epoch milliseconds, newest first. */
function agentsSince({ records, root }: Workspace, at: number | undefined): ReadonlyMap<string, readonly string[]> {
  const rows = records.query(
    `SELECT a.file_id AS path, t.agent_id AS agent FROM graph_tx t JOIN tx_affects a ON a.tx_id = t.id
     WHERE t.checkout = ?1 AND t.agent_id IS NOT NULL AND t.timestamp > ?2 ORDER BY t.seq DESC LIMIT 5000`,
    [root, at ?? 0],
  );
  const agents = new Map<string, string[]>();
  for (const { agent, path } of rows) {
    const known = agents.get(String(path));
    if (known === undefined) agents.set(String(path), [String(agent)]);
    else known.push(String(agent));
  }
  return agents;
}
