import { Packr } from 'msgpackr';
import { expect, test } from 'vitest';
import { fromPieces, inPieces } from '../../server/src/engine/indexing/largeParts';

const MAX_BYTES = 300_000;

const LARGE = {
  name: 'all',
  none: undefined,
  bytes: Uint8Array.from({ length: 700_000 }, (_, at) => at % 251),
  numbers: Int32Array.from({ length: 200_000 }, (_, at) => at * 7 - 3),
  weights: Float64Array.from({ length: 90_000 }, (_, at) => at / 3),
  texts: Array.from({ length: 30_000 }, (_, at) => `src/folder/file${at}.ts::Größe😀`),
  rows: Array.from({ length: 20_000 }, (_, at) => ({ at })),
  few: [1, 2, 3],
  empty: new Float32Array(0),
};

test('a large value is packed in small pieces, and comes back from them', async () => {
  const packr = new Packr({ moreTypes: true, useRecords: true });
  const pieces = [...inPieces(LARGE)].map(piece => Buffer.from(packr.pack(piece)));
  expect(Math.max(...pieces.map(piece => piece.length))).toBeLessThan(2 * MAX_BYTES);
  let next = 0;
  const whole = await fromPieces(async () => packr.unpack(pieces[next++] ?? Buffer.alloc(0)));
  expect(next).toBe(pieces.length);
  expect(whole).toEqual(LARGE);
});

test('pieces that do not fit together are refused', async () => {
  const pieces = [...inPieces(LARGE)];
  const [head, , ...others] = pieces;
  let next = 0;
  const short = [head, ...others];
  await expect(fromPieces(async () => short[next++])).rejects.toThrow();
});
