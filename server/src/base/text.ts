import { diffArrays } from 'diff';

/** A place in a text: 0-based line, 0-based column in UTF-16 code units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Order of texts by their UTF-16 units, for `sort`: the same on every machine, whatever its locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Converts between UTF-16 offsets and positions of one text. Line breaks are `\n`, `\r\n` and `\r`. */
export class LineIndex {
  readonly #starts: Int32Array;
  readonly #length: number;

  constructor(text: string) {
    const starts: number[] = [0];
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code === 10) starts.push(i + 1);
      else if (code === 13 && text.charCodeAt(i + 1) !== 10) starts.push(i + 1);
    }
    this.#starts = Int32Array.from(starts);
    this.#length = text.length;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Line that holds `offset`; offsets outside the text are clamped. */
  lineOf(offset: number): number {
    const starts = this.#starts;
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  startOf(line: number): number {
    return this.#starts[Math.max(0, Math.min(line, this.#starts.length - 1))] ?? 0;
  }

  positionOf(offset: number): Position {
    const clamped = Math.max(0, Math.min(offset, this.#length));
    const line = this.lineOf(clamped);
    return { line, column: clamped - this.startOf(line) };
  }

  offsetOf(position: Position): number {
    if (position.line >= this.#starts.length) return this.#length;
    return Math.min(this.startOf(position.line) + position.column, this.#length);
  }
}

const LITTLE_ENDIAN = 0xfffe;
const BIG_ENDIAN = 0xfeff;
/** Code units turned into text at a time: arguments of a call are limited. */
const UNITS_AT_ONCE = 8192;

/** True for bytes that begin with the byte order mark of UTF-16, as some editors of Windows write. */
export function isUtf16(bytes: Uint8Array): boolean {
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  return mark === LITTLE_ENDIAN || mark === BIG_ENDIAN;
}

/** Text of UTF-16 bytes by their byte order mark, without it; half a code unit at the end becomes U+FFFD. */
export function utf16Text(bytes: Uint8Array): string {
  const low = bytes[0] === 0xff ? 0 : 1;
  const parts: string[] = [];
  for (let at = 2; at < bytes.length; at += 2 * UNITS_AT_ONCE) {
    const end = Math.min(at + 2 * UNITS_AT_ONCE, bytes.length);
    const units: number[] = [];
    for (let unit = at; unit < end; unit += 2) {
      units.push(unit + 1 < bytes.length ? ((bytes[unit + 1 - low] ?? 0) << 8) | (bytes[unit + low] ?? 0) : 0xfffd);
    }
    parts.push(String.fromCharCode(...units));
  }
  return parts.join('');
}

/** Lines `first` to `last` of a text, 1-based and inclusive. */
export function linesOf(text: string, first: number, last: number): string {
  return text
    .split(LINE_BREAK)
    .slice(first - 1, last)
    .join('\n');
}

/** Bytes of the text in UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    if (code < 0x800) bytes += 1;
    else if (code >= 0xd800 && code < 0xdc00 && isLowSurrogate(text.charCodeAt(at + 1))) {
      bytes += 2;
      at++;
    } else bytes += 2;
  }
  return bytes;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

/** Pairs of equal lines, in order, as `[index in a, index in b]`. */
export type LinePairs = readonly (readonly [number, number])[];

/** Edits beyond which the middle of two texts counts as rewritten: a merge then sees more conflicts, never fewer. */
const MAX_EDITS = 2_000;

/** A longest common subsequence of lines, with common ends cut off first. Time grows with the edits, which are bounded, times the lines. */
export function matchLines(a: readonly string[], b: readonly string[]): LinePairs {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let tail = 0;
  while (tail < a.length - start && tail < b.length - start && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0; i < start; i++) pairs.push([i, i]);
  for (const [i, j] of matchMiddle(a.slice(start, a.length - tail), b.slice(start, b.length - tail))) pairs.push([i + start, j + start]);
  for (let i = tail; i > 0; i--) pairs.push([a.length - i, b.length - i]);
  return pairs;
}

/** Where the lines of a text stand in a changed one. Lines are 1-based. */
export class LineMap {
  readonly #pairs: LinePairs;
  readonly #count: number;

  constructor(before: string, now: string) {
    const lines = now.split(LINE_BREAK);
    this.#pairs = matchLines(before.split(LINE_BREAK), lines);
    this.#count = lines.length;
  }

  /** The first line of the changed text that differs. */
  get firstChange(): number {
    const at = this.#pairs.findIndex(([from, to], index) => from !== index || to !== index);
    return Math.min(at < 0 ? this.#pairs.length : at, this.#count - 1) + 1;
  }

  /** Where a line stands now, or the one that took its place. */
  lineOf(line: number): number {
    const [from, to] = this.#pairs.findLast(([at]) => at < line) ?? [-1, -1];
    const [, below] = this.#pairs.find(([at]) => at >= line) ?? [0, this.#count - 1];
    return Math.max(1, Math.min(to + line - from, below + 1));
  }
}

const LINE_BREAK = /\r\n|\n|\r/;

function matchMiddle(a: string[], b: string[]): [number, number][] {
  const pairs: [number, number][] = [];
  let [i, j] = [0, 0];
  for (const { added, count, removed } of diffArrays(a, b, { maxEditLength: MAX_EDITS }) ?? []) {
    for (let row = 0; !added && !removed && row < count; row++) pairs.push([i + row, j + row]);
    if (!added) i += count;
    if (!removed) j += count;
  }
  return pairs;
}

/** Source of a regular expression that finds this name where no longer one stands: names hold any character (`operator++`, `[]`). */
export function wordPattern(name: string): string {
  return `(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w$])`;
}

/** Whether the lines that are not empty are the same. */
export function sameFilledLines(some: readonly string[], others: readonly string[]): boolean {
  const [a, b] = [some, others].map(lines => lines.filter(line => line !== ''));
  return a?.length === b?.length && a?.every((line, at) => line === b?.[at]) === true;
}
