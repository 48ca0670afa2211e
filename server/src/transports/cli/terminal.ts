import type { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { shownLines } from '../../../protocol/shownText';
import type { ProcessIo } from '../processIo';

const STYLES = { bold: '1', dim: '2', red: '31', green: '32', yellow: '33', blue: '34', magenta: '35', cyan: '36' } as const;
export type Style = keyof typeof STYLES;

export type Paint = (style: Style, text: string) => string;

/** Colors only on a terminal, never with NO_COLOR (https://no-color.org) or TERM=dumb. */
export function painter(stream: { readonly isTTY?: boolean }, env: ProcessIo['env']): Paint {
  const colored = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb';
  return (style, text) => (colored && text !== '' ? `\u001B[${STYLES[style]}m${text}\u001B[0m` : text);
}

const COLORS = new RegExp(`(\u001B\\[(?:0|${Object.values(STYLES).join('|')})m)`);

/** Text for a terminal or a file, in which nothing but our own colors moves or colors anything. */
export function printable(text: string, isColored: boolean): string {
  if (!isColored || !text.includes('\u001B')) return shownLines(text);
  return text
    .split(COLORS)
    .map((part, at) => (at % 2 === 1 ? part : shownLines(part)))
    .join('');
}

/** Columns to fill: those of the terminal between 60 and 120, else 100. */
export function widthOf(stream: { readonly isTTY?: boolean; readonly columns?: number }): number {
  return stream.isTTY === true && stream.columns !== undefined ? Math.max(60, Math.min(120, stream.columns)) : 100;
}

/** Thrown by `writeOut` when nobody reads any more (`lattice export | head`); the command ends quietly. */
export class BrokenPipe extends Error {
  constructor() {
    super('The output was closed.');
    this.name = 'BrokenPipe';
  }
}

/** Thrown by `writeOut` when the system refuses what is written, as on a full disk. */
export class OutputFailed extends Error {
  constructor(cause: Error) {
    super(`The output could not be written: ${cause.message}.`);
    this.name = 'OutputFailed';
  }
}

/** Writes and waits while the reader is slow. Rejects with `BrokenPipe` or `OutputFailed`. */
export async function writeOut(stream: Writable, text: string): Promise<void> {
  if (text === '') return;
  if (stream.destroyed || stream.writableEnded) throw new BrokenPipe();
  await new Promise<void>((resolve, reject) => {
    stream.write(text, error => {
      if (error === null || error === undefined) resolve();
      else reject(isGone(error) ? new BrokenPipe() : new OutputFailed(error));
    });
  });
}

export function isGone(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'EPIPE' || code === 'ERR_STREAM_DESTROYED' || code === 'ERR_STREAM_WRITE_AFTER_END';
}

/** Length without color codes, wide characters counted as one. */
export function visibleLength(text: string): number {
  return Array.from(stripVTControlCharacters(text)).length;
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - visibleLength(text)));
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - visibleLength(text))) + text;
}

/** Shortens from the left, where paths say least. */
export function clipStart(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;
}

export function clipEnd(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** Digits grouped by thousands, the same in every locale. */
export function count(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ',');
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** How many files were skipped or are incomplete, and why: `2 circular links`. */
export function problemText(code: string, number: number): string {
  const [one, many] = PROBLEM_WORDS[code] ?? [code.replaceAll('_', ' '), code.replaceAll('_', ' ')];
  return plural(number, one, many);
}

const PROBLEM_WORDS: Readonly<Record<string, readonly [string, string]>> = {
  symlink_outside: ['broken link or link to outside the folder', 'broken links or links to outside the folder'],
  symlink_cycle: ['circular link', 'circular links'],
  bad_pattern: ['ignored pattern', 'ignored patterns'],
};

export function percent(share: number): string {
  if (share > 0 && share < 0.0005) return '< 0.1%';
  return `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)}%`;
}

export function bytes(size: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  let value = size;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? 'B'}`;
}

export function seconds(durationMs: number): string {
  return durationMs < 1000 ? `${Math.round(durationMs)} ms` : `${(durationMs / 1000).toFixed(durationMs < 10_000 ? 2 : 1)} s`;
}
