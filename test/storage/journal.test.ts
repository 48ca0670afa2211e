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

const ENDS = LINES.map((_, at) => LINES.slice(0, at + 1).reduce((sum, line) => sum + line.length, 0));

test('a segment cut at any byte gives exactly the records that were complete; a line break ends none', () => {
  for (let length = 0; length <= SEGMENT.length; length++) {
    const complete = ENDS.filter(end => end - 1 <= length).length;
    const end = ENDS[complete - 1] ?? 0;
    const isWhole = [0, 1].some(missing => length + missing === end) || length === 0;
    const expected = { records: RECORDS.slice(0, complete), goodBytes: Math.min(end, length), state: isWhole ? 'whole' : 'torn' };
    expect(readSegment(SEGMENT.subarray(0, length))).toEqual(expected);
  }
});

test('no flipped bit goes unnoticed or spoils a record before it, and none in a line break spoils any', () => {
  for (let bit = 0; bit < SEGMENT.length * 8; bit++) {
    const damaged = Buffer.from(SEGMENT);
    damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    const { records, state } = readSegment(damaged);
    const isBreak = ENDS.includes((bit >> 3) + 1);
    const line = isBreak ? 3 : ENDS.findIndex(end => bit >> 3 < end);
    expect({ records, intact: state === 'whole' }).toEqual({ records: RECORDS.slice(0, line), intact: isBreak });
  }
});

test.each([
  [1, 2, { records: [RECORDS[0], RECORDS[2]], goodBytes: SEGMENT.length, state: 'whole', coveredDamageAt: ENDS[0] }],
  [1, 1, { records: [RECORDS[0]], goodBytes: ENDS[0], state: 'damaged' }],
  [2, 3, { records: RECORDS.slice(0, 2), goodBytes: SEGMENT.length, state: 'whole', coveredDamageAt: ENDS[1] }],
  [2, 2, { records: RECORDS.slice(0, 2), goodBytes: ENDS[1], state: 'damaged' }],
])('damage in record %i costs nothing when the view contains it (up to %i)', (at, covered, expected) => {
  const damaged = Buffer.from(SEGMENT);
  damaged[(ENDS[at - 1] ?? 0) + 5] = 0;
  expect(readSegment(damaged, covered)).toEqual(expected);
});

test.each([
  ['zeros', Buffer.alloc(300)],
  ['text', Buffer.from('no journal\nat all\n')],
  ['a record without checksum', Buffer.from('{"seq":1,"ts":2,"kind":"note","payload":{}}\n')],
])('%s are no records', (_, bytes) => {
  expect(readSegment(bytes).records).toEqual([]);
});
