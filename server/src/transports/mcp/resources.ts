import { type McpServer, ProtocolError, ProtocolErrorCode, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server';
import type { ToolCaller } from './callTool';
import { completions, readTool } from './reading';

/** A resource is a tool under another name, so that it says what the tool says; reading leaves everything as it is. */
interface ResourceRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** With one variable in braces, or none. */
  readonly uri: string;
  readonly tool: string;
  readonly input: (value: string) => Readonly<Record<string, unknown>>;
  /** What the values of the variable are. */
  readonly complete?: 'symbols' | 'files' | 'atoms' | 'molecules';
  /** Area of the records it shows: subscribers are told after each write there. `revision` stands for the graph itself. */
  readonly follows?: 'knowledge' | 'work' | 'memory' | 'revision';
  /** Episodes of other sessions that subscribers are told of one by one, by type. */
  readonly tells?: 'all' | 'DECISION';
}

const MARKDOWN = 'text/markdown';

export const RESOURCES: readonly ResourceRow[] = [
  {
    name: 'node',
    title: 'Symbol or file',
    description: 'A symbol or file with its dependencies and dependents. IDs are percent-encoded: src%2Fa.ts%3A%3AStore%3A%3Asave.',
    uri: 'lattice://graph/node/{id}',
    tool: 'code_explain',
    input: id => ({ target: id, profile: 'debug' }),
    complete: 'symbols',
  },
  {
    name: 'outline',
    title: 'Symbols of a file',
    description: 'The symbols of a file with their signatures. The path is percent-encoded.',
    uri: 'lattice://file/{path}/outline',
    tool: 'semantic_slice',
    input: path => ({ file: path, context: 'signature', profile: 'debug' }),
    complete: 'files',
  },
  {
    name: 'atom',
    title: 'Atom',
    description: 'Knowledge about certain files, with patterns and changelog.',
    uri: 'lattice://atom/{id}',
    tool: 'query_graph',
    input: id => ({ operation: 'get', entityType: 'atom', id, profile: 'debug' }),
    complete: 'atoms',
    follows: 'knowledge',
  },
  {
    name: 'molecule',
    title: 'Molecule',
    description: 'Knowledge about a group of atoms, with the atoms and changelog.',
    uri: 'lattice://molecule/{id}',
    tool: 'query_graph',
    input: id => ({ operation: 'get', entityType: 'molecule', id, profile: 'debug' }),
    complete: 'molecules',
    follows: 'knowledge',
  },
  {
    name: 'task',
    title: 'Task',
    description: 'A task with its sections, blockers, and the knowledge about its files.',
    uri: 'lattice://task/{id}',
    tool: 'query_container',
    input: id => ({ operation: 'get', containerType: 'task', id, includeGraphContext: true, profile: 'debug' }),
    follows: 'work',
  },
  {
    name: 'feature',
    title: 'Feature',
    description: 'A feature with its sections and tasks.',
    uri: 'lattice://feature/{id}',
    tool: 'query_container',
    input: id => ({ operation: 'get', containerType: 'feature', id, profile: 'debug' }),
    follows: 'work',
  },
  {
    name: 'episode',
    title: 'Episode',
    description: 'What an agent did, decided or found, with the code it involved. Sensitive episodes cannot be read.',
    uri: 'lattice://episode/{id}',
    tool: 'code_explain',
    input: id => ({ target: `episode::${id.replace(/^episode::/, '')}`, profile: 'debug' }),
    follows: 'memory',
  },
  {
    name: 'episodes',
    title: 'Episodes',
    description: 'What people and agents did, decided and found, newest first, without sensitive episodes.',
    uri: 'lattice://episodes',
    tool: 'episode_recall',
    input: () => ({ query: '*', limit: 50, profile: 'debug' }),
    tells: 'all',
  },
  {
    name: 'decisions',
    title: 'Decisions',
    description: 'The decisions of people and agents, newest first, and whether their code has changed since.',
    uri: 'lattice://decisions',
    tool: 'decision_query',
    input: () => ({ query: '*', limit: 50, profile: 'debug' }),
    tells: 'DECISION',
  },
  {
    name: 'coordination',
    title: 'Coordination',
    description: 'Which agents are working on what.',
    uri: 'lattice://coordination',
    tool: 'coordination_overview',
    input: () => ({ profile: 'debug' }),
    follows: 'memory',
  },
  {
    name: 'communities',
    title: 'Communities',
    description: 'Groups of closely related code, largest first.',
    uri: 'lattice://communities',
    tool: 'community_list',
    input: () => ({ profile: 'debug' }),
  },
  {
    name: 'community',
    title: 'Community',
    description: 'A group of closely related code, by its number, with its members. The number stays the same as long as its core does.',
    uri: 'lattice://community/{id}',
    tool: 'code_explain',
    input: id => ({ target: `community::${id.replace(/^community::/, '')}`, profile: 'debug' }),
    follows: 'revision',
  },
  {
    name: 'transaction',
    title: 'Transaction',
    description: 'One change of the graph or of what people and agents wrote: when, by whom, at which commit, and what it affected.',
    uri: 'lattice://tx/{id}',
    tool: 'code_explain',
    input: id => ({ target: `tx::${id.replace(/^tx::/, '')}`, profile: 'debug' }),
  },
  {
    name: 'health',
    title: 'Index health',
    description: 'What is indexed, whether it is up to date, and which files could not be read.',
    uri: 'lattice://health',
    tool: 'graph_health',
    input: () => ({ profile: 'debug' }),
    follows: 'revision',
  },
  {
    name: 'architecture-rules',
    title: 'Architecture rules',
    description: 'The architecture rules and their violations.',
    uri: 'lattice://architecture/rules',
    tool: 'arch_validate',
    input: () => ({ profile: 'debug' }),
  },
];

export function registerResources(server: McpServer, caller: ToolCaller): void {
  for (const row of RESOURCES) {
    const { name, title, description, uri, complete } = row;
    const metadata = { title, description, mimeType: MARKDOWN };
    const variable = /\{(\w+)\}/.exec(uri)?.[1];
    if (variable === undefined) {
      server.registerResource(name, uri, metadata, (asked, context) => contentsOf(caller, row, asked.href, '', context));
      continue;
    }
    const template = new ResourceTemplate(uri, {
      list: undefined,
      ...(complete === undefined
        ? {}
        : { complete: { [variable]: async typed => (await completions(caller, complete, decoded(typed))).map(encodeURIComponent) } }),
    });
    server.registerResource(name, template, metadata, (asked, variables, context) =>
      contentsOf(caller, row, asked.href, decoded(String(variables[variable])), context),
    );
  }
}

async function contentsOf(
  caller: ToolCaller,
  row: ResourceRow,
  uri: string,
  value: string,
  context: ServerContext,
): Promise<{ contents: { uri: string; mimeType: string; text: string }[] }> {
  const answer = await readTool(caller, row.tool, row.input(value), context);
  if (!answer.ok) throw new ProtocolError(answer.isMissing ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError, answer.text, { uri });
  return { contents: [{ uri, mimeType: MARKDOWN, text: answer.text }] };
}

/** A value that is no percent-encoding is meant as it stands. */
function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
