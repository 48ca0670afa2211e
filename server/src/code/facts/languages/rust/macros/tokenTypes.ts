import { type ExpressionRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { Frame, RustFile } from '../walk';

const SKIPPED: ReadonlySet<string> = new Set(['&', 'mut', 'dyn', 'impl', 'const', '*']);

interface ReadType {
  readonly row: ExpressionRow;
  /** Token of its last name. */
  readonly name: SyntaxNode;
}

/** Types written as the tokens of a macro: paths with type arguments; all else is unknown. */
export class TokenTypes {
  constructor(private readonly file: RustFile) {}

  read(tokens: readonly SyntaxNode[], frame: Frame): ReadType {
    const { file } = this;
    let at = 0;
    if (file.text(tokens[0] ?? NO_NODE) === '<') at = this.#close(tokens, 0) + 1;
    while (at < tokens.length && (SKIPPED.has(file.text(tokens[at] ?? NO_NODE)) || file.text(tokens[at] ?? NO_NODE) === "'")) {
      at += file.text(tokens[at] ?? NO_NODE) === "'" ? 2 : 1;
    }
    let name = tokens[at] ?? NO_NODE;
    if (file.text(name) === 'Self') return { row: frame.self?.row ?? file.unknown(), name };
    if (file.is(name, 'primitive_type')) return { row: file.fixedName(file.text(name)), name };
    if (!file.is(name, 'identifier', 'metavariable', 'crate', 'super', 'self')) return { row: file.unknown(), name: NO_NODE };
    const root = file.is(name, 'self') ? 'self::' : file.text(name).replace('$crate', 'crate');
    let row = file.row('name', frame.scope, NONE, file.builder.intern(root));
    for (at++; file.text(tokens[at] ?? NO_NODE) === '::' && file.is(tokens[at + 1] ?? NO_NODE, 'identifier', 'metavariable'); at += 2) {
      name = tokens[at + 1] ?? NO_NODE;
      row = file.row('member', row, NONE, file.word(name));
    }
    if (file.text(tokens[at] ?? NO_NODE) !== '<') return { row, name };
    const end = this.#close(tokens, at);
    return { row: file.row('generic', row, NONE, NO_TEXT, this.#arguments(tokens.slice(at + 1, end), frame)), name };
  }

  #arguments(tokens: readonly SyntaxNode[], frame: Frame): ExpressionRow[] {
    return separated(this.file, tokens).map(part => this.file.nested(this.file.unknown(), () => this.read(part, frame).row));
  }

  /** Index of the `>` that closes the `<` at `from`. */
  #close(tokens: readonly SyntaxNode[], from: number): number {
    let depth = 0;
    for (let at = from; at < tokens.length; at++) {
      const text = this.file.text(tokens[at] ?? NO_NODE);
      if (text === '<') depth++;
      else if (text === '>') depth--;
      else if (text === '>>') depth -= 2;
      if (depth <= 0) return at;
    }
    return tokens.length;
  }
}

/** The parts between commas that stand outside angle brackets. */
export function separated(file: RustFile, tokens: readonly SyntaxNode[]): SyntaxNode[][] {
  const parts: SyntaxNode[][] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at <= tokens.length; at++) {
    const text = at === tokens.length ? ',' : file.text(tokens[at] ?? NO_NODE);
    if (text === '<') depth++;
    else if (text === '>') depth--;
    else if (text === '>>') depth -= 2;
    if (text !== ',' || (depth > 0 && at < tokens.length)) continue;
    if (at > start) parts.push(tokens.slice(start, at));
    start = at + 1;
  }
  return parts;
}
