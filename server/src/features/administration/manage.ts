import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { hashText } from '../../base/hash';
import { relativeTo } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { WatcherState, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine, outside } from '../shared/failure';
import { feature } from '../shared/feature';
import { choice, noParams, text, texts } from '../shared/params';
import { indexProgressShape, object, optional, type Shaped, shape, stampShape, watcherStateShape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';

export const indexStatusShape = shape(() =>
  object({
    workspace: z.string(),
    root: z.string(),
    projectId: z.string(),
    progress: indexProgressShape(),
    watcherState: watcherStateShape(),
    pendingFiles: z.number(),
    files: z.number(),
    nodes: z.number(),
    edges: z.number(),
    /** Absent until the first index is done. */
    stamp: optional(stampShape()),
  }),
);
export type IndexStatus = Shaped<typeof indexStatusShape>;

/** How far the index is. Never `NOT_READY`. */
export async function indexStatus(workspace: Workspace, _params: object, _token: CancellationToken): Promise<Result<IndexStatus, FeatureFailure>> {
  const { progress, watcherState, pendingFiles } = workspace.health();
  const snapshot = workspace.current();
  return ok({
    workspace: workspace.name,
    root: workspace.root,
    projectId: projectIdOf(workspace),
    progress,
    watcherState,
    pendingFiles,
    files: snapshot?.graph.fileCount ?? 0,
    nodes: snapshot?.graph.nodeCount ?? 0,
    edges: snapshot?.graph.edgeCount ?? 0,
    ...(snapshot === undefined ? {} : { stamp: snapshot.stamp }),
  });
}

export const rebuildParams = shape(() =>
  object({
    mode: optional(choice(['incremental', 'full'])),
    paths: optional(texts()),
    agentId: optional(text()),
    sessionId: optional(text()),
  }),
);
export type RebuildParams = Shaped<typeof rebuildParams>;

const rebuildAnswerShape = shape(() => object({ status: z.literal('QUEUED'), txId: z.string() }));

/** Queues a rebuild and answers at once. */
export async function rebuild(
  workspace: Workspace,
  params: RebuildParams,
  _token: CancellationToken,
): Promise<Result<{ readonly status: 'QUEUED'; readonly txId: string }, FeatureFailure>> {
  const paths: string[] = [];
  for (const path of params.paths ?? []) {
    const inside = workspacePath(workspace, path);
    if (!inside.ok) return inside;
    paths.push(inside.value);
  }
  const queued = await workspace.commands.rebuild({ mode: params.mode ?? 'incremental', paths, agentId: params.agentId, sessionId: params.sessionId });
  return queued.ok ? ok({ status: 'QUEUED', txId: queued.value.txId }) : err(fromEngine(queued.error));
}

const rebuildEndParams = shape(() => object({ txId: text() }));
const rebuildEndShape = shape(() => object({ status: z.literal('COMMITTED'), txId: z.string() }));

/**
 * Waits until a rebuild is over: a call in flight, so that a process that becomes the owner meanwhile answers it in its turn.
 * What it cannot have finished fails with `UNAVAILABLE`, one that failed with `INTERNAL`.
 */
async function rebuildEnd(
  workspace: Workspace,
  { txId }: { readonly txId: string },
  token: CancellationToken,
): Promise<Result<{ readonly status: 'COMMITTED'; readonly txId: string }, FeatureFailure>> {
  const ended = await workspace.commands.rebuildEnd(txId, token);
  return ended.ok ? ok({ status: 'COMMITTED', txId }) : err(fromEngine(ended.error));
}

const catchUpShape = shape(() => object({ status: z.literal('UP_TO_DATE') }));

/** Waits until the index has all that is in the folder. */
async function catchUp(workspace: Workspace, _params: object, token: CancellationToken): Promise<Result<{ readonly status: 'UP_TO_DATE' }, FeatureFailure>> {
  const done = await workspace.commands.catchUp(token);
  return done.ok ? ok({ status: 'UP_TO_DATE' }) : err(fromEngine(done.error));
}

const workspaceParams = shape(() => object({ workspaceRoot: text(), sourceDir: optional(text()) }));
const workspaceAnswerShape = shape(() => object({ projectId: z.string(), root: z.string(), watcherState: watcherStateShape() }));

/** Binds to a folder: the workspace itself, or a folder inside it. Others are `FORBIDDEN`: they need a server of their own. */
export async function setWorkspace(
  workspace: Workspace,
  params: { readonly workspaceRoot: string },
  _token: CancellationToken,
): Promise<Result<{ readonly projectId: string; readonly root: string; readonly watcherState: WatcherState }, FeatureFailure>> {
  const onWindows = /^[a-zA-Z]:/.test(workspace.root);
  const isRelative = params.workspaceRoot === '' || /^\.\.?(?:[\\/]|$)/.test(params.workspaceRoot);
  const inside = isRelative ? workspacePath(workspace, params.workspaceRoot) : ok(relativeTo(workspace.root, params.workspaceRoot, onWindows));
  if (!inside.ok) return inside;
  if (inside.value === undefined) return err(outside(params.workspaceRoot, workspace.name));
  return ok({ projectId: projectIdOf(workspace), root: workspace.root, watcherState: workspace.health().watcherState });
}

/** Short name of a workspace on this machine, the same in every session. */
export function projectIdOf(workspace: Pick<Workspace, 'root'>): string {
  return hashText(workspace.root);
}

export const indexStatusFeature = feature({
  name: 'indexStatus',
  about: 'Indexing progress.',
  params: noParams,
  answer: indexStatusShape,
  run: indexStatus,
});

export const rebuildFeature = feature({
  name: 'rebuild',
  about: 'Queues a rebuild of the index.',
  params: rebuildParams,
  answer: rebuildAnswerShape,
  run: rebuild,
});

export const rebuildEndFeature = feature({
  name: 'rebuildEnd',
  about: 'Waits until a rebuild of the index is over.',
  params: rebuildEndParams,
  answer: rebuildEndShape,
  run: rebuildEnd,
});

export const catchUpFeature = feature({
  name: 'catchUp',
  about: 'Compares the workspace with the index and waits until the index is up to date.',
  params: noParams,
  answer: catchUpShape,
  run: catchUp,
});

export const setWorkspaceFeature = feature({
  name: 'setWorkspace',
  about: 'Binds to the workspace folder or to a folder inside it.',
  params: workspaceParams,
  answer: workspaceAnswerShape,
  run: setWorkspace,
});
