import { expect, test } from 'vitest';
import { fitSubgraph } from '../../server/src/tools/definitions/subgraphBudget';
import { estimateTokens } from '../../server/src/tools/shaping';

const ids = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, at) => `src/${prefix}/file${at}.ts::Some::member${at}`);
const hits = ids('hit', 5);
const around = ids('near', 20);
const PARTS = {
  rows: hits.map(id => ({ chunk_id: id, graph: { calls: ids('callee', 5), called_by: ids('caller', 5) } })),
  neighbors: around.map(id => ({ chunk_id: id, source: 'ego_graph' })),
  subgraph: {
    subgraph_nodes: [...hits, ...around].map(id => ({ id })),
    subgraph_edges: [...around.map(id => ({ src: hits[0], tgt: 'elsewhere', rel: id, boundary: true })), { src: hits[0], tgt: hits[1], rel: 'calls' }],
    subgraph_order: [...around, ...hits],
    subgraph_communities: { 1: { label: 'a', count: 25 } },
  },
};

test.each([600, 1200, 2500, 100_000])('an answer of %i tokens has something of every part', budget => {
  const { results, subgraph, isCut } = fitSubgraph(PARTS, budget);
  expect(estimateTokens({ results, ...subgraph })).toBeLessThanOrEqual(budget - 100);
  expect(results.slice(0, 5).map(row => row['chunk_id'])).toEqual(hits);
  expect((subgraph['subgraph_edges'] as readonly { readonly rel: string }[]).some(edge => edge.rel === 'calls')).toBe(true);
  expect((subgraph['subgraph_nodes'] as readonly unknown[])[0]).toEqual({ id: hits[0] });
  expect(isCut).toBe(budget < 2500);
});

test('what fits is not touched', () => {
  expect(fitSubgraph(PARTS, Number.POSITIVE_INFINITY)).toEqual({ results: [...PARTS.rows, ...PARTS.neighbors], subgraph: PARTS.subgraph, isCut: false });
});
