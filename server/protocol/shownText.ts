/**
 * Text of a workspace as it may be shown. Names of files and symbols can hold anything: line ends that would begin a row of their own,
 * escape sequences that would color or move what a terminal shows, marks that turn the direction of writing around, characters that nobody sees.
 * Each is written as its code instead. Joiners and selectors, which scripts and emoji need, stay.
 */

const LINE_ENDS: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };
/** Control characters, marks of direction, line and paragraph separators, letters and marks that nobody sees, tags, halves of characters, what is none. */
const HIDDEN =
  /[\p{Cc}\u2028\u2029\uFDD0-\uFDEF\uFFF0-\uFFFB]|(?!\u180B|\u180C|\u180D|\u180F|\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|\p{Cs}/gu;
const HIDDEN_BUT_LINES = new RegExp(`(?![\\n\\t])(?:${HIDDEN.source})`, 'gu');
/** Most texts need no closer look. */
const PLAIN =
  '\\u0020-\\u007E\\u00A1-\\u00AC\\u00AE-\\u034E\\u0350-\\u061B\\u0620-\\u115E\\u1161-\\u17B3\\u17B6-\\u180D\\u1810-\\u1FFF\\u3000-\\u3163\\u3165-\\uD7FF';
const SUSPECT_BUT_LINES = new RegExp(`[^\\n\\t${PLAIN}]`);
const SUSPECT = new RegExp(`[^${PLAIN}]`);

/** For a place within a line. */
export function shownText(text: string): string {
  return SUSPECT.test(text) ? text.replace(HIDDEN, codeOf) : text;
}

/** For a text of several lines: its line ends (`\n`) and tabs stay, and the `\r` before them goes. */
export function shownLines(text: string): string {
  return SUSPECT_BUT_LINES.test(text) ? text.replaceAll('\r\n', '\n').replace(HIDDEN_BUT_LINES, codeOf) : text;
}

/** JSON in which such characters stand as `\u202e`: the same value. */
export function shownJson(json: string): string {
  return SUSPECT_BUT_LINES.test(json)
    ? json.replace(HIDDEN_BUT_LINES, character => Array.from({ length: character.length }, (_, at) => `\\u${hex(character.charCodeAt(at))}`).join(''))
    : json;
}

/** All texts of a plain value, its keys included, as for a place within a line; those under the keys of `longTexts` keep their lines. */
export function shownValue<T>(value: T, longTexts: ReadonlySet<string> = NONE): T {
  return mapped(value, '', longTexts) as T;
}

const NONE: ReadonlySet<string> = new Set();

function mapped(value: unknown, key: string, longTexts: ReadonlySet<string>): unknown {
  if (typeof value === 'string') return longTexts.has(key) ? shownLines(value) : shownText(value);
  if (Array.isArray(value)) return value.map(item => mapped(item, key, longTexts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [shownText(name), mapped(item, name, longTexts)]));
}

function codeOf(character: string): string {
  return LINE_ENDS[character] ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

function hex(unit: number): string {
  return unit.toString(16).padStart(4, '0');
}
