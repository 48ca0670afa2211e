import type { WorkspaceSketch } from './graphOf';

/** A small shop: `total` is called by `Till.add`, that by `checkout`, that by a test; `report` may call `total`. */
export const shop: WorkspaceSketch = {
  'src/pay.ts': {
    symbols: [
      { name: 'Till', kind: 'class', lines: [1, 9], doc: 'Takes money. Gives change.', signature: 'export class Till' },
      { name: 'Till.add', kind: 'method', lines: [2, 4], signature: 'add(price: number): void', complexity: 2 },
      { name: 'total', lines: [11, 13], doc: 'Sums all lines of a bill.', signature: 'function total(lines: Line[]): number', modifiers: ['exported'] },
    ],
    references: [{ from: 'Till.add', relation: 'CALLS', to: 'src/pay.ts::total', line: 3, column: 10 }],
    lines: 13,
  },
  'src/checkout.ts': {
    symbols: [{ name: 'checkout', lines: [3, 8], doc: 'Pays for a basket.', signature: 'export function checkout(basket: Basket): void' }],
    references: [
      { from: '', relation: 'IMPORTS', to: 'src/pay.ts', source: 'import', line: 1 },
      { from: 'checkout', relation: 'INSTANTIATES', to: 'src/pay.ts::Till', source: 'import', line: 4 },
      { from: 'checkout', relation: 'CALLS', to: 'src/pay.ts::Till::add', source: 'type', line: 5 },
    ],
    unresolved: { checkout: 2 },
    lines: 9,
  },
  'src/report.ts': {
    symbols: [{ name: 'report', lines: [1, 5], signature: 'function report(x)' }],
    references: [{ from: 'report', relation: 'CALLS', to: 'src/pay.ts::total', source: 'heuristic', line: 2 }],
  },
  'test/checkout.test.ts': {
    isTest: true,
    symbols: [],
    references: [
      { from: '', relation: 'IMPORTS', to: 'src/checkout.ts', source: 'import', line: 1 },
      { from: '', relation: 'CALLS', to: 'src/checkout.ts::checkout', source: 'import', line: 3 },
    ],
    lines: 5,
  },
  'test/pay.test.ts': {
    isTest: true,
    symbols: [{ name: 'testTotal', lines: [3, 5], modifiers: ['test'] }],
    references: [
      { from: '', relation: 'IMPORTS', to: 'src/pay.ts', source: 'import', line: 1 },
      { from: 'testTotal', relation: 'CALLS', to: 'src/pay.ts::total', source: 'import', line: 4 },
    ],
  },
  'src/lonely.ts': { symbols: [{ name: 'lonely', lines: [1, 2] }] },
};

export const shopTexts: Readonly<Record<string, string>> = {
  'src/pay.ts': [
    'export class Till {',
    '  add(price: number): void {',
    '    this.sum = total([price]);',
    '  }',
    '  a = 1;',
    '  b = 2;',
    '  c = 3;',
    '  d = 4;',
    '}',
    '',
    'export function total(lines: Line[]): number {',
    '  return sum(lines);',
    '}',
  ].join('\n'),
};
