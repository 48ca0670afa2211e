import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { noParams } from '../shared/params';
import { object, optional, type Shaped, shape } from '../shared/shape';

/** States that a person may compare with; `word` is what features take for one. Times are epoch milliseconds. */
export const pointsAnswerShape = shape(() =>
  object({
    /** Newest commit first. */
    references: z.array(object({ name: z.string(), kind: z.enum(['branch', 'remote', 'tag']), word: z.string(), commit: z.string(), at: z.number() })),
    /** Newest first. */
    commits: z.array(object({ word: z.string(), commit: z.string(), subject: z.string(), at: z.number(), files: z.number() })),
    /** Newest first; only those whose state is that of a commit or recorded. */
    transactions: z.array(
      object({ word: z.string(), at: z.number(), commit: z.string(), isDirty: z.boolean(), agent: optional(z.string()), files: z.number() }),
    ),
    /** States that somebody has marked, newest first. */
    checkpoints: z.array(object({ name: z.string(), word: z.string(), at: z.number() })),
    /** Of the current code; `''` without git. */
    head: z.string(),
  }),
);

const MAX_COMMITS = 200;
const MAX_TRANSACTIONS = 30;

/** What the current code can be compared with. */
export async function points(
  workspace: Workspace,
  _params: object,
  token: CancellationToken,
): Promise<Result<Shaped<typeof pointsAnswerShape>, FeatureFailure>> {
  const references = (await workspace.references?.(token)) ?? [];
  const commits = workspace.pastChanges?.()?.commits.slice(0, MAX_COMMITS) ?? [];
  const rows = workspace.records.query(
    `SELECT t.id AS id, t.timestamp AS at, t.agent_id AS agent, t.git_commit AS head, t.git_dirty AS dirty, (SELECT count(*) FROM tx_affects a WHERE a.tx_id = t.id) AS files
     FROM graph_tx t WHERE t.checkout = ?1 AND t.status = 'committed' AND t.type <> 'agent_edit'
       AND (t.git_dirty = 0 AND t.git_commit IS NOT NULL OR ?3 > 0 AND t.timestamp >= ?3) ORDER BY t.seq DESC LIMIT ?2`,
    [workspace.root, MAX_TRANSACTIONS, workspace.health().history?.horizon ?? 0],
  );
  const marked = workspace.records.query('SELECT name, tx_id AS tx, at FROM checkpoints WHERE project_id = ?1 AND checkout = ?2 ORDER BY seq DESC', [
    workspace.records.projectId,
    workspace.root,
  ]);
  return ok({
    references: references.map(({ at, commit, kind, name }) => ({ name, kind, word: `commit:${name}`, commit, at })),
    commits: commits.map(({ files, hash, subject, time }) => ({ word: `commit:${hash}`, commit: hash, subject, at: time * 1000, files })),
    transactions: rows.map(({ agent, at, dirty, files, head, id }) => ({
      word: `tx::${String(id)}`,
      at: Number(at),
      commit: String(head ?? ''),
      isDirty: dirty !== 0,
      files: Number(files),
      ...(agent === null ? {} : { agent: String(agent) }),
    })),
    checkpoints: marked.map(({ at, name, tx }) => ({ name: String(name), word: `tx::${String(tx)}`, at: Number(at) })),
    head: workspace.current()?.stamp.head ?? '',
  });
}

export const pointsFeature = feature({
  name: 'points',
  about: 'Branches, tags, commits and transactions that the current code can be compared with.',
  params: noParams,
  answer: pointsAnswerShape,
  run: points,
});
