/**
 * `//go:build` and `// +build` lines: whether a file takes part in the build that most people make.
 *
 * That build is Linux on amd64 with cgo and the gc compiler, any released Go version, and no tags of one's own.
 */

const HOLDS: ReadonlySet<string> = new Set(['linux', 'amd64', 'cgo', 'gc', 'unix']);
const MAX_LENGTH = 2000;

/** `header` is the text before the package clause. */
export function isInDefaultBuild(header: string): boolean {
  const modern = /^\/\/go:build[ \t]+(.+)$/m.exec(header.slice(0, 20_000));
  if (modern !== null) return new Constraint(modern[1] ?? '').evaluate();
  for (const line of header.slice(0, 20_000).matchAll(/^\/\/[ \t]*\+build[ \t]+(.+)$/gm)) if (!oldLineHolds(line[1] ?? '')) return false;
  return true;
}

/** Spaces are "or", commas "and". */
function oldLineHolds(line: string): boolean {
  return line
    .trim()
    .split(/\s+/)
    .some(option => option.split(',').every(term => (term.startsWith('!') ? !tagHolds(term.slice(1)) : tagHolds(term))));
}

function tagHolds(tag: string): boolean {
  return HOLDS.has(tag) || /^go1(?:\.\d+)*$/.test(tag);
}

/** `||` of `&&` of terms, `!` and parentheses. What cannot be read holds. */
class Constraint {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.slice(0, MAX_LENGTH).match(/\|\||&&|[!()]|[\w.]+/g) ?? [];
  }

  evaluate(): boolean {
    return this.#tokens.length === 0 || this.#or(0);
  }

  #or(depth: number): boolean {
    let holds = this.#and(depth);
    while (this.#takes('||')) holds = this.#and(depth) || holds;
    return holds;
  }

  #and(depth: number): boolean {
    let holds = this.#term(depth);
    while (this.#takes('&&')) holds = this.#term(depth) && holds;
    return holds;
  }

  #term(depth: number): boolean {
    let isNegated = false;
    while (this.#takes('!')) isNegated = !isNegated;
    let holds = true;
    if (this.#takes('(')) {
      holds = depth > 50 || this.#or(depth + 1);
      this.#takes(')');
    } else {
      const tag = this.#tokens[this.#at++];
      holds = tag === undefined || tagHolds(tag);
    }
    return holds !== isNegated;
  }

  #takes(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}
