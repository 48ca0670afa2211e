import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { ok } from '../../../base/result';
import { briefing } from '../../../features/memory/briefing';
import { claim } from '../../../features/memory/claims';
import { type PackAnswer, type PackSymbol, type PackTest, contextPack as pack } from '../../../features/pack/contextPack';
import { shorterForms } from '../../../features/pack/shorterForms';
import { PROFILES } from '../../envelope';
import { estimateTokens } from '../../shaping';
import { defineTool, type ToolContext } from '../../tool';
import { briefingLines, fitBriefing } from '../memory/briefing';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';
import { authorOf } from '../work/rows';
import { type CodeRow, fitCode } from './packCode';

/** Tokens of an answer beside its lists, summary and entry point. */
const FRAME = 48;
/** Shares of the budget for source and tests; further places take what is left. */
const CODE_SHARE = 0.92;
const TESTS_SHARE = 0.04;
/** Share of what other services have to do with the code; what they do not use stays with the code. */
const SERVICES_SHARE = 0.06;
/** Further symbols that are named. */
const MAX_PLACES = 20;
/** Atoms that are named. */
const MAX_ATOMS = 3;
/** `debug` has no limit of its own, and a pack would take all of it. */
const DEBUG_TOKENS = 8000;
const TASK_LENGTH = 80;
/** Characters of the task that say what a claim is for. */
const INTENT_LENGTH = 200;
/** Symbols whose files are compared with what is remembered. */
const BRIEFED = 30;

export const contextPack = defineTool({
  name: 'context_pack',
  title: 'Get the context for a task',
  description:
    'Get everything a coding task needs in one call: where to start, source of the relevant symbols, related locations, tests, and knowledge. Call it first. Use semantic_slice or search_code for anything missing. Set maxTokens to 4000 for more.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'balanced',
  aliases: { query: 'task' },
  input: z.object({
    task: z.string().trim().min(1).describe('What to do'),
    taskId: z.string().optional().describe('Adds the plan and blockers of a task'),
    includeDecisions: z.boolean().default(true).describe('Decisions'),
    includeEpisodes: z.boolean().default(true).describe('Episodes'),
    includeLearnings: z.boolean().default(true).describe('Learnings'),
    budget: z
      .object({ maxTokens: z.number().int().min(100).max(25_000).optional() })
      .optional()
      .describe('Same as maxTokens'),
  }),
  budgetTokens: (profile, { budget }) => budget?.maxTokens ?? (profile === 'debug' ? DEBUG_TOKENS : PROFILES[profile]),
  fields: [
    { key: 'entryPoint', priority: 'required', description: 'ID of the symbol to start at' },
    {
      key: 'coreSymbols',
      priority: 'required',
      description:
        'Best first: file, lines, symbolName, why, code; truncated if code is less than the source, then omitted says what is left out: comments and inner bodies, or the body',
    },
    { key: 'tests', priority: 'high', description: 'Tests, closest first: the first as a case, the others as files' },
    { key: 'places', priority: 'high', description: 'Further symbols, without source: file, then first line and name of each' },
    {
      key: 'claimId',
      priority: 'high',
      description: 'With agentId: your claim on the task or the entry point; absent when another agent holds it. Release it with agent_release',
    },
    { key: 'activeBlockers', priority: 'required', description: 'Claims of other agents on this code or task; absent when there are none' },
    { key: 'plan', priority: 'high', description: 'With taskId: task, blockers, context files, plan' },
    { key: 'decisions', priority: 'high', description: 'Decisions about it: id, content, why; changed if its code has changed since' },
    { key: 'learnings', priority: 'medium', description: 'Patterns in past work on it' },
    { key: 'episodes', priority: 'medium', description: 'What agents did and found there' },
    { key: 'services', priority: 'medium', description: 'Endpoints, calls and events of the code, and which services are involved' },
    { key: 'knowledge', priority: 'medium', description: 'Atoms that cover the files' },
  ],

  async handle(context, input, token) {
    const found = await pack(context.workspace, { task: input.task }, token);
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const ids = answer.symbols.slice(0, BRIEFED).map(({ id }) => id);
    const { includeDecisions: decisions, includeEpisodes: episodes, includeLearnings: learnings, task, taskId } = input;
    const claimed = context.mayClaim ? await claimFor(context, answer.symbols[0], input, token) : undefined;
    const brief = await briefing(context.workspace, { task, taskId, ids, agentId: context.agentId, decisions, episodes, learnings }, token);
    if (!brief.ok) return failure(brief.error);
    const whole = Math.max(0, context.maxTokens - overheadOf(answer));
    const remembered = fitBriefing(brief.value, whole);
    const services = fitting(answer.services, whole * SERVICES_SHARE);
    const room = whole - remembered.used - services.used;
    const knowledge = answer.atoms.slice(0, MAX_ATOMS).map(({ id, name }) => ({ id, name }));
    const tests = fitting(testPlaces(answer.tests), room * TESTS_SHARE);
    const core = await fitCode(answer.symbols, room * CODE_SHARE, shorterForms(context.workspace));
    const places = placesOf(core.rest, room - core.used - tests.used - estimateTokens(knowledge));
    return ok({
      summary: summaryOf(answer, core.rows),
      data: {
        entryPoint: answer.entryPoint ?? null,
        ...given({ claimId: claimed }),
        coreSymbols: core.rows,
        tests: tests.items,
        places,
        ...remembered.data,
        ...(services.items.length === 0 ? {} : { services: services.items }),
        knowledge,
      },
      stamp: answer.stamp,
      ...(answer.isFound ? {} : { hint: 'No code matches the task. This is the most central code. Try names as they appear in the code.' }),
    });
  },

  render(data) {
    const list = (key: string): string[] => (Array.isArray(data[key]) ? (data[key] as readonly unknown[]).map(String) : []);
    return [
      ...briefingLines(data),
      ...(typeof data['claimId'] === 'string' ? [`Claimed for you: ${data['claimId']}`] : []),
      ...rowsIn(data, 'coreSymbols').flatMap(unitLines),
      ...block('Also look at', list('places')),
      ...block('Tests', list('tests')),
      ...block('Services', list('services')),
      ...block(
        'Knowledge',
        rowsIn(data, 'knowledge').map(row => `${textIn(row, 'name')} (${textIn(row, 'id')})`),
      ),
    ].join('\n');
  },
});

/** Claims the task, else the symbol to begin with, for an agent that names itself. What somebody else holds is left to them: they are among the blockers. */
async function claimFor(
  context: ToolContext,
  first: PackSymbol | undefined,
  { task, taskId }: { readonly task: string; readonly taskId?: string | undefined },
  token: CancellationToken,
): Promise<string | undefined> {
  const intent = task.slice(0, INTENT_LENGTH);
  const target =
    taskId === undefined ? first && ({ targetId: first.id, claimType: 'function' } as const) : ({ targetId: taskId, taskId, claimType: 'task' } as const);
  if (target === undefined) return undefined;
  const made = await claim(context.workspace, authorOf(context), { ...target, intent }, token);
  return made.ok && made.value.claimId !== '' ? made.value.claimId : undefined;
}

function unitLines(row: Readonly<Record<string, unknown>>): string[] {
  const why = Array.isArray(row['why']) && row['why'].length > 0 ? ` (${row['why'].join(', ')})` : '';
  const omitted = textIn(row, 'omitted');
  const cut = omitted === '' ? '' : omitted === 'body' ? ' – signature only' : ` – without ${omitted}`;
  return [`${textIn(row, 'file')}:${textIn(row, 'startLine')}-${textIn(row, 'endLine')} ${textIn(row, 'symbolName')}${why}${cut}`, textIn(row, 'code')];
}

/** A line for each file, `src/a.ts:3 one, 12 Two::three`, as many symbols in order of rank as there is room for. */
function placesOf(symbols: readonly PackSymbol[], room: number): readonly string[] {
  const files = new Map<string, string[]>();
  let used = 0;
  for (const { id, path, startLine } of symbols.slice(0, MAX_PLACES)) {
    const place = `${startLine} ${id.slice(path.length + 2)}`;
    const inFile = files.get(path);
    used += estimateTokens(inFile === undefined ? `${path}:${place}` : place);
    if (used > room) break;
    files.set(path, [...(inFile ?? []), place]);
  }
  return [...files].map(([path, places]) => `${path}:${places.join(', ')}`);
}

/** The closest as a case, further ones by their files: an ID takes the room of three files. */
function testPlaces(tests: readonly PackTest[]): readonly string[] {
  return tests.map(({ file, id }, at) => (at === 0 ? id : file));
}

/** Texts in order of rank, as many as there is room for. */
function fitting(texts: readonly string[], room: number): { readonly items: readonly string[]; readonly used: number } {
  const items: string[] = [];
  let used = 0;
  for (const text of texts) {
    const cost = estimateTokens(text) + 1;
    if (used + cost > room) break;
    items.push(text);
    used += cost;
  }
  return { items, used };
}

/** What is left of the budget is for the lists. */
function overheadOf(answer: PackAnswer): number {
  return FRAME + estimateTokens(summaryOf(answer, [])) + estimateTokens(answer.entryPoint ?? '');
}

function summaryOf({ entryPoint, task }: PackAnswer, rows: readonly CodeRow[]): string {
  if (entryPoint === undefined) return 'The workspace has no code.';
  const files = new Set(rows.map(({ file }) => file)).size;
  const subject = task.length > TASK_LENGTH ? `${task.slice(0, TASK_LENGTH - 1)}…` : task;
  return `Start at ${entryPoint}. ${count(rows.length, 'symbol')} in ${count(files, 'file')} for: ${subject}`;
}
