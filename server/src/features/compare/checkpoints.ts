import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { paramRef, phrase } from '../../model/hints';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine, fromStore, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import { noParams, text } from '../shared/params';
import { object, type Shaped, shape } from '../shared/shape';

export const markCheckpointParams = shape(() => object({ name: text() }));
const markCheckpointAnswerShape = shape(() => object({ name: z.string(), word: z.string() }));

const NO_AUTHOR = { agentId: undefined, sessionId: undefined, key: undefined };
const MAX_CHARACTERS = 120;

/** Keeps the current state, uncommitted changes included, under a name. A name that is taken moves. */
export async function markCheckpoint(
  workspace: Workspace,
  params: Shaped<typeof markCheckpointParams>,
  token: CancellationToken,
): Promise<Result<Shaped<typeof markCheckpointAnswerShape>, FeatureFailure>> {
  const name = params.name.trim();
  if (name === '' || name.length > MAX_CHARACTERS) return err(invalid('name', `The name of a checkpoint must have 1 to ${MAX_CHARACTERS} characters.`));
  const now = await workspace.snapshot([], token);
  if (!now.ok) return err(fromEngine(now.error));
  const { records, root } = workspace;
  const { latestTxId: txId } = workspace.health();
  if (txId === '') return err({ code: 'UNAVAILABLE', message: 'There is no transaction yet.', hint: 'Try again when the index is complete.' });
  const payload = { id: records.newId(), projectId: records.projectId, checkout: root, name, txId };
  const written = await records.write(NO_AUTHOR, () => ok({ records: [{ kind: 'checkpoint.marked', payload }], result: undefined }));
  return written.ok ? ok({ name, word: `tx::${txId}` }) : err(fromStore(written.error));
}

export const markCheckpointFeature = feature({
  name: 'markCheckpoint',
  about: 'Saves the current state of the code under a name, for later comparison.',
  params: markCheckpointParams,
  answer: markCheckpointAnswerShape,
  run: markCheckpoint,
});

const clearHistoryAnswerShape = shape(() => object({ cleared: z.literal(true) }));

/** Forgets all recorded states before now, and checkpoints. Commits of git and the log of transactions stay. */
export async function clearHistory(
  workspace: Workspace,
  _params: object,
  _token: CancellationToken,
): Promise<Result<Shaped<typeof clearHistoryAnswerShape>, FeatureFailure>> {
  const { records, root } = workspace;
  if (workspace.commands.clearHistory === undefined)
    return err({ code: 'READ_ONLY', message: 'Past states are read-only.', hint: phrase`Omit ${paramRef('asOf')}.` });
  const payload = { projectId: records.projectId, checkout: root };
  const written = await records.write(NO_AUTHOR, () => ok({ records: [{ kind: 'checkpoint.cleared', payload }], result: undefined }));
  if (!written.ok) return err(fromStore(written.error));
  const cleared = await workspace.commands.clearHistory();
  return cleared.ok ? ok({ cleared: true }) : err(fromStore(cleared.error));
}

export const clearHistoryFeature = feature({
  name: 'clearHistory',
  about: 'Deletes all recorded states of the code before now, and all checkpoints.',
  params: noParams,
  answer: clearHistoryAnswerShape,
  run: clearHistory,
});
