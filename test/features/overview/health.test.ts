import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

test('health counts, finds cycles and the most central symbols', async () => {
  const ring: WorkspaceSketch = {
    'a.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'b.ts' }] },
    'b.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'a.ts' }] },
    ...shop,
  };
  expect(await outcomeOf('health', {}, workspaceOf(ring))).toMatchObject({
    graph: {
      files: 8,
      symbols: 7,
      cycles: [{ size: 2, files: ['a.ts', 'b.ts'] }],
      references: { resolved: 11, unresolved: 2, resolutionRate: 0.8462 },
      hotspots: [{ id: 'src/pay.ts::total', dependents: 1 }, { id: 'src/pay.ts::Till::add' }, { id: 'src/pay.ts::Till' }],
    },
  });
});
