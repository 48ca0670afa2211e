import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { NodeHandle } from '../../code/graph/graphView';
import { knowledgeOf } from '../../knowledge/view';
import { SEPARATOR } from '../../model/ids';
import { contextFiles } from '../../work/contextFiles';
import { type Blocker, missing } from '../../work/failures';
import { blockedTasks, openTaskIds, overview, percentComplete, type StatusCounts } from '../../work/lists';
import { WorkView } from '../../work/view';
import type { Snapshot, Stamp, Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { stampOf } from '../shared/fresh';
import { workspacePath } from '../shared/spelling';
import { type ClaimHeld, coordinationOf, type FailedTest } from './coordination';

export interface BlockedTask {
  readonly task: { readonly id: string; readonly name: string; readonly status: string };
  readonly reasons: readonly Blocker[];
}

/** Numbers of indexed nodes that the feature's tasks name. */
export interface CodeCoverage {
  /** Named by Context Files or edited under its tasks. */
  readonly implementing: number;
  /** Of these, with a test. */
  readonly tested: number;
  /** Of these, in a file that some atom covers. */
  readonly withAtoms: number;
}

export interface FeatureStatusAnswer {
  readonly feature: { readonly id: string; readonly name: string; readonly status: string };
  readonly counts: StatusCounts;
  readonly percentComplete: number;
  readonly blockers: readonly BlockedTask[];
  readonly activeClaims: readonly ClaimHeld[];
  /** Absent as long as there is no index. */
  readonly codeCoverage?: CodeCoverage;
  readonly stamp: Stamp;
}

/** How far a feature of work is: its tasks, what they changed, and what is left. `NOT_FOUND` for an unknown id. */
export async function featureStatus(workspace: Workspace, featureId: string, token: CancellationToken): Promise<Result<FeatureStatusAnswer, FeatureFailure>> {
  const view = new WorkView(workspace.records);
  const feature = view.container(featureId, 'feature');
  if (feature === undefined) return err(missing('feature', featureId));
  const counts = overview(workspace.records).features.find(row => row.feature.id === feature.id)?.counts;
  if (counts === undefined) return err(missing('feature', featureId));
  const tasks = view.tasksOf(feature.id);
  const coordination = coordinationOf(workspace);
  const named = tasks.flatMap(task => contextFiles(view.sections(task.id)));
  const files = [...new Set([...named, ...coordination.editedFiles(tasks.map(task => task.id))])];
  const snapshot = await workspace.snapshot([], token);
  return ok({
    feature: { id: feature.id, name: feature.name, status: feature.status },
    counts,
    percentComplete: percentComplete(counts),
    blockers: blockedRows(workspace, feature.id),
    activeClaims: coordination.claimsOn([feature.id, ...tasks.map(task => task.id), ...files]),
    ...(snapshot.ok ? { codeCoverage: coverageOf(workspace, snapshot.value, files) } : {}),
    stamp: snapshot.ok ? snapshot.value.stamp : stampOf(workspace),
  });
}

export interface BlockingAnswer {
  readonly blocked: readonly BlockedTask[];
  readonly claimConflicts: readonly (ClaimHeld & { readonly taskId: string })[];
  readonly failedTests: readonly FailedTest[];
}

/** What stops work: blocked tasks with their reasons, claims of other agents on open tasks or their Context Files, failed tests. */
export function blockingIssues(
  workspace: Workspace,
  asked: { readonly featureId: string | undefined; readonly agentId: string | undefined },
): Result<BlockingAnswer, FeatureFailure> {
  const view = new WorkView(workspace.records);
  const feature = asked.featureId === undefined ? undefined : view.container(asked.featureId, 'feature');
  if (asked.featureId !== undefined && feature === undefined) return err(missing('feature', asked.featureId));
  const coordination = coordinationOf(workspace);
  const tasks = openTaskIds(workspace.records, feature?.id);
  const claimConflicts = tasks.flatMap(id =>
    coordination
      .claimsOn([id, ...contextFiles(view.sections(id))])
      .filter(claim => claim.agentId !== asked.agentId)
      .map(claim => ({ ...claim, taskId: id })),
  );
  return ok({ blocked: blockedRows(workspace, feature?.id), claimConflicts, failedTests: coordination.failedTests(tasks) });
}

function blockedRows(workspace: Workspace, featureId: string | undefined): readonly BlockedTask[] {
  return blockedTasks(workspace.records, featureId).map(({ task, blockers }) => ({
    task: { id: task.id, name: task.name, status: task.status },
    reasons: blockers,
  }));
}

function coverageOf(workspace: Workspace, snapshot: Snapshot, pieces: readonly string[]): CodeCoverage {
  const nodes = new Set(pieces.flatMap(piece => nodeNamed(workspace, snapshot, piece) ?? []));
  const all = [...nodes];
  const knowledge = knowledgeOf(workspace.records);
  return {
    implementing: all.length,
    tested: all.filter(node => isTested(snapshot, node)).length,
    withAtoms: all.filter(node => knowledge.atomsCovering(snapshot.graph.node(node).path).length > 0).length,
  };
}

/** Node of a path, `path#symbol` or node id; nothing is guessed. */
function nodeNamed(workspace: Workspace, { graph }: Snapshot, piece: string): NodeHandle | undefined {
  const [file = '', ...names] = piece
    .replace(/^(?:file|symbol)::/, '')
    .replace('#', SEPARATOR)
    .split(SEPARATOR);
  const path = workspacePath(workspace, file);
  return path.ok ? graph.find([path.value, ...names].join(SEPARATOR)) : undefined;
}

/** Files count when a test reaches them or anything in them. */
function isTested({ graph }: Snapshot, node: NodeHandle): boolean {
  const nodes = graph.node(node).nodeType === 'file' ? [node, ...graph.symbolsOf(node)] : [node];
  return nodes.some(one => graph.in(one).some(edge => edge.relation === 'TESTS'));
}
