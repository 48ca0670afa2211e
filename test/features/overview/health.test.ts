import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';
import { type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

test('health counts, finds cycles and the most central symbols', async () => {
  const ring: WorkspaceSketch = {
    // Types alone close no cycle.
    'c.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'd.ts' }] },
    'd.ts': {
      references: [
        { from: '', relation: 'IMPORTS', to: 'c.ts' },
        { from: '', relation: 'IMPORTS_TYPES', to: 'c.ts' },
      ],
    },
    'a.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'b.ts' }] },
    'b.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'a.ts' }] },
    ...shop,
  };
  expect(await outcomeOf('health', {}, workspaceOf(ring))).toMatchObject({
    graph: {
      files: 10,
      symbols: 7,
      cycles: [{ size: 2, files: ['a.ts', 'b.ts'] }],
      references: { resolved: 14, unresolved: 2, resolutionRate: 0.875 },
      hotspots: [{ id: 'src/pay.ts::total', dependents: 1 }, { id: 'src/pay.ts::Till::add' }, { id: 'src/pay.ts::Till' }],
    },
  });
});
