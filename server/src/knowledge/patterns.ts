/**
 * Globs of atoms: `*` and `?` inside a segment, `**` any folders, `[...]`, `{a,b}`; case-sensitive, dot files included.
 * Parentheses and everything else are literal. Patterns are written by others and arrive through git, so matching takes time in proportion to
 * pattern × path whatever they say; a regular expression would not.
 */

export const MAX_PATTERN_LENGTH = 512;
export const MAX_ALTERNATIVES = 64;

/** The spelling that is stored: `/` between segments, no leading `./`. */
export function tidyPattern(pattern: string): string {
  return pattern
    .trim()
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/+)+/, '');
}

/** Why a tidy pattern is refused; `undefined` when it is fine. */
export function patternProblem(pattern: string): string | undefined {
  if (pattern === '') return 'is empty';
  if (Array.from(pattern).length > MAX_PATTERN_LENGTH) return `has more than ${MAX_PATTERN_LENGTH} characters`;
  if (pattern.startsWith('!')) return 'is negated; use patterns for the files that the atom covers';
  if (/^[a-zA-Z]:/.test(pattern)) return 'contains a drive; use a path relative to the project';
  const expanded = expandBraces(pattern);
  if (typeof expanded === 'string') return expanded;
  for (const alternative of expanded) {
    const problem = alternativeProblem(alternative);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function alternativeProblem(alternative: string): string | undefined {
  if (alternative.startsWith('/')) return 'is absolute; use a path relative to the project';
  for (const segment of alternative.split('/')) {
    if (segment === '..') return 'contains ..';
    if (segment === '') return alternative.endsWith('/') ? `ends with /; use ${alternative}** for all files in the folder` : 'has an empty segment';
    if (segment === '.') return 'has a segment .';
    if (compileSegment(segment) === undefined) return `has a broken [...] in ${segment}`;
  }
  return undefined;
}

/** A pattern ready to match. One that `patternProblem` refuses matches nothing. */
export interface CompiledPattern {
  readonly alternatives: readonly CompiledAlternative[];
}

interface CompiledAlternative {
  /** Leading segments without wildcards, joined: every match is this path or lies below it. */
  readonly folder: string;
  readonly segments: readonly Segment[];
  /** What the last segment of a path must be, when the pattern does not end with `**`. */
  readonly name: SegmentTest | undefined;
}

/** `undefined` stands for `**`. */
type Segment = SegmentTest | undefined;
type SegmentTest = (segment: string) => boolean;

export function compilePattern(pattern: string): CompiledPattern {
  if (patternProblem(pattern) !== undefined) return { alternatives: [] };
  const expanded = expandBraces(pattern);
  return { alternatives: typeof expanded === 'string' ? [] : [...new Set(expanded)].map(compileAlternative) };
}

function compileAlternative(alternative: string): CompiledAlternative {
  const texts = alternative.split('/');
  const wild = texts.findIndex(text => /[*?[]/.test(text));
  const segments = texts.map(text => (text === '**' ? undefined : compileSegment(text)));
  return { folder: texts.slice(0, wild < 0 ? texts.length : wild).join('/'), segments, name: segments[segments.length - 1] };
}

/** Whether one of the alternatives covers the path, given as its segments. */
export function coversPath({ segments, name }: CompiledAlternative, path: readonly string[]): boolean {
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

/** What the braces of a pattern stand for, at most `MAX_ALTERNATIVES`; a sentence when they are broken or too many. */
function expandBraces(pattern: string): readonly string[] | string {
  if (!/[{}]/.test(pattern)) return [pattern];
  const reader: BraceReader = { text: pattern, at: 0 };
  const expanded = expandSequence(reader, false);
  if (expanded === undefined) return `expands to more than ${MAX_ALTERNATIVES} alternatives`;
  return reader.problem ?? expanded;
}

interface BraceReader {
  readonly text: string;
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
    if (next === undefined || results.length * next.length > MAX_ALTERNATIVES) return undefined;
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
    if (results.length > MAX_ALTERNATIVES) return undefined;
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

/** Test of one segment; `undefined` when a class in it is broken. */
function compileSegment(text: string): SegmentTest | undefined {
  if (!/[*?[]/.test(text)) return segment => segment === text;
  if (/^\*+$/.test(text)) return () => true;
  const [, ending] = /^\*([^*?[]+)$/.exec(text) ?? [];
  if (ending !== undefined) return segment => segment.endsWith(ending);
  const tokens = tokensOf(text);
  return tokens && (segment => matchesTokens(tokens, segment));
}

/** A star, a class, or one character. */
type Token = '*' | ((character: number) => boolean);

function tokensOf(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length; ) {
    const character = text.codePointAt(at) ?? 0;
    if (text[at] === '[') {
      const close = closeOfClass(text, at);
      const token = close < 0 ? undefined : classToken(text.slice(at + 1, close));
      if (token === undefined) return undefined;
      tokens.push(token);
      at = close + 1;
      continue;
    }
    if (text[at] === '*') tokens.push('*');
    else if (text[at] === '?') tokens.push(() => true);
    else tokens.push(other => other === character);
    at += String.fromCodePoint(character).length;
  }
  return tokens;
}

function classToken(body: string): Token | undefined {
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

function matchesTokens(tokens: readonly Token[], segment: string): boolean {
  const characters = Array.from(segment);
  let at = 0;
  let inText = 0;
  let afterStar = -1;
  let starTook = 0;
  while (inText < characters.length) {
    const token = tokens[at];
    if (token === '*') {
      afterStar = ++at;
      starTook = inText;
    } else if (token?.(characters[inText]?.codePointAt(0) ?? 0)) {
      at++;
      inText++;
    } else if (afterStar >= 0) {
      at = afterStar;
      inText = ++starTook;
    } else return false;
  }
  while (tokens[at] === '*') at++;
  return at === tokens.length;
}
