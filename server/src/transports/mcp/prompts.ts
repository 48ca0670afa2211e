import { completable, type McpServer, type ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { ToolCaller } from './callTool';
import { type Completed, completions, readTool } from './reading';

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly isRequired: boolean;
  readonly complete?: Completed;
}

type Values = Readonly<Record<string, string | undefined>>;

interface PromptRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly Argument[];
  /** What the model is asked to do. */
  readonly task: (values: Values) => string;
  /** What it is given along, each the answer of a tool at this moment. */
  readonly given: (values: Values) => readonly { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }[];
}

const TASK_ID: Argument = { name: 'taskId', description: 'Id of a task, as get_next_task or query_container give it.', isRequired: true, complete: 'tasks' };

export const PROMPTS: readonly PromptRow[] = [
  {
    name: 'brief_task',
    title: 'Brief me on a task',
    description: 'Gathers the code, the tests and what is known for a task before work begins.',
    arguments: [
      { name: 'task', description: 'What is to be done, in words.', isRequired: true },
      { ...TASK_ID, isRequired: false },
    ],
    task: ({ task }) =>
      `Prepare for this task: ${task ?? ''}\n\nFrom what follows, say which symbols are to be changed, who depends on them, which tests cover them, and what is known that binds the change. Name what is still unclear. Ask impact_analyze about each symbol you mean to change before you change it.`,
    given: ({ task, taskId }) => [
      { tool: 'search_code', input: { query: task ?? '', profile: 'balanced' } },
      ...(taskId === undefined
        ? []
        : [{ tool: 'query_container', input: { operation: 'get', containerType: 'task', id: taskId, includeGraphContext: true, profile: 'debug' } }]),
    ],
  },
  {
    name: 'explain_area',
    title: 'Explain an area',
    description: 'What a file or symbol is for, how it is used and what is known about it.',
    arguments: [{ name: 'path', description: 'A file, or the id of a symbol.', isRequired: true, complete: 'files' }],
    task: ({ path }) =>
      `Explain ${path ?? ''} to somebody new to it: its purpose, its parts, who uses it, what it relies on, and what must not be broken. Keep facts (confidence 0.8 and above) apart from "maybe". Say what the graph does not tell.`,
    given: ({ path }) => [
      { tool: 'code_explain', input: { target: path ?? '', profile: 'debug' } },
      { tool: 'query_graph', input: { operation: 'context', paths: path ?? '', profile: 'debug' } },
    ],
  },
  {
    name: 'plan_feature',
    title: 'Plan a feature',
    description: 'Where a feature belongs, what it touches and what is known there; names the gaps.',
    arguments: [{ name: 'description', description: 'What the feature does.', isRequired: true }],
    task: ({ description }) =>
      `Plan this feature: ${description ?? ''}\n\nUse the suggested places and the related code below. For the files you mean to touch, ask query_graph with operation context: follow the knowledge it gives and name its unmatchedPaths as gaps. End with steps, tests to write, and risks.`,
    given: ({ description }) => [
      { tool: 'arch_suggest', input: { description: description ?? '', profile: 'balanced' } },
      { tool: 'search_code', input: { query: description ?? '', profile: 'balanced' } },
    ],
  },
  {
    name: 'review_change',
    title: 'Review a change',
    description: 'Impact, tests and architecture rules of what changed since a version; uncommitted changes by default.',
    arguments: [{ name: 'since', description: 'A commit, a range of commits, or nothing for what is not committed.', isRequired: false }],
    task: () =>
      'Review the change. Judge from the impact below who may break, whether the selected tests cover it, and whether it violates an architecture rule. Read the code of what matters with semantic_slice. Report findings by severity, each with file and line; keep "maybe" apart from facts.',
    given: ({ since }) => {
      const range = since === undefined ? {} : { since };
      return [
        { tool: 'impact_analyze', input: { ...(since === undefined ? { since: 'HEAD' } : range), profile: 'balanced' } },
        { tool: 'test_select', input: { ...range, profile: 'balanced' } },
        { tool: 'arch_validate', input: { profile: 'balanced' } },
      ];
    },
  },
  {
    name: 'update_knowledge',
    title: 'Update knowledge after a task',
    description: 'Writes down what a finished task taught: atoms, patterns, changelog.',
    arguments: [TASK_ID],
    task: ({ taskId }) =>
      `The task ${taskId ?? ''} is done. List the files it touched, ask query_graph with operation context for them, and then: revise the knowledge of affected atoms (manage_graph update with the version you read), adjust patterns for moved or new directories, create atoms for unmatchedPaths that deserve one, and append a changelog entry (manage_changelog) for each significant change. Pass this task id as lastTaskId. Write only what the code cannot say.`,
    given: ({ taskId }) => [
      { tool: 'query_container', input: { operation: 'get', containerType: 'task', id: taskId ?? '', includeGraphContext: true, profile: 'debug' } },
    ],
  },
  {
    name: 'onboard',
    title: 'Get to know this workspace',
    description: 'The parts of the workspace, how they hang together, and where to begin.',
    arguments: [{ name: 'goal', description: 'What you are here for.', isRequired: false }],
    task: ({ goal }) =>
      `Introduce this workspace${goal === undefined ? '' : ` to somebody who wants to: ${goal}`}. From the communities and the state below, describe its main parts, how they depend on each other, where a newcomer starts reading, and what the graph cannot see.`,
    given: ({ goal }) => [
      { tool: 'graph_health', input: { profile: 'balanced' } },
      { tool: 'community_list', input: { profile: 'balanced' } },
      ...(goal === undefined ? [] : [{ tool: 'search_code', input: { query: goal, profile: 'balanced' } }]),
    ],
  },
];

export function registerPrompts(server: McpServer, caller: ToolCaller): void {
  for (const row of PROMPTS) {
    const argsSchema = z.object(Object.fromEntries(row.arguments.map(argument => [argument.name, schemaOf(caller, argument)])));
    server.registerPrompt(row.name, { title: row.title, description: row.description, argsSchema }, (values, context) =>
      messagesOf(caller, row, values as Values, context),
    );
  }
}

function schemaOf(caller: ToolCaller, { complete, description, isRequired }: Argument): z.ZodType {
  const text = z.string().describe(description);
  const completed = complete === undefined ? text : completable(text, typed => completions(caller, complete, String(typed ?? '')));
  return isRequired ? completed : completed.optional();
}

async function messagesOf(
  caller: ToolCaller,
  row: PromptRow,
  values: Values,
  context: ServerContext,
): Promise<{ messages: { role: 'user'; content: { type: 'text'; text: string } }[] }> {
  const parts = [row.task(values)];
  for (const { tool, input } of row.given(values)) {
    const answer = await readTool(caller, tool, input, context);
    parts.push(`## ${tool}\n${answer.text}`);
  }
  return { messages: parts.map(text => ({ role: 'user', content: { type: 'text', text } })) };
}
