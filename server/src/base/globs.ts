/**
 * The one matcher of globs: `*` and `?` inside a segment, `**` for any folders, `[...]`, `{a,b}`; dot files included.
 * Patterns come out of files of others, so matching takes time in proportion to pattern × path whatever they say: positions in the text
 * are followed side by side, where a regular expression would try them one after another.
 *
 * Does not know which patterns are refused, nor what a pattern is relative to.
 */

/** Alternatives that braces may stand for where nobody is told when they are too many: more are read literally. */
const MAX_LENIENT_ALTERNATIVES = 1024;

/** A pattern that was read: it matches what one of its alternatives (`{a,b}`) matches. */
export interface Glob {
  readonly alternatives: readonly GlobAlternative[];
}

/** One way to match a pattern with braces. */
export interface GlobAlternative {
  /** Leading segments without wildcards, joined: every match is this path or lies below it. */
  readonly folder: string;
  readonly segments: readonly Segment[];
  /** What the last segment of a path must be, when the pattern does not end with `**`. */
  readonly name: SegmentTest | undefined;
}

/** `undefined` stands for `**`. */
type Segment = SegmentTest | undefined;
export type SegmentTest = (segment: string) => boolean;

/** Tells paths that match from others. */
export interface PathTest {
  test(path: string): boolean;
}

export interface GlobReading {
  readonly caseInsensitive?: boolean;
  /** Reads `?(a|b)`, `+(a|b)`, `*(a|b)`, `@(a|b)` and `(a|b)` inside a segment; without either sign, parentheses are part of a name. */
  readonly hasGroups?: boolean;
}

/** Any text as a glob: brackets and braces that are not balanced mean themselves. */
export function readGlob(pattern: string, reading: GlobReading = {}): PathTest {
  const fold = (text: string): string => (reading.caseInsensitive === true ? text.toLowerCase() : text);
  const expanded = expandBraces(fold(pattern), MAX_LENIENT_ALTERNATIVES);
  const { alternatives } = compileGlob(typeof expanded === 'string' ? [fold(pattern)] : expanded, reading.hasGroups);
  return {
    test: path => {
      const segments = fold(path).split('/');
      return alternatives.some(alternative => matchesPath(alternative, segments));
    },
  };
}

/** What braces were expanded to, ready to match; broken classes mean themselves. */
export function compileGlob(expanded: readonly string[], hasGroups = false): Glob {
  return { alternatives: [...new Set(expanded)].map(alternative => compileAlternative(alternative, hasGroups)) };
}

function compileAlternative(alternative: string, hasGroups: boolean): GlobAlternative {
  const texts = alternative.split('/');
  const wild = texts.findIndex(text => isWild(text, hasGroups));
  const segments = texts.map(text => (text === '**' ? undefined : compileSegment(text, hasGroups)));
  return { folder: texts.slice(0, wild < 0 ? texts.length : wild).join('/'), segments, name: segments[segments.length - 1] };
}

/** Whether an alternative matches the path, given as its segments. */
export function matchesPath({ segments, name }: GlobAlternative, path: readonly string[]): boolean {
  if (name?.(path[path.length - 1] ?? '') === false) return false;
  let at = 0;
  let inPath = 0;
  let afterStar = -1;
  let starTook = 0;
  while (inPath < path.length) {
    const segment = segments[at];
    if (at < segments.length && segment === undefined) {
      afterStar = ++at;
      starTook = inPath;
    } else if (segment?.(path[inPath] ?? '')) {
      at++;
      inPath++;
    } else if (afterStar >= 0) {
      at = afterStar;
      inPath = ++starTook;
    } else return false;
  }
  while (at < segments.length && segments[at] === undefined) at++;
  return at === segments.length;
}

/** What the braces of a pattern stand for; a sentence when they are broken or stand for more than `limit`. */
export function expandBraces(pattern: string, limit: number): readonly string[] | string {
  if (!/[{}]/.test(pattern)) return [pattern];
  const reader: BraceReader = { text: pattern, at: 0, limit };
  const expanded = expandSequence(reader, false);
  if (expanded === undefined) return `expands to more than ${limit} alternatives`;
  return reader.problem ?? expanded;
}

interface BraceReader {
  readonly text: string;
  readonly limit: number;
  at: number;
  problem?: string;
}

/** Reads up to the end, or to the `,` or `}` of the braces around; `undefined` when there are too many alternatives. */
function expandSequence(reader: BraceReader, isInside: boolean): readonly string[] | undefined {
  let results: readonly string[] = [''];
  while (reader.at < reader.text.length) {
    const character = reader.text[reader.at] ?? '';
    if (isInside && (character === ',' || character === '}')) return results;
    let next: readonly string[] | undefined;
    if (character === '{') next = expandGroup(reader);
    else {
      if (character === '}') reader.problem ??= 'has a } without {';
      next = [readLiteral(reader)];
    }
    if (next === undefined || results.length * next.length > reader.limit) return undefined;
    const parts = next;
    results = results.flatMap(head => parts.map(tail => head + tail));
  }
  if (isInside) reader.problem ??= 'has a { without }';
  return results;
}

function expandGroup(reader: BraceReader): readonly string[] | undefined {
  const results: string[] = [];
  do {
    reader.at++;
    const part = expandSequence(reader, true);
    if (part === undefined) return undefined;
    results.push(...part);
    if (results.length > reader.limit) return undefined;
  } while (reader.text[reader.at] === ',');
  reader.at++;
  return results;
}

/** One character, or a whole `[...]`, in which braces and commas mean themselves. */
function readLiteral(reader: BraceReader): string {
  const { text, at } = reader;
  const close = text[at] === '[' ? closeOfClass(text, at) : -1;
  reader.at = close < 0 ? at + 1 : close + 1;
  return text.slice(at, reader.at);
}

function closeOfClass(text: string, open: number): number {
  const first = open + (text[open + 1] === '!' || text[open + 1] === '^' ? 2 : 1);
  return text.indexOf(']', first + 1);
}

/** Whether a class in one of the segments is not closed, or a range in it runs backwards. */
export function hasBrokenClass(segment: string): boolean {
  for (let at = segment.indexOf('['); at >= 0; ) {
    const close = closeOfClass(segment, at);
    if (close < 0 || classToken(segment.slice(at + 1, close)) === undefined) return true;
    at = segment.indexOf('[', close + 1);
  }
  return false;
}

function isWild(segment: string, hasGroups: boolean): boolean {
  return /[*?[]/.test(segment) || (hasGroups && segment.includes('('));
}

function compileSegment(text: string, hasGroups: boolean): SegmentTest {
  if (!isWild(text, hasGroups)) return segment => segment === text;
  if (/^\*+$/.test(text)) return () => true;
  const [, head, tail] = /^([^*?[(]*)\*([^*?[(]*)$/.exec(text) ?? [];
  if (head !== undefined && tail !== undefined)
    return segment => segment.length >= head.length + tail.length && segment.startsWith(head) && segment.endsWith(tail);
  const tokens = tokensOf(text, hasGroups);
  return segment => {
    const characters = Array.from(segment, character => character.codePointAt(0) ?? 0);
    return endsOf(tokens, characters, [0]).includes(characters.length);
  };
}

type Single = (character: number) => boolean;

/** `?` at most once, `*` any number of times, `+` at least once, `@` once. */
interface Group {
  readonly choices: readonly (readonly Token[])[];
  readonly sign: string;
}

/** A star, a class or one character, or a group of choices. */
type Token = '*' | Single | Group;

/** Parentheses without a sign are a group when they hold a choice or a star. */
const GROUP = /^(?:([?+*@])\(([^()]*)\)|\(([^()]*[|*][^()]*)\))/;

function tokensOf(text: string, hasGroups: boolean): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const [whole = '', sign = '@', signed, plain] = (hasGroups ? GROUP.exec(text.slice(at)) : null) ?? [];
    const close = text[at] === '[' ? closeOfClass(text, at) : -1;
    const members = close < 0 ? undefined : classToken(text.slice(at + 1, close));
    if (whole !== '') {
      tokens.push({ sign, choices: (signed ?? plain ?? '').split('|').map(choice => tokensOf(choice, false)) });
      at += whole.length;
    } else if (members !== undefined) {
      tokens.push(members);
      at = close + 1;
    } else {
      const character = text.codePointAt(at) ?? 0;
      if (text[at] === '*') tokens.push('*');
      else if (text[at] === '?') tokens.push(() => true);
      else tokens.push(other => other === character);
      at += String.fromCodePoint(character).length;
    }
  }
  return tokens;
}

/** Where a match of all tokens may end that begins at one of `starts`; both ascending, each place once. */
function endsOf(tokens: readonly Token[], text: readonly number[], starts: readonly number[]): readonly number[] {
  let places = starts;
  for (const token of tokens) {
    if (places.length === 0) return places;
    if (token === '*') places = Array.from({ length: text.length - (places[0] ?? 0) + 1 }, (_, index) => (places[0] ?? 0) + index);
    else if (typeof token === 'function') places = places.filter(at => at < text.length && token(text[at] ?? 0)).map(at => at + 1);
    else places = endsOfGroup(token, text, places);
  }
  return places;
}

function endsOfGroup({ choices, sign }: Group, text: readonly number[], starts: readonly number[]): readonly number[] {
  const ends = new Set(sign === '?' || sign === '*' ? starts : []);
  let fresh = starts;
  do {
    const next = new Set(choices.flatMap(choice => endsOf(choice, text, fresh)));
    fresh = [...next].filter(at => !ends.has(at)).sort((a, b) => a - b);
    for (const at of fresh) ends.add(at);
  } while (fresh.length > 0 && (sign === '*' || sign === '+'));
  return [...ends].sort((a, b) => a - b);
}

function classToken(body: string): Single | undefined {
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const members = Array.from(isNegated ? body.slice(1) : body, member => member.codePointAt(0) ?? 0);
  const ranges: (readonly [number, number])[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? 0;
    const isRange = members[at + 1] === HYPHEN && at + 2 < members.length;
    const to = isRange ? (members[at + 2] ?? 0) : from;
    if (to < from) return undefined;
    ranges.push([from, to]);
    if (isRange) at += 2;
  }
  return character => ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}

const HYPHEN = 45;
