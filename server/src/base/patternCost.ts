/**
 * Patterns of others (ignore files, settings and rules of a repository, arguments) become regular expressions, which try in turn what their wildcards could stand for:
 * three wildcards in one name of 250 characters make millions of tries. What would hold everything up is refused before it is compiled.
 */
const MAX_LENGTH = 1000;
const MAX_STARS = 3;
/** Repetitions in one regular expression that have no bound, or one above nine. */
const MAX_REPEATS = 4;

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
  const plain = source.replace(/\\./gs, 'x').replace(/\[[^\]]*\]/g, 'x');
  let repeats = 0;
  /** For each open group: whether something in it repeats without a bound, or is a choice. */
  const open: boolean[] = [false];
  for (let at = 0; at < plain.length; at++) {
    const character = plain[at];
    if (character === '(') open.push(false);
    if (character === '|') open[open.length - 1] = true;
    const closed = character === ')' && open.length > 1 ? open.pop() === true : false;
    const repeated = /^(?:[*+]|\{\d+,(?:\d{2,})?\}|\{\d{2,}\})/.exec(plain.slice(at + 1, at + 12)) !== null && character !== '(';
    if (closed && repeated) return 'has repetitions or alternatives inside a repetition';
    if (repeated) repeats++;
    if (closed || repeated) open[open.length - 1] = true;
  }
  return repeats > MAX_REPEATS ? `has more than ${MAX_REPEATS} repetitions` : undefined;
}

/** A pattern as it is shown in a message: no longer than a line. */
export function shownPattern(pattern: string): string {
  const letters = Array.from(pattern.slice(0, 200));
  return letters.length > 60 || pattern.length > 200 ? `${letters.slice(0, 60).join('')}…` : pattern;
}
