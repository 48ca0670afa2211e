import { expect, test } from 'vitest';
import { RecursiveHashes } from '../../server/src/code/resolve/tables/recursiveHashes';
import { expressionRow } from '../../server/src/model/facts';

/** By row: what it says, and the rows it leads to. */
type Rows = ReadonlyMap<number, readonly [text: string, ...leadsTo: number[]]>;

/** Hashes of the rows, asked for in this order, and how many texts were made. */
function hashed(rows: Rows, order: readonly number[] = [...rows.keys()]): { readonly hashes: Readonly<Record<number, string>>; readonly told: number } {
  const hashes = new RecursiveHashes();
  let told = 0;
  const of = (row: number): string =>
    hashes.of('expression', expressionRow(row), () => {
      told++;
      const [text, ...leadsTo] = rows.get(row) ?? [''];
      return [text, ...leadsTo.map(of)].join(' ');
    });
  return { hashes: Object.fromEntries(order.map(row => [row, of(row)])), told };
}

/** Functions of one scope of which each calls all. */
function clique(size: number, changed = -1): Rows {
  const rows = Array.from({ length: size }, (_, row) => row);
  return new Map(rows.map(row => [row, [row === changed ? 'changed' : `call ${row}`, ...rows]]));
}

test('rows that all lead to each other are each told once, however many ways lead through them', () => {
  const { hashes, told } = hashed(clique(200));
  expect(told).toBe(200);
  expect(new Set(Object.values(hashes)).size).toBe(200);
  expect(hashed(clique(200, 7)).hashes[150]).not.toBe(hashes[150]);
});

test('it does not matter where one begins, nor where in the file the rows are', () => {
  const rows: Rows = new Map([
    [0, ['a', 1]],
    [1, ['b', 2, 3]],
    [2, ['c', 1, 4]],
    [3, ['d', 3]],
    [4, ['e']],
  ]);
  const { hashes } = hashed(rows);
  expect(hashed(rows, [4, 2, 3, 1, 0]).hashes).toEqual(hashes);
  const moved: Rows = new Map([...rows].map(([row, [text, ...leadsTo]]) => [row + 90, [text, ...leadsTo.map(each => each + 90)]]));
  expect(Object.values(hashed(moved).hashes)).toEqual(Object.values(hashes));
});

test('a change reaches the rows that lead to it and no others', () => {
  const before = hashed(
    new Map([
      [0, ['a', 1]],
      [1, ['b', 2]],
      [2, ['c', 1]],
      [3, ['d', 1]],
      [4, ['e']],
    ]) satisfies Rows,
  ).hashes;
  const after = hashed(
    new Map([
      [0, ['a', 1]],
      [1, ['b', 2]],
      [2, ['C', 1]],
      [3, ['d', 1]],
      [4, ['e']],
    ]) satisfies Rows,
  ).hashes;
  expect([0, 1, 2, 3, 4].map(row => before[row] === after[row])).toEqual([false, false, false, false, true]);
});

test('members of a circle that lead elsewhere in it are told apart', () => {
  const one = hashed(
    new Map([
      [0, ['x', 1]],
      [1, ['x', 2]],
      [2, ['x', 0]],
    ]) satisfies Rows,
  ).hashes;
  const other = hashed(
    new Map([
      [0, ['x', 2]],
      [1, ['x', 0]],
      [2, ['x', 1]],
    ]) satisfies Rows,
  ).hashes;
  expect(one[0]).not.toBe(other[0]);
});
