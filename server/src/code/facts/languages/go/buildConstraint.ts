/**
 * `//go:build` and `// +build` lines: whether a file takes part in the build that most people make.
 *
 * That build is Linux on amd64 with cgo and the gc compiler, and no tags of one's own. Go versions may or may not hold.
 */

/** Whether a constraint holds: 0 never, 1 always, in between by the version of Go. */
type Holds = number;
const BY_VERSION: Holds = 0.5;

const HOLDS: ReadonlySet<string> = new Set(['linux', 'amd64', 'cgo', 'gc', 'unix']);
const MAX_LENGTH = 2000;

/** `header` is the text before the package clause. */
export function isInDefaultBuild(header: string): boolean {
  const modern = /^\/\/go:build[ \t]+(.+)$/m.exec(header.slice(0, 20_000));
  if (modern !== null) return new Constraint(modern[1] ?? '').evaluate() > 0;
  for (const line of header.slice(0, 20_000).matchAll(/^\/\/[ \t]*\+build[ \t]+(.+)$/gm)) if (!oldLineHolds(line[1] ?? '')) return false;
  return true;
}

/** Spaces are "or", commas "and". */
function oldLineHolds(line: string): boolean {
  return line
    .trim()
    .split(/\s+/)
    .some(option => option.split(',').every(term => (term.startsWith('!') ? 1 - tagHolds(term.slice(1)) : tagHolds(term)) > 0));
}

function tagHolds(tag: string): Holds {
  if (HOLDS.has(tag)) return 1;
  return /^go1(?:\.\d+)*$/.test(tag) ? BY_VERSION : 0;
}

/** `||` of `&&` of terms, `!` and parentheses. What cannot be read holds. */
class Constraint {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.slice(0, MAX_LENGTH).match(/\|\||&&|[!()]|[\w.]+/g) ?? [];
  }

  evaluate(): Holds {
    return this.#tokens.length === 0 ? 1 : this.#or(0);
  }

  #or(depth: number): Holds {
    let holds = this.#and(depth);
    while (this.#takes('||')) holds = Math.max(this.#and(depth), holds);
    return holds;
  }

  #and(depth: number): Holds {
    let holds = this.#term(depth);
    while (this.#takes('&&')) holds = Math.min(this.#term(depth), holds);
    return holds;
  }

  #term(depth: number): Holds {
    let isNegated = false;
    while (this.#takes('!')) isNegated = !isNegated;
    let holds: Holds = 1;
    if (this.#takes('(')) {
      holds = depth > 50 ? 1 : this.#or(depth + 1);
      this.#takes(')');
    } else {
      const tag = this.#tokens[this.#at++];
      holds = tag === undefined ? 1 : tagHolds(tag);
    }
    return isNegated ? 1 - holds : holds;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}
