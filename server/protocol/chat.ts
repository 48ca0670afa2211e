import type { ToolInput, ToolName } from './requests';

/**
 * Commands of the chat participant `@lattice`. `npm run update` writes those whose tool there is into `contributes.chatParticipants`.
 * `about` is what the words after the command name: a symbol or file (`target`), the file of one (`files`, `notes`), a file or else everything
 * (`scope`), files or else those that are open (`openFiles`), a git revision, free words, what is to be kept about it (`record`), a service or else all of them
 * (`service`), or nothing that is needed.
 */
export type ChatCommand = { readonly [Tool in ToolName]: CommandOf<Tool> }[ToolName];

interface CommandOf<Tool extends ToolName> {
  readonly name: string;
  readonly tool: Tool;
  readonly description: string;
  readonly about: 'target' | 'words' | 'files' | 'notes' | 'scope' | 'openFiles' | 'revision' | 'record' | 'service' | 'nothing';
  /** Parameters of the tool that are always the same. */
  readonly input?: Partial<ToolInput<Tool>>;
  /** Whether a model turns the answer into prose; lists are shown as they are. */
  readonly prose: boolean;
}

/** Slash commands of the chat participant, with the tool that answers each. */
export const CHAT_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'impact',
    tool: 'impact_analyze',
    description: 'Show the impact of changing a symbol or file, or of your uncommitted changes',
    about: 'target',
    prose: true,
  },
  { name: 'explain', tool: 'code_explain', description: 'Explain a symbol or file, with its dependents and dependencies', about: 'target', prose: true },
  { name: 'find', tool: 'search_code', description: 'Find code by name, path or purpose', about: 'words', prose: false },
  { name: 'tests', tool: 'test_select', description: 'List the tests for a symbol or file, or for your uncommitted changes', about: 'files', prose: false },
  { name: 'brief', tool: 'context_pack', description: 'Collect the context for a task', about: 'words', prose: true },
  {
    name: 'changes',
    tool: 'impact_analyze',
    description: 'Show the impact of changes since a revision, of your uncommitted changes, or of the last commit',
    about: 'revision',
    prose: true,
  },
  {
    name: 'why',
    tool: 'query_graph',
    description: 'Explain why code is the way it is, from the knowledge, changelog and decisions about a symbol or file',
    about: 'notes',
    input: { operation: 'context', includeChangelog: true, changelogLimit: 10 },
    prose: true,
  },
  {
    name: 'know',
    tool: 'query_graph',
    description: 'Show the knowledge about the open files, or about a file',
    about: 'openFiles',
    input: { operation: 'context', includeChangelog: false },
    prose: false,
  },
  { name: 'arch', tool: 'arch_validate', description: 'List architecture violations, in a file or in the workspace', about: 'scope', prose: false },
  {
    name: 'services',
    tool: 'get_service_context',
    description: 'Show what a service offers, calls and shares, or list the services of the workspace',
    about: 'service',
    prose: false,
  },
  { name: 'place', tool: 'arch_suggest', description: 'Suggest where to put new code, from a description', about: 'words', prose: false },
  { name: 'next', tool: 'get_next_task', description: 'List the tasks to start next', about: 'nothing', input: { limit: 3 }, prose: false },
  {
    name: 'remember',
    tool: 'episode_add',
    description: 'Record an observation about the symbol at the cursor or the attached context, for agents and people',
    about: 'record',
    input: { type: 'OBSERVATION' },
    prose: false,
  },
  { name: 'decisions', tool: 'decision_query', description: 'Find decisions about a topic, file or symbol', about: 'words', prose: false },
  { name: 'agents', tool: 'coordination_overview', description: 'List what agents are working on', about: 'nothing', prose: false },
  { name: 'status', tool: 'graph_health', description: 'Show what is indexed and whether it is up to date', about: 'nothing', prose: false },
];

/** What is asked without a command. */
export const CHAT_DEFAULT: ChatCommand = { name: '', tool: 'graph_query', description: '', about: 'words', prose: true };
