import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';

test('an export in parts is the export in one', async () => {
  const whole = (await outcomeOf('exportGraph', {})).rows as unknown[];
  const parts: unknown[] = [];
  for (let offset: unknown = 0; offset !== undefined; ) {
    const part = await outcomeOf('exportGraph', { offset, limit: 3 });
    parts.push(...(part.rows as unknown[]));
    offset = part.nextOffset;
  }
  expect(parts).toEqual(whole);
  expect(whole).toContainEqual({
    type: 'node',
    id: 'src/pay.ts::total',
    nodeType: 'symbol',
    kind: 'function',
    name: 'total',
    file: 'src/pay.ts',
    startLine: 11,
    endLine: 13,
  });
  expect(whole).toContainEqual({
    type: 'edge',
    relation: 'CALLS',
    source: 'src/report.ts::report',
    target: 'src/pay.ts::total',
    line: 2,
    confidence: 0.4,
    provenance: 'heuristic',
  });
});

test('weak edges stay out of an export that asks for sure ones', async () => {
  expect(JSON.stringify((await outcomeOf('exportGraph', { minConfidence: 0.5 })).rows)).not.toContain('heuristic');
});
