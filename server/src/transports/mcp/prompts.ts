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
  readonly given: (values: Values) => readonly Asked[];
  /** What else, by the data of the last answer. */
  readonly after?: (data: unknown) => readonly Asked[];
}

interface Asked {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const MAX_PLANS = 5;

/** IDs of the items of an answer. */
function idsIn(data: unknown): readonly string[] {
  const listed = z.object({ items: z.array(z.object({ id: z.string() })) }).safeParse(data);
  return listed.success ? listed.data.items.map(({ id }) => id) : [];
}

const TASK_ID: Argument = { name: 'taskId', description: 'Task ID from get_next_task or query_container.', isRequired: true, complete: 'tasks' };

export const PROMPTS: readonly PromptRow[] = [
  {
    name: 'brief_task',
    title: 'Prepare a task',
    description: 'Collect the code, tests, knowledge and decisions for a task before you start it.',
    arguments: [
      { name: 'task', description: 'Description of the task.', isRequired: true },
      { ...TASK_ID, isRequired: false },
    ],
    task: ({ task }) =>
      `Prepare for this task: ${task ?? ''}\n\nBased on the information below, describe which symbols need to change, what depends on them, which tests cover them, and which knowledge and decisions constrain the change. If another agent has claimed part of it, say so first. List open questions. Run impact_analyze for each symbol before you change it.`,
    given: ({ task, taskId }) => [
      { tool: 'context_pack', input: { task: task ?? '', ...(taskId === undefined ? {} : { taskId }), maxTokens: 4000 } },
      ...(taskId === undefined
        ? []
        : [{ tool: 'query_container', input: { operation: 'get', containerType: 'task', id: taskId, includeGraphContext: true, profile: 'debug' } }]),
    ],
  },
  {
    name: 'explain_area',
    title: 'Explain code',
    description: 'Explain the purpose and use of a file or symbol, and the knowledge about it.',
    arguments: [{ name: 'path', description: 'Path of a file, or ID of a symbol.', isRequired: true, complete: 'files' }],
    task: ({ path }) =>
      `Explain ${path ?? ''} to someone who is new to it: its purpose, its parts, its dependents and dependencies, and what must not be broken. Distinguish certain links (confidence 0.8 or more) from possible ones. Point out what the graph does not show.`,
    given: ({ path }) => [
      { tool: 'code_explain', input: { target: path ?? '', profile: 'debug' } },
      { tool: 'query_graph', input: { operation: 'context', paths: path ?? '', profile: 'debug' } },
    ],
  },
  {
    name: 'plan_feature',
    title: 'Plan a feature',
    description: 'Plan where a feature belongs, what it affects, and which knowledge is relevant or missing.',
    arguments: [{ name: 'description', description: 'Description of the feature.', isRequired: true }],
    task: ({ description }) =>
      `Plan this feature: ${description ?? ''}\n\nUse the suggested locations and the related code below. For the files you plan to change, run query_graph with operation context. Follow the knowledge it returns, and list its unmatchedPaths as gaps. Finish with steps, tests to write, and risks.`,
    given: ({ description }) => [
      { tool: 'arch_suggest', input: { description: description ?? '', profile: 'balanced' } },
      { tool: 'search_code', input: { query: description ?? '', profile: 'balanced' } },
    ],
  },
  {
    name: 'review_change',
    title: 'Review a change',
    description: 'Review the impact, tests and architecture rules of a change. Default: uncommitted changes.',
    arguments: [{ name: 'since', description: 'A commit or a range of commits. Leave empty for uncommitted changes.', isRequired: false }],
    task: () =>
      'Review the change. Use the impact below to determine what may break, whether the selected tests cover it, and whether it violates an architecture rule. Read the relevant code with semantic_slice. Report findings by severity, each with file and line. Distinguish certain from possible impact.',
    given: ({ since }) => {
      const range = since === undefined ? {} : { since };
      return [
        { tool: 'impact_analyze', input: { ...(since === undefined ? { since: 'HEAD' } : range), profile: 'balanced' } },
        { tool: 'test_select', input: { ...range, profile: 'balanced' } },
        { tool: 'arch_validate', input: { profile: 'balanced' } },
        { tool: 'coordination_overview', input: { profile: 'balanced' } },
      ];
    },
  },
  {
    name: 'record_decision',
    title: 'Record a decision',
    description: 'Record a decision with its rationale, tradeoffs and files, after comparing it with earlier ones.',
    arguments: [{ name: 'title', description: 'The decision in a few words.', isRequired: true }],
    task: ({ title }) =>
      `Record this decision: ${title ?? ''}\n\nCompare it with the earlier decisions below. If it contradicts or repeats one, ask first. Otherwise collect the rationale, the tradeoffs and the affected files from this conversation and the code, and call episode_add once with type DECISION and metadata title, rationale, tradeoffs and affectedFiles. Name the symbols it is about in entities. Do not invent a rationale; ask if it was not given.`,
    given: ({ title }) => [{ tool: 'decision_query', input: { query: title ?? '', profile: 'balanced' } }],
  },
  {
    name: 'hand_off',
    title: 'Hand off work',
    description: 'Summarize what an agent did and left open, so that someone else can continue.',
    arguments: [{ name: 'agentId', description: 'The agent, from coordination_overview.', isRequired: true, complete: 'agents' }],
    task: ({ agentId }) =>
      `Hand off the work of ${agentId ?? ''}. From the claims, episodes and open tasks below, describe what it did, what it decided and why, what failed, and what is left to do, with files. Finish with a proposal for each claim: release it, or take it over with agent_claim after it was released. Do not release or claim anything yet.`,
    given: ({ agentId }) => [
      { tool: 'agent_status', input: { agentId: agentId ?? '', profile: 'debug' } },
      { tool: 'episode_recall', input: { query: '*', agentId: agentId ?? '', types: ['DECISION', 'EDIT', 'ERROR'], limit: 10, profile: 'debug' } },
      { tool: 'diff_since', input: { since: agentId ?? '', profile: 'balanced' } },
      { tool: 'impact_analyze', input: { since: 'HEAD', profile: 'balanced' } },
      { tool: 'progress_query', input: { agentId: agentId ?? '', status: ['in_progress', 'in_review', 'blocked'], profile: 'balanced' } },
    ],
    // The plan of each open task.
    after: data =>
      idsIn(data)
        .slice(0, MAX_PLANS)
        .map(id => ({ tool: 'query_container', input: { operation: 'get', containerType: 'task', id, profile: 'balanced' } })),
  },
  {
    name: 'update_knowledge',
    title: 'Update knowledge after a task',
    description: 'Update atoms, patterns and changelog after a completed task.',
    arguments: [TASK_ID],
    task: ({ taskId }) =>
      `The task ${taskId ?? ''} is done. List the files it changed (the EDIT episodes below name them), run query_graph with operation context for them, and then: update the affected atoms (manage_graph update with the version you read), update patterns for moved or new folders, create atoms for unmatchedPaths where useful, and add a changelog entry (manage_changelog) for each significant change. Use this task ID as lastTaskId. Only record what the code does not say.`,
    given: ({ taskId }) => [
      { tool: 'query_container', input: { operation: 'get', containerType: 'task', id: taskId ?? '', includeGraphContext: true, profile: 'debug' } },
      { tool: 'episode_recall', input: { query: '*', taskId: taskId ?? '', types: ['EDIT', 'DECISION'], limit: 20, profile: 'balanced' } },
    ],
  },
  {
    name: 'onboard',
    title: 'Introduce this workspace',
    description: 'Describe the parts of the workspace, how they are connected, and where to start.',
    arguments: [{ name: 'goal', description: 'What you want to do.', isRequired: false }],
    task: ({ goal }) =>
      `Introduce this workspace${goal === undefined ? '' : ` to someone who wants to: ${goal}`}. Based on the communities and the index state below, describe its main parts, how they depend on each other, where a newcomer should start reading, and what the graph does not show.`,
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
  const text = z.string({ error: ({ input }) => (input === undefined ? `is missing. ${description}` : 'must be a string') }).describe(description);
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
  const tell = async (calls: readonly Asked[]): Promise<unknown> => {
    let data: unknown;
    for (const { tool, input } of calls) {
      const answer = await readTool(caller, tool, input, context);
      parts.push(`## ${tool}\n${answer.text}`);
      data = answer.data;
    }
    return data;
  };
  const last = await tell(row.given(values));
  await tell(row.after?.(last) ?? []);
  return { messages: parts.map(text => ({ role: 'user', content: { type: 'text', text } })) };
}
