import { OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION } from '../../protocol/version';
import { normalize, type WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import { readSettings, type WorkspaceSettings } from '../model/settings';
import type { EngineHealth, IndexProgress } from '../workspace/snapshot';
import type { WatchMode } from './checkoutHost';
import type { Caller, FileEvent, OverlayChange, ToolAnswer, ToolCall } from './gateway';
import type { Frame } from './wire';

/**
 * What guest and owner say to each other. `hello`, `welcome`, `refused` and `yield` are frozen: every protocol version must read them.
 * Version 1 knows neither `bye` nor `ping`: its guests notice a closed socket.
 */
export interface Hello {
  readonly type: 'hello';
  /** Newest and oldest version the guest speaks. */
  readonly protocol: number;
  readonly oldest: number;
  readonly token: string;
  readonly root: string;
  readonly watch: WatchMode;
  readonly settings?: Partial<WorkspaceSettings>;
  readonly longLived: boolean;
  readonly pid: number;
}

export interface Welcome {
  readonly type: 'welcome';
  readonly protocol: number;
  readonly pid: number;
  readonly engineVersion: string;
  /** Real path of the checkout. */
  readonly root: string;
}

export type RefusalCode = 'BAD_TOKEN' | 'PROTOCOL' | 'CLOSING' | 'MALFORMED' | 'NOT_FOUND' | 'FORBIDDEN' | 'UNAVAILABLE';

export interface Refused {
  readonly type: 'refused';
  readonly code: RefusalCode;
  readonly message: string;
  /** Newest version the owner speaks. */
  readonly protocol: number;
}

export interface Request {
  readonly type: 'request';
  readonly id: number;
  readonly method: 'callTool' | 'query' | 'health' | 'ready';
  readonly params: Frame;
}

/** Version both speak, or undefined. */
export function commonProtocol(
  guest: { readonly protocol: number; readonly oldest: number },
  owner: { readonly protocol: number; readonly oldest: number },
): number | undefined {
  const version = Math.min(guest.protocol, owner.protocol);
  return version >= guest.oldest && version >= owner.oldest ? version : undefined;
}

export interface ProtocolRange {
  readonly protocol: number;
  readonly oldest: number;
}

/** Versions of the protocol between owners and guests that this build understands. */
export const OWN_PROTOCOL: ProtocolRange = Object.freeze({ protocol: PROTOCOL_VERSION, oldest: OLDEST_PROTOCOL_VERSION });

export function readHello(frame: Frame): Hello | undefined {
  const { type, protocol, oldest, token, root, watch, settings, longLived, pid } = frame;
  if (type !== 'hello' || typeof protocol !== 'number' || typeof token !== 'string' || typeof root !== 'string') return undefined;
  return {
    type,
    protocol,
    oldest: typeof oldest === 'number' ? oldest : protocol,
    token,
    root,
    watch: watch === 'files' || watch === 'editor' ? watch : 'none',
    longLived: longLived === true,
    pid: typeof pid === 'number' ? pid : 0,
    ...(typeof settings === 'object' && settings !== null ? { settings: readSettings(settings) } : {}),
  };
}

const METHODS: ReadonlySet<unknown> = new Set<Request['method']>(['callTool', 'query', 'health', 'ready']);

export function readRequest(frame: Frame): Request | undefined {
  const { type, id, method, params } = frame;
  if (type !== 'request' || typeof id !== 'number' || !METHODS.has(method)) return undefined;
  return { type, id, method: method as Request['method'], params: typeof params === 'object' && params !== null ? (params as Frame) : {} };
}

/** Who a guest says asks. Throws `TypeError` for what is no caller. */
export function readCaller(value: unknown): Caller {
  const { agentId, sessionId, kind, isAdmin, mayClaim } = fieldsOf(value);
  if (typeof sessionId !== 'string' || (kind !== 'editor' && kind !== 'agent' && kind !== 'cli')) throw new TypeError('a caller is malformed');
  return {
    agentId: typeof agentId === 'string' ? agentId : undefined,
    sessionId,
    kind,
    ...(isAdmin === true ? { isAdmin } : {}),
    ...(mayClaim === true ? { mayClaim } : {}),
  };
}

/** Throws `TypeError` for what is no call. */
export function readCall(value: unknown): ToolCall {
  const { name, input, caller, idempotencyKey } = fieldsOf(value);
  if (typeof name !== 'string' || typeof idempotencyKey !== 'string') throw new TypeError('a call is malformed');
  return { name, input: fieldsOf(input), caller: readCaller(caller), idempotencyKey };
}

/** Events of paths that leave the workspace are left out. */
export function readFileEvents(value: unknown): FileEvent[] {
  return listOf(value).flatMap(({ path, kind }): FileEvent[] => {
    const clean = readPath(path);
    return clean === undefined || (kind !== 'created' && kind !== 'changed' && kind !== 'deleted') ? [] : [{ path: clean, kind }];
  });
}

/** Documents outside the workspace are left out. */
export function readOverlayChanges(value: unknown): OverlayChange[] {
  return listOf(value).flatMap(({ path, version, text }): OverlayChange[] => {
    const clean = readPath(path);
    return clean === undefined ? [] : [{ path: clean, version: typeof version === 'number' ? version : 0, text: typeof text === 'string' ? text : undefined }];
  });
}

function readPath(value: unknown): string | undefined {
  const path = typeof value === 'string' && !value.includes('\0') ? normalize(value) : undefined;
  return path === '' ? undefined : path;
}

function listOf(value: unknown): readonly Frame[] {
  return Array.isArray(value) ? value.filter((item: unknown): item is Frame => typeof item === 'object' && item !== null) : [];
}

function fieldsOf(value: unknown): Frame {
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}

/** A welcome or refusal; `undefined` for any other message. A welcome that lacks something counts as refused. */
export function readWelcome(frame: Frame): Welcome | Refused | undefined {
  const { type, code, engineVersion, message, pid, protocol, root } = frame;
  if (type === 'refused' && typeof code === 'string') return frame as unknown as Refused;
  if (type !== 'welcome') return undefined;
  if (typeof protocol === 'number' && typeof pid === 'number' && typeof root === 'string' && typeof engineVersion === 'string')
    return frame as unknown as Welcome;
  return { type: 'refused', code: 'MALFORMED', message: typeof message === 'string' ? message : 'The owner sent a malformed welcome.', protocol: 0 };
}

/*
 * What an owner answers. It may be of a newer version than its guest: fields that are not known here stay as they are, those that are known are of their kind.
 * Each function gives the value itself, or `undefined` for what is no such answer.
 */

export function readToolAnswer(value: unknown): ToolAnswer | undefined {
  const { envelope, text } = fieldsOf(value);
  const { _tokenEstimate, data, errorCode, hint, hintParts, ok, profile, stamp, summary, summaryParts } = fieldsOf(envelope);
  const isEnvelope = typeof ok === 'boolean' && typeof summary === 'string' && typeof profile === 'string' && typeof _tokenEstimate === 'number';
  const isRest =
    isObjectOrAbsent(data) &&
    isObjectOrAbsent(stamp) &&
    isTextOrAbsent(hint) &&
    isTextOrAbsent(errorCode) &&
    isListOrAbsent(hintParts) &&
    isListOrAbsent(summaryParts);
  return isEnvelope && isRest && typeof text === 'string' ? (value as ToolAnswer) : undefined;
}

export function readResult(value: unknown): Result<unknown, Failure> | undefined {
  const { error, ok } = fieldsOf(value);
  if (ok === true) return value as Result<unknown, Failure>;
  const { code, message } = fieldsOf(error);
  return ok === false && typeof code === 'string' && typeof message === 'string' ? (value as Result<unknown, Failure>) : undefined;
}

export function readHealth(value: unknown): EngineHealth | undefined {
  const { dataFolder, engineVersion, languages, pendingFiles, problems, progress, recentEvents, recovered, skipped, storeBytes } = fieldsOf(value);
  const areLists = [languages, problems, recentEvents, recovered].every(Array.isArray);
  const areObjects = [skipped, storeBytes].every(field => typeof field === 'object' && field !== null);
  const isRest = typeof pendingFiles === 'number' && typeof dataFolder === 'string' && typeof engineVersion === 'string';
  return areLists && areObjects && isRest && readProgress(progress) !== undefined ? (value as EngineHealth) : undefined;
}

const PHASES: Readonly<Record<IndexProgress['phase'], true>> = {
  starting: true,
  scanning: true,
  parsing: true,
  resolving: true,
  saving: true,
  ready: true,
  failed: true,
};

export function readProgress(value: unknown): IndexProgress | undefined {
  const { background, done, phase, problem, total } = fieldsOf(value);
  const isKnown = typeof phase === 'string' && Object.hasOwn(PHASES, phase);
  return isKnown && typeof done === 'number' && typeof total === 'number' && isTextOrAbsent(problem) && isTextOrAbsent(background)
    ? (value as IndexProgress)
    : undefined;
}

/** A new revision, with the paths of files that changed. */
export function readRevision(value: unknown): { readonly revision: number; readonly changed: readonly WorkspacePath[] } | undefined {
  const { changed, revision } = fieldsOf(value);
  return typeof revision === 'number' && areTexts(changed) ? { revision, changed } : undefined;
}

/** Areas of records that changed. */
export function readAreas(value: unknown): readonly string[] | undefined {
  return areTexts(value) ? value : undefined;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string');
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function isListOrAbsent(value: unknown): boolean {
  return value === undefined || Array.isArray(value);
}

function isObjectOrAbsent(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null);
}
