import { z } from 'zod';
import { figure } from '../../../protocol/figures';
import { shownText } from '../../../protocol/shownText';
import type { CancellationToken } from '../../base/cancellation';
import { basename, type WorkspacePath } from '../../base/path';
import { ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { claimsAround } from '../../memory/claims';
import { episodesAbout } from '../../memory/moves';
import { MemoryView } from '../../memory/view';
import { KIND_GROUPS } from '../../model/nodes';
import type { Workspace } from '../../workspace/snapshot';
import { serviceLines } from '../architecture/services/serviceNotes';
import { lastChangeOf } from '../explain/symbolHistory';
import { FIGURES_DEPTH, type ImpactFigures, impactFigures } from '../impact/impactFigures';
import { usesOf } from '../impact/uses';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import { flag } from '../shared/params';
import { kindOf, sentenceOf } from '../shared/rows';
import { object, optional, type Shaped, shape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { namedAt } from '../shared/target';
import { withMentions } from '../testSelection/reach/mentionedMembers';
import { type FileNotes, fileNotes } from './fileNotes';
import { placeParams } from './places';

export const hoverAnswerShape = shape(() =>
  object({
    id: z.string(),
    name: z.string(),
    /**
     * Markdown, at most twelve; what the workspace says of itself in it is escaped. Figures are links to a part of the answer (`[3 tests](lattice:tests)`):
     * one of `HOVER_LINKS`, which doors turn into what their clients can follow.
     */
    lines: z.array(z.string()),
    /** Atoms that cover the file of the symbol, for lines of their own: Markdown, what people wrote in it is escaped. */
    atoms: z.array(
      object({
        id: z.string(),
        line: z.string(),
      }),
    ),
    /** The file of the symbol; `''` for what is outside the workspace. */
    path: z.string(),
  }),
);
const hoverShape = shape(() => hoverAnswerShape().nullable());
export type HoverAnswer = Shaped<typeof hoverAnswerShape>;

/** Where the figures of a hover lead. */
export const HOVER_LINKS = ['impact', 'tests', 'graph'] as const;

export const hoverParams = shape(() =>
  object({
    ...placeParams().shape,
    /** The language's own hover stands above: what it says is not said again, and what it explains better is left to it. */
    beside: optional(flag()),
  }),
);
export type HoverParams = Shaped<typeof hoverParams>;

/** What is worth knowing before one changes the symbol at a place; null when no name of the graph is there. Reads the current snapshot, and the disk only for who mentions members of literals. */
export async function hover(workspace: Workspace, params: HoverParams, token: CancellationToken): Promise<Result<HoverAnswer | null, FeatureFailure>> {
  const path = workspacePath(workspace, params.path);
  if (!path.ok) return path;
  const graph = workspace.current()?.graph;
  const node = graph === undefined ? undefined : namedAt(graph, { ...params, path: path.value });
  if (graph === undefined || node === undefined) return ok(null);
  if (params.beside === true && isExplainedBetter(graph, node)) return ok(null);
  const notes = fileNotes(workspace, graph.node(node).path);
  const beside = { ...memoryLines(workspace, graph, node), changes: changeLines(workspace, graph, node), services: serviceNotes(workspace, graph.idOf(node)) };
  const impact = await withMentions(workspace, graph, token, () => impactFigures(graph, node, DEPTH));
  return ok({
    ...hoverOf(graph, impact, node, { asked: path.value, hasTitle: params.beside !== true }, beside),
    atoms: atomLines(notes),
    path: graph.node(node).path,
  });
}

const DEPTH = FIGURES_DEPTH;
/** Longer sentences are cut, in characters: a hover line does not wrap twice. */
const MAX_SENTENCE_LENGTH = 160;

/** What is outside the workspace, and what lives inside one function: nobody else depends on it, and the language knows its type. */
function isExplainedBetter(graph: GraphView, handle: NodeHandle): boolean {
  if (graph.node(handle).nodeType === 'external') return true;
  if (!LOCAL_KINDS.has(graph.kindOf(handle))) return false;
  const parent = graph.parentOf(handle);
  return parent !== undefined && (KIND_GROUPS.FUNCTION as readonly string[]).includes(graph.kindOf(parent));
}

const LOCAL_KINDS: ReadonlySet<string> = new Set(['variable', 'constant', 'parameter']);

interface HoverShape {
  readonly asked: WorkspacePath;
  /** Kind, name and first sentence stand above. */
  readonly hasTitle: boolean;
}

function hoverOf(
  graph: GraphView,
  impact: ImpactFigures,
  handle: NodeHandle,
  { asked, hasTitle }: HoverShape,
  beside: LinesBeside,
): Omit<HoverAnswer, 'atoms' | 'path'> {
  const { changes, claims, decisions, services } = beside;
  const node = graph.node(handle);
  const sentence = shortened(sentenceOf(node));
  const lines = [
    ...(hasTitle ? [`**${kindOf(node).replaceAll('_', ' ')} ${code(node.name)}**${sentence === '' ? '' : ` — ${prose(sentence)}`}`] : []),
    ...claims,
    ...services,
    ...dependenceLines(graph, handle, impact),
    ...decisions,
    ...doubtLine(graph, handle, impact),
    ...changes,
    ...(node.isStale ? ['The file has syntax errors, so this may be out of date'] : []),
    // Where the reader is needs no telling.
    ...(node.path === '' || node.path === asked ? [] : [`${escaped(node.path)}:${node.nameLine}`]),
  ];
  return { id: node.id, name: node.name, lines };
}

function dependenceLines(graph: GraphView, handle: NodeHandle, impact: ImpactFigures): string[] {
  const { counts, complete } = impact;
  const used = usesOf(graph, handle).certain;
  const uses = linked(`uses ${figure(used)}`, 'graph', used);
  const dependents = counts.direct + counts.transitive;
  if (complete && dependents + testCount(impact) + impact.outside.length === 0) return [`No dependents in this workspace · ${uses}`];
  const inFiles = dependents === 0 ? '' : ` in ${count(counts.files, 'file', impact)}`;
  const users = linked(count(counts.direct, 'user', impact), 'impact', counts.direct);
  return [
    `${users} · ${linked(`${count(dependents, 'dependent', impact)}${inFiles}`, 'impact', dependents)} · ${uses}`,
    testsLine(graph, impact),
    reachLine(graph, impact),
  ];
}

/** What a walk came to, and whether that is all. */
function reachLine(graph: GraphView, impact: ImpactFigures): string {
  const [outside] = impact.outside;
  const all = testCount(impact);
  // What is "at least" so many needs no plus sign.
  const figures = outside === undefined ? impact : { complete: true };
  const files = linked(count(impact.counts.files, 'file', figures), 'impact', impact.counts.files);
  const seen = `${files} within ${DEPTH} steps, ${linked(count(all, 'test', figures), 'tests', all)}`;
  if (outside === undefined) return `Reach **${impact.reach}**: ${seen}`;
  const unknown = `Reach **unknown**: ${code(graph.node(outside).name)} ${OUTSIDE_USERS[impact.outsideUser ?? 'framework']}`;
  return impact.counts.files + all === 0 ? unknown : `${unknown} · at least ${seen}`;
}

const OUTSIDE_USERS = { framework: 'is called by a framework', anyone: 'may be used outside the workspace' } as const;

function testsLine(graph: GraphView, impact: ImpactFigures): string {
  const { firstTest } = impact;
  if (firstTest === undefined) return impact.complete ? 'No tests' : 'No tests found';
  const { possibleTests } = impact.counts;
  const all = testCount(impact);
  const more = all > 1 ? ` and ${linked(`${number(all - 1, impact)} more`, 'tests', all - 1)}` : '';
  if (possibleTests === all) return `Possibly tested by ${testName(graph, firstTest)}${more}`;
  return `Tested by ${testName(graph, firstTest)}${more}${possibleTests === 0 ? '' : ` (${number(possibleTests, impact)} possible)`}`;
}

/** A file by its last name, a test inside one with the file. */
function testName(graph: GraphView, test: NodeHandle): string {
  const { name, path, nodeType } = graph.node(test);
  const file = basename(path);
  return nodeType === 'file' ? code(file) : `${code(name)} in ${escaped(file)}`;
}

function testCount({ counts }: ImpactFigures): number {
  return counts.directTests + counts.transitiveTests;
}

function atomLines({ atoms, more }: FileNotes): HoverAnswer['atoms'] {
  return atoms.map(({ id, name, molecule, excerpt }, at) => {
    const group = molecule === undefined ? '' : ` (${escaped(shortened(molecule))})`;
    const others = at === atoms.length - 1 && more > 0 ? ` *and ${count(more, 'more atom')}*` : '';
    return { id, line: `Knowledge: **${escaped(shortened(name))}**${group}${excerpt === '' ? '' : `: ${escaped(excerpt)}`}${others}` };
  });
}

interface LinesBeside extends MemoryLines {
  /** What it serves, asks of other services and tells them. */
  readonly services: readonly string[];
  /** When it changed last. */
  readonly changes: readonly string[];
}

interface MemoryLines {
  readonly claims: readonly string[];
  readonly decisions: readonly string[];
}

/** Who is working on a symbol, its file or something in it, and what was decided about it last. */
function memoryLines({ records }: Pick<Workspace, 'records'>, graph: GraphView, handle: NodeHandle): MemoryLines {
  const { id, path } = graph.node(handle);
  const view = new MemoryView(records);
  const [claim, ...others] = claimsAround(view, [id]);
  const [decision] = episodesAbout(records, [id, path], { types: ['DECISION'] }, 1, name => graph.find(name) !== undefined);
  const title = decision?.metadata['title'];
  const more = others.length === 0 ? '' : ` *and ${count(others.length, 'more claim')}*`;
  return {
    claims: claim === undefined ? [] : [`Claimed by **${escaped(shortened(claim.agentId))}**: ${escaped(shortened(claim.intent))}${more}`],
    decisions: decision === undefined ? [] : [`Decision: ${escaped(shortened(typeof title === 'string' && title !== '' ? title : decision.content))}`],
  };
}

function serviceNotes({ services }: Workspace, id: string): string[] {
  return serviceLines(services?.current, id, text => `**${escaped(shortened(text))}**`, escaped);
}

function changeLines(workspace: Workspace, graph: GraphView, handle: NodeHandle): string[] {
  const changed = lastChangeOf(workspace.pastChanges?.(), graph, handle, workspace.records.now());
  return changed === undefined ? [] : [changed];
}

/** What the graph does not know for sure is said in one line. */
function doubtLine(graph: GraphView, handle: NodeHandle, impact: ImpactFigures): string[] {
  const { unresolved } = graph.countsOf(handle);
  const parts = [
    ...(impact.counts.maybe > 0 ? [linked(`${number(impact.counts.maybe, impact)} possible`, 'impact', impact.counts.maybe)] : []),
    ...(unresolved > 0 ? [`${count(unresolved, 'unresolved reference')}`] : []),
  ];
  return parts.length === 0 ? [] : [parts.join(' · ')];
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= MAX_SENTENCE_LENGTH ? line : `${line.slice(0, MAX_SENTENCE_LENGTH - 1).trimEnd()}…`;
}

function code(text: string): string {
  return text.includes('`') ? escaped(text) : `\`${shownText(text)}\``;
}

/** Text of the workspace must not become Markdown: the links below it are trusted. */
function escaped(text: string): string {
  return shownText(text).replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&');
}

/** Escaped but for code between two backticks, in which nothing else has a meaning. */
function prose(text: string): string {
  return text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? shownText(part) : escaped(part)))
    .join('');
}

/** A figure that leads to what it counts, unless there is nothing. */
function linked(text: string, part: (typeof HOVER_LINKS)[number], counted: number): string {
  return counted === 0 ? text : `[${text}](lattice:${part})`;
}

const EXACT = { complete: true };

/** A count that ends where the walk ended says so: `20,000+`. */
function number(counted: number, { complete }: Pick<ImpactFigures, 'complete'>): string {
  return complete || counted === 0 ? figure(counted) : `${figure(counted)}+`;
}

export function count(counted: number, noun: string, walked: Pick<ImpactFigures, 'complete'> = EXACT): string {
  return `${number(counted, walked)} ${noun}${counted === 1 ? '' : 's'}`;
}

export const hoverFeature = feature({
  name: 'hover',
  about: 'Hover content for the symbol at a position; null when there is none.',
  params: hoverParams,
  answer: hoverShape,
  run: hover,
});
