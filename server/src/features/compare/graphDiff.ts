import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { runSteps } from '../../base/steps';
import { compareText } from '../../base/text';
import { paramRef, phrase } from '../../model/hints';
import type { ChangeSet } from '../../workspace/changes';
import type { Workspace } from '../../workspace/snapshot';
import { type Violation, violationShape } from '../architecture/rules';
import { validateArchitecture } from '../architecture/validate';
import { impactOf } from '../impact/impact';
import { riskPartsShape } from '../impact/risk';
import { type FeatureFailure, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import type { Stamped } from '../shared/fresh';
import { choice, text } from '../shared/params';
import { object, optional, riskShape, type Shaped, shape, stamped } from '../shared/shape';
import { ALL_TESTS, chooseTests } from '../testSelection/select';
import { breakingChanges, breakingShape, type ReadFiles } from './breaking';
import { changeSetOf, codeChanges } from './codeChanges';
import { byUnit, interfaceChangeShape, type LinkChange, type LinkChanges, linkChangeShape, linkChanges, unitChangeShape } from './linkChanges';
import { type Changed, type NodeChange, nodeChangeShape, nodeChanges } from './nodeChanges';
import { type Pairing, pairNodes, pairRenamed } from './pairing';
import { NO_SERVICE_CHANGES, serviceChanges } from './services/serviceChanges';
import { FinishedComparisons, groundsOf } from './states/finished';
import { MERGE_BASE, type State, statesOf, WORKING } from './states/states';
import { TextPairs } from './textPairs';

/** Parts of a comparison that can be asked for alone. */
export const PARTS = ['nodes', 'edges', 'api', 'architecture', 'tests'] as const;

export const graphDiffParams = shape(() =>
  object({
    /** The older state, or both as a range: a commit, tag, branch, time, transaction; where the branch began when absent. */
    from: optional(text()),
    /** The newer one; the folder as it is when absent. */
    to: optional(text()),
    /** All when absent. */
    include: optional(z.array(choice(PARTS))),
    /** A path, or the id of a symbol: what is below it. */
    scope: optional(text()),
  }),
);
export type GraphDiffParams = Shaped<typeof graphDiffParams>;

export const stateShape = shape(() =>
  object({
    name: z.string(),
    /** Twelve hexadecimal digits; `''` without git. For the folder as it is, the commit that it is based on. */
    commit: z.string(),
    /** Time of the commit in epoch milliseconds; absent for the folder as it is. */
    at: optional(z.number()),
  }),
);

export const graphDiffAnswerShape = shape(() =>
  object({
    from: stateShape(),
    to: stateShape(),
    /** Files that differ, and symbols that do; in order of path and line. Empty where not asked for. */
    nodes: z.array(nodeChangeShape()),
    counts: object({
      added: z.number(),
      removed: z.number(),
      moved: z.number(),
      renamed: z.number(),
      signature: z.number(),
      body: z.number(),
      files: z.number(),
    }),
    edges: object({ added: z.array(linkChangeShape()), removed: z.array(linkChangeShape()), units: z.array(unitChangeShape()) }),
    /** Changes of what others may use, with the code that still uses it as it was. */
    breaking: z.array(breakingShape()),
    /** Endpoints, events and domain entities that came or went, whoever uses them. */
    interfaces: z.array(interfaceChangeShape()),
    /** Violations of the rules as they are now, import cycles included. */
    architecture: object({ added: z.array(violationShape()), resolved: z.array(violationShape()) }),
    /** Tests that cover the change, best first, and what runs them. */
    tests: z.array(object({ id: z.string(), file: z.string() })),
    commands: z.array(z.string()),
    /** Changed functions, methods and classes that no test reaches. */
    untested: z.array(z.string()),
    /** Of the change as a whole; absent where tests were not asked for. */
    risk: optional(riskShape()),
    riskParts: optional(riskPartsShape()),
    /** What could not be told, a sentence each. */
    notes: z.array(z.string()),
  }),
);
export type GraphDiffAnswer = Shaped<typeof graphDiffAnswerShape>;

/** How two states of the code differ as graphs. */
export async function graphDiff(
  workspace: Workspace,
  params: GraphDiffParams,
  token: CancellationToken,
): Promise<Result<Stamped<GraphDiffAnswer>, FeatureFailure>> {
  const comparison = await compare(workspace, params, token);
  return comparison.ok ? ok(comparison.value.answer) : comparison;
}

/** A comparison with the nodes it is about. */
export interface Comparison {
  readonly answer: Stamped<GraphDiffAnswer>;
  readonly pairing: Pairing;
  readonly changes: readonly Changed[];
  readonly newer: State;
}

/** Compares two states of the code, by default where the branch left the main branch with the current code. Fails when a state is unknown or cannot be read. */
export async function compare(workspace: Workspace, params: GraphDiffParams, token: CancellationToken): Promise<Result<Comparison, FeatureFailure>> {
  const states = await statesOf(workspace, params.from ?? MERGE_BASE, params.to ?? WORKING, token);
  if (!states.ok) return states;
  const [older, newer] = states.value;
  const include = new Set<(typeof PARTS)[number]>(params.include ?? PARTS);
  const within = scopeOf(params.scope);
  if (within === undefined) return err(invalid('scope', phrase`${paramRef('scope')} is empty.`));
  const before = await groundsOf(workspace, states.value, params);
  const known = finished.of(older, newer, before);
  if (known !== undefined) return ok({ ...known, newer, answer: { ...known.answer, stamp: newer.snapshot.stamp } });
  const comparison = await compareStates(workspace, { older, newer, include, within }, token);
  const grounds = await groundsOf(workspace, states.value, params);
  // Rules that changed meanwhile may have been read before or after.
  if (comparison.ok && grounds?.words === before?.words) finished.keep(older, newer, grounds, comparison.value);
  return comparison;
}

const finished = new FinishedComparisons<Comparison>();

interface Compared {
  readonly older: State;
  readonly newer: State;
  readonly include: ReadonlySet<(typeof PARTS)[number]>;
  readonly within: (id: string) => boolean;
}

async function compareStates(
  workspace: Workspace,
  { include, newer, older, within }: Compared,
  token: CancellationToken,
): Promise<Result<Comparison, FeatureFailure>> {
  const pause = (): Promise<void> | undefined => workspace.pause?.();
  const pairing = await runSteps(pairNodes(older.snapshot.graph, newer.snapshot.graph), pause, token);
  await pairRenamed(pairing, reader(older), reader(newer));
  const texts = new TextPairs(pairing, older.workspace, newer.workspace);
  const all = (await runSteps(nodeChanges(pairing), pause, token)).filter(({ row }) => within(row.id) || within(row.oldId ?? row.id));
  const linked = async (): Promise<LinkChanges> => (include.has('edges') ? runSteps(linkChanges(pairing), pause, token) : NO_LINK_CHANGES);
  const checked = async (): Promise<Result<ViolationChanges, FeatureFailure>> =>
    include.has('architecture') ? violations(older, newer, token) : ok(NO_VIOLATIONS);
  // Git and the parsers are at work on texts, while this thread is at the graphs.
  const [changes, links, architecture] = await Promise.all([codeChanges(pairing, all, texts), linked(), checked()]);
  const rows = changes.map(change => change.row);
  const isAboutServices = include.has('edges') || include.has('api');
  const read: ReadFiles = path => texts.of(path);
  const services = isAboutServices ? await serviceChanges(workspace, older, newer, { read, within }, token) : NO_SERVICE_CHANGES;
  const units = include.has('edges') ? [...links.units, ...services.units].sort(byUnit) : [];
  const touches = ({ source, target }: LinkChange): boolean => within(source) || within(target);
  if (!architecture.ok) return architecture;
  const about = (violation: Violation): boolean => within(violation.from.id) || violation.members?.some(within) === true;
  const selected = include.has('tests') ? await covered(newer, await changeSetOf(pairing, changes, texts, older.name), token) : NOT_COVERED;
  const answer: Stamped<GraphDiffAnswer> = {
    from: describe(older),
    to: describe(newer),
    nodes: include.has('nodes') ? rows : [],
    counts: countsOf(rows),
    edges: {
      added: links.added.filter(touches),
      removed: links.removed.filter(touches),
      units: units.filter(({ from, level, to }) => level === 'package' || level === 'service' || within(from) || within(to)),
    },
    breaking: include.has('api') ? [...(await breakingChanges(pairing, changes, read)), ...services.breaking] : [],
    interfaces: include.has('api') ? [...services.interfaces] : [],
    architecture: { added: architecture.value.added.filter(about), resolved: architecture.value.resolved.filter(about) },
    ...selected,
    notes: [...selected.notes, ...services.notes, ...[older, newer].flatMap(contentLacking)],
    stamp: newer.snapshot.stamp,
  };
  return ok({ answer, pairing, changes, newer });
}

/** Whether an id is the path or symbol asked for, or below it; `undefined` for a scope that is none. */
function scopeOf(scope: string | undefined): ((id: string) => boolean) | undefined {
  if (scope === undefined) return () => true;
  const id = scope
    .trim()
    .replace(/^file::/, '')
    .replace(/^\.\//, '')
    .replace(/\/+$/, '');
  return id === '' ? undefined : other => other === id || other.startsWith(`${id}/`) || other.startsWith(`${id}::`);
}

function reader({ snapshot, workspace }: State): Parameters<typeof pairRenamed>[1] {
  const { graph } = snapshot;
  return async node => {
    const file = graph.fileNodeOf(node.handle);
    const source = file === undefined ? undefined : await workspace.readSymbol(node, graph.node(file).contentHash);
    return source?.ok === true ? source.value.code : undefined;
  };
}

/** A partial clone: what is in such files looks as if it were added or removed. */
function contentLacking({ name, snapshot }: State): string[] {
  const { missingFiles = 0 } = snapshot.stamp;
  if (missingFiles === 0) return [];
  return [
    `The content of ${missingFiles} ${missingFiles === 1 ? 'file' : 'files'} of ${name} is not in this clone, so the symbols appear to be missing. Fetch it with Git first.`,
  ];
}

function describe({ name, snapshot }: State): GraphDiffAnswer['from'] {
  const { asOf, head } = snapshot.stamp;
  return { name, commit: head, ...(asOf === undefined ? {} : { at: asOf }) };
}

function countsOf(rows: readonly NodeChange[]): GraphDiffAnswer['counts'] {
  const counts = { added: 0, removed: 0, moved: 0, renamed: 0, signature: 0, body: 0, files: 0 };
  for (const { change, kind } of rows) {
    if (kind === 'file') counts.files++;
    else counts[change]++;
  }
  return counts;
}

interface ViolationChanges {
  readonly added: readonly Violation[];
  readonly resolved: readonly Violation[];
}

const NO_LINK_CHANGES: LinkChanges = { added: [], removed: [], units: [] };
const NO_VIOLATIONS: ViolationChanges = { added: [], resolved: [] };

/** Both states by the rules as they are now: a violation is new by the code, not by a rule. */
async function violations(older: State, newer: State, token: CancellationToken): Promise<Result<ViolationChanges, FeatureFailure>> {
  const [before, after] = [await validateArchitecture(older.workspace, {}, token), await validateArchitecture(newer.workspace, {}, token)];
  if (!before.ok) return before;
  if (!after.ok) return after;
  return ok({ added: notIn(after.value.violations, before.value.violations), resolved: notIn(before.value.violations, after.value.violations) });
}

/** Lines move and messages name them: a violation is what it is between. A cycle is known by two of its members that it has in common. */
function notIn(some: readonly Violation[], others: readonly Violation[]): Violation[] {
  const keys = new Set(others.map(keyOf));
  const cycles = others.flatMap(({ members, ruleId }) => (members === undefined ? [] : [{ ruleId, members: new Set(members) }]));
  return some.filter(violation => {
    const { members, ruleId } = violation;
    if (members === undefined) return !keys.has(keyOf(violation));
    return !cycles.some(cycle => cycle.ruleId === ruleId && members.every(member => cycle.members.has(member)));
  });
}

function keyOf({ edge, from, ruleId, to }: Violation): string {
  return JSON.stringify([ruleId, from.id, edge, to]);
}

type Covered = Pick<GraphDiffAnswer, 'tests' | 'commands' | 'untested' | 'risk' | 'riskParts' | 'notes'>;

const NOT_COVERED: Covered = { tests: [], commands: [], untested: [], notes: [] };

/** Tests and risk of the newer state by what changed in its lines. */
async function covered(newer: State, changes: ChangeSet, token: CancellationToken): Promise<Covered> {
  if (changes.files.length === 0) return { ...NOT_COVERED, risk: 'low' };
  const tests = await chooseTests(newer.workspace, changes, { maxTests: ALL_TESTS }, token);
  if (!tests.ok) return { ...NOT_COVERED, notes: [`Tests and risk are not known: ${tests.error.message}`] };
  const { commands, kept, uncovered } = tests.value;
  const reach = await impactOf(newer.workspace, changes, { limit: 1 }, token);
  return {
    tests: kept.map(({ file, id }) => ({ id, file: file.path })),
    commands: [...commands],
    untested: [...uncovered].sort(compareText),
    notes: [],
    ...(reach.ok ? { risk: reach.value.risk, riskParts: reach.value.riskParts } : {}),
  };
}

export const graphDiffFeature = feature({
  name: 'graphDiff',
  about: 'Differences between two states of the code as graphs: symbols, dependencies, what breaks, architecture, tests.',
  params: graphDiffParams,
  answer: stamped(graphDiffAnswerShape),
  run: graphDiff,
});
