const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A time as people say it, with the exact one behind it: `3 weeks ago (Nov 2, 2026, 10:48 AM)`. For lists without tooltips. */
export function relativeAndExactDate(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : `${relativeDate(date.toISOString(), Date.now())} (${exactDate(time)})`;
}

/** A time as clocks and calendars say it, in the language of the editor's process: `Nov 23, 2026, 10:48 AM`; as it is when it is none. */
export function exactDate(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}

/** A time as people say it: `5 minutes ago`, `yesterday`; as it is when it is none. */
export function relativeDate(iso: string, nowMs: number, locale = 'en'): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return iso;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return 'just now';
  const [unit, length] = step;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}
