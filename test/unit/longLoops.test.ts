import { expect, test } from 'vitest';
import { louvainSteps } from '../../server/src/algorithms/louvain';
import { pageRankSteps } from '../../server/src/algorithms/pageRank';
import { pathCentralitySteps } from '../../server/src/algorithms/pathCentrality';
import { seeded } from '../../server/src/algorithms/random';
import { type SimpleGraph, simpleGraphSteps } from '../../server/src/algorithms/simpleGraph';
import { BackwardRows, ROWS_PER_STEP } from '../../server/src/code/graph/backwardRows';
import { EdgePool } from '../../server/src/code/graph/edgePool';
import { bodyOf, Dependencies } from '../../server/src/code/resolve/dependencies';
import { fileNumber, NO_KEY, nameNumber } from '../../server/src/code/resolve/numbers';
import { Values } from '../../server/src/code/resolve/values';
import { nodeHandle } from '../../server/src/model/ids';
import { encodePackRecord, packFileHeader, scanPack } from '../../server/src/store/packFormat';

const NODES = 60_000;
const LINKS_EACH = 4;
const random = seeded(7);
const targets = Int32Array.from({ length: NODES * LINKS_EACH }, () => Math.floor(random() * NODES));
const rows = {
  starts: Int32Array.from({ length: NODES }, (_, node) => node * LINKS_EACH),
  ends: Int32Array.from({ length: NODES }, (_, node) => (node + 1) * LINKS_EACH),
  targets,
  relations: new Uint8Array(targets.length),
  confidences: new Uint8Array(targets.length),
};
const nodes = Int32Array.from({ length: NODES }, (_, node) => node);
const weights = new Float64Array(256).fill(1);

/** What steps give, and how many there were. */
function counted<T>(steps: Generator<unknown, T>): { readonly value: T; readonly steps: number } {
  for (let count = 1; ; count++) {
    const step = steps.next();
    if (step.done === true) return { value: step.value, steps: count };
  }
}

test('loops over a whole graph yield often enough', () => {
  const live = new Uint8Array(NODES).fill(1);
  const ranked = counted(pageRankSteps([rows], live, undefined, { weights, damping: 0.85, maxIterations: 1, tolerance: 0 }));
  // Once to sum up the links, once to follow them.
  expect(ranked.steps).toBeGreaterThan(2 * (NODES / 10_000));
  expect(counted(simpleGraphSteps([rows], nodes, NODES, weights)).steps).toBeGreaterThan(NODES / 1_000);
  const starts = Int32Array.from({ length: NODES + 1 }, (_, node) => node * LINKS_EACH);
  const simple: SimpleGraph = { starts, targets, weights: new Float64Array(targets.length).fill(1) };
  expect(counted(pathCentralitySteps(simple, { maxSources: 1, seed: 1 })).steps).toBeGreaterThan(2 * (NODES / 3_000));
  // Without links nobody moves: sums, order and connected parts are all there is to do.
  const alone: SimpleGraph = { starts: new Int32Array(NODES + 1), targets: new Int32Array(0), weights: new Float64Array(0) };
  expect(counted(louvainSteps(alone, { resolution: 1, priorities: nodes })).steps).toBeGreaterThan(2 * (NODES / 20_000));
});

test('edges by target are filled in steps', () => {
  const pool = new EdgePool(10);
  for (let edge = 0; edge < 5 * ROWS_PER_STEP; edge++)
    pool.append({ source: nodeHandle(edge % 100), target: nodeHandle(edge % 77), relation: 1, confidence: 100, provenance: 0, count: 1 }, [], 0, 0);
  const starts = new Int32Array(100);
  const ends = new Int32Array(100);
  const backward = new BackwardRows(0);
  expect(counted(backward.fill(pool.columns, pool.length, starts, ends)).steps).toBeGreaterThan(10);
  expect(backward.length).toBe(5 * ROWS_PER_STEP);
  expect(backward.columns.targets[starts[3] ?? 0]).toBe(3);
});

test('dependencies are found while and after the table that holds them grows', () => {
  const dependencies = new Dependencies();
  const keys = Array.from({ length: 3_000 }, (_, at) => dependencies.unit(fileNumber(at), nameNumber(1)));
  const expected = new Map<number, Set<number>>();
  const draw = seeded(3);
  for (let round = 0; round < 60_000; round++) {
    const from = Math.floor(draw() * keys.length);
    const to = Math.floor(draw() * 300);
    dependencies.current = bodyOf(keys[from] ?? NO_KEY);
    dependencies.consult(keys[to] ?? NO_KEY);
    expected.set(to, (expected.get(to) ?? new Set<number>()).add(from));
  }
  for (const [to, users] of [...expected].slice(0, 50)) expect(dependencies.dependents([keys[to] ?? NO_KEY])).toEqual(users);
  const { from, to } = dependencies.toColumns();
  const pairs = new Set(Array.from(from, (key, at) => `${key} ${to[at]}`));
  expect(pairs.size).toBe(from.length);
});

test('values keep their numbers while the table that holds them grows', () => {
  const values = new Values();
  const numbers = Array.from({ length: 30_000 }, (_, at) => values.instance(nodeHandle(at)));
  expect(new Set(numbers).size).toBe(numbers.length);
  expect(Array.from({ length: 30_000 }, (_, at) => values.instance(nodeHandle(at)))).toEqual(numbers);
});

test('the records of a pack are read in steps', () => {
  const records = Array.from({ length: 20_000 }, (_, at) => encodePackRecord(`key ${at}`, Uint8Array.of(at)));
  const bytes = Buffer.concat([packFileHeader('1'), ...records.flatMap(({ head, value }) => [head, value])]);
  const scan = counted(scanPack(bytes, '1'));
  expect(scan.value.index.size).toBe(records.length);
  expect(scan.steps).toBeGreaterThan(10);
});
