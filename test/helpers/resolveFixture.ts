/** Fixture text in, what the resolver makes of it out; and the comparison of the two. */
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Turn } from '../../server/src/base/yield';
import { isManifest, Resolver, type ResolverFile } from '../../server/src/code/resolve/resolver';
import { decodeConfidence, SOURCES } from '../../server/src/model/evidence';
import { languageOfExtension } from '../../server/src/model/languages';
import { RELATIONS } from '../../server/src/model/relations';
import type { FileResolution } from '../../server/src/model/resolution';
import { FactsReader } from './extract';
import { parseFixture } from './fixture';

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

export async function resolveFiles(files: ReadonlyMap<string, string>): Promise<{ readonly ids: Interner; readonly resolutions: readonly FileResolution[] }> {
  const ids = new Interner();
  const upserts = await resolverFiles(files);
  const manifests = new Map([...files].filter(([path]) => isManifest(path)));
  const result = await new Resolver({ ids }).update({ upserts, removed: [], manifests }, testTurn(), neverCancelled);
  return { ids, resolutions: result.resolutions };
}

export function linksOf(ids: Interner, resolutions: readonly FileResolution[]): Link[] {
  const links: Link[] = [];
  for (const { path, sites } of resolutions) {
    for (let site = 0; site < sites.count; site++) {
      const start = sites.candidateStart[site] ?? 0;
      for (let row = start; row < start + (sites.candidateCount[site] ?? 0); row++) {
        links.push({
          path,
          from: ids.text(sites.from[site] ?? 0),
          line: sites.line[site] ?? 0,
          start: sites.column[site] ?? 0,
          end: (sites.column[site] ?? 0) + (sites.length[site] ?? 0),
          relation: RELATIONS[sites.relation[site] ?? 0]?.name ?? '',
          target: ids.text(sites.target[row] ?? 0),
          confidence: decodeConfidence(sites.confidence[row] ?? 0),
          source: SOURCES[sites.source[row] ?? 0]?.name ?? '',
        });
      }
    }
  }
  return links;
}

/** Expectation kinds that name a relation; a fact unless `maybe`. */
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
  enters: 'USES_CONTEXT_MANAGER',
  tests: 'TESTS',
};
const EXHAUSTIVE: ReadonlySet<string> = new Set(['CALLS', 'INSTANTIATES']);
/** Edges below are not asserted. */
const ASSERTED = 0.5;

/**
 * What differs between a fixture's marks and its resolution, as lines to read; empty when all is as expected.
 * Besides relations a mark may say `maybe T` (a call candidate below the cut), `external` and `unresolved` (no asserted call there; counted so in the file).
 * Every asserted CALLS and INSTANTIATES edge must be marked.
 */
export async function mismatches(text: string): Promise<string[]> {
  const fixture = parseFixture(text);
  const { ids, resolutions } = await resolveFiles(fixture.files);
  const links = linksOf(ids, resolutions);
  const problems: string[] = [];
  const marked = new Set<Link>();
  for (const expected of fixture.expectations) {
    const here = links.filter(
      link => link.path === expected.path && link.line === expected.line && link.start < expected.end && expected.start < Math.max(link.end, link.start + 1),
    );
    const target = expected.target.replace('#', '::');
    const where = `${expected.path}:${expected.line + 1}:${expected.start + 1}`;
    const relation = RELATION_OF[expected.kind];
    const got = here.map(link => `${link.relation} ${link.target} ${link.confidence}`).join(', ');
    if (relation !== undefined) {
      const found = here.find(link => link.relation === relation && link.target === target && link.confidence >= ASSERTED);
      if (found === undefined) problems.push(`${where} expected ${expected.kind} ${target}, got ${got === '' ? 'nothing' : got}`);
      else marked.add(found);
    } else if (expected.kind === 'maybe') {
      if (!here.some(link => link.target === target && link.confidence < ASSERTED))
        problems.push(`${where} expected maybe ${target}, got ${got === '' ? 'nothing' : got}`);
    } else if (expected.kind === 'external' || expected.kind === 'unresolved') {
      const resolution = resolutions.find(candidate => candidate.path === expected.path);
      const total = resolution?.[expected.kind].reduce((sum, count) => sum + count, 0) ?? 0;
      if (total === 0) problems.push(`${where} expected ${expected.kind}, none counted in the file; got ${got}`);
    } else problems.push(`${where} unknown expectation ${expected.kind}`);
  }
  for (const link of links) {
    if (EXHAUSTIVE.has(link.relation) && link.confidence >= ASSERTED && !marked.has(link)) {
      problems.push(`${link.path}:${link.line + 1}:${link.start + 1} unexpected ${link.relation} ${link.target} ${link.confidence}`);
    }
  }
  return problems;
}
