import type { ServerContext } from '@modelcontextprotocol/server';
import { neverCancelled } from '../../base/cancellation';
import type { Failure, Result } from '../../base/result';
import type { Answer, FeatureName, ParamsOf } from '../../features/catalogue/catalogue';
import type { Caller, Gateway } from '../../session/gateway';
import { askFeature } from '../asking';
import { executeTool, type ToolCaller } from './callTool';

/** Most values that are offered for a variable. */
const MAX_COMPLETIONS = 100;

export interface ReadAnswer {
  readonly ok: boolean;
  /** What was asked for does not exist or is malformed, as opposed to: the machinery failed. */
  readonly isMissing: boolean;
  readonly text: string;
  readonly data: unknown;
}

/** The answer of a tool for reading, whether or not it is offered as a tool. */
export async function readTool(caller: ToolCaller, name: string, input: Readonly<Record<string, unknown>>, context: ServerContext): Promise<ReadAnswer> {
  const { content, isError, structuredContent } = await executeTool(caller, name, input, context);
  const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
  const { data, errorCode: code } = Object(structuredContent) as { readonly data?: unknown; readonly errorCode?: unknown };
  return { ok: isError !== true, isMissing: code === 'NOT_FOUND' || code === 'VALIDATION_ERROR' || code === 'FORBIDDEN', text, data };
}

export type Completed = 'symbols' | 'files' | 'atoms' | 'molecules' | 'tasks' | 'agents';

/** Values that go with what was typed so far, the likeliest first; none while the index is not there. */
export async function completions(caller: ToolCaller, what: Completed, typed: string): Promise<string[]> {
  const opened = await caller.session.gateway;
  if (!opened.ok) return [];
  const ask = askerOf(opened.value, caller);
  if (what === 'symbols' || what === 'files') {
    const found = await ask('workspaceSymbols', { query: typed, limit: MAX_COMPLETIONS });
    return unique(found.ok ? found.value.symbols.map(row => (what === 'symbols' ? row.id : row.path)) : []);
  }
  if (what === 'agents') {
    const known = await ask('agents', {});
    const names = known.ok ? known.value.agents.map(({ agentId }) => agentId) : [];
    return unique(names.filter(name => name.toLowerCase().includes(typed.toLowerCase())));
  }
  const found =
    what === 'tasks'
      ? await ask('workSearch', { type: 'task', query: typed, limit: MAX_COMPLETIONS })
      : await ask('knowledgeSearch', { entityType: what === 'atoms' ? 'atom' : 'molecule', query: typed, limit: MAX_COMPLETIONS });
  return unique(found.ok ? found.value.items.map(({ id }) => id) : []);
}

function askerOf(gateway: Gateway, { sessionId }: ToolCaller) {
  const asker: Caller = { kind: 'agent', agentId: undefined, sessionId };
  return <Name extends FeatureName>(name: Name, params: ParamsOf<Name>): Promise<Result<Answer<Name>, Failure>> =>
    askFeature(gateway, name, params, asker, neverCancelled);
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].slice(0, MAX_COMPLETIONS);
}
