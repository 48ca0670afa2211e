/** Leaves out empty arrays, objects, texts and nulls at every level. */
export function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, strip(inner)] as const)
    .filter(([key, inner]) => key === 'results' || !isEmpty(inner));
  return Object.fromEntries(kept);
}

/**
 * Every top-level list of objects as a table: a header `key[count]{columns}` and one line per object, so that names are said once
 * (format `ultra`). Other fields are `key: JSON` lines.
 */
export function tabulate(data: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(data)
    .filter(([key]) => key !== 'nextCursor')
    .flatMap(([key, value]) => (isRows(value) ? tableOf(key, value) : [`${key}: ${JSON.stringify(value)}`]));
}

type Row = Readonly<Record<string, unknown>>;

function isRows(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'object' && item !== null && !Array.isArray(item));
}

function tableOf(key: string, rows: readonly Row[]): string[] {
  const columns = [...new Set(rows.flatMap(row => Object.keys(row)))].sort();
  return [`${key}[${rows.length}]{${columns.join(',')}}`, ...rows.map(row => columns.map(column => cell(row[column])).join(','))];
}

function cell(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /[",\n]/.test(text) ? JSON.stringify(text) : text;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
