/**
 * Our figures beside those of graphology, a library written independently, on random graphs that are the same each time.
 * Conventions that differ are named where they are bridged.
 */

import Graph from 'graphology';
import louvain from 'graphology-communities-louvain';
import betweennessCentrality from 'graphology-metrics/centrality/betweenness';
import closenessCentrality from 'graphology-metrics/centrality/closeness';
import { degreeCentrality as degreesOf } from 'graphology-metrics/centrality/degree';
import pagerank from 'graphology-metrics/centrality/pagerank';
import modularityOf from 'graphology-metrics/graph/modularity';
import { singleSourceLength } from 'graphology-shortest-path/unweighted';
import { describe, expect, test } from 'vitest';
import { louvainSteps, modularity } from '../../../server/src/algorithms/louvain';
import { pageRank } from '../../../server/src/algorithms/pageRank';
import { degreeCentrality, pathCentralitySteps } from '../../../server/src/algorithms/pathCentrality';
import { seeded, shuffled } from '../../../server/src/algorithms/random';
import { reach, shortestPath } from '../../../server/src/algorithms/reach';
import { kindsOf } from '../../../server/src/algorithms/rows';
import { type SimpleGraph, simpleGraphSteps } from '../../../server/src/algorithms/simpleGraph';
import { runAtOnce } from '../../../server/src/base/steps';
import { arrows } from './rowsOf';

interface Sample {
  readonly name: string;
  readonly size: number;
  readonly links: number;
  /** Links stay inside this many parts, so that the graph is not connected. */
  readonly parts: number;
  readonly seed: number;
}

const SAMPLES: readonly Sample[] = [
  { name: 'sparse', size: 90, links: 110, parts: 1, seed: 1 },
  { name: 'of middling density', size: 80, links: 400, parts: 1, seed: 2 },
  { name: 'dense', size: 40, links: 900, parts: 1, seed: 3 },
  { name: 'in five parts', size: 100, links: 220, parts: 5, seed: 4 },
  { name: 'mostly of single nodes', size: 60, links: 14, parts: 1, seed: 5 },
];

/** Weight of a link by its kind, as whole hundredths. */
const WEIGHTS = Float64Array.from({ length: 256 }, (_, kind) => [0.9, 0.5, 0.25][kind] ?? 0);
const ALL = { kinds: kindsOf([0, 1, 2]), minConfidence: 0 };
const TOLERANCE = 1e-6;

/** Directed links between different nodes, each pair once in each direction; few nodes get many of them, as in code. */
function linksOf({ size, links, parts, seed }: Sample): readonly { readonly from: number; readonly to: number; readonly kind: number }[] {
  const random = seeded(seed);
  const drawn = Array.from({ length: links }, () => {
    const from = Math.floor(random() * size);
    const any = Math.floor(random() ** 2 * size);
    const to = parts === 1 ? any : any - (any % parts) + (from % parts);
    return { from, to, kind: Math.floor(random() * 3) };
  });
  const different = drawn.filter(({ from, to }) => from !== to && to < size);
  return [...new Map(different.map(link => [`${link.from}>${link.to}`, link])).values()];
}

function both(sample: Sample) {
  const links = linksOf(sample);
  const directed = new Graph({ type: 'directed' });
  const undirected = new Graph({ type: 'undirected' });
  for (let node = 0; node < sample.size; node++) for (const graph of [directed, undirected]) graph.addNode(String(node));
  for (const { from, to, kind } of links) {
    directed.addEdge(String(from), String(to), { weight: WEIGHTS[kind] });
    // Our projection adds up what leads one way and the other.
    undirected.updateEdge(String(from), String(to), ({ weight = 0 }) => ({ weight: Number(weight) + (WEIGHTS[kind] ?? 0) }));
  }
  const rows = arrows(sample.size, links.map(({ from, to, kind }) => `${from}>${to}:${kind}`).join(' '));
  const nodes = Int32Array.from({ length: sample.size }, (_, node) => node);
  const simple = runAtOnce(simpleGraphSteps([rows.forward, rows.backward], nodes, sample.size, WEIGHTS));
  return { directed, undirected, rows, simple };
}

function expectAlike(ours: ArrayLike<number>, theirs: Readonly<Record<string, number>>): void {
  const apart = Array.from(ours, (value, node) => ({ node, value, other: theirs[node] ?? Number.NaN })).filter(
    ({ value, other }) => !(Math.abs(value - other) <= TOLERANCE),
  );
  expect(apart).toEqual([]);
  expect(Object.keys(theirs)).toHaveLength(ours.length);
}

function isConnectedInside({ starts, targets }: SimpleGraph, of: Int32Array, group: number): boolean {
  const members = [...of.keys()].filter(place => of[place] === group);
  const seen = new Set(members.slice(0, 1));
  for (const place of seen) for (const other of targets.subarray(starts[place], starts[place + 1])) if (of[other] === group) seen.add(other);
  return seen.size === members.length;
}

describe.each(SAMPLES)('a graph $name', sample => {
  const { directed, undirected, rows, simple } = both(sample);

  test('has the same PageRank along weighted links', () => {
    const options = { weights: WEIGHTS, damping: 0.85, maxIterations: 500, tolerance: 1e-12 };
    // Theirs stops when the scores move by less than the tolerance times the number of nodes.
    const theirs = (graph: Graph) => pagerank(graph, { getEdgeWeight: 'weight', alpha: 0.85, maxIterations: 500, tolerance: 1e-12 });
    expectAlike(pageRank([rows.forward], rows.live, undefined, options), theirs(directed));
    expectAlike(pageRank([rows.forward, rows.backward], rows.live, undefined, options), theirs(undirected));
  });

  test('has the same degree, betweenness and closeness, all by hops', () => {
    const { betweenness, closeness } = runAtOnce(pathCentralitySteps(simple, { maxSources: sample.size, seed: 42 }));
    expectAlike(degreeCentrality(simple), degreesOf(undirected));
    // Theirs would read weights as distances.
    expectAlike(betweenness, betweennessCentrality(undirected, { getEdgeWeight: null, normalized: true }));
    // Ours is scaled by the share that can be reached.
    expectAlike(closeness, closenessCentrality(undirected, { wassermanFaust: true }));
  });

  test('has shortest paths of the same lengths, with the links and against them', () => {
    for (let start = 0; start < sample.size; start += 7) {
      const along = singleSourceLength(directed, String(start));
      const any = singleSourceLength(undirected, String(start));
      // Theirs leaves out what is not reached.
      const depths = (halves: readonly (typeof rows.forward)[]) => reach(halves, rows.live, [start], Number.POSITIVE_INFINITY, ALL).depths;
      const lengths = (found: Readonly<Record<string, number>>) => Array.from({ length: sample.size }, (_, node) => found[node] ?? -1);
      expect([...depths([rows.forward])]).toEqual(lengths(along));
      expect([...depths([rows.forward, rows.backward])]).toEqual(lengths(any));
      for (let end = 0; end < sample.size; end += 11) {
        const path = shortestPath([rows.forward], rows.live, start, end, ALL);
        expect(path === undefined ? undefined : path.length - 1).toBe(along[end]);
      }
    }
  });

  test('has communities that are connected and no worse than theirs, by the same modularity', () => {
    const { of, count } = runAtOnce(louvainSteps(simple, { resolution: 1, priorities: shuffled(simple.starts.length - 1, seeded(42)) }));
    expect([...Array(count).keys()].filter(group => !isConnectedInside(simple, of, group))).toEqual([]);
    if (undirected.size === 0) return;
    const getNodeCommunity = (node: string) => of[Number(node)] ?? -1;
    const own = modularity(simple, of);
    expect(own).toBeCloseTo(modularityOf(undirected, { getNodeCommunity }), 6);
    // Both are greedy and follow chance; ours must not lose more than that.
    const theirs = louvain.detailed(undirected, { resolution: 1, rng: seeded(42) });
    expect(own).toBeGreaterThanOrEqual(theirs.modularity - 0.01);
    expect(modularity(simple, of, 1.7)).toBeCloseTo(modularityOf(undirected, { getNodeCommunity, resolution: 1.7 }), 6);
  });
});
