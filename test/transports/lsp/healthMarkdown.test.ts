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
      { ...language, language: 'csharp', symbols: 2, errorShare: 0.25 },
      { ...language, language: 'typescript', symbols: 10 },
    ],
    hotspots: [
      { ...spot, score: 1440, changes: 6, complexity: 20, dependents: 12 },
      { ...spot, id: 'src/a.ts::Page::still', name: 'still', score: 0, changes: 0, complexity: 0, dependents: 3 },
    ],
    relations: [],
    cycles: [],
    cycleCount: 0,
  } as unknown as GraphFigures;
  const lines = healthMarkdown('shop', { graph, engine: HEALTH } as never, (path, line) => (line === 3 ? `/${path}#L3` : undefined)).split('\n');
  expect(lines.filter(line => /TypeScript|C#/.test(line)).map(line => line.split(/[|<]/)[1]?.trim())).toEqual(['TypeScript', 'C#']);
  // Shares are figures, and stand to the right as counts do; each table scrolls by itself.
  expect(lines).toContain('| --- | --- | ---: |');
  expect(lines).toContain('| C#<br>25% with syntax errors | 2<br>in 1 file | 100% |');
  expect(lines.filter(line => line.startsWith('| Language'))).toHaveLength(1);
  expect(lines[lines.findIndex(line => line.startsWith('| Language')) - 2]).toBe('<div style="overflow-x: auto">');
  expect(lines.filter(line => /\[(?:pay|Page.still)\]/.test(line))).toEqual([
    '| [pay](/src/a.ts#L3)<br>function in [src/a.ts:3](/src/a.ts#L3) | 1,440<br>6 changes in a year, complexity 20, 12 users |',
    '| [Page.still](/src/a.ts#L3)<br>function in [src/a.ts:3](/src/a.ts#L3) | –<br>0 changes in a year, 3 users |',
  ]);
  // A page beside code is as narrow as 400 pixels, which more columns do not fit into.
  for (const line of lines) expect(line.split(' | ').length, line).toBeLessThanOrEqual(3);
});

test('the page says in words whether the index is up to date and follows changes', () => {
  const page = (engine: object): string =>
    healthMarkdown('shop', { engine: { ...HEALTH, progress: { phase: 'ready', done: 1, total: 1 }, ...engine } } as never, () => undefined);
  expect(page({ pendingFiles: 0, watcherState: 'idle' })).toContain('**The index is up to date.** Files are watched for changes.');
  expect(page({ pendingFiles: 2, watcherState: 'debouncing' })).toContain('**The index is ready.** 2 files changed since. Changes are being collected.');
});
