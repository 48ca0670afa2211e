const STEPS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** A time as people say it: `5 minutes ago`, `yesterday`; as it is when it is none. */
export function saidDate(iso: string, nowMs: number, locale = 'en'): string {
  const seconds = (Date.parse(iso) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return iso;
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length);
  if (step === undefined) return 'just now';
  const [unit, length] = step;
  return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Math.trunc(seconds / length), unit);
}
