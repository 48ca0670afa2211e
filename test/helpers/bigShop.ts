import type { FileSketch, ReferenceSketch, WorkspaceSketch } from './graphOf';

export interface BigShopOptions {
  readonly areas: number;
  readonly filesPerArea: number;
  readonly functionsPerFile: number;
  /** Calls that each function makes. */
  readonly calls: number;
}

const AREAS = ['orders', 'billing', 'stock', 'mail', 'users', 'search', 'export', 'audit', 'tax', 'cart', 'media', 'admin'];

/** A shop of any size: areas with layers of files that call each other downwards, a hub that all use, and tests. The same options give the same shop. */
export function bigShop({ areas, filesPerArea, functionsPerFile, calls }: BigShopOptions): WorkspaceSketch {
  const files: Record<string, FileSketch> = {
    'src/base/money.ts': {
      symbols: [
        { name: 'Money', kind: 'class', lines: [1, 40], doc: 'An amount in a currency.', signature: 'export class Money' },
        { name: 'Money.add', kind: 'method', lines: [5, 9], signature: 'add(other: Money): Money' },
        { name: 'round', lines: [42, 50], doc: 'Rounds half to even.', signature: 'export function round(amount: number): number' },
      ],
      references: [{ from: 'Money.add', relation: 'CALLS', to: 'src/base/money.ts::round', line: 7 }],
      lines: 50,
    },
  };
  let turn = 7;
  const next = (below: number): number => {
    turn = (turn * 1103515245 + 12345) % 2147483648;
    return turn % below;
  };
  for (let area = 0; area < areas; area++) {
    const name = AREAS[area] ?? `area${area}`;
    for (let file = 0; file < filesPerArea; file++) {
      const path = `src/${name}/${file === 0 ? 'index' : `${name}${file}`}.ts`;
      const symbols = Array.from({ length: functionsPerFile }, (_, at) => ({
        name: `${name}Step${file}_${at}`,
        lines: [at * 10 + 1, at * 10 + 8] as const,
        doc: `Step ${at} of ${name}.`,
        signature: `export function ${name}Step${file}_${at}(order: Order): Money`,
      }));
      const references: ReferenceSketch[] = symbols.flatMap(({ name: from }, at) => [
        {
          from,
          relation: at % 5 === 0 ? 'USES_TYPE' : 'CALLS',
          to: at % 5 === 0 ? 'src/base/money.ts::Money' : 'src/base/money.ts::Money::add',
          line: at * 10 + 2,
        },
        ...Array.from({ length: calls }, (_, call): ReferenceSketch => {
          const lower = file + 1 < filesPerArea ? file + 1 : file;
          const other = call === calls - 1 && area + 1 < areas ? (AREAS[area + 1] ?? `area${area + 1}`) : name;
          const target = `src/${other}/${lower === 0 ? 'index' : `${other}${lower}`}.ts::${other}Step${lower}_${next(functionsPerFile)}`;
          return { from, relation: 'CALLS', to: call === 0 && at % 4 === 0 ? { [target]: 0.5 } : target, line: at * 10 + 3 + call };
        }),
      ]);
      files[path] = { symbols, references, lines: functionsPerFile * 10 };
    }
    files[`test/${name}.test.ts`] = {
      isTest: true,
      symbols: [{ name: `test${name}`, lines: [3, 9] }],
      references: [
        { from: '', relation: 'IMPORTS', to: `src/${name}/index.ts`, line: 1 },
        { from: `test${name}`, relation: 'CALLS', to: `src/${name}/index.ts::${name}Step0_0`, line: 4 },
        { from: `test${name}`, relation: 'CALLS', to: 'src/base/money.ts::Money::add', line: 5 },
      ],
    };
  }
  return files;
}
