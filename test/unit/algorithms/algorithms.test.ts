import { expect, test } from 'vitest';
import { cycles, dependenciesFirst, stronglyConnected } from '../../../server/src/algorithms/components';
import { pageRank } from '../../../server/src/algorithms/pageRank';
import { reach, shortestPath } from '../../../server/src/algorithms/reach';
import { kindsOf, type LinkFilter } from '../../../server/src/algorithms/rows';
import { arrows } from './rowsOf';

const every: LinkFilter = { kinds: kindsOf([0, 1]), minConfidence: 0 };
const numbers = (values: ArrayLike<number>): number[] => Array.from(values);

/** The graph of the example in Cormen et al., "Introduction to Algorithms", figure 22.9: a…h are 0…7. */
const cormen = '0>1 1>2 1>4 1>5 2>3 2>6 3>2 3>7 4>0 4>5 5>6 6>5 6>7 7>7';

test('a walk counts hops from the nearest seed and stops at its depth', () => {
  const { forward, live } = arrows(6, '0>1 1>2 2>3 4>2');
  expect(numbers(reach([forward], live, [0, 4], 2, every).depths)).toEqual([0, 1, 1, 2, 0, -1]);
  expect(numbers(reach([forward], live, [0], 1, every).nodes)).toEqual([0, 1]);
});

test('both halves make it undirected', () => {
  const { forward, backward, live } = arrows(4, '1>0 2>1 3>2');
  expect(numbers(reach([forward, backward], live, [1], 1, every).depths)).toEqual([1, 0, 1, -1]);
});

test('links of other kinds, weak links and dead nodes are passed over', () => {
  const { forward, live } = arrows(4, '0>1:1 0>2 2>3');
  live[2] = 0;
  expect(numbers(reach([forward], live, [0], 9, { kinds: kindsOf([0]), minConfidence: 0 }).nodes)).toEqual([0]);
  expect(numbers(reach([forward], live, [0], 9, every).nodes)).toEqual([0, 1]);
  expect(numbers(reach([forward], live, [0], 9, { ...every, minConfidence: 201 }).nodes)).toEqual([0]);
});

test.each([
  ['0>1 1>2 2>3 0>3', 0, 3, [0, 3]],
  ['0>1 1>2 2>3', 0, 3, [0, 1, 2, 3]],
  ['0>1 1>0', 1, 1, [1]],
  ['0>1 2>3', 0, 3, undefined],
])('the shortest path of %s from %i to %i', (pairs, from, to, path) => {
  const { forward, live } = arrows(4, pairs);
  expect(shortestPath([forward], live, from, to, every)).toEqual(path);
});

test('the strongly connected components of the textbook graph', () => {
  const { forward, live } = arrows(8, cormen);
  expect(cycles(stronglyConnected(forward, live, every))).toEqual([
    [0, 1, 4],
    [2, 3],
    [5, 6],
  ]);
  expect(stronglyConnected(forward, live, every).count).toBe(4);
});

test('a chain of 200,000 nodes that closes into one cycle does not overflow the stack', () => {
  const size = 200_000;
  const starts = Int32Array.from({ length: size }, (_, node) => node);
  const forward = {
    starts,
    ends: starts.map(start => start + 1),
    targets: starts.map(node => (node + 1) % size),
    relations: new Uint8Array(size),
    confidences: new Uint8Array(size),
  };
  expect(stronglyConnected(forward, new Uint8Array(size).fill(1), every).count).toBe(1);
});

test.each([
  ['0>1 1>2', [2, 1, 0]],
  ['2>0 2>1', [0, 1, 2]],
  ['0>1 1>0 0>2', [2, 0, 1]],
  ['', [0, 1, 2]],
])('dependencies come first in %s', (pairs, order) => {
  const { forward } = arrows(3, pairs);
  expect(dependenciesFirst(forward, [0, 1, 2], every, (a, b) => a - b)).toEqual(order);
});

const options = { weights: new Float64Array(256).fill(1), damping: 0.85, maxIterations: 200, tolerance: 1e-12 };

test('PageRank of a chain with a dead end, solved by hand', () => {
  const { forward, live } = arrows(3, '0>1 1>2');
  // x0 = b, x1 = b + .85 x0, x2 = b + .85 x1 with b = 1 / (1 + 1.85 + 2.5725).
  const base = 1 / (1 + 1.85 + 2.5725);
  const ranks = pageRank([forward], live, undefined, options);
  expect(numbers(ranks).map(rank => rank.toFixed(9))).toEqual([base, 1.85 * base, 2.5725 * base].map(rank => rank.toFixed(9)));
});

/** Solves the PageRank equations by Gaussian elimination: an independent way to the same numbers. */
function solved(size: number, pairs: string, seeds: readonly number[]): number[] {
  const links = pairs.split(' ').map(pair => pair.split('>').map(Number));
  const degree = Array.from({ length: size }, (_, node) => links.filter(([from]) => from === node).length);
  const restart = Array.from({ length: size }, (_, node) => (seeds.includes(node) ? 1 / seeds.length : 0));
  const rows = Array.from({ length: size }, (_, to) => {
    const row = Array.from({ length: size }, (_unused, from) => {
      const followed = degree[from] === 0 ? (restart[to] ?? 0) : links.filter(([a, b]) => a === from && b === to).length / (degree[from] ?? 1);
      return (from === to ? 1 : 0) - 0.85 * followed;
    });
    return [...row, 0.15 * (restart[to] ?? 0)];
  });
  for (let pivot = 0; pivot < size; pivot++) {
    for (let row = 0; row < size; row++) {
      if (row === pivot) continue;
      const factor = (rows[row]?.[pivot] ?? 0) / (rows[pivot]?.[pivot] ?? 1);
      for (let column = pivot; column <= size; column++) (rows[row] ?? [])[column] = (rows[row]?.[column] ?? 0) - factor * (rows[pivot]?.[column] ?? 0);
    }
  }
  return rows.map((row, node) => (row[size] ?? 0) / (row[node] ?? 1));
}

test.each([[[0, 1, 2, 3, 4, 5, 6, 7]], [[0]], [[2, 5]]])('PageRank restarting at %j agrees with the solved equations', seeds => {
  const { forward, live } = arrows(8, cormen);
  const ranks = pageRank([forward], live, seeds, options);
  expect(numbers(ranks).map(rank => rank.toFixed(9))).toEqual(solved(8, cormen, seeds).map(rank => rank.toFixed(9)));
});

test('the start makes no difference to where PageRank ends', () => {
  const { forward, live } = arrows(8, cormen);
  const cold = pageRank([forward], live, undefined, options);
  const warm = pageRank([forward], live, undefined, { ...options, initial: Float64Array.from([5, 0, 0, 1]) });
  expect(numbers(warm).map(rank => rank.toFixed(9))).toEqual(numbers(cold).map(rank => rank.toFixed(9)));
});

test('scores sum to 1, also over disconnected parts; nothing to start from gives zeros', () => {
  const { forward, live } = arrows(5, '0>1 2>3');
  expect(numbers(pageRank([forward], live, undefined, options)).reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9);
  expect(numbers(pageRank([forward], live, [], options))).toEqual([0, 0, 0, 0, 0]);
});
