import { expect, test } from 'vitest';
import type { GraphFigures } from '../../../server/src/features/overview/health';
import { healthMarkdown } from '../../../server/src/transports/lsp/healthMarkdown';
import { HEALTH } from '../fakeHost';

test('languages are named and in order of their symbols; hotspots show the score that they are in order of', () => {
  const sites = { resolved: 1, unresolved: 0, external: 0, dynamic: 0 };
  const language = { files: 1, symbols: 1, sites, resolutionRate: 1, errorShare: 0 };
  const spot = { id: 'src/a.ts::pay', name: 'pay', kind: 'function', path: 'src/a.ts', startLine: 3, endLine: 9, nameLine: 3, nameColumn: 0, centrality: 0 };
  const graph = {
    files: 3,
    symbols: 12,
    edges: 5,
    references: { ...sites, rate: 1 },
    languages: [
      { ...language, language: 'csharp', symbols: 2 },
      { ...language, language: 'typescript', symbols: 10 },
    ],
    hotspots: [
      { ...spot, score: 1440, changes: 6, complexity: 20, dependents: 12 },
      { ...spot, name: 'still', score: 0, changes: 0, complexity: 0, dependents: 3 },
    ],
    relations: [],
    cycles: [],
    cycleCount: 0,
  } as unknown as GraphFigures;
  const lines = healthMarkdown('shop', { graph, engine: HEALTH } as never, () => undefined).split('\n');
  expect(lines.filter(line => /TypeScript|C#/.test(line)).map(line => line.split('|')[1]?.trim())).toEqual(['TypeScript', 'C#']);
  expect(lines.filter(line => /`(?:pay|still)`/.test(line))).toEqual([
    '| `pay` | function | 1,440 | 6 | 20 | 12 | src/a.ts:3 |',
    '| `still` | function | – | 0 | – | 3 | src/a.ts:3 |',
  ]);
});
