import { expect } from 'vitest';
import { testsReaching } from '../../server/src/features/testSelection/reach/reachedTests';
import { NO_NODE } from '../../server/src/model/ids';
import { readTexts } from './surfaceOf';

/** The cases that reach a symbol, or those that do for certain, without the path of their file, sorted. */
export async function casesOf(files: Readonly<Record<string, string>>, id: string, which: 'all' | 'certain' = 'all'): Promise<readonly string[]> {
  const { graph } = await readTexts(new Map(Object.entries(files)));
  const start = graph.find(id) ?? NO_NODE;
  expect(start, id).not.toBe(NO_NODE);
  const { tests, walk } = testsReaching(graph, new Set([start]));
  return tests
    .filter(({ end }) => which === 'all' || walk.certain[end] === 1)
    .map(({ node }) => graph.idOf(node).replace(/^[^:]+::/, ''))
    .toSorted();
}
