import type { ImpactDto, ImpactedDto, ImpactQuery, NodesDto, NodesQuery } from '../../../server/protocol/features';
import { nameOf, verbOf } from '../answers';
import type { Target } from '../commands/symbolSearch';
import type { LatticeServer } from '../languageClient/latticeServer';

const MAX_DEPTH = 3;
/** Most changed symbols that are listed. */
const MOST_CHANGED = 200;

/** What depends on one symbol, or on what changed in git, as one answer of the server. */
export interface Impact {
  readonly target: Target;
  /** `12 dependents in 5 files, 3 tests, risk medium` */
  readonly summary: string;
  readonly risk: ImpactDto['risk'];
  /** What changed in git; empty for a symbol. */
  readonly changed: readonly ImpactItem[];
  /** Each list nearest first. */
  readonly dependents: readonly ImpactItem[];
  readonly tests: readonly ImpactItem[];
  /** References that could go to several places. */
  readonly maybe: readonly ImpactItem[];
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
  const question: ImpactQuery = { ...(target.since === undefined ? { target: target.id } : { since: target.since }), maxDepth: MAX_DEPTH };
  const answer = await server.ask<ImpactDto>('impact', question, target.folder);
  const facts = withoutCoveredFiles(answer.impacted);
  const impact = {
    changed: target.since === undefined ? [] : await changedItems(server, target, answer.targets),
    dependents: facts.filter(row => !row.isTest).map(row => impactItem(row, '')),
    tests: facts.filter(row => row.isTest).map(row => impactItem(row, '')),
    maybe: withoutCoveredFiles(answer.maybe).map(row => impactItem(row, `${Math.round(row.confidence * 100)} %`)),
  };
  return { target, risk: answer.risk, summary: summaryOf(impact, answer.risk), ...impact };
}

export function isEmpty(impact: Impact): boolean {
  return impact.dependents.length + impact.tests.length + impact.maybe.length === 0;
}

async function changedItems(server: LatticeServer, { folder }: Target, ids: readonly string[]): Promise<ImpactItem[]> {
  const question: NodesQuery = { ids: ids.slice(0, MOST_CHANGED) };
  const { nodes } = await server.ask<NodesDto>('nodesById', question, folder);
  const withSymbols = new Set(nodes.filter(row => row.kind !== 'file').map(row => row.path));
  return nodes
    .filter(row => row.kind !== 'file' || !withSymbols.has(row.path))
    .map(({ id, name, kind, path, nameLine }) => ({ id, name, kind, path, line: nameLine, depth: 0, how: 'changed', certainty: '', via: [id] }));
}

/** A file that only imports is told by its symbols; it stays when none of them is in the list. */
function withoutCoveredFiles(rows: readonly ImpactedDto[]): ImpactedDto[] {
  const withSymbols = new Set(rows.filter(row => row.kind !== 'file').map(row => row.path));
  return rows.filter(row => row.kind !== 'file' || !withSymbols.has(row.path));
}

function impactItem(row: ImpactedDto, certainty: string): ImpactItem {
  const towards = row.via.at(-2);
  return {
    id: row.id,
    name: nameOf(row.id),
    kind: row.kind,
    path: row.path,
    line: row.line > 0 ? row.line : row.startLine,
    depth: row.depth,
    how: `${verbOf(row.relation)} ${towards === undefined ? '' : nameOf(towards)}`.trim(),
    certainty,
    via: row.via,
  };
}

function summaryOf({ dependents, tests, maybe }: Pick<Impact, 'dependents' | 'tests' | 'maybe'>, risk: string): string {
  if (dependents.length + tests.length + maybe.length === 0) return 'nothing in the graph depends on it.';
  const files = new Set(dependents.map(item => item.path)).size;
  const parts = [
    dependents.length === 0 ? 'no certain dependents' : `${counted(dependents.length, 'dependent')} in ${counted(files, 'file')}`,
    tests.length === 0 ? 'no tests' : counted(tests.length, 'test'),
    ...(maybe.length === 0 ? [] : [`${maybe.length} maybe`]),
  ];
  return `${parts.join(', ')} within ${MAX_DEPTH} steps. Risk ${risk}.`;
}

export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
