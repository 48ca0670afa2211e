import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import {
  type ClaimConflict,
  claimsAround,
  endClaimsOf,
  endClaimsOfSession,
  endStale,
  makeClaim,
  type ProgramSession,
  releaseClaim,
  staleClaims,
} from '../../memory/claims';
import type { Claim, ClaimType } from '../../memory/entities';
import { newEpisode } from '../../memory/episodes';
import { memoryDrafts } from '../../memory/tables';
import { MemoryView } from '../../memory/view';
import { paramRef, phrase, toolRef } from '../../model/hints';
import type { StableId } from '../../model/ids';
import type { Author } from '../../model/records';
import { WorkView } from '../../work/view';
import type { Stamp, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine, invalid, notFound } from '../shared/failure';
import { stampOf } from '../shared/fresh';
import { pathOfTarget, resolveTarget } from '../shared/target';
import { taskIdOf } from './remember';
import { claimRow } from './rows';
import type { ClaimRow } from './shapes';
import { changeMemory, currentCodeAt, hashesIn, WRITE_PATIENCE_MS } from './writing';

export interface ClaimParams {
  readonly targetId: string;
  readonly claimType: ClaimType;
  readonly intent: string;
  readonly taskId?: string;
}

export interface ClaimAnswer {
  /** `''` when somebody else holds the target. */
  readonly claimId: string;
  readonly status: 'ok' | 'CONFLICT';
  readonly targetId: StableId;
  readonly targetVersionSHA: string;
  readonly conflict?: ClaimConflict;
  /** Claims of others on what the target is part of, or on parts of it. */
  readonly warnings: readonly ClaimRow[];
  readonly stamp: Stamp;
}

interface ClaimTarget {
  readonly targetId: StableId;
  readonly targetVersionSHA: string;
  readonly related: readonly StableId[];
  readonly stamp: Stamp;
}

/** Claims a target. Somebody else's claim on it is an answer, not a failure. */
export async function claim(workspace: Workspace, author: Author, params: ClaimParams, token: CancellationToken): Promise<Result<ClaimAnswer, FeatureFailure>> {
  const { claimType, intent } = params;
  const target = claimType === 'task' || claimType === 'feature' ? workTarget(workspace, params) : await codeTarget(workspace, params, token);
  if (!target.ok) return target;
  const { related, stamp, targetId, targetVersionSHA } = target.value;
  const taskId = params.taskId === undefined ? (claimType === 'task' ? targetId : null) : taskIdOf(workspace, params.taskId);
  const request = { targetId, claimType, intent, taskId, targetVersionSHA, checkout: workspace.root, related };
  const made = await changeMemory(workspace, author, (records, who) => makeClaim(records, who, request));
  if (!made.ok) return made;
  const { claim: held, conflict, warnings } = made.value;
  return ok({
    claimId: held?.id ?? '',
    status: conflict === undefined ? 'ok' : 'CONFLICT',
    targetId,
    targetVersionSHA,
    ...(conflict === undefined ? {} : { conflict }),
    warnings: warnings.map(claimRow),
    stamp,
  });
}

function workTarget(workspace: Workspace, { claimType, targetId }: ClaimParams): Result<ClaimTarget, FeatureFailure> {
  const type = claimType === 'task' ? 'task' : 'feature';
  const view = new WorkView(workspace.records);
  const found = view.container(targetId, type);
  if (found === undefined)
    return err({ ...notFound(targetId, []), hint: phrase`Use ${toolRef('query_container', { operation: 'search', containerType: type })} to find its ID.` });
  const related = type === 'feature' ? view.tasksOf(found.id).map(({ id }) => id) : found.featureId === null ? [] : [found.featureId];
  return ok({ targetId: found.id, targetVersionSHA: `v${found.version}`, related, stamp: stampOf(workspace) });
}

/** Files and symbols by id, path or a name that only one has: a write guesses nothing. */
async function codeTarget(workspace: Workspace, { claimType, targetId }: ClaimParams, token: CancellationToken): Promise<Result<ClaimTarget, FeatureFailure>> {
  const path = pathOfTarget(workspace, targetId);
  const snapshot = await workspace.snapshot(path === undefined ? [] : [path], token, WRITE_PATIENCE_MS);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, stamp } = snapshot.value;
  const target = resolveTarget(snapshot.value, workspace, targetId);
  if (!target.ok) return target;
  const { candidates, guessed, node } = target.value;
  if (guessed || candidates.length > 0) return err(notFound(targetId, [graph.idOf(node), ...candidates].slice(0, 5)));
  const { contentHash, id, nodeType } = graph.node(node);
  if (nodeType !== 'file' && nodeType !== 'symbol')
    return err(invalid('targetId', `${id} is not a file or symbol.`, phrase`Use ${paramRef('claimType', nodeType)}.`));
  const wanted = nodeType === 'file' ? 'file' : 'function';
  if (claimType !== wanted) return err(invalid('claimType', `${id} is a ${nodeType}.`, phrase`Call again with ${paramRef('claimType', wanted)}.`));
  return ok({ targetId: id, targetVersionSHA: contentHash, related: [], stamp });
}

/** Releases an own claim; an outcome is kept as an OBSERVATION about the target. */
export async function release(
  workspace: Workspace,
  author: Author,
  { claimId, outcome }: { readonly claimId: string; readonly outcome?: string },
  token: CancellationToken,
): Promise<Result<ClaimRow, FeatureFailure>> {
  const held = new MemoryView(workspace.records).claim(claimId);
  const { hashOf } = await currentCodeAt(workspace, held === undefined ? [] : [held.targetId], token);
  const released = await changeMemory(workspace, author, (records, who) => {
    const decided = releaseClaim(records, who, claimId);
    if (!decided.ok || decided.value.records.length === 0 || outcome === undefined || outcome.trim() === '') return decided;
    const { result } = decided.value;
    const request = { type: 'OBSERVATION', content: outcome.slice(0, 4_000), entities: [result.targetId], taskId: result.taskId } as const;
    const { episode } = newEpisode(records, who, request, hashOf);
    return ok({ records: [...decided.value.records, memoryDrafts.episode(episode)], result });
  });
  return released.ok ? ok(claimRow(released.value)) : released;
}

/** Ends all claims of an agent, by a person. */
export async function releaseAll(workspace: Workspace, author: Author, agentId: string): Promise<Result<readonly ClaimRow[], FeatureFailure>> {
  const done = await changeMemory(workspace, author, records => endClaimsOf(records, agentId));
  return done.ok ? ok(done.value.map(claimRow)) : done;
}

/** Releases what a session of an agent's program has claimed until a time (epoch milliseconds). */
export async function endSession(
  workspace: Pick<Workspace, 'records'>,
  session: ProgramSession,
  until: number,
): Promise<Result<readonly Claim[], FeatureFailure>> {
  return changeMemory(workspace, { ...session, key: undefined }, records => endClaimsOfSession(records, session, until));
}

/** Ends claims of this checkout whose code has changed since. Called after each revision. */
export async function endChangedClaims(workspace: Workspace): Promise<Result<readonly Claim[], FeatureFailure>> {
  const graph = workspace.current()?.graph;
  if (graph === undefined) return ok([]);
  const stale = staleClaims(new MemoryView(workspace.records), workspace.root, hashesIn(graph));
  if (stale.length === 0) return ok([]);
  return changeMemory(workspace, { agentId: undefined, sessionId: undefined, key: undefined }, records => endStale(records, stale));
}

/** Active claims of others on nodes, their files and what is inside them. */
export function claimsOfOthers(workspace: Pick<Workspace, 'records'>, ids: readonly StableId[], agentId: string | undefined): readonly ClaimRow[] {
  return claimsAround(new MemoryView(workspace.records), ids)
    .filter(held => held.agentId !== agentId)
    .map(claimRow);
}

export interface AgentSummary {
  readonly agentId: string;
  readonly claimCount: number;
  /** ISO-8601: its newest episode or claim. */
  readonly lastSeen: string;
}

export interface OverviewAnswer {
  readonly activeClaims: readonly ClaimRow[];
  /** Active, though their code is not what it was: they end with the next revision. */
  readonly staleClaims: readonly ClaimRow[];
  /** Agents that are active on one target, in pairs. */
  readonly conflicts: readonly { readonly targetId: StableId; readonly agents: readonly string[] }[];
  readonly agentSummary: readonly AgentSummary[];
  readonly totalClaims: number;
  readonly stamp: Stamp;
}

/** Who is at work on what. */
export async function coordinationOverview(workspace: Workspace, token: CancellationToken): Promise<OverviewAnswer> {
  const view = new MemoryView(workspace.records);
  const before = view.activeClaims();
  const files = [
    ...new Set(before.flatMap(({ claimType, targetId }) => (claimType === 'file' || claimType === 'function' ? [targetId.split('::', 1)[0] ?? ''] : []))),
  ];
  const snapshot = await workspace.snapshot(files.slice(0, 50), token);
  const active = view.activeClaims();
  const stale = snapshot.ok ? staleClaims(view, workspace.root, hashesIn(snapshot.value.graph)).map(({ claim: one }) => claimRow(one)) : [];
  const seen = view.lastSeen();
  const counts = new Map<string, number>([...seen.keys()].map(agentId => [agentId, 0]));
  for (const { agentId } of active) counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
  const agentSummary = [...counts]
    .map(([agentId, claimCount]) => ({ agentId, claimCount, lastSeen: new Date(seen.get(agentId) ?? 0).toISOString() }))
    .sort((a, b) => b.claimCount - a.claimCount || (a.lastSeen > b.lastSeen ? -1 : 1));
  return {
    activeClaims: active.map(claimRow),
    staleClaims: stale,
    conflicts: conflictsIn(active),
    agentSummary,
    totalClaims: active.length,
    stamp: snapshot.ok ? snapshot.value.stamp : stampOf(workspace),
  };
}

function conflictsIn(active: readonly Claim[]): OverviewAnswer['conflicts'] {
  const agents = new Map<StableId, Set<string>>();
  for (const { agentId, targetId } of active) agents.set(targetId, (agents.get(targetId) ?? new Set()).add(agentId));
  return [...agents].flatMap(([targetId, names]) => (names.size > 1 ? [{ targetId, agents: [...names].sort() }] : []));
}
