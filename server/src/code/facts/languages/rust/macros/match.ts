/** Which tokens of a macro call the parameters of a rule take: enough of `macro_rules!` matching to know the names that a call hands over. */
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { RustFile } from '../walk';

/** Tokens by parameter (`$name`), one for each time it is matched; only those that are one token long. */
export type Captures = Map<string, SyntaxNode[]>;

/** Matches one call; false, with nothing captured, when the rule does not fit it. */
export function addCaptures(file: RustFile, pattern: SyntaxNode, call: SyntaxNode, into: Captures): boolean {
  if (pattern === NO_NODE || call === NO_NODE) return false;
  const patterns = insideOf(file, pattern);
  for (const tokens of readingsOf(file, insideOf(file, call))) {
    const found: Captures = new Map();
    const matcher = new Matcher(file, found);
    if (file.nested(-1, () => matcher.sequence(patterns, tokens, 0, [])) !== tokens.length) continue;
    for (const [name, nodes] of found) into.set(name, [...(into.get(name) ?? []), ...nodes]);
    return true;
  }
  return false;
}

/** In the body of a macro arguments may be repeated: they are read once, and left out. */
function readingsOf(file: RustFile, tokens: readonly SyntaxNode[]): (readonly SyntaxNode[])[] {
  if (!tokens.some(token => file.is(token, 'token_repetition'))) return [tokens];
  const once = tokens.flatMap(token => (file.is(token, 'token_repetition') ? insideOf(file, token).slice(1, -1) : [token]));
  return [once, tokens.filter(token => !file.is(token, 'token_repetition'))];
}

function insideOf(file: RustFile, tree: SyntaxNode): SyntaxNode[] {
  const { reader, grammar } = file;
  return reader.children(tree).filter((child, index, all) => index > 0 && index < all.length - 1 && !grammar.comments.has(reader.kind(child)));
}

/** More than this many repetitions of one group are not looked at. */
const MAX_ROUNDS = 5000;

class Matcher {
  constructor(
    private readonly file: RustFile,
    private readonly captures: Captures,
  ) {}

  /** Index after what the patterns match from `at` on, -1 when they do not. `stops` are the texts that may follow. */
  sequence(patterns: readonly SyntaxNode[], tokens: readonly SyntaxNode[], from: number, stops: readonly string[]): number {
    const { file } = this;
    let at = from;
    for (let index = 0; index < patterns.length; index++) {
      const pattern = patterns[index] ?? NO_NODE;
      const after = this.#firsts(patterns.slice(index + 1), stops);
      if (file.is(pattern, 'token_binding_pattern')) at = this.#binding(pattern, tokens, at, after);
      else if (file.is(pattern, 'token_repetition_pattern')) at = file.nested(-1, () => this.#repetition(pattern, tokens, at, after));
      else if (file.is(pattern, 'token_tree_pattern')) at = file.nested(-1, () => this.#tree(pattern, tokens, at));
      else at = this.#same(pattern, tokens[at] ?? NO_NODE) ? at + 1 : -1;
      if (at < 0) return -1;
    }
    return at;
  }

  #tree(pattern: SyntaxNode, tokens: readonly SyntaxNode[], at: number): number {
    const { file } = this;
    const token = tokens[at] ?? NO_NODE;
    if (!file.is(token, 'token_tree') || file.reader.charCode(token) !== file.reader.charCode(pattern)) return -1;
    const inner = insideOf(file, token);
    return this.sequence(insideOf(file, pattern), inner, 0, []) === inner.length ? at + 1 : -1;
  }

  #same(pattern: SyntaxNode, token: SyntaxNode): boolean {
    return token !== NO_NODE && this.file.text(pattern) === this.file.text(token);
  }

  #binding(pattern: SyntaxNode, tokens: readonly SyntaxNode[], at: number, stops: readonly string[]): number {
    const { file } = this;
    const fragment = file.text(file.child(pattern, 'type'));
    const token = tokens[at] ?? NO_NODE;
    if (fragment === 'vis') {
      if (file.text(token) !== 'pub') return at;
      return file.is(tokens[at + 1] ?? NO_NODE, 'token_tree') ? at + 2 : at + 1;
    }
    if (token === NO_NODE) return -1;
    const isSingle = fragment === 'ident' || fragment === 'tt' || fragment === 'block';
    let end = at + 1;
    if (fragment === 'ident' && !file.is(token, 'identifier', 'metavariable', 'self', 'super', 'crate', 'primitive_type')) return -1;
    if (fragment === 'lifetime') end = at + 2;
    else if (!isSingle) while (end < tokens.length && !stops.includes(file.text(tokens[end] ?? NO_NODE))) end++;
    if (end === at + 1) {
      const name = file.text(file.child(pattern, 'name'));
      const nodes = this.captures.get(name);
      if (nodes === undefined) this.captures.set(name, [token]);
      else nodes.push(token);
    }
    return end;
  }

  /** `$( … ) separator? operator`. */
  #repetition(pattern: SyntaxNode, tokens: readonly SyntaxNode[], from: number, stops: readonly string[]): number {
    const { inner, separator, operator } = this.#parts(pattern);
    const after = separator === '' ? [...this.#firsts(inner, []), ...stops] : [separator, ...stops];
    let at = from;
    for (let round = 0; round < MAX_ROUNDS && at < tokens.length; round++) {
      let begin = at;
      if (round > 0 && separator !== '') {
        if (this.file.text(tokens[at] ?? NO_NODE) !== separator) break;
        begin = at + 1;
      }
      const end = this.sequence(inner, tokens, begin, after);
      if (end <= begin) break;
      at = end;
      if (operator === '?') break;
    }
    return at;
  }

  /** The grammar leaves the separator out of the tree. */
  #parts(pattern: SyntaxNode): { readonly inner: readonly SyntaxNode[]; readonly separator: string; readonly operator: string } {
    const { file } = this;
    const children = file.reader.children(pattern).filter(child => !file.grammar.comments.has(file.reader.kind(child)));
    const close = children.findLastIndex(child => file.text(child) === ')' && !file.reader.isNamed(child));
    const last = children[children.length - 1] ?? NO_NODE;
    const operator = file.text(last);
    const separator = file.table.text.slice(file.reader.end(children[close] ?? pattern), file.reader.start(last)).trim();
    return { inner: children.slice(2, close), separator, operator };
  }

  /** Texts that the patterns can begin with; those of what may be left out, and then of what comes after. */
  #firsts(patterns: readonly SyntaxNode[], stops: readonly string[]): string[] {
    const { file } = this;
    const texts: string[] = [];
    for (const pattern of patterns) {
      if (file.is(pattern, 'token_repetition_pattern')) {
        const { inner, separator } = this.#parts(pattern);
        texts.push(...file.nested([], () => this.#firsts(inner, [])));
        if (separator !== '') texts.push(separator);
        continue;
      }
      if (file.is(pattern, 'token_binding_pattern')) return texts;
      texts.push(file.is(pattern, 'token_tree_pattern') ? (file.table.text[file.reader.start(pattern)] ?? '') : file.text(pattern));
      return texts;
    }
    return [...texts, ...stops];
  }
}
