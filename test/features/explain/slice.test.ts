import { expect, test } from 'vitest';
import { outcomeOf } from '../../helpers/askFeature';

test.each([
  [{ symbol: 'src/pay.ts::Till::add' }, '  add(price: number): void {\n    this.sum = total([price]);\n  }'],
  [{ symbol: 'total', file: 'src/pay.ts' }, 'export function total(lines: Line[]): number {\n  return sum(lines);\n}'],
  [{ query: 'sums lines bill' }, 'export function total(lines: Line[]): number {\n  return sum(lines);\n}'],
  [{ symbol: 'total', context: 'signature' }, ''],
])('the slice of %j is the whole unit', async (params, code) => {
  expect((await outcomeOf('slice', params)).code).toBe(code);
});

test('a slice with its surroundings', async () => {
  expect(await outcomeOf('slice', { symbol: 'Till.add', context: 'with-deps' })).toMatchObject({
    incomingCallers: ['src/checkout.ts::checkout'],
    outgoingCalls: ['src/pay.ts::total'],
  });
  expect((await outcomeOf('slice', { symbol: 'Till' })).outline).toEqual(['2 add(price: number): void']);
  expect((await outcomeOf('slice', { file: 'src/pay.ts' })).outline).toEqual(['1 export class Till', '11 function total(lines: Line[]): number']);
});
