import type { FileSketch, WorkspaceSketch } from '../../helpers/graphOf';

export const RULES = '.lattice/architecture.yaml';
export const imports = (to: string, line = 1): NonNullable<FileSketch['references']>[number] => ({ from: '', relation: 'IMPORTS', to, source: 'import', line });

export const SKETCH: WorkspaceSketch = {
  'src/ui/page.ts': {
    symbols: [{ name: 'Page', kind: 'class', lines: [3, 9] }],
    references: [
      imports('src/app/cart.ts', 1),
      imports('src/domain/money.ts', 2),
      { from: 'Page', relation: 'CALLS', to: 'src/domain/money.ts::add', source: 'import', line: 5 },
    ],
  },
  'src/app/cart.ts': { symbols: [{ name: 'Cart', kind: 'class' }], references: [imports('src/domain/money.ts'), imports('src/db/pool.ts', 2)] },
  'src/domain/money.ts': { symbols: [{ name: 'add', lines: [2, 3] }], references: [imports('external::express'), imports('src/domain/rate.ts', 2)] },
  'src/domain/rate.ts': { symbols: [{ name: 'rate' }], references: [imports('src/domain/money.ts', 4)] },
  'src/db/index.ts': { references: [imports('src/db/pool.ts')] },
  'src/db/pool.ts': { symbols: [{ name: 'Pool', kind: 'class' }] },
  'src/other.ts': { references: [{ from: '', relation: 'IMPORTS', to: 'src/ui/page.ts', source: 'heuristic' }] },
};

export const LAYERS = `version: 1
layers:
  - {id: ui, include: ["src/ui/**"], mayDependOn: [app]}
  - {id: app, include: ["src/app/**"], mayDependOn: [domain]}
  - {id: domain, include: ["src/domain/**"], mayDependOn: []}
`;
