/** Fixture text in, what the resolver makes of it out; and the comparison of the two. */

import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Turn } from '../../server/src/base/yield';
import { isManifest, Resolver, type ResolverFile } from '../../server/src/code/resolve/resolver';
import type { MissedSite } from '../../server/src/code/resolve/sites/missedSites';
import { decodeConfidence, FACT_CONFIDENCE, SOURCES } from '../../server/src/model/evidence';
import { NO_NODE, type NodeHandle, type NodeIds } from '../../server/src/model/ids';
import { languageOfExtension } from '../../server/src/model/languages';
import { endOfId, joinsCode, RELATIONS } from '../../server/src/model/relations';
import type { FileResolution } from '../../server/src/model/resolution';
import { FactsReader } from './extract';
import { type Expectation, parseFixture } from './fixture';

export interface Link {
  readonly path: string;
  readonly from: string;
  readonly line: number;
  readonly start: number;
  readonly end: number;
  readonly relation: string;
  readonly target: string;
  readonly confidence: number;
  readonly source: string;
}

const reader = FactsReader.create();

export function testTurn(): Turn {
  return new Turn({ now: () => 0, monotonic: () => 0 }, () => Promise.resolve());
}

export async function resolverFile(path: string, text: string): Promise<ResolverFile> {
  const known = languageOfExtension(path.slice(path.lastIndexOf('.'))) !== undefined;
  return {
    path,
    facts: known ? await (await reader).factsOfFile(path, text) : undefined,
    isTest: /(?:^|\/)(?:test_|tests?\/)|\.test\.|_test\.|Tests?\.\w+$/.test(path),
  };
}

/** One after the other: the reader holds one tree at a time. */
export async function resolverFiles(files: Iterable<readonly [string, string]>): Promise<ResolverFile[]> {
  const out: ResolverFile[] = [];
  for (const [path, text] of files) out.push(await resolverFile(path, text));
  return out;
}

export interface Resolved {
  readonly ids: NodeIds;
  readonly resolutions: readonly FileResolution[];
  readonly missed: readonly MissedSite[];
}

export async function resolveFiles(files: ReadonlyMap<string, string>): Promise<Resolved> {
  const ids = new Interner<NodeHandle>();
  const missed: MissedSite[] = [];
  const upserts = await resolverFiles(files);
  const manifests = new Map([...files].filter(([path]) => isManifest(path)));
  const resolver = new Resolver({ ids, onMissed: site => missed.push(site) });
  const { resolutions } = await resolver.update({ upserts, removed: [], manifests }, testTurn(), neverCancelled);
  return { ids, resolutions, missed };
}

export function linksOf(ids: NodeIds, resolutions: readonly FileResolution[]): Link[] {
  const links: Link[] = [];
  for (const { path, sites } of resolutions) {
    for (let site = 0; site < sites.count; site++) {
      const start = sites.candidateStart[site] ?? 0;
      for (let row = start; row < start + (sites.candidateCount[site] ?? 0); row++) {
        links.push({
          path,
          from: ids.text(sites.from[site] ?? NO_NODE),
          line: sites.line[site] ?? 0,
          start: sites.column[site] ?? 0,
          end: (sites.column[site] ?? 0) + (sites.length[site] ?? 0),
          relation: RELATIONS[sites.relation[site] ?? 0]?.name ?? '',
          target: ids.text(sites.target[row] ?? NO_NODE),
          confidence: decodeConfidence(sites.confidence[row] ?? 0),
          source: SOURCES[sites.source[row] ?? 0]?.name ?? '',
        });
      }
    }
  }
  return links;
}

/** Kinds of marks that name a relation. */
const RELATION_OF: Readonly<Record<string, string>> = {
  calls: 'CALLS',
  makes: 'INSTANTIATES',
  inherits: 'INHERITS',
  implements: 'IMPLEMENTS',
  overrides: 'OVERRIDES',
  imports: 'IMPORTS',
  'uses-type': 'USES_TYPE',
  decorates: 'DECORATES',
  raises: 'RAISES',
  catches: 'CATCHES',
  'asserts-type': 'ASSERTS_TYPE',
  reads: 'READS_FROM',
  'uses-constant': 'USES_CONSTANT',
  'uses-global': 'USES_GLOBAL',
  assigns: 'ASSIGNS_TO',
  'uses-default': 'USES_DEFAULT',
  enters: 'USES_CONTEXT_MANAGER',
  tests: 'TESTS',
  names: 'NAMES',
  're-exports': 'RE_EXPORTS',
  'imports-types': 'IMPORTS_TYPES',
};
/** Every fact of these is marked, in all fixtures. */
const ALWAYS_EXHAUSTIVE = ['CALLS', 'INSTANTIATES'];

/**
 * What differs between a fixture's marks and its resolution, as lines to read; empty when all is as expected.
 *
 *   calls T          a site here has the candidate T with at least `FACT_CONFIDENCE`; so for every kind of `RELATION_OF`
 *   maybe calls T    a site here has the candidate T with less
 *   external         a site here has no candidate and is counted as external
 *   unresolved       a site here has no candidate and is counted as unresolved
 *
 * Every fact of a relation that the fixture names is marked, and every fact that calls or instantiates. Every relation joins what it may join.
 */
export async function mismatches(text: string): Promise<string[]> {
  const { files, expectations } = parseFixture(text);
  const { ids, resolutions, missed } = await resolveFiles(files);
  const links = linksOf(ids, resolutions);
  const problems: string[] = [];
  const marked = new Set<Link>();
  const exhaustive = new Set(ALWAYS_EXHAUSTIVE);
  for (const { from, line, path, relation, target } of links) {
    if (
      !joinsCode(
        RELATIONS.findIndex(row => row.name === relation),
        endOfId(from),
        endOfId(target),
      )
    )
      problems.push(`${path}:${line + 1} ${relation} cannot join ${from} to ${target}`);
  }
  for (const expected of expectations) {
    const here = links.filter(link => isAt(expected, link.path, link.line, link.start, link.end));
    const missedHere = missed.filter(site => isAt(expected, site.path, site.line, site.column, site.column + site.length));
    const problem = (): void => {
      const got = [...here.map(link => `${link.relation} ${link.target} ${link.confidence}`), ...missedHere.map(site => site.miss)].join(', ');
      problems.push(`${expected.path}:${expected.line + 1}:${expected.start + 1} expected ${wanted(expected)}, got ${got === '' ? 'nothing' : got}`);
    };
    if (expected.kind === 'external' || expected.kind === 'unresolved') {
      if (!missedHere.some(site => site.miss === expected.kind)) problem();
      continue;
    }
    const { relation, target, isFact } = linkExpected(expected);
    if (relation === undefined) {
      problem();
      continue;
    }
    exhaustive.add(relation);
    const found = here.find(link => link.relation === relation && link.target === target && isFact === link.confidence >= FACT_CONFIDENCE);
    if (found === undefined) problem();
    else marked.add(found);
  }
  for (const link of links) {
    if (exhaustive.has(link.relation) && link.confidence >= FACT_CONFIDENCE && !marked.has(link)) {
      problems.push(`${link.path}:${link.line + 1}:${link.start + 1} unexpected ${link.relation} ${link.target} ${link.confidence}`);
    }
  }
  return problems;
}

function isAt(expected: Expectation, path: string, line: number, start: number, end: number): boolean {
  return path === expected.path && line === expected.line && start < expected.end && expected.start < Math.max(end, start + 1);
}

function wanted({ kind, target }: Expectation): string {
  return target === '' ? kind : `${kind} ${target}`;
}

/** The edge that a mark asks for; no relation for a mark that says none. */
function linkExpected({ kind, target }: Expectation): { readonly relation: string | undefined; readonly target: string; readonly isFact: boolean } {
  const isFact = kind !== 'maybe';
  const [named = '', ...rest] = isFact ? [kind, target] : target.split(' ');
  return { relation: RELATION_OF[named], target: rest.join(' ').replace('#', '::'), isFact };
}
