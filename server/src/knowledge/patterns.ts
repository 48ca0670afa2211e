/**
 * Globs of atoms: `*` and `?` inside a segment, `**` any folders, `[...]`, `{a,b}`; case-sensitive, dot files included.
 * Parentheses and everything else are literal. What matches nothing, or could be meant otherwise, is refused when it is written.
 */
import { compileGlob, expandBraces, type Glob, hasBrokenClass } from '../base/globs';

export const MAX_PATTERN_LENGTH = 512;
export const MAX_ALTERNATIVES = 64;

/** The spelling that is stored: `/` between segments, no leading `./`. */
export function normalizePattern(pattern: string): string {
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
  const expanded = expandBraces(pattern, MAX_ALTERNATIVES);
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
    if (hasBrokenClass(segment)) return `has a broken [...] in ${segment}`;
  }
  return undefined;
}

/** A pattern ready to match. One that `patternProblem` refuses matches nothing. */
export function compilePattern(pattern: string): Glob {
  const expanded = patternProblem(pattern) === undefined ? expandBraces(pattern, MAX_ALTERNATIVES) : [];
  return compileGlob(typeof expanded === 'string' ? [] : expanded);
}
