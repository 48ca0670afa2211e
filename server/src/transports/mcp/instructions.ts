import type { ToolRow, TransportHost } from '../host';
import type { ProcessIo } from '../processIo';

/** What a client's model is told about the server; below 2 KB because clients cut there, trigger words first because models skim. */
export const INSTRUCTIONS = `Use Lattice to find code, callers, callees, dependents, dependencies, tests of a symbol, the impact or blast radius of a change, where something is defined or used, and how code is connected. It answers from a typed graph of this workspace that is updated as files change. Prefer it over grep and over reading whole files.

Which tool:
- Start a task: context_pack (source, tests and knowledge for the task in one call).
- Find code by purpose or name: search_code.
- Understand code you can name: code_explain (dependencies, dependents, tests).
- Before changing or deleting code: impact_analyze (what breaks, at what distance, which tests to run).
- Read source: semantic_slice with profile balanced (the whole function or class, fresh from disk; no need to read the file again).
- What changed since a commit, a time or a transaction, or what an agent changed: diff_since.

Targets are paths (src/a.ts), ids (src/a.ts::Class::method), path#symbol, or unique names.
Edges with confidence >= 0.8 are certain; below that, they are possible ("maybe"): a call with several possible targets has an edge to each. Calls to libraries are counted, not listed.
Every answer ends with a stamp: revision, Git HEAD, pending files (changed but not yet in the answer), unresolved references at the symbol, unsaved editor files. If an answer may be stale, the stamp says so.
Answers are short by default. Increase profile (compact, balanced, debug) or maxTokens for more detail, and use data.nextCursor as cursor for the next page. If a call fails, follow its hint. NOT_READY means that the first index is still being built: try again in a few seconds.`;

/** Where programs look for what a server of agents offers. */
export const CARD_PATH = '/.well-known/agent.json';

const LOOPBACK = /^(?:::1|(?:::ffff:)?127(?:\.\d{1,3}){3})$/;

/** Whether somebody on this machine asks. */
export function isLoopback(address: string | undefined): boolean {
  return address !== undefined && LOOPBACK.test(address);
}

interface Offered {
  readonly host: Pick<TransportHost, 'version'>;
  readonly io: Pick<ProcessIo, 'env'>;
  readonly tools: readonly Pick<ToolRow, 'name'>[];
}

/** The card of A2A, as JSON-LD: for discovery alone, tasks cannot be delegated through it. It says nothing of the workspace. */
export function agentCard({ host, io, tools }: Offered, mcpEndpoint: string): Readonly<Record<string, unknown>> {
  return {
    '@context': 'https://schema.org',
    '@type': 'SoftwareAgent',
    name: io.env['LATTICE_SERVER_NAME'] ?? 'lattice',
    description: 'Memory and coordination layer for coding agents, over a graph of the code',
    version: host.version,
    a2aVersion: '1.0',
    mcpEndpoint,
    capabilities: ['code-graph', 'agent-memory', 'episodic-memory', 'agent-coordination', 'context-packing'],
    tools: tools.map(({ name }) => name),
  };
}
