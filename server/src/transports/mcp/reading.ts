import type { ServerContext } from '@modelcontextprotocol/server';
import { neverCancelled } from '../../base/cancellation';
import { askFeature } from '../asking';
import { carryOut, type ToolCaller } from './callTool';

/** Most values that are offered for a variable. */
const MAX_COMPLETIONS = 100;

export interface ReadAnswer {
  readonly ok: boolean;
  /** What was asked for does not exist or is malformed, as opposed to: the machinery failed. */
  readonly isMissing: boolean;
  readonly text: string;
}

/** The answer of a tool for reading, whether or not it is offered as a tool. */
export async function readTool(caller: ToolCaller, name: string, input: Readonly<Record<string, unknown>>, context: ServerContext): Promise<ReadAnswer> {
  const { content, isError, structuredContent } = await carryOut(caller, name, input, context);
  const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
  const code: unknown = typeof structuredContent === 'object' && structuredContent !== null ? Reflect.get(structuredContent, 'errorCode') : undefined;
  return { ok: isError !== true, isMissing: code === 'NOT_FOUND' || code === 'VALIDATION_ERROR' || code === 'FORBIDDEN', text };
}

export type Completed = 'symbols' | 'files' | 'atoms' | 'molecules' | 'tasks';

/** Values that go with what was typed so far, the likeliest first; none while the index is not there. */
export async function completions(caller: ToolCaller, what: Completed, typed: string): Promise<string[]> {
  const opened = await caller.session.gateway;
  if (!opened.ok) return [];
  const asker = { kind: 'agent', agentId: undefined, sessionId: caller.sessionId } as const;
  if (what === 'symbols' || what === 'files') {
    const found = await askFeature(opened.value, 'workspaceSymbols', { query: typed, limit: MAX_COMPLETIONS }, asker, neverCancelled);
    if (!found.ok) return [];
    return unique(found.value.symbols.map(row => (what === 'symbols' ? row.id : row.path)));
  }
  const entityType = what === 'atoms' ? 'atom' : 'molecule';
  const call =
    what === 'tasks'
      ? { name: 'query_container', input: { operation: 'search', containerType: 'task', query: typed, limit: MAX_COMPLETIONS, profile: 'debug' } }
      : { name: 'query_graph', input: { operation: 'search', entityType, query: typed, limit: MAX_COMPLETIONS, profile: 'debug' } };
  const answer = await opened.value.callTool({ ...call, caller: asker, idempotencyKey: '' }, neverCancelled);
  return unique(rowsOf(answer.envelope.data, 'items').map(row => String(row['id'])));
}

function rowsOf(value: unknown, key: string): readonly Readonly<Record<string, unknown>>[] {
  const list: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return Array.isArray(list) ? list : [];
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MAX_COMPLETIONS);
}
