import { beforeEach, expect } from 'vitest';
import type { ToolInput, ToolName } from '../../server/protocol/requests';
import type { Envelope } from '../../server/src/tools/envelope';
import { askNamedTool } from '../helpers/askTool';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { type MemoryRecords, memoryRecords } from '../helpers/memoryRecords';
import { shop } from '../helpers/shop';
import { workspaceOf } from '../helpers/workspaceOf';

export interface Asker {
  readonly agentId?: string;
  readonly sessionId?: string;
  readonly key?: string;
  readonly isAdmin?: boolean;
}

export const DAY_MS = 86_400_000;
export let records: MemoryRecords;
/** The code as calls see it. */
export let code: WorkspaceSketch;
/** The checkout that calls come from. */
export let root: string;
let texts: Readonly<Record<string, string>> = {};

beforeEach(async () => {
  records = await memoryRecords();
  code = shop;
  root = '/home/ada/shop';
  texts = {};
});

export function setCode(sketch: WorkspaceSketch): void {
  code = sketch;
}

export function setTexts(given: Readonly<Record<string, string>>): void {
  texts = given;
}

export function setRoot(path: string): void {
  root = path;
}

export async function call(name: string, input: object, { sessionId = 's', ...asker }: Asker = {}): Promise<Envelope> {
  const { key, ...who } = asker;
  const invocation = { name, input: { ...input }, agentId: 'ada', sessionId, ...who, ...(key === undefined ? {} : { idempotencyKey: key }) };
  return (await askNamedTool(workspaceOf(code, { records, root, texts }), invocation)).envelope;
}

type Data = Readonly<Record<string, unknown>>;

export function done<Name extends ToolName>(name: Name, input: ToolInput<Name>, asker: Asker = {}): Promise<Data> {
  return doneAsSpelled(name, input, asker);
}

/** The same in spellings that the schema does not have. */
export async function doneAsSpelled(name: string, input: object, asker: Asker = {}): Promise<Data> {
  const envelope = await call(name, { profile: 'debug', ...input }, asker);
  expect(envelope, `${envelope.summary} ${envelope.hint ?? ''}`).toMatchObject({ ok: true });
  return envelope.data ?? {};
}

export async function add(type: ToolInput<'episode_add'>['type'], content: string, more: object = {}, asker: Asker = {}): Promise<string> {
  return String((await done('episode_add', { type, content, ...more }, asker))['episodeId']);
}

export const editOf = (file: string, reason = 'because'): object => ({ metadata: { file, diffSummary: reason, linesBefore: 1, linesAfter: 2, reason } });
export const decisionOn = (...affectedFiles: string[]): object => ({
  metadata: { title: 'Pay in cents', rationale: 'no rounding', tradeoffs: [], affectedFiles },
});

export async function rows<Name extends ToolName>(name: Name, input: ToolInput<Name>, asker: Asker = {}): Promise<Data[]> {
  return (await done(name, input, asker))['episodes'] as Data[];
}
