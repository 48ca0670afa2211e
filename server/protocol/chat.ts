/**
 * Commands of the chat participant `@lattice`. `npm run update` writes those whose tool there is into `contributes.chatParticipants`.
 * `about` is what the words after the command name: a symbol or file, free words, or nothing that is needed.
 */
export interface ChatCommand {
  readonly name: string;
  readonly tool: string;
  readonly description: string;
  readonly about: 'target' | 'words' | 'files' | 'nothing';
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
  { name: 'changes', tool: 'diff_since', description: 'What changed since a revision, and what it affects', about: 'words', prose: true },
  { name: 'status', tool: 'graph_health', description: 'What is indexed and how fresh it is', about: 'nothing', prose: false },
];

/** What is asked without a command. */
export const CHAT_DEFAULT: ChatCommand = { name: '', tool: 'graph_query', description: '', about: 'words', prose: true };
