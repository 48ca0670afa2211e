import ignore, { type Ignore } from 'ignore';
import { globCost, globFault, shownPattern } from '../../base/patternCost';

/** What the patterns of one ignore file may cost together; one with a single wildcard costs 1. */
const MAX_COST = 20_000;

/**
 * The ignore rules in force in one folder: git's rules of every level above it as one list, in git's order of precedence.
 *
 * A nested file's patterns are rewritten to be relative to the topmost folder (`foo` in `a/.gitignore` means `foo` anywhere below `/a`), so that one list says, as git does,
 * that the last matching pattern wins and that nothing below an ignored folder can be brought back.
 * Paths are relative to that topmost folder, with `/`; folders are asked for with a trailing `/`.
 */
export class IgnoreRules {
  /**
   * `list` is undefined where there are no rules: the library takes its time for each path all the same. `hasNegated`: one of the patterns may bring
   * something back.
   */
  private constructor(
    private readonly list: Ignore | undefined,
    private readonly hasNegated: boolean,
    private readonly caseInsensitive: boolean,
  ) {}

  static empty(caseInsensitive: boolean): IgnoreRules {
    return new IgnoreRules(undefined, false, caseInsensitive);
  }

  /** These rules and, stronger, those of an ignore file in `folder` (`''`: the topmost). Each pattern that is left out is told in a sentence. */
  with(folder: string, text: string, leftOut: (why: string) => void): IgnoreRules {
    const patterns = rebase(folder, text, leftOut);
    if (patterns.length === 0) return this;
    return new IgnoreRules(
      ignore({ ignorecase: this.caseInsensitive })
        .add(this.list ?? [])
        .add(patterns),
      this.hasNegated || patterns.some(pattern => pattern.startsWith('!')),
      this.caseInsensitive,
    );
  }

  ignores(path: string): boolean {
    return this.list !== undefined && path !== '' && path !== '/' && this.list.ignores(path);
  }

  /** True when a negated pattern names the path itself. */
  admits(path: string): boolean {
    return this.hasNegated && this.list !== undefined && path !== '' && path !== '/' && this.list.test(path).unignored;
  }
}

/** Patterns of an ignore file as patterns of the topmost folder. Comments and blank lines go. */
function rebase(folder: string, text: string, leftOut: (why: string) => void): string[] {
  const result: string[] = [];
  let cost = 0;
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r?\n/)) {
    if (raw === '' || raw.startsWith('#')) continue;
    const fault = globFault(raw) ?? (isCompiled(raw) ? undefined : 'cannot be read');
    if (fault !== undefined) {
      leftOut(`The pattern ${shownPattern(raw)} ${fault} and is ignored.`);
      continue;
    }
    const line = trimUnescaped(raw);
    const negated = line.startsWith('!');
    const pattern = (negated ? line.slice(1) : line).replace(/^\\(?=[!#])/, '');
    if (pattern === '' || pattern === '/') continue;
    cost += globCost(pattern);
    if (cost > MAX_COST) {
      leftOut(`There are too many patterns. Those from ${shownPattern(raw)} on are ignored.`);
      break;
    }
    result.push(`${negated ? '!' : ''}${anchor(folder, pattern)}`);
  }
  return result;
}

/** The library compiles a pattern when it is first asked, and then throws. */
function isCompiled(pattern: string): boolean {
  if (!/[[\]{}\\]/.test(pattern)) return true;
  try {
    ignore().add(pattern).ignores('x');
    return true;
  } catch {
    return false;
  }
}

function anchor(folder: string, pattern: string): string {
  const prefix = folder === '' ? '' : `/${escapePattern(folder)}`;
  const isAnchored = pattern.slice(0, -1).includes('/');
  if (isAnchored) return `${prefix}/${pattern.replace(/^\//, '')}`;
  return `${prefix}/**/${pattern}`;
}

/** Trailing spaces do not count unless escaped. */
function trimUnescaped(line: string): string {
  return line.replace(/(\\ )? +$/, '$1');
}

function escapePattern(folder: string): string {
  return folder.replace(/[\\*?[\]!# ]/g, '\\$&');
}
