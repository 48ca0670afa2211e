import { expect, test } from 'vitest';
import { RowTable } from '../../server/src/code/facts/rowTable';
import { expressionRow, NONE, stringIndex } from '../../server/src/model/facts';

test('a row is found by its operator, operand and text, however many there are', () => {
  const keys = { operator: [] as number[], a: [] as number[], text: [] as number[] };
  const table = new RowTable();
  const expected = new Map<string, number>();
  for (let i = 0; i < 5000; i++) {
    const [operator, a, text] = [i % 7, (i % 61) - 1, (i * i) % 83];
    const key = `${operator} ${a} ${text}`;
    expect(table.find(keys, operator, a, stringIndex(text))).toBe(expected.get(key) ?? NONE);
    if (expected.has(key)) continue;
    // Rows that nobody looks for stand between them.
    keys.operator.push(operator, operator);
    keys.a.push(a, a);
    keys.text.push(text, text);
    expected.set(key, table.add(keys, expressionRow(keys.a.length - 1)));
  }
  expect(expected.size).toBeGreaterThan(1000);
});
