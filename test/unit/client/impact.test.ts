import { expect, test } from 'vitest';
import { Refusal } from '../../../client/src/refusal';
import { aboutImpact, askImpact, impactFrom } from '../../../client/src/views/impact';
import { impactJson, impactMarkdown } from '../../../client/src/views/impactExport';
import type { ImpactAnswer, Impacted } from '../../../server/protocol/features';

const row = (id: string, depth: number, towards: string): Impacted => {
  const path = id.split('::')[0] ?? '';
  const kind = id.includes('::') ? 'method' : 'file';
  const relation = kind === 'file' ? 'IMPORTS' : 'CALLS';
  return { id, kind, path, startLine: 1, isTest: false, depth, relation, line: 7, confidence: 0.5, via: [towards, id] };
};

/** A hub: the lists hold less than there is. */
const answer: ImpactAnswer = {
  targets: ['src/hub.ts::Hub#2::use'],
  counts: { impacted: 0, possibleTests: 0, direct: 1000, transitive: 5000, directTests: 1, transitiveTests: 222, maybe: 1, files: 1386 },
  impacted: [],
  directDependents: [row('src/a.ts', 1, 'src/hub.ts'), row('src/a.ts::Shop#2::pay', 1, 'src/hub.ts::Hub#2::use')],
  transitiveDependents: [row('src/b.ts::Cart#3', 2, 'src/a.ts::Shop#2::pay')],
  directTests: [row('src/hub.test.ts', 1, 'src/hub.ts')],
  transitiveTests: [],
  maybe: [row('src/c.ts::Till::#open', 1, 'src/hub.ts::Hub#2::use')],
  candidates: [],
  guessed: false,
  maybePage: [],
  impactedFiles: [],
  byRelation: {},
  atoms: [],
  knowledge: [],
  blastRadius: 1609,
  risk: 'high',
  riskParts: { reach: 'large', tests: 3, raisedBy: [] },
  reach: 'large',
  calledFromOutside: [],
};
const target = { id: 'src/hub.ts::Hub#2::use', name: 'use', folder: undefined as never };
const impact = impactFrom(target, answer, []);

test('an impact tells how much there is, not how much of it is listed', () => {
  expect(impact.summary).toBe('6,000 dependents in 1,386 files, 1 possible within 3 steps; 223 tests. Reach: large.');
  expect(impact.counts).toEqual({ changed: 0, dependents: 6000, files: 1386, tests: 223, maybe: 1, together: 0 });
  expect(impact.unlisted).toEqual({ changed: 0, dependents: 5997, tests: 222, maybe: 0, together: 0 });
});

test('changes begin a sentence, a symbol keeps its letters', () => {
  expect(aboutImpact(impact)).toMatch(/^use: 6,000 dependents/);
  const changes = { id: '', name: 'uncommitted changes', folder: undefined as never, since: 'HEAD' };
  const nothing = impactFrom(changes, { ...answer, targets: [] }, []);
  expect(aboutImpact(nothing)).toBe('Uncommitted changes: no indexed code has changed.');
  expect(impactMarkdown(nothing)).toContain('\n\nNo indexed code has changed.\n');
});

test('a reach that cannot be known says why', () => {
  const { summary } = impactFrom(target, { ...answer, reach: 'unknown', outsideUser: 'anyone' }, []);
  expect(summary).toContain('Reach: unknown (may be used outside the workspace).');
});

test('what usually changes with it stands apart from what depends on it', () => {
  const row = { id: 'docs/use.md', kind: 'file', path: 'docs/use.md', line: 0, support: 4, confidence: 0.667 } as const;
  const { counts, dependents, together } = impactFrom(target, { ...answer, changesWith: [row] }, []);
  expect(together).toMatchObject([{ path: 'docs/use.md', line: 1, how: 'in 4 of the same commits (67%)', certainty: '' }]);
  expect([counts.dependents, counts.together, dependents.length]).toEqual([6000, 1, 3]);
});

test('what depends is named as people write it', () => {
  expect(impact.dependents.map(item => `${item.name} ${item.how}`)).toEqual(['a.ts imports hub.ts', 'Shop.pay calls use', 'Cart calls pay']);
  expect(impact.maybe.map(item => item.name)).toEqual(['Till.#open']);
});

test('an export says what it leaves out', () => {
  expect(impactMarkdown(impact)).toContain('- src/b.ts\n  - `Cart` calls pay, line 7\n- and 5,997 more, further away\n');
  expect(JSON.parse(impactJson(impact))).toMatchObject({ counts: { dependents: 6000 }, maybe: [{ id: 'src/c.ts::Till::#open' }] });
});

test('what nothing depends on says so', () => {
  const none = { impacted: 0, possibleTests: 0, direct: 0, transitive: 0, directTests: 0, transitiveTests: 0, maybe: 0, files: 0 };
  const lonely = { ...answer, counts: none, directDependents: [], transitiveDependents: [], directTests: [], maybe: [] };
  expect(impactFrom(target, lonely, []).summary).toBe('no dependents.');
  expect(impactFrom({ ...target, since: 'HEAD' }, { ...lonely, targets: [] }, []).summary).toBe('no indexed code has changed.');
  expect(impactFrom({ ...target, since: 'HEAD' }, lonely, []).summary).toBe('no dependents.');
});

test('a folder without git gets no advice that is meant for agents', async () => {
  const server = { ask: () => Promise.reject(new Refusal('In whatever words.', { reason: 'noGit' })) };
  await expect(askImpact(server as never, { ...target, since: 'HEAD' })).rejects.toThrow(/^This folder is not in a Git repository/);
});
