import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { eachInSteps, runSteps, type Steps } from '../../base/steps';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { KIND_GROUPS } from '../../model/nodes';
import type { Records } from '../../model/records';
import type { Workspace } from '../../workspace/snapshot';
import { changesOf, workspaceAsOf } from '../shared/changeSource';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { feature } from '../shared/feature';
import type { Stamped } from '../shared/fresh';
import { choice, text } from '../shared/params';
import { kindOf } from '../shared/rows';
import { object, optional, type Shaped, shape, stamped } from '../shared/shape';
import { pairNodes } from './pairing';

/** What a difference can be limited to. */
export const DELTA_TYPES = ['FILE', 'FUNCTION', 'CLASS'] as const;
type DeltaType = (typeof DELTA_TYPES)[number];

export const diffSinceParams = shape(() =>
  object({
    /** A transaction, time, commit or agent. */
    since: text(),
    /** All when absent. */
    types: optional(z.array(choice(DELTA_TYPES))),
  }),
);
export type DiffSinceParams = Shaped<typeof diffSinceParams>;

/** A node that is not what it was. Its id is that of the current code; for what was removed, that of the baseline. */
export const nodeDeltaShape = shape(() =>
  object({
    scip_id: z.string(),
    type: z.enum(DELTA_TYPES),
    path: z.string(),
    symbolName: optional(z.string()),
    /** When the newest transaction that changed its file was made, in epoch milliseconds; absent where the change is older than the index. */
    validFrom: optional(z.number()),
    /** The same for what was removed. */
    validTo: optional(z.number()),
    /** Where the same content was before. */
    renamedFrom: optional(z.string()),
  }),
);
export type NodeDelta = Shaped<typeof nodeDeltaShape>;

export const diffSinceAnswerShape = shape(() =>
  object({
    /** How the baseline is called. */
    baseline: z.string(),
    /** In order of path, line and id. */
    added: z.array(nodeDeltaShape()),
    removed: z.array(nodeDeltaShape()),
    modified: z.array(nodeDeltaShape()),
    /** Transactions since the baseline, oldest first; the newest 200. */
    txIds: z.array(z.string()),
    /** The contents at the baseline are not kept: files are named, and nothing inside them. */
    filesOnly: z.boolean(),
  }),
);
export type DiffSinceAnswer = Shaped<typeof diffSinceAnswerShape>;

const MAX_TRANSACTIONS = 200;

/** What is in the code now and was not, or was otherwise, at an earlier state; the difference of two states, whatever came and went in between. */
export async function diffSince(
  workspace: Workspace,
  params: DiffSinceParams,
  token: CancellationToken,
): Promise<Result<Stamped<DiffSinceAnswer>, FeatureFailure>> {
  const now = await workspace.snapshot([], token);
  if (!now.ok) return err(fromEngine(now.error));
  const wanted = new Set<string>(params.types ?? DELTA_TYPES);
  const past = await workspaceAsOf(workspace, params.since, token, { field: 'since' });
  if (!past.ok) return past.error.code === 'UNAVAILABLE' ? filesSince(workspace, params.since, wanted, token, past.error) : past;
  const then = await past.value.snapshot([], token);
  if (!then.ok) return err(fromEngine(then.error));
  const { asOf, head } = then.value.stamp;
  const log = new Log(workspace, asOf ?? Number.POSITIVE_INFINITY);
  const steps = difference(then.value.graph, now.value.graph, wanted, log);
  const deltas = await runSteps(steps, () => workspace.pause?.(), token);
  return ok({ baseline: nameOf(params.since, head), ...deltas, txIds: log.ids, filesOnly: false, stamp: now.value.stamp });
}

function nameOf(since: string, head: string): string {
  const word = since.trim();
  return head === '' || head.startsWith(word.slice(0, head.length)) ? word : `${word} (${head.slice(0, 7)})`;
}

type Deltas = Pick<DiffSinceAnswer, 'added' | 'removed' | 'modified'>;

function* difference(before: GraphView, after: GraphView, wanted: ReadonlySet<string>, log: Log): Steps<Deltas> {
  const pairing = yield* pairNodes(before, after);
  const added: NodeDelta[] = [];
  const removed: NodeDelta[] = [];
  const modified: NodeDelta[] = [];
  yield* eachInSteps(pairing.own.after, node => {
    const type = typeOf(after, node);
    if (type === undefined || !wanted.has(type)) return;
    const { contentHash, id } = after.node(node);
    const same = before.find(id);
    const { path } = after.node(node);
    if (same === undefined) {
      const old = pairing.predecessors.get(node);
      added.push({ ...deltaOf(after, node, type), ...log.from(path), ...(old === undefined ? {} : { renamedFrom: before.idOf(old) }) });
    } else if (before.node(same).contentHash !== contentHash) modified.push({ ...deltaOf(after, node, type), ...log.from(path) });
  });
  yield* eachInSteps(pairing.own.before, node => {
    const type = typeOf(before, node);
    if (type === undefined || !wanted.has(type) || after.find(before.idOf(node)) !== undefined) return;
    removed.push({ ...deltaOf(before, node, type), ...log.to(before.node(node).path) });
  });
  return { added, removed, modified };
}

function typeOf(view: GraphView, node: NodeHandle): DeltaType | undefined {
  const kind = kindOf(view.node(node));
  return DELTA_TYPES.find(type => (KIND_GROUPS[type] as readonly string[]).includes(kind));
}

function deltaOf(view: GraphView, node: NodeHandle, type: DeltaType): NodeDelta {
  const { id, name, path } = view.node(node);
  return { scip_id: id, type, path, ...(type === 'FILE' ? {} : { symbolName: name }) };
}

/** What the transaction log says of the time since a baseline. */
class Log {
  readonly ids: readonly string[];
  readonly #times = new Map<string, number>();

  constructor({ records, root }: Pick<Workspace, 'records' | 'root'>, since: number) {
    const rows = transactionsSince(records, root, since);
    this.ids = rows.map(row => row.id).reverse();
    const times = new Map(rows.map(({ id, timestamp }) => [id, timestamp]));
    const affected = records.query('SELECT tx_id, file_id FROM tx_affects WHERE tx_id IN (SELECT value FROM json_each(?))', [
      JSON.stringify([...times.keys()]),
    ]);
    for (const row of affected) {
      const path = String(row['file_id']);
      this.#times.set(path, Math.max(this.#times.get(path) ?? 0, times.get(String(row['tx_id'])) ?? 0));
    }
  }

  from(path: string): Pick<NodeDelta, 'validFrom'> {
    const at = this.#times.get(path);
    return at === undefined ? {} : { validFrom: at };
  }

  to(path: string): Pick<NodeDelta, 'validTo'> {
    const at = this.#times.get(path);
    return at === undefined ? {} : { validTo: at };
  }
}

/** Newest first. */
function transactionsSince(records: Records, root: string, since: number): readonly { readonly id: string; readonly timestamp: number }[] {
  const rows = records.query(
    `SELECT id, timestamp FROM graph_tx WHERE project_id = ?1 AND checkout = ?2 AND status = 'committed' AND type <> 'full_rebuild' AND timestamp > ?3
     ORDER BY seq DESC LIMIT ${MAX_TRANSACTIONS}`,
    [records.projectId, root, Number.isFinite(since) ? since : Number.MAX_SAFE_INTEGER],
  );
  return rows.map(row => ({ id: String(row['id']), timestamp: Number(row['timestamp']) }));
}

/** For a baseline whose contents nobody has (uncommitted files, no git): what the transaction log knows of files. */
async function filesSince(
  workspace: Workspace,
  since: string,
  wanted: ReadonlySet<string>,
  token: CancellationToken,
  otherwise: FeatureFailure,
): Promise<Result<Stamped<DiffSinceAnswer>, FeatureFailure>> {
  const changes = await changesOf(workspace, since, token);
  if (!changes.ok) return err(changes.error.code === 'NOT_FOUND' ? changes.error : otherwise);
  const now = await workspace.snapshot(changes.value.files.map(file => file.path).slice(0, 50), token);
  if (!now.ok) return err(fromEngine(now.error));
  const { graph, stamp } = now.value;
  const rows = wanted.has('FILE') ? changes.value.files.map(({ path }): NodeDelta => ({ scip_id: path, type: 'FILE', path })) : [];
  const isThere = ({ path }: NodeDelta): boolean => graph.fileOf(path) !== undefined;
  return ok({
    baseline: changes.value.since,
    added: [],
    removed: rows.filter(row => !isThere(row)),
    modified: rows.filter(isThere).sort((a, b) => compareText(a.path, b.path)),
    txIds: [],
    filesOnly: true,
    stamp,
  });
}

export const diffSinceFeature = feature({
  name: 'diffSince',
  about: 'Files, functions and classes that were added, removed or modified since an earlier state.',
  params: diffSinceParams,
  answer: stamped(diffSinceAnswerShape),
  run: diffSince,
});
