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
  expect(readSegment(SEGMENT)).toEqual({ records: RECORDS, damagedAt: [], linesAtEnd: 0 });
});

const ENDS = LINES.map((_, at) => LINES.slice(0, at + 1).reduce((sum, line) => sum + line.length, 0));

test('a segment cut at any byte gives exactly the records that were complete; a line break ends none', () => {
  for (let length = 0; length <= SEGMENT.length; length++) {
    const complete = ENDS.filter(end => end - 1 <= length).length;
    const end = ENDS[complete - 1] ?? 0;
    const isWhole = [0, 1].some(missing => length + missing === end) || length === 0;
    const expected = { records: RECORDS.slice(0, complete), damagedAt: [], ...(isWhole ? { linesAtEnd: 0 } : { tornAt: end, linesAtEnd: 1 }) };
    expect(readSegment(SEGMENT.subarray(0, length))).toEqual(expected);
  }
});

test('no flipped bit goes unnoticed or spoils another record, before it or behind it, and none in a line break spoils any', () => {
  for (let bit = 0; bit < SEGMENT.length * 8; bit++) {
    const damaged = Buffer.from(SEGMENT);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { damagedAt, records, tornAt } = readSegment(damaged);
    const isBreak = ENDS.includes((bit >> 3) + 1);
    const line = ENDS.findIndex(end => bit >> 3 < end);
    expect(records).toEqual(isBreak ? RECORDS : RECORDS.filter((_, at) => at !== line));
    expect(damagedAt.length + (tornAt === undefined ? 0 : 1)).toBe(isBreak ? 0 : 1);
  }
});

test.each([
  ['zeros', Buffer.alloc(300)],
  ['text', Buffer.from('no journal\nat all\n')],
  ['a record without checksum', Buffer.from('{"seq":1,"ts":2,"kind":"note","payload":{}}\n')],
])('%s are no records', (_, bytes) => {
  expect(readSegment(bytes).records).toEqual([]);
});
