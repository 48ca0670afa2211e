import { expect, test } from 'vitest';
import { historyText } from '../../server/src/transports/cli/historyText';

const at = Date.UTC(2026, 0, 31, 10, 5);

test('says since when, how much and when it was last cleared of what is too old', () => {
  expect(historyText({ horizon: at, bytes: 48_000, transactions: 12, compactedAt: at + 3_600_000 })).toBe(
    '12 transactions since 2026-01-31 10:05 UTC, 48.0 KB, compacted 2026-01-31 11:05 UTC',
  );
  expect(historyText({ horizon: at, bytes: 0, transactions: 1, compactedAt: 0 })).toMatch(/^1 transaction since 2026-01-31 10:05 UTC, /);
  expect(historyText({ horizon: 0, bytes: 0, transactions: 0, compactedAt: 0 })).toMatch(/^no recorded states, /);
});
