/**
 * Patterns of others (ignore files, settings and rules of a repository, arguments) become regular expressions, which try in turn what their wildcards could stand for:
 * three wildcards in one name of 250 characters make millions of tries. What would hold everything up is refused before it is compiled.
 */
const MAX_LENGTH = 1000;
const MAX_STARS = 3;
/** Longest text that a regular expression of others is matched with, in characters. */
export const MAX_MATCHED_LENGTH = 200;
/** Ways to match a text of that length that a regular expression may try at worst. */
const MAX_TRIES = 1e8;

/** Why a pattern that does not become a regular expression is refused: `base/globs` matches in proportion to its length. */
export function lengthFault(pattern: string): string | undefined {
  return pattern.length > MAX_LENGTH ? `is longer than ${MAX_LENGTH} characters` : undefined;
}

/** Why a pattern with `*` that becomes a regular expression is refused; `undefined` when it is fine. Reads as the end of a sentence about the pattern. */
export function globFault(glob: string): string | undefined {
  const fault = lengthFault(glob);
  if (fault !== undefined) return fault;
  if (starsOf(glob) > MAX_STARS) return `has more than ${MAX_STARS} wildcards in one name`;
  return undefined;
}

/** How much work a fine pattern makes at worst, where one with a single wildcard makes 1. */
export function globCost(glob: string): number {
  return [1, 1, 50, 2000][starsOf(glob)] ?? Number.POSITIVE_INFINITY;
}

/** Most runs of `*` in one segment; `**` between slashes is none. */
function starsOf(glob: string): number {
  let most = 0;
  for (const segment of glob.split('/')) {
    if (segment !== '**') most = Math.max(most, segment.match(/\*+/g)?.length ?? 0);
  }
  return most;
}

/** Why a regular expression is refused; `undefined` when it is fine (it may still not compile). */
export function regExpFault(source: string): string | undefined {
  if (source.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (/\\(?:[1-9]|k<)/.test(source)) return 'refers to a group';
  const plain = source.replace(/\\[pPu]\{[^}]*\}|\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
  const tries = triesOf(plain) * (plain.startsWith('^') ? 1 : MAX_MATCHED_LENGTH);
  if (tries === Number.POSITIVE_INFINITY) return 'has repetitions or alternatives inside a repetition';
  return tries > MAX_TRIES ? 'has too many repetitions, options and alternatives' : undefined;
}

/** A quantifier, a group's start, or any other character. */
const TOKEN = /(?<group>\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?)|\{(?<least>\d+)(?:(?<comma>,)(?<most>\d*))?\}|./gs;

interface Group {
  /** Ways through the alternatives that have ended. */
  alternatives: number;
  /** Ways through this alternative before its last part. */
  before: number;
  /** Ways through that part, which a quantifier may follow. */
  last: number;
}

/**
 * Ways that a backtracking matcher tries at worst with a text of `MAX_MATCHED_LENGTH`: alternatives add up, what stands in a row multiplies.
 * Infinite for what has several ways and is repeated without a bound.
 */
function triesOf(plain: string): number {
  const begun = (): Group => ({ alternatives: 0, before: 1, last: 1 });
  const whole = (group: Group): number => group.alternatives + group.before * group.last;
  const open: Group[] = [];
  let group = begun();
  for (const { 0: token, groups = {} } of plain.matchAll(TOKEN)) {
    const [least, most] = boundsOf(token, groups);
    if (least !== undefined) group.last = repeated(group.last, least, most);
    else if (groups['group'] !== undefined) {
      open.push(group);
      group = begun();
    } else if (token === ')') {
      const ways = whole(group);
      group = open.pop() ?? begun();
      group = { ...group, before: group.before * group.last, last: ways };
    } else if (token === '|') group = { ...begun(), alternatives: whole(group) };
    else group = { ...group, before: group.before * group.last, last: 1 };
  }
  return [...open, group].reduce((product, each) => product * whole(each), 1);
}

function boundsOf(token: string, { comma, least, most }: Readonly<Record<string, string | undefined>>): readonly [least: number | undefined, most: number] {
  const unbounded = Number.POSITIVE_INFINITY;
  if (token === '?') return [0, 1];
  if (token === '*' || token === '+') return [0, unbounded];
  if (least === undefined) return [undefined, 0];
  return [Number(least), comma === undefined ? Number(least) : most === '' || most === undefined ? unbounded : Number(most)];
}

/** Ways through what has this many ways itself, so many times. */
function repeated(ways: number, least: number, most: number): number {
  if (most === Number.POSITIVE_INFINITY) return ways > 1 ? most : MAX_MATCHED_LENGTH;
  if (ways === 1) return Math.max(1, most - least + 1);
  // Of a geometric sum the last term and as many again.
  return ways ** most * (least === most ? 1 : 2);
}

/** A pattern as it is shown in a message: no longer than a line. */
export function shownPattern(pattern: string): string {
  const letters = Array.from(pattern.slice(0, 200));
  return letters.length > 60 || pattern.length > 200 ? `${letters.slice(0, 60).join('')}…` : pattern;
}
