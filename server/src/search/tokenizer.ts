/**
 * Words of identifiers and of English text, the same for documents and queries.
 * `HTTPServerV2` gives `http server v 2 httpserverv2`; `parse_configs` gives `pars config parseconfigs`.
 * Parts are stemmed, whole identifiers of several parts are not. An exact name needs no unstemmed part: `nameKey` finds it.
 */

import { isCredentialWord } from '../base/secretText';

/** Longer runs of letters and digits are data, not words. */
const MAX_WORD_LENGTH = 80;

const PART = /\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[\p{Lo}\p{Lm}\p{Lt}]+|\p{Lu}/gu;
const MARKS = /\p{M}+/gu;
const NOT_IN_KEY = /[^\p{L}\p{N}]+/gu;

/** Tokens of one word: letters, digits, `_` and `$` (see `forEachWord`). Duplicates are kept. */
export function tokensOfWord(word: string): readonly string[] {
  if (word.length > MAX_WORD_LENGTH || isCredentialWord(word)) return [];
  const parts = isAscii(word) ? asciiParts(word) : (fold(word).match(PART) ?? []).map(part => part.toLowerCase());
  const tokens = parts.map(stem);
  if (parts.length > 1) tokens.push(parts.join(''));
  return tokens;
}

const CharacterClass = { none: 0, lower: 1, upper: 2, digit: 3 } as const;

/** What `PART` finds, in lower case, without the cost of a regular expression: most words are ASCII. */
function asciiParts(word: string): string[] {
  const lower = word.toLowerCase();
  const parts: string[] = [];
  let start = 0;
  let before: number = classOf(word.charCodeAt(0));
  for (let at = 1; at <= word.length; at++) {
    const now: number = at < word.length ? classOf(word.charCodeAt(at)) : CharacterClass.none;
    if (now === before) continue;
    const endsRun = before === CharacterClass.upper && now === CharacterClass.lower;
    const end = endsRun ? at - 1 : at;
    if (end > start) {
      if (before !== CharacterClass.none) parts.push(lower.slice(start, end));
      start = end;
    }
    before = now;
  }
  return parts;
}

function classOf(code: number): number {
  if (code >= 97 && code <= 122) return CharacterClass.lower;
  if (code >= 65 && code <= 90) return CharacterClass.upper;
  return code >= 48 && code <= 57 ? CharacterClass.digit : CharacterClass.none;
}

/** Tokens of a text in order. Duplicates are kept. */
export function tokenize(text: string): readonly string[] {
  const tokens: string[] = [];
  forEachWord(text, word => tokens.push(...tokensOfWord(word)));
  return tokens;
}

/** Calls `visit` with each run of letters, digits, `_`, `$` and characters beyond ASCII. */
export function forEachWord(text: string, visit: (word: string) => void): void {
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const inside = isWordCode(text.charCodeAt(at));
    if (inside && start < 0) start = at;
    else if (!inside && start >= 0) {
      visit(text.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) visit(text.slice(start));
}

/** What two spellings of one name share: letters and digits only, lower case, without diacritics. `parse_config` and `parseConfig` give `parseconfig`. */
export function nameKey(name: string): string {
  return fold(name).replace(NOT_IN_KEY, '').toLowerCase();
}

/** Whether a word is too common in English to say anything. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word.toLowerCase());
}

/**
 * Light English stemmer: plurals, `-ing`, `-ed` and a final `e`, so that parse, parses, parsed and parsing meet in `pars`.
 * Words of up to three letters and words with a digit stay as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !isLowerAscii(word)) return word;
  return withoutFinalE(withoutSuffix(withoutPlural(word)));
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word;
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|[cs]h)es$/.test(word)) return word.slice(0, -2);
  return /[^suia]s$/.test(word) || /[^aeiou]as$/.test(word) ? word.slice(0, -1) : word;
}

function withoutSuffix(word: string): string {
  if (!word.endsWith('ed') && !word.endsWith('ing')) return word;
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  const base = word.slice(0, word.endsWith('ed') ? -2 : -3);
  if (base.length < 3 || !/[aeiouy]/.test(base)) return word;
  return /([bdfgmnprt])\1$/.test(base) ? base.slice(0, -1) : base;
}

function withoutFinalE(word: string): string {
  return word.length > 3 && word.endsWith('e') && !word.endsWith('ee') ? word.slice(0, -1) : word;
}

function fold(text: string): string {
  return isAscii(text) ? text : text.normalize('NFKD').replace(MARKS, '');
}

function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

function isLowerAscii(word: string): boolean {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code < 97 || code > 122) return false;
  }
  return true;
}

/** Of a character inside a word: letter or digit, `_`, `$`, anything beyond ASCII. */
export function isWordCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36 || code > 127;
}

/** Words that say nothing about code. They are left out of documentation and bodies, and of queries that have other words. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and any are as at be because been but by can could did do does each from had has have here how however i if in into is it its just me my no nor not of on
  or our should so some such than that the their them then there these they this those to too us very was we were what when where which while who why will with
  would you your`.split(/\s+/),
);
