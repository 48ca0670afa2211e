/**
 * Commands of the chat participant `@lattice`. `npm run update` writes those whose tool there is into `contributes.chatParticipants`.
 * `about` is what the words after the command name: a symbol or file (`target`), the file of one (`files`, `notes`), a file or else everything
 * (`scope`), files or else those that are open (`openFiles`), a git revision, free words, or nothing that is needed.
 */
export interface ChatCommand {
  readonly name: string;
  readonly tool: string;
  readonly description: string;
  readonly about: 'target' | 'words' | 'files' | 'notes' | 'scope' | 'openFiles' | 'revision' | 'nothing';
  /** Parameters of the tool that are always the same. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** Whether a model turns the answer into prose; lists are shown as they are. */
  readonly prose: boolean;
}

export const CHAT_COMMANDS: readonly ChatCommand[] = [
  {
    name: 'impact',
    tool: 'impact_analyze',
    description: 'What breaks if this changes: a symbol, a file, else what is not committed',
    about: 'target',
    prose: true,
  },
  { name: 'explain', tool: 'code_explain', description: 'What a symbol or file is, who uses it and what it uses', about: 'target', prose: true },
  { name: 'find', tool: 'search_code', description: 'Code by name, path or what it does', about: 'words', prose: false },
  { name: 'tests', tool: 'test_select', description: 'The tests for a symbol or file, else for what is not committed', about: 'files', prose: false },
  { name: 'brief', tool: 'context_pack', description: 'What to know before a task', about: 'words', prose: true },
  {
    name: 'changes',
    tool: 'impact_analyze',
    description: 'What changed and what that affects: since a revision, else what is not committed, else the last commit',
    about: 'revision',
    prose: true,
  },
  {
    name: 'why',
    tool: 'query_graph',
    description: 'Why code is as it is: what was noted about a symbol or file, and how that came about',
    about: 'notes',
    input: { operation: 'context', includeChangelog: true, changelogLimit: 10 },
    prose: true,
  },
  {
    name: 'know',
    tool: 'query_graph',
    description: 'What is known about the open files, or about the one you name',
    about: 'openFiles',
    input: { operation: 'context', includeChangelog: false },
    prose: false,
  },
  { name: 'arch', tool: 'arch_validate', description: 'What breaks the architecture rules, in a file or everywhere', about: 'scope', prose: false },
  { name: 'place', tool: 'arch_suggest', description: 'Where new code belongs, by a description of it', about: 'words', prose: false },
  { name: 'next', tool: 'get_next_task', description: 'The tasks to begin next', about: 'nothing', input: { limit: 3 }, prose: false },
  { name: 'status', tool: 'graph_health', description: 'What is indexed and how fresh it is', about: 'nothing', prose: false },
];

/** What is asked without a command. */
export const CHAT_DEFAULT: ChatCommand = { name: '', tool: 'graph_query', description: '', about: 'words', prose: true };
