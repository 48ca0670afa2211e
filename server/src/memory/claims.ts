import { err, ok, type Result } from '../base/result';
import { maskCredentials } from '../base/secretText';
import { utf8Length } from '../base/text';
import { phrase, toolRef } from '../model/hints';
import { SEPARATOR, type StableId } from '../model/ids';
import type { Author, Decision, RecordDraft, Records } from '../model/records';
import { type Claim, type ClaimEnding, type ClaimType, MAX_SIZES, PERSON } from './entities';
import { foreignClaim, invalidFields, type MemoryFailure, missing } from './failures';
import { memoryDrafts } from './tables';
import { MemoryView } from './view';

export interface ClaimRequest {
  readonly targetId: StableId;
  readonly claimType: ClaimType;
  readonly intent: string;
  readonly taskId?: string | null;
  /** What the target is now; a claim on another version of code in the same checkout has ended. */
  readonly targetVersionSHA: string;
  readonly checkout: string;
  /** Tasks of a claimed feature, the feature of a claimed task: claims on them are warned of. */
  readonly related?: readonly StableId[];
}

/** Who holds what was asked for. */
export interface ClaimConflict {
  readonly agentId: string;
  readonly intent: string;
  readonly since: number;
}

export interface ClaimMade {
  /** Absent when somebody else holds the target; then nothing was stored. */
  readonly claim?: Claim;
  readonly conflict?: ClaimConflict;
  /** Claims of others on what the target is part of, or on parts of it. */
  readonly warnings: readonly Claim[];
  /** It was this agent's already. */
  readonly isRepeated: boolean;
}

const LIST_HINT = phrase`Use ${toolRef('coordination_overview')} to list the active claims.`;

/** Test and insert in one decision: of any number of agents, one gets the target. */
export function makeClaim(records: Records, author: Author, request: ClaimRequest): Result<Decision<ClaimMade>, MemoryFailure> {
  const { checkout, claimType, related = [], targetId, targetVersionSHA, taskId = null } = request;
  const intent = maskCredentials(request.intent.trim());
  if (intent === '') return err(invalidFields([{ field: 'intent', message: 'must not be empty' }]));
  if (utf8Length(intent) > MAX_SIZES.intentBytes) return err(invalidFields([{ field: 'intent', message: `has more than ${MAX_SIZES.intentBytes} bytes` }]));
  const agentId = author.agentId ?? PERSON;
  const view = new MemoryView(records);
  const at = records.now();
  const isStale = (claim: Claim): boolean => isCode(claim) && claim.checkout === checkout && claim.targetVersionSHA !== targetVersionSHA;
  const onTarget = view.activeClaimsOn([targetId]);
  const stale = onTarget.filter(isStale);
  const held = onTarget.filter(claim => !stale.includes(claim));
  const warnings = view
    .activeClaims()
    .filter(claim => claim.agentId !== agentId && claim.targetId !== targetId && (isPart(claim.targetId, targetId) || related.includes(claim.targetId)));
  const drafts: RecordDraft[] = stale.map(claim => memoryDrafts.claim(ended(claim, at, 'code_changed', targetVersionSHA)));
  const other = held.find(claim => claim.agentId !== agentId);
  if (other !== undefined) {
    const conflict = { agentId: other.agentId, intent: other.intent, since: other.validFrom };
    return ok({ records: drafts, result: { conflict, warnings, isRepeated: false } });
  }
  const own = held[0];
  if (own !== undefined) return ok({ records: drafts, result: { claim: own, warnings, isRepeated: true } });
  const claim: Claim = {
    id: `claim::${records.newId()}`,
    projectId: records.projectId,
    agentId,
    sessionId: author.sessionId ?? '',
    taskId,
    claimType,
    targetId,
    intent,
    validFrom: at,
    validTo: null,
    targetVersionSHA,
    endedVersionSHA: null,
    invalidationReason: null,
    checkout,
  };
  return ok({ records: [...drafts, memoryDrafts.claim(claim)], result: { claim, warnings, isRepeated: false } });
}

/** Ends an own claim; one that has ended stays as it is. */
export function releaseClaim(records: Records, author: Author, id: string): Result<Decision<Claim>, MemoryFailure> {
  const found = new MemoryView(records).claim(id);
  if (found === undefined) return err(missing('claim', id, LIST_HINT));
  if (found.agentId !== (author.agentId ?? PERSON)) return err(foreignClaim(found.id, found.agentId));
  if (found.validTo !== null) return ok({ records: [], result: found });
  const claim = ended(found, records.now(), 'released');
  return ok({ records: [memoryDrafts.claim(claim)], result: claim });
}

/** Ends all active claims of an agent, by a person. Gives the claims that ended. */
export function endClaimsOf(records: Records, agentId: string): Result<Decision<readonly Claim[]>, MemoryFailure> {
  return endAll(records, 'expired', claim => claim.agentId === agentId);
}

/** A session of an agent as the agent's program knows it. A subagent's is that of the agent that started it, a slash and an id of its own; its name is made alike, with a colon. */
export interface ProgramSession {
  readonly agentId: string;
  readonly sessionId: string;
}

/** Ends what a session and its subagents claimed until then, by whatever name. What was claimed later is of a session that was resumed. */
export function endClaimsOfSession(records: Records, session: ProgramSession, until: number): Result<Decision<readonly Claim[]>, MemoryFailure> {
  const { agentId, sessionId } = session;
  const isOwn = (claim: Claim): boolean => isOfSession(claim, sessionId) || claim.agentId === agentId || claim.agentId.startsWith(`${agentId}:`);
  return endAll(records, 'released', claim => claim.validFrom <= until && isOwn(claim));
}

/** Notes which session of a program made a claim. One that this session or its subagents made already stays theirs. */
export function noteSession(records: Records, id: string, sessionId: string): Result<Decision<boolean>, MemoryFailure> {
  const claim = new MemoryView(records).claim(id);
  const [outermost = ''] = sessionId.split('/', 1);
  if (claim === undefined || claim.validTo !== null || isOfSession(claim, outermost)) return ok({ records: [], result: false });
  return ok({ records: [memoryDrafts.claim({ ...claim, sessionId })], result: true });
}

function isOfSession(claim: Claim, sessionId: string): boolean {
  return claim.sessionId === sessionId || claim.sessionId.startsWith(`${sessionId}/`);
}

function endAll(records: Records, reason: ClaimEnding, isMeant: (claim: Claim) => boolean): Result<Decision<readonly Claim[]>, MemoryFailure> {
  const at = records.now();
  const claims = new MemoryView(records)
    .activeClaims()
    .filter(isMeant)
    .map(claim => ended(claim, at, reason));
  return ok({ records: claims.map(memoryDrafts.claim), result: claims });
}

/** Claims of a task that is closed: those on it and those that were made for it. */
export function claimsOfTask(view: MemoryView, taskId: string): readonly Claim[] {
  return view.activeClaims().filter(claim => claim.targetId === taskId || claim.taskId === taskId);
}

/** A claim of one checkout and what its target has become there. */
export interface StaleClaim {
  readonly claim: Claim;
  /** `''` when it is gone. */
  readonly targetVersionSHA: string;
}

/** Active claims on code of a checkout whose target is not what it was. */
export function staleClaims(view: MemoryView, checkout: string, hashOf: (id: StableId) => string | undefined): readonly StaleClaim[] {
  return view.activeClaims().flatMap(claim => {
    if (!isCode(claim) || claim.checkout !== checkout) return [];
    const now = hashOf(claim.targetId) ?? '';
    return now === claim.targetVersionSHA ? [] : [{ claim, targetVersionSHA: now }];
  });
}

/** Ends claims whose code has changed. Looks again: what was renewed since stays. */
export function endStale(records: Records, stale: readonly StaleClaim[]): Result<Decision<readonly Claim[]>, MemoryFailure> {
  const view = new MemoryView(records);
  const at = records.now();
  const claims = stale.flatMap(({ claim, targetVersionSHA }) => {
    const now = view.claim(claim.id);
    if (now === undefined || now.validTo !== null || now.targetVersionSHA !== claim.targetVersionSHA) return [];
    return [ended(now, at, 'code_changed', targetVersionSHA)];
  });
  return ok({ records: claims.map(memoryDrafts.claim), result: claims });
}

/**
 * An agent's claims on what it has edited itself go on with the new version. One that the watcher ended because of that same change is taken up again,
 * unless somebody has held the target since: a claim never covers a time in which another one had it.
 */
export function refreshed(
  records: Records,
  agentId: string,
  files: readonly string[],
  code: { readonly hashOf: (id: StableId) => string | undefined; readonly checkout: string },
): readonly Claim[] {
  const view = new MemoryView(records);
  const isEdited = (claim: Claim): boolean =>
    isCode(claim) && claim.checkout === code.checkout && files.some(file => claim.targetId === file || isPart(claim.targetId, file));
  const renewed = view
    .activeClaims()
    .filter(claim => claim.agentId === agentId && isEdited(claim))
    .flatMap(claim => {
      const now = code.hashOf(claim.targetId);
      return now === undefined || now === claim.targetVersionSHA ? [] : [{ ...claim, targetVersionSHA: now }];
    });
  const taken = new Set<StableId>();
  const takenUp = view.endedByChange(agentId).flatMap(claim => {
    const now = isEdited(claim) && !view.isClaimedSince(claim.targetId, claim.validTo ?? 0) ? code.hashOf(claim.targetId) : undefined;
    if (now === undefined || now !== claim.endedVersionSHA || taken.has(claim.targetId)) return [];
    taken.add(claim.targetId);
    return [{ ...claim, validTo: null, invalidationReason: null, endedVersionSHA: null, targetVersionSHA: now }];
  });
  return [...renewed, ...takenUp];
}

export function ended(claim: Claim, at: number, reason: ClaimEnding, endedVersionSHA: string | null = null): Claim {
  return { ...claim, validTo: at, invalidationReason: reason, endedVersionSHA };
}

/** Whether one of two code ids is inside the other. */
export function isPart(one: StableId, other: StableId): boolean {
  return one.startsWith(`${other}${SEPARATOR}`) || other.startsWith(`${one}${SEPARATOR}`);
}

/** Active claims on any of these, on the file or symbol that one is in, or on something inside it. Oldest first. */
export function claimsAround(view: MemoryView, ids: readonly StableId[]): readonly Claim[] {
  const active = view.activeClaims();
  if (active.length === 0) return [];
  const named = new Set(ids);
  return active.filter(({ targetId }) => named.has(targetId) || ids.some(id => isPart(id, targetId)));
}

function isCode({ claimType }: Claim): boolean {
  return claimType === 'file' || claimType === 'function';
}
