import { expect, test } from 'vitest';
import { changesInYear, type RiskFacts, riskOf } from '../../../server/src/features/impact/risk';
import { graphOf } from '../../helpers/graphOf';

const CALM: RiskFacts = { certain: 5, reach: 'small', tests: 2, changes: 1, coverage: { lines: 10, uncovered: 1 } };

test.each([
  ['a small reach that tests cover', {}, 'low', []],
  ['a medium reach', { certain: 11, reach: 'medium' }, 'medium', []],
  ['a large reach', { certain: 51, reach: 'large' }, 'high', []],
  ['no test although something depends on it', { tests: 0 }, 'medium', ['tests']],
  ['no test where nothing depends on it', { tests: 0, certain: 0 }, 'low', []],
  ['a change a month', { changes: 12 }, 'medium', ['changes']],
  ['half of the lines not covered', { coverage: { lines: 10, uncovered: 5 } }, 'medium', ['coverage']],
  ['a call from outside', { reach: 'unknown' }, 'medium', ['outside']],
  ['a call from outside of what many use', { reach: 'unknown', certain: 60 }, 'high', ['outside']],
  ['several reasons raise it once', { tests: 0, changes: 40, coverage: { lines: 4, uncovered: 4 } }, 'medium', ['tests', 'changes', 'coverage']],
  ['a reason above high', { reach: 'large', certain: 80, tests: 0 }, 'high', ['tests']],
  ['what is not known is no reason', { changes: undefined, coverage: undefined }, 'low', []],
] as const)('%s', (_, facts, risk, raisedBy) => {
  const found = riskOf({ ...CALM, ...facts });
  expect([found.risk, found.riskParts.raisedBy]).toEqual([risk, raisedBy]);
});

test('the parts are what is known', () => {
  expect(riskOf(CALM).riskParts).toEqual({ reach: 'small', tests: 2, changes: 1, uncovered: 0.1, raisedBy: [] });
  expect(riskOf({ ...CALM, changes: undefined, coverage: undefined }).riskParts).toEqual({ reach: 'small', tests: 2, raisedBy: [] });
});

test('changes of a year are counted back from the newest commit, each once', () => {
  const { view: graph } = graphOf({ 'a.ts': { symbols: [{ name: 'f' }, { name: 'g' }] } });
  const DAY = 86_400;
  const commits = [400, 399, 300, 30].map((day, at) => ({ hash: String(at), time: day * DAY, subject: '', files: 1, isPlainMerge: false }));
  const places: Readonly<Record<string, readonly number[]>> = { 'a.ts::f': [0, 2, 3], 'a.ts::g': [0, 1] };
  const past = { head: '', commits, files: [], ids: Object.keys(places), of: (id: string) => places[id] ?? [] };
  const nodes = ['a.ts::f', 'a.ts::g'].map(id => graph.find(id)).filter(node => node !== undefined);
  expect(changesInYear(past, graph, nodes)).toBe(3);
  expect(changesInYear(undefined, graph, nodes)).toBeUndefined();
});
