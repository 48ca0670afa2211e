import type { WorkspaceSketch } from './graphOf';

/** Types and what uses them: `Circle` implements `Shape`, `make` makes one, `inner` calls `make` for certain and `area` possibly, a test calls `make`. */
export const shapes: WorkspaceSketch = {
  'a.ts': {
    symbols: [
      { name: 'Shape', kind: 'interface', lines: [1, 3] },
      { name: 'Circle', kind: 'class', lines: [5, 9], modifiers: ['exported'] },
      { name: 'Circle.area', kind: 'method', lines: [6, 8] },
      { name: 'make', lines: [11, 12], modifiers: ['exported'] },
      { name: 'inner', lines: [14, 15] },
      { name: 'LIMIT', kind: 'constant', lines: [17, 17], modifiers: ['exported'] },
    ],
    references: [
      { from: 'Circle', relation: 'IMPLEMENTS', to: 'a.ts::Shape', line: 5 },
      { from: 'make', relation: 'INSTANTIATES', to: 'a.ts::Circle', line: 12 },
      { from: 'inner', relation: 'CALLS', to: 'a.ts::make', line: 15 },
      { from: 'inner', relation: 'CALLS', to: 'a.ts::Circle::area', source: 'heuristic', line: 15 },
    ],
    lines: 17,
  },
  'a.test.ts': {
    isTest: true,
    symbols: [{ name: 'T', kind: 'class' }, { name: 'works' }],
    references: [{ from: 'works', relation: 'CALLS', to: 'a.ts::make' }],
  },
};
