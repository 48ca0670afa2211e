import type { ChangesWith, ImpactAnswer, Impacted, ImpactParams, NodesParams } from '../../../server/protocol/features';
import { counted, figure } from '../../../server/protocol/figures';
import { reachWords } from '../../../server/protocol/reachWords';
import { refusedFor } from '../../../server/protocol/refusals';
import type { Target } from '../commands/symbolSearch';
import type { LatticeServer } from '../languageClient/latticeServer';
import { nameOf, qualifiedName, verbOf } from '../names';
import { Refusal } from '../refusal';

const MAX_DEPTH = 3;
/** Most rows of each list of the answer: nearly always all of them, so that the tree shows as many rows as it counts. */
const MAX_ROWS = 2_000;
/** Most changed symbols that are listed. */
const MAX_CHANGED = 200;

/** What depends on one symbol, or on what changed in git, as one answer of the server. */
export interface Impact {
  readonly target: Target;
  /** `12 dependents in 5 files within 3 steps; 3 tests. Reach: medium.` */
  readonly summary: string;
  readonly counts: ImpactCounts;
  readonly risk: ImpactAnswer['risk'];
  /** What changed in git; empty for a symbol. */
  readonly changed: readonly ImpactItem[];
  /** Each list nearest first. */
  readonly dependents: readonly ImpactItem[];
  readonly tests: readonly ImpactItem[];
  /** References that could go to several places. */
  readonly maybe: readonly ImpactItem[];
  /** What past commits changed together with the target, most often first; it need not depend on it. */
  readonly together: readonly ImpactItem[];
  /** How many farther ones each list leaves out. */
  readonly unlisted: Readonly<Record<ImpactList, number>>;
}

export type ImpactList = 'changed' | 'dependents' | 'tests' | 'maybe' | 'together';

/** Counts of everything, also of what the lists leave out. */
export interface ImpactCounts {
  readonly changed: number;
  readonly dependents: number;
  /** Files of the dependents. */
  readonly files: number;
  readonly tests: number;
  readonly maybe: number;
  readonly together: number;
}

export interface ImpactItem {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Path inside its workspace folder, `/` between segments. */
  readonly path: string;
  /** 1-based line of the use that makes it depend, else of the declaration. */
  readonly line: number;
  readonly depth: number;
  /** `calls totalOf` */
  readonly how: string;
  /** `40 %` for a maybe, `''` for a fact. */
  readonly certainty: string;
  /** Ids from the target to this node: the evidence. */
  readonly via: readonly string[];
}

export async function askImpact(server: LatticeServer, target: Target): Promise<Impact> {
  const subject = target.since === undefined ? { target: target.id } : { since: target.since };
  const question: ImpactParams = { ...subject, maxDepth: MAX_DEPTH, limit: MAX_ROWS, order: 'closeness' };
  const answer = await server.ask('impact', question, target.folder).catch((error: unknown) => {
    throw error instanceof Refusal && refusedFor('noGit', error.data) !== undefined ? new Refusal(NEEDS_GIT) : error;
  });
  return impactFrom(target, answer, target.since === undefined ? [] : await changedItems(server, target, answer.targets));
}

const NEEDS_GIT = 'This folder is not in a Git repository, so there are no uncommitted changes to show. To see the impact of a symbol, use Show Impact.';

/** The answer of the server as the view shows it. */
export function impactFrom(target: Target, answer: ImpactAnswer, changed: readonly ImpactItem[]): Impact {
  const { counts, risk } = answer;
  const total: ImpactCounts = {
    changed: target.since === undefined ? 0 : answer.targets.length,
    dependents: counts.direct + counts.transitive,
    files: counts.files,
    tests: counts.directTests + counts.transitiveTests,
    maybe: counts.maybe,
    together: answer.changesWith?.length ?? 0,
  };
  const dependents = [...answer.directDependents, ...answer.transitiveDependents];
  const tests = [...answer.directTests, ...answer.transitiveTests];
  return {
    target,
    risk,
    summary: target.since !== undefined && total.changed === 0 ? 'no indexed code has changed.' : summaryOf(total, reachWords(answer)),
    counts: total,
    changed,
    dependents: dependents.map(row => impactItem(row, '')),
    tests: tests.map(row => impactItem(row, row.possible === true ? percent(row) : '')),
    maybe: answer.maybe.map(row => impactItem(row, percent(row))),
    together: (answer.changesWith ?? []).map(togetherItem),
    unlisted: {
      changed: Math.max(0, total.changed - MAX_CHANGED),
      dependents: total.dependents - dependents.length,
      tests: total.tests - tests.length,
      maybe: total.maybe - answer.maybe.length,
      together: 0,
    },
  };
}

/** What stands above the list: a symbol has its own letters, anything else begins a sentence. */
export function aboutImpact({ summary, target: { id, name } }: Impact): string {
  return `${id === '' ? sentence(name) : name}: ${summary}`;
}

export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

async function changedItems(server: LatticeServer, { folder }: Target, ids: readonly string[]): Promise<ImpactItem[]> {
  const question: NodesParams = { ids: ids.slice(0, MAX_CHANGED) };
  const { nodes } = await server.ask('nodesById', question, folder);
  const withSymbols = new Set(nodes.filter(row => row.kind !== 'file').map(row => row.path));
  return nodes
    .filter(row => row.kind !== 'file' || !withSymbols.has(row.path))
    .map(({ id, name, kind, path, nameLine }) => ({ id, name, kind, path, line: nameLine, depth: 0, how: 'changed', certainty: '', via: [id] }));
}

function percent({ confidence }: Impacted): string {
  return `${Math.round(confidence * 100)}%`;
}

/** A case of a group depends on what that sets up; an outer function on what is inside it. */
function howOf({ id, relation, via }: Impacted): string {
  return relation === 'CONTAINS' && id.startsWith(`${via.at(-2) ?? ''}::`) ? 'is in' : verbOf(relation);
}

function impactItem(row: Impacted, certainty: string): ImpactItem {
  const towards = row.via.at(-2);
  return {
    id: row.id,
    name: qualifiedName(row.id),
    kind: row.kind,
    path: row.path,
    line: row.line > 0 ? row.line : row.startLine,
    depth: row.depth,
    how: `${howOf(row)} ${towards === undefined ? '' : nameOf(towards)}`.trim(),
    certainty,
    via: row.via,
  };
}

function togetherItem({ confidence, id, kind, line, path, support }: ChangesWith): ImpactItem {
  const how = `in ${support} of the same commits (${Math.round(confidence * 100)}%)`;
  return { id, name: qualifiedName(id), kind, path, line: Math.max(1, line), depth: 0, how, certainty: '', via: [id] };
}

function summaryOf({ dependents, files, tests, maybe }: ImpactCounts, reach: string): string {
  if (dependents + tests + maybe === 0) return 'no dependents.';
  const parts = [
    dependents === 0 ? 'no certain dependents' : `${counted(dependents, 'dependent')} in ${counted(files, 'file')}`,
    ...(maybe === 0 ? [] : [`${figure(maybe)} possible`]),
  ];
  return `${parts.join(', ')} within ${MAX_DEPTH} steps; ${tests === 0 ? 'no tests' : counted(tests, 'test')}. Reach: ${reach}.`;
}
