/**
 * What a program for agents tells its hooks, as one event of Lattice. Reads the input of Claude Code (`hook_event_name`, `session_id`, in a subagent `agent_id`, `tool_input.file_path`) and of
 * VS Code (the same fields or their camel case; `timestamp` beside them; `filePath`, `files`). Anything else is no event.
 */
export interface HookEvent {
  readonly event: 'start' | 'prompt' | 'beforeEdit' | 'afterEdit' | 'afterCommand' | 'claimed' | 'end';
  /** As the program calls the event: its output repeats it. */
  readonly name: string;
  /** Folder of the session, as the program spells it. */
  readonly folder: string;
  /** Of a subagent, the session that started it and its own ID behind a slash. */
  readonly sessionId: string;
  readonly agentId: string;
  readonly paths?: readonly string[];
  readonly text?: string;
  readonly output?: string;
  readonly failed?: boolean;
  readonly linesBefore?: number;
  readonly linesAfter?: number;
}

type Fields = Readonly<Record<string, unknown>>;

const EDITS: ReadonlySet<string> = new Set([
  // Claude Code
  'Edit',
  'MultiEdit',
  'Write',
  'NotebookEdit',
  // VS Code
  'editFiles',
  'createFile',
  'create_file',
  'insert_edit_into_file',
  'replace_string_in_file',
  'multi_replace_string_in_file',
  'apply_patch',
  'edit_notebook_file',
]);
const COMMANDS: ReadonlySet<string> = new Set(['Bash', 'PowerShell', 'run_in_terminal', 'runTerminalCommand', 'runInTerminal']);
const CLAIM = /(?:^|_)agent_claim$/;
/** Characters of an output that are read, from its end: reports of tests sum up there. */
const MAX_OUTPUT = 64 * 1024;

/** `undefined` for input that is no JSON, and for events that say nothing to Lattice. */
export function readHookInput(text: string): HookEvent | undefined {
  const input = fieldsOf(parsed(text));
  const name = wordOf(input, 'hook_event_name', 'hookEventName');
  const session = wordOf(input, 'session_id', 'sessionId');
  const folder = wordOf(input, 'cwd');
  if (name === '' || session === '' || folder === '') return undefined;
  const isEditor = input['timestamp'] !== undefined;
  // Only what happens in a subagent has one: its session is that of the agent that started it.
  const subagent = wordOf(input, 'agent_id', 'agentId');
  const sessionId = [session, subagent].filter(part => part !== '').join('/');
  const agentId = [isEditor ? 'vscode' : 'claude-code', ...[session, subagent].filter(part => part !== '').map(part => part.slice(0, 8))].join(':');
  const part = partOf(name, input, isEditor);
  return part === undefined ? undefined : { name, folder, sessionId, agentId, ...part };
}

type Part = Omit<HookEvent, 'name' | 'folder' | 'sessionId' | 'agentId'>;

function partOf(name: string, input: Fields, isEditor: boolean): Part | undefined {
  const tool = wordOf(input, 'tool_name', 'toolName');
  const given = fieldsOf(input['tool_input'] ?? input['toolInput']);
  switch (name) {
    case 'SessionStart':
    case 'SubagentStart':
      return { event: 'start' };
    case 'UserPromptSubmit':
      return { event: 'prompt', text: wordOf(input, 'prompt') };
    case 'PreToolUse':
      return EDITS.has(tool) ? editOf('beforeEdit', given) : undefined;
    case 'PostToolUse':
    case 'PostToolUseFailure':
      return afterTool(tool, given, input, name === 'PostToolUseFailure');
    case 'SessionEnd':
    case 'SubagentStop':
      return { event: 'end' };
    case 'Stop':
      // In VS Code a session ends with it; in Claude Code only a turn does.
      return isEditor ? { event: 'end' } : undefined;
    default:
      return undefined;
  }
}

function afterTool(tool: string, given: Fields, input: Fields, failed: boolean): Part | undefined {
  const answer = input['tool_response'] ?? input['toolResponse'] ?? input['error'];
  if (EDITS.has(tool)) return failed ? undefined : editOf('afterEdit', given);
  if (CLAIM.test(tool)) {
    const claimId = claimIn(answer);
    return claimId === '' ? undefined : { event: 'claimed', text: claimId };
  }
  if (!COMMANDS.has(tool)) return undefined;
  return { event: 'afterCommand', text: wordOf(given, 'command'), output: answerText(answer).slice(-MAX_OUTPUT), failed };
}

function editOf(event: 'beforeEdit' | 'afterEdit', given: Fields): Part | undefined {
  const paths = pathsOf(given);
  if (paths.length === 0) return undefined;
  const edits = [given, ...listOf(given['edits']), ...listOf(given['replacements'])];
  const before = edits.reduce((total, edit) => total + linesOf(edit['old_string'] ?? edit['oldString']), 0);
  const after = edits.reduce((total, edit) => total + linesOf(edit['new_string'] ?? edit['newString'] ?? edit['content'] ?? edit['new_source']), 0);
  return { event, paths, linesBefore: before, linesAfter: after };
}

/** Files that an edit names, each once. */
function pathsOf(given: Fields): readonly string[] {
  const single = ['file_path', 'filePath', 'notebook_path', 'path'].map(key => given[key]);
  const several = Array.isArray(given['files']) ? (given['files'] as readonly unknown[]) : [];
  const inside = [...listOf(given['edits']), ...listOf(given['replacements'])].map(edit => edit['filePath'] ?? edit['file_path']);
  const patched =
    typeof given['input'] === 'string'
      ? [...given['input'].matchAll(/^\*\*\* (?:Add|Update|Delete) File: (?<path>.+)$/gm)].map(match => match.groups?.['path'])
      : [];
  const named = [...single, ...several.map(file => (typeof file === 'string' ? file : fieldsOf(file)['path'])), ...inside, ...patched];
  return [...new Set(named.filter((path): path is string => typeof path === 'string' && path !== ''))];
}

function linesOf(value: unknown): number {
  return typeof value === 'string' && value !== '' ? value.replace(/\n$/, '').split('\n').length : 0;
}

/** An answer as text: programs give a string, or the streams of a command, or content as MCP has it. */
function answerText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  const { stderr, stdout } = fieldsOf(answer);
  if (typeof stdout === 'string' || typeof stderr === 'string') return [stdout, stderr].filter(stream => typeof stream === 'string').join('\n');
  return answer === undefined ? '' : JSON.stringify(answer);
}

/** The claim that an answer of `agent_claim` names as made, not those of others beside it: programs give its data as JSON, or its text. */
function claimIn(answer: unknown): string {
  if (typeof answer === 'string') {
    const content = parsed(answer);
    return content === undefined ? (/^claim::[\w-]+$/m.exec(answer)?.[0] ?? '') : claimIn(content);
  }
  if (Array.isArray(answer)) return answer.map(claimIn).find(id => id !== '') ?? '';
  const { claimId, content, data, structuredContent, text } = fieldsOf(answer);
  if (typeof claimId === 'string') return claimId;
  return [structuredContent, data, content, text].map(part => (part === undefined ? '' : claimIn(part))).find(id => id !== '') ?? '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function wordOf(fields: Fields, ...keys: readonly string[]): string {
  return keys.map(key => fields[key]).find((value): value is string => typeof value === 'string') ?? '';
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
