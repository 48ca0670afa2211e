import { OLDEST_PROTOCOL_VERSION, PROTOCOL_VERSION } from '../../protocol/version';
import { normalise } from '../base/path';
import { readSettings, type WorkspaceSettings } from '../model/settings';
import type { WatchMode } from './checkoutHost';
import type { Caller, FileEvent, OverlayChange, ToolCall } from './gateway';
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
  const { agentId, sessionId, kind, isAdmin } = fieldsOf(value);
  if (typeof sessionId !== 'string' || (kind !== 'editor' && kind !== 'agent' && kind !== 'cli')) throw new TypeError('a caller is malformed');
  return { agentId: typeof agentId === 'string' ? agentId : undefined, sessionId, kind, ...(isAdmin === true ? { isAdmin } : {}) };
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
  const path = typeof value === 'string' && !value.includes('\0') ? normalise(value) : undefined;
  return path === '' ? undefined : path;
}

function listOf(value: unknown): readonly Frame[] {
  return Array.isArray(value) ? value.filter((item: unknown): item is Frame => typeof item === 'object' && item !== null) : [];
}

function fieldsOf(value: unknown): Frame {
  return typeof value === 'object' && value !== null ? (value as Frame) : {};
}

export function readWelcome(frame: Frame): Welcome | Refused | undefined {
  if (frame['type'] === 'welcome' && typeof frame['protocol'] === 'number') return frame as unknown as Welcome;
  if (frame['type'] === 'refused' && typeof frame['code'] === 'string') return frame as unknown as Refused;
  return undefined;
}
