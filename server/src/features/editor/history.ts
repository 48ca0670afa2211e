import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphNode } from '../../code/graph/graphView';
import { headOf, SEPARATOR } from '../../model/ids';
import type { ChangedFile } from '../../workspace/changes';
import type { Workspace } from '../../workspace/snapshot';
import { historyEpisodes, historyOf } from '../explain/symbolHistory';
import { fromVersions } from '../shared/changeSource';
import { type FeatureFailure, fromEngine, notFound } from '../shared/failure';
import { feature } from '../shared/feature';
import { integer, text } from '../shared/params';
import { object, optional, type Shaped, shape } from '../shared/shape';

export const historyParams = shape(() =>
  object({
    /** Id of a symbol or file. */
    id: text(),
    /** Most commits, 100 when absent. */
    limit: optional(integer()),
  }),
);

/** One thing that happened to a symbol. */
export const historyItemShape = shape(() =>
  object({
    /** `transaction`: a change of its file that the index took up. */
    kind: z.enum(['commit', 'transaction', 'decision', 'edit']),
    /** Hash of a commit, id of a transaction or an episode. */
    ref: z.string(),
    /** Epoch milliseconds. */
    at: z.number(),
    title: z.string(),
    /** Who made it, where that is known. */
    by: optional(z.string()),
    /** Files that a commit or transaction changed. */
    files: optional(z.number()),
  }),
);
export type HistoryItem = Shaped<typeof historyItemShape>;

export const historyAnswerShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    path: z.string(),
    /** Newest first. */
    items: z.array(historyItemShape()),
    /** Commits that changed it, listed or not. */
    total: z.number(),
    /** Commits that were looked at, back from HEAD; 0 where past commits are not known (yet). */
    commits: z.number(),
  }),
);
export type HistoryAnswer = Shaped<typeof historyAnswerShape>;

const MAX_COMMITS = 100;
const MAX_TRANSACTIONS = 50;
const MAX_EPISODES = 50;

/** What happened to a symbol or file: commits, changes that the index took up, decisions and edits. */
export async function history(
  workspace: Workspace,
  { id, limit = MAX_COMMITS }: Shaped<typeof historyParams>,
  token: CancellationToken,
): Promise<Result<HistoryAnswer, FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph } = snapshot.value;
  const node = graph.find(id);
  if (node === undefined) return err(notFound(id, []));
  const row = graph.node(node);
  const past = await historyOf(workspace, graph, node, limit, token);
  const commits = (past?.versions ?? []).map(
    ({ author, commit, files, subject, validFrom }): HistoryItem => ({
      kind: 'commit',
      ref: commit,
      at: validFrom,
      title: subject,
      files,
      ...(author === undefined ? {} : { by: author }),
    }),
  );
  const episodes = historyEpisodes(workspace, graph, node, MAX_EPISODES).map(
    ({ agentId, at, id: ref, title, type }): HistoryItem => ({ kind: type === 'DECISION' ? 'decision' : 'edit', ref, at, title, by: agentId }),
  );
  const items = [...transactionsOf(workspace, row), ...episodes, ...commits].sort((a, b) => b.at - a.at);
  return ok({ id: row.id, name: row.name, path: row.path, items, total: past?.total ?? 0, commits: past?.commits ?? 0 });
}

function transactionsOf({ records, root }: Workspace, { path }: GraphNode): HistoryItem[] {
  const rows = records.query(
    `SELECT t.id AS id, t.timestamp AS at, t.agent_id AS agent, (SELECT count(*) FROM tx_affects b WHERE b.tx_id = t.id) AS files
     FROM graph_tx t JOIN tx_affects a ON a.tx_id = t.id
     WHERE t.checkout = ?1 AND a.file_id = ?2 AND t.status = 'committed' AND t.type IN ('file_change', 'incremental_rebuild') ORDER BY t.seq DESC LIMIT ?3`,
    [root, path, MAX_TRANSACTIONS],
  );
  return rows.map(({ agent, at, files, id }) => ({
    kind: 'transaction',
    ref: String(id),
    at: Number(at),
    title: Number(files) === 1 ? 'File changed' : `${Number(files)} files changed`,
    files: Number(files),
    ...(agent === null ? {} : { by: String(agent) }),
  }));
}

export const commitChangeParams = shape(() => object({ id: text(), /** Hash of a commit. */ commit: text() }));

/** Where a symbol or file stands in a commit and in the one before; paths are null where there is none. */
export const commitChangeAnswerShape = shape(() =>
  object({
    /** What names the commit, and its first parent, as states. */
    at: z.string(),
    before: z.string(),
    path: z.string().nullable(),
    oldPath: z.string().nullable(),
    /** 1-based line of its name in the commit, else of what was changed; 0 when unknown. */
    line: z.number(),
  }),
);

/** What a commit made of a symbol, which may have had another path then. */
export async function commitChange(
  workspace: Workspace,
  { commit, id }: Shaped<typeof commitChangeParams>,
  token: CancellationToken,
): Promise<Result<Shaped<typeof commitChangeAnswerShape>, FeatureFailure>> {
  const path = headOf(id);
  const [at, before] = [`commit:${commit}`, `commit:${commit}^`];
  const changes = await workspace.changes(`${commit}^..${commit}`, token);
  if (!changes.ok) {
    // The first commit has none before it.
    const text = changes.error.code === 'NOT_FOUND' ? await workspace.textAt?.(path, at, token) : undefined;
    if (text?.ok !== true || text.value === undefined) return err(fromVersions(changes.error, 'commit'));
    return ok({ at, before, path, oldPath: null, line: 0 });
  }
  const rest = id.slice(path.length);
  const file = changes.value.files.find(each => each.path === path) ?? changes.value.files.find(each => rest !== '' && lineOf(each, rest) > 0);
  if (file === undefined) return err(notFound(id, []));
  const isGone = file.status === 'deleted';
  return ok({
    at,
    before,
    path: isGone ? null : file.path,
    oldPath: file.status === 'added' ? null : (file.oldPath ?? file.path),
    line: isGone ? 0 : lineOf(file, rest) || (file.hunks?.find(hunk => hunk.added !== undefined)?.added?.start ?? 0),
  });
}

/** Line of what is called so below a file, in its new version; 0 when it is not there. */
function lineOf({ after, path }: ChangedFile, rest: string): number {
  return rest.startsWith(SEPARATOR) ? (after?.find(span => span.id === `${path}${rest}`)?.nameLine ?? 0) : 0;
}

export const historyFeature = feature({
  name: 'history',
  about: 'What happened to a symbol or file: commits, indexed changes, decisions and edits.',
  params: historyParams,
  answer: historyAnswerShape,
  run: history,
});

export const commitChangeFeature = feature({
  name: 'commitChange',
  about: 'Where a symbol is in a commit and in the commit before.',
  params: commitChangeParams,
  answer: commitChangeAnswerShape,
  run: commitChange,
});
