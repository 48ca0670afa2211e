import { expect, test } from 'vitest';
import { louvainSteps, modularity } from '../../../server/src/algorithms/louvain';
import { pageRank } from '../../../server/src/algorithms/pageRank';
import { degreeCentrality, pathCentralitySteps } from '../../../server/src/algorithms/pathCentrality';
import { PERSONAL_RANK, personalRank, personalRankSteps } from '../../../server/src/algorithms/personalRank';
import { seeded, shuffled } from '../../../server/src/algorithms/random';
import type { Rows } from '../../../server/src/algorithms/rows';
import { type SimpleGraph, simpleGraphSteps } from '../../../server/src/algorithms/simpleGraph';
import { runAtOnce } from '../../../server/src/base/steps';
import { karate } from './karate';
import { type Arrows, arrows } from './rowsOf';

const ONES = new Float64Array(256).fill(1);
const numbers = (values: ArrayLike<number>): number[] => Array.from(values);

function simple(size: number, pairs: string, weights = ONES): SimpleGraph {
  const { forward, backward } = arrows(size, pairs);
  return runAtOnce(
    simpleGraphSteps(
      [forward, backward],
      Int32Array.from({ length: size }, (_, node) => node),
      size,
      weights,
    ),
  );
}

const exact = { maxSources: 1000, seed: 42 };
const club = simple(34, karate);
/** Members whose values are compared. */
const MEMBERS = [0, 33, 32, 2, 31, 8, 11];
const at = (values: ArrayLike<number>): number[] => MEMBERS.map(member => Math.round((values[member] ?? 0) * 1e6) / 1e6);

test('the simple projection collapses parallel and opposite links, drops loops, and adds weights', () => {
  const graph = simple(
    4,
    '0>1 1>0:1 0>1 2>2 3>1:2',
    Float64Array.from({ length: 256 }, (_, kind) => [0.9, 0.5][kind] ?? 0),
  );
  expect(numbers(graph.starts)).toEqual([0, 1, 2, 2, 2]);
  expect(numbers(graph.targets)).toEqual([1, 0]);
  expect(numbers(graph.weights)).toEqual([2300, 2300]);
});

test('degree, betweenness and closeness of the karate club are as published', () => {
  const { betweenness, closeness } = runAtOnce(pathCentralitySteps(club, exact));
  expect(at(degreeCentrality(club))).toEqual([0.484848, 0.515152, 0.363636, 0.30303, 0.181818, 0.151515, 0.030303]);
  expect(at(betweenness)).toEqual([0.437635, 0.304075, 0.145247, 0.143657, 0.138276, 0.055927, 0]);
  expect(at(closeness)).toEqual([0.568965, 0.55, 0.515625, 0.559322, 0.540984, 0.515625, 0.366667]);
});

test('graphs in several parts scale closeness by what is reached', () => {
  const { betweenness, closeness } = runAtOnce(pathCentralitySteps(simple(7, '0>1 1>2 2>3 4>5'), exact));
  expect(numbers(closeness).map(value => Math.round(value * 1e4) / 1e4)).toEqual([0.25, 0.375, 0.375, 0.25, 0.1667, 0.1667, 0]);
  expect(numbers(betweenness).map(value => Math.round(value * 1e4) / 1e4)).toEqual([0, 0.1333, 0.1333, 0, 0, 0, 0]);
});

test('sampled measures are near the exact ones and the same each time', () => {
  const sampled = { maxSources: 17, seed: 42 };
  const first = runAtOnce(pathCentralitySteps(club, sampled));
  expect(runAtOnce(pathCentralitySteps(club, sampled))).toEqual(first);
  const best = numbers(first.betweenness).indexOf(Math.max(...first.betweenness));
  expect(best).toBe(0);
  expect(first.betweenness[0]).toBeCloseTo(0.4376, 0);
  expect(Math.abs((first.closeness[33] ?? 0) - 0.55)).toBeLessThan(0.1);
});

test('no graph is too small', () => {
  for (const size of [0, 1, 2]) {
    const { betweenness, closeness } = runAtOnce(pathCentralitySteps(simple(size, ''), exact));
    expect([...betweenness, ...closeness, ...degreeCentrality(simple(size, ''))].every(value => value === 0)).toBe(true);
    expect(runAtOnce(louvainSteps(simple(size, ''), { resolution: 1, priorities: shuffled(size, seeded(42)) })).count).toBe(size);
  }
});

test('PageRank of the karate club', () => {
  const { forward, backward, live } = arrows(34, karate);
  const options = { weights: ONES, damping: 0.85, maxIterations: 200, tolerance: 1e-12 };
  const ranks = pageRank([forward, backward], live, undefined, options);
  expect(at(ranks)).toEqual([0.096997, 0.100919, 0.071693, 0.057079, 0.037158, 0.029766, 0.009565]);
  expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9);
});

test('PageRank around one member of the karate club', () => {
  const { forward, backward, live } = arrows(34, karate);
  const found = personalRank([forward, backward], live, [16], { ...PERSONAL_RANK, weights: ONES }, (a, b) => a - b);
  expect(numbers(found.nodes).slice(0, 9)).toEqual([16, 5, 6, 0, 4, 10, 1, 2, 33]);
  const expected = [0.209635, 0.140267, 0.140267, 0.128627, 0.051159, 0.051159, 0.031338, 0.026477, 0.024468];
  expected.forEach((score, place) => expect(found.scores[place]).toBeCloseTo(score, 4));
  expect(Math.min(...found.scores)).toBeGreaterThanOrEqual((found.scores[0] ?? 0) * 0.01);
});

test('a personal walk gives dead ends back, leaves weightless links and dead nodes out, and is cut', () => {
  const { forward, live } = arrows(5, '0>1 0>2:1 1>3 0>4');
  live[4] = 0;
  const weights = Float64Array.from({ length: 256 }, (_, kind) => (kind === 0 ? 1 : 0));
  const options = { ...PERSONAL_RANK, weights };
  const found = personalRank([forward], live, [0], options, (a, b) => a - b);
  expect(numbers(found.nodes)).toEqual([0, 1, 3]);
  expect(found.scores.reduce((sum, score) => sum + score, 0)).toBeCloseTo(1, 5);
  expect(numbers(personalRank([forward], live, [0], { ...options, limit: 1 }, (a, b) => a - b).nodes)).toEqual([0]);
  expect(numbers(personalRank([forward], live, [4], options, (a, b) => a - b).nodes)).toEqual([]);
});

/** Links into one hub, and chains between its neighbors. */
function wheel(size: number): Arrows {
  const rows = (targets: number[][]): Rows => ({
    starts: Int32Array.from(targets, (_, node) => targets.slice(0, node).reduce((sum, row) => sum + row.length, 0)),
    ends: Int32Array.from(targets, (_, node) => targets.slice(0, node + 1).reduce((sum, row) => sum + row.length, 0)),
    targets: Int32Array.from(targets.flat()),
    relations: new Uint8Array(targets.flat().length),
    confidences: new Uint8Array(targets.flat().length).fill(200),
  });
  const spokes = Array.from({ length: size }, (_, node) => node).slice(1);
  const forward = rows([[], ...spokes.map(node => (node % 7 === 0 ? [0] : [0, 1 + (node % (size - 1))]))]);
  const backward = rows([spokes, ...spokes.map(node => (node > 1 && (node - 1) % 7 !== 0 ? [node - 1] : []))]);
  return { forward, backward, live: new Uint8Array(size).fill(1) };
}

test('a personal walk ranks as power iteration does, also beside a hub', () => {
  const { forward, backward, live } = wheel(1500);
  const options = { ...PERSONAL_RANK, weights: ONES, limit: 10 };
  for (const seeds of [[3], [10, 500], [0, 20]]) {
    const exact = pageRank([forward, backward], live, seeds, { weights: ONES, damping: 0.85, maxIterations: 20, tolerance: 0 });
    const found = personalRank([forward, backward], live, seeds, options, (a, b) => a - b);
    const best = numbers(found.nodes).map(node => exact[node] ?? 0);
    expect(best).toEqual(best.toSorted((a, b) => b - a));
    expect(best[0]).toBeCloseTo(found.scores[0] ?? 0, 3);
    const outside = exact.filter((_, node) => !found.nodes.includes(node));
    expect(Math.max(...outside)).toBeLessThanOrEqual((best.at(-1) ?? 0) * 1.02);
  }
});

test('a hub that would give each neighbor next to nothing is not walked', () => {
  const size = 300_001;
  const starts = new Int32Array(size);
  const ends = new Int32Array(size);
  for (let node = 1; node < size; node++) ends[node] = (starts[node] = node - 1) + 1;
  const confidences = new Uint8Array(size).fill(200);
  const relations = new Uint8Array(size);
  const forward = { starts, ends, targets: new Int32Array(size), relations, confidences };
  const fromHub = new Int32Array(size).fill(size - 1);
  fromHub[0] = 0;
  const spokes = Int32Array.from({ length: size - 1 }, (_, at) => at + 1);
  const backward = { starts: fromHub, ends: new Int32Array(size).fill(size - 1), targets: spokes, relations, confidences };
  const steps = personalRankSteps([forward, backward], new Uint8Array(size).fill(1), [1], { ...PERSONAL_RANK, weights: ONES }, (a, b) => a - b);
  let pauses = 0;
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) pauses++;
  expect(pauses).toBe(0);
  expect(numbers(step.value.nodes)).toEqual([1, 0]);
});

const priorities = shuffled(34, seeded(42));

test('Louvain finds the four groups of the karate club', () => {
  const groups = runAtOnce(louvainSteps(club, { resolution: 1, priorities }));
  expect(groups.count).toBe(4);
  expect(modularity(club, groups.of)).toBeGreaterThanOrEqual(0.415);
  expect(modularity(club, groups.of)).toBeLessThanOrEqual(0.4198);
  expect(groups.of[0]).not.toBe(groups.of[33]);
  expect(runAtOnce(louvainSteps(club, { resolution: 1, priorities }))).toEqual(groups);
});

test('a lower resolution gives fewer groups, a higher one more', () => {
  const count = (resolution: number): number => runAtOnce(louvainSteps(club, { resolution, priorities })).count;
  expect(count(0.3)).toBeLessThan(4);
  expect(count(3)).toBeGreaterThan(4);
});

test('groups are connected, disjoint and cover everything', () => {
  const random = (index: number): number => ((index * 7919) % 101) % 60;
  const pairs = Array.from({ length: 120 }, (_, index) => `${random(index)}>${random(index + 37)}`).join(' ');
  const graph = simple(64, pairs);
  const { of, count } = runAtOnce(louvainSteps(graph, { resolution: 1, priorities: shuffled(64, seeded(42)) }));
  expect(new Set(of).size).toBe(count);
  for (let group = 0; group < count; group++) {
    const members = numbers(of).flatMap((own, place) => (own === group ? [place] : []));
    const seen = new Set(members.slice(0, 1));
    for (const node of seen) {
      for (let link = graph.starts[node] ?? 0; link < (graph.starts[node + 1] ?? 0); link++) {
        const other = graph.targets[link] ?? 0;
        if (of[other] === group) seen.add(other);
      }
    }
    expect(seen.size).toBe(members.length);
  }
});
