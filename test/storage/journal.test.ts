import { expect, test } from 'vitest';
import { encodeRecord, type JournalRecord, readSegment } from '../../server/src/store/journal/journalRecords';

const RECORDS: readonly JournalRecord[] = [
  { seq: 1, ts: 10, kind: 'note', payload: { text: 'plain' } },
  { seq: 2, ts: 11, kind: 'note', payload: { text: 'line\nbreak "quotes" ü 🎉' }, key: 'k', result: { id: 7 } },
  { seq: 3, ts: 12, kind: 'empty', payload: null },
];
const LINES = RECORDS.map(encodeRecord);
const SEGMENT = Buffer.concat(LINES);

test('records come back as they were', () => {
  expect(readSegment(SEGMENT)).toEqual({ records: RECORDS, goodBytes: SEGMENT.length, state: 'whole' });
});

test('a segment cut at any byte gives exactly the records that were complete', () => {
  const ends = LINES.map((_, at) => LINES.slice(0, at + 1).reduce((sum, line) => sum + line.length, 0));
  for (let length = 0; length <= SEGMENT.length; length++) {
    const complete = ends.filter(end => end <= length).length;
    const expected = { records: RECORDS.slice(0, complete), goodBytes: ends[complete - 1] ?? 0, state: [0, ...ends].includes(length) ? 'whole' : 'torn' };
    expect(readSegment(SEGMENT.subarray(0, length))).toEqual(expected);
  }
});

test('no flipped bit goes unnoticed or spoils a record before it', () => {
  for (let bit = 0; bit < SEGMENT.length * 8; bit++) {
    const damaged = Buffer.from(SEGMENT);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { records, state } = readSegment(damaged);
    const line = [0, 1, 2].find(at => bit >> 3 < LINES.slice(0, at + 1).reduce((sum, { length }) => sum + length, 0)) ?? -1;
    expect({ records, intact: state === 'whole' }).toEqual({ records: RECORDS.slice(0, line), intact: false });
  }
});

test.each([
  ['zeros', Buffer.alloc(300)],
  ['text', Buffer.from('no journal\nat all\n')],
  ['a record without checksum', Buffer.from('{"seq":1,"ts":2,"kind":"note","payload":{}}\n')],
])('%s are no records', (_, bytes) => {
  expect(readSegment(bytes).records).toEqual([]);
});
