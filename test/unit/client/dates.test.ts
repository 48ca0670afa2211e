import { expect, test } from 'vitest';
import { exactDate, relativeAndExactDate, relativeDate } from '../../../client/src/dates';

const NOW = Date.parse('2026-03-10T12:00:00Z');

test.each([
  ['2026-03-10T11:59:40Z', 'just now'],
  ['2026-03-10T11:55:00Z', '5 minutes ago'],
  ['2026-03-10T09:00:00Z', '3 hours ago'],
  ['2026-03-09T11:00:00Z', 'yesterday'],
  ['2026-02-20T12:00:00Z', '2 weeks ago'],
  ['2025-12-01T12:00:00Z', '3 months ago'],
  ['2024-01-01T12:00:00Z', '2 years ago'],
  ['no date', 'no date'],
])('%s is said as %s', (iso, said) => {
  expect(relativeDate(iso, NOW)).toBe(said);
});

test('lists say a time as people do, with the exact one behind it', () => {
  const threeWeeksAgo = new Date(Date.now() - 22 * 86_400_000);
  const exact = exactDate(threeWeeksAgo.toISOString());
  expect(exact).toContain(String(threeWeeksAgo.getFullYear()));
  expect(relativeAndExactDate(threeWeeksAgo.getTime())).toBe(`3 weeks ago (${exact})`);
  expect(relativeAndExactDate('no date')).toBe('no date');
});
