/**
 * What stands in macro calls. Macros are not expanded and the grammar leaves their arguments as tokens, so names and calls are read off the tokens:
 * paths, `path(…)`, `.name(…)`, `.name`, `?`, literals and groups become the rows they would be in plain code, and what joins them is passed over.
 */

import { type BindingRow, type ExpressionRow, NO_TEXT, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { openFunction } from '../../../walk/frames';
import { lastSegment, STANDARD_TRAITS, selfRow } from '../paths';
import { bindLocal, type Frame, newBody, type RustFile, type Walk } from '../walk';
import { separated, TokenTypes } from './tokenTypes';

/** Macros that make text or tokens of what they are given, and run none of it. */
const INERT: ReadonlySet<string> = new Set(
  'quote quote_spanned parse_quote stringify concat concat_idents env option_env include include_str include_bytes cfg compile_error line file column module_path global_asm asm macro_rules'.split(
    ' ',
  ),
);

/** Words that are no names, though tokens do not tell them apart. */
export const KEYWORDS: ReadonlySet<string> = new Set(
  'as break const continue dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return static struct trait true type unsafe use where while'.split(
    ' ',
  ),
);

const MAX_KEYWORD_LENGTH = 8;

const DIVERGING: ReadonlySet<string> = new Set(['panic', 'unreachable', 'todo', 'unimplemented', 'bail', 'compile_error']);

/** Names of macros that hand on the inside of their first argument. */
const UNWRAPPING = /try|unwrap|ready/;

const RESULTS: ReadonlyMap<string, string> = new Map([
  ['format', 'string'],
  ['stringify', 'string'],
  ['concat', 'string'],
  ['env', 'string'],
  ['include_str', 'string'],
  ['matches', 'boolean'],
  ['cfg', 'boolean'],
  ['line', 'number'],
]);

/** Row of a macro call, with uses for what its arguments call and read. */
export function macroValue(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  return macroCall(walk, { macro: file.child(node, 'macro'), arguments: file.childOf(node, 'token_tree') }, frame);
}

/** A use of the macro itself; its name. */
export function macroUse(walk: Walk, macro: SyntaxNode, frame: Frame): string {
  const { file } = walk;
  const { name } = lastSegment(file, macro);
  const text = file.text(name);
  file.use('read', file.row('name', frame.scope, NONE, file.builder.intern(`${text}!`)), frame.owner, file.word(name), file.reader.start(name));
  return text;
}

/** True for macros whose arguments are no code that runs. */
export function isInert(name: string): boolean {
  return INERT.has(name);
}

interface MacroCall {
  readonly macro: SyntaxNode;
  readonly arguments: SyntaxNode;
}

function macroCall(walk: Walk, call: MacroCall, frame: Frame): ExpressionRow {
  const { file } = walk;
  const inside: Frame = frame.body === undefined ? { ...frame, body: newBody() } : frame;
  const text = macroUse(walk, call.macro, frame);
  const rows = INERT.has(text) || call.arguments === NO_NODE ? [] : readTokens(walk, innerTokens(file, call.arguments), inside).rows;
  if (text === 'write' || text === 'writeln') return file.row('call', file.fixedName('Ok'), NONE, NO_TEXT, [file.literal('null')]);
  const literal = RESULTS.get(text);
  if (literal !== undefined) return file.literal(literal);
  if (DIVERGING.has(text)) return NONE;
  if (text === 'vec') return file.row('array', NONE, NONE, NO_TEXT, rows.slice(0, 12));
  const [first] = rows;
  if (first === undefined) return file.unknown();
  if (text === 'dbg' || text === 'black_box') return first;
  return UNWRAPPING.test(text) ? file.row('unwrap', first) : file.unknown();
}

/** Tokens of a tree without its delimiters. */
export function innerTokens(file: RustFile, tree: SyntaxNode): SyntaxNode[] {
  const { reader, grammar } = file;
  return reader.children(tree).filter((child, index, all) => index > 0 && index < all.length - 1 && !grammar.comments.has(reader.kind(child)));
}

/** What reading tokens gives. */
export interface ReadTokens {
  /** Rows of what stands at the beginning and after each comma and semicolon. */
  readonly rows: readonly ExpressionRow[];
  /** Sees what `let` has bound among the tokens. */
  readonly frame: Frame;
}

/** Writes uses of everything in a list of tokens. */
export function readTokens(walk: Walk, tokens: readonly SyntaxNode[], frame: Frame): ReadTokens {
  return walk.file.nested({ rows: [], frame }, () => new TokenReader(walk, tokens, frame).all());
}

class TokenReader {
  readonly #file: RustFile;
  readonly #types: TokenTypes;
  #frame: Frame;
  #at = 0;

  constructor(
    private readonly walk: Walk,
    private readonly tokens: readonly SyntaxNode[],
    frame: Frame,
  ) {
    this.#file = walk.file;
    this.#types = new TokenTypes(walk.file);
    this.#frame = frame;
  }

  all(): ReadTokens {
    const rows: ExpressionRow[] = [];
    let isFirst = true;
    while (this.#at < this.tokens.length) {
      const before = this.#at;
      const text = this.#text(this.#at);
      if (text === 'let') {
        this.#let();
        continue;
      }
      if (text === '#' && this.#opens(this.#at + 1, '[')) {
        this.#at += 2;
        continue;
      }
      const row = text === '|' && isFirst ? this.#closure() : this.#chain();
      if (row !== NONE && isFirst) rows.push(row);
      if (row !== NONE) isFirst = false;
      if (this.#at > before) continue;
      if (text === ',' || text === ';' || text === '=>') isFirst = true;
      this.#at++;
    }
    return { rows, frame: this.#frame };
  }

  /** `let name: Type = value`; of other patterns the names are passed over. */
  #let(): void {
    const file = this.#file;
    let at = this.#at + 1;
    if (this.#text(at) === 'mut' || file.is(this.tokens[at] ?? NO_NODE, 'mutable_specifier')) at++;
    const name = this.tokens[at] ?? NO_NODE;
    const sign = this.#text(at + 1);
    if (!file.is(name, 'identifier') || (sign !== '=' && sign !== ':')) {
      this.#at++;
      return;
    }
    let equals = at + 1;
    while (equals < this.tokens.length && this.#text(equals) !== '=' && this.#text(equals) !== ';') equals++;
    const type = sign === ':' ? this.#types.read(this.tokens.slice(at + 2, equals), this.#frame).row : NONE;
    this.#at = equals + 1;
    while (this.#text(this.#at) === '&' || file.is(this.tokens[this.#at] ?? NO_NODE, 'mutable_specifier')) this.#at++;
    const value = this.#text(equals) === '=' ? this.#chain() : NONE;
    this.#frame = bindLocal(this.walk, this.#frame, file.word(name), value, type);
  }

  /** `|a, mut b: Type| body`: a function without a symbol. */
  #closure(): ExpressionRow {
    const file = this.#file;
    const { builder } = file;
    let end = this.#at + 1;
    while (end < this.tokens.length && this.#text(end) !== '|') end++;
    if (end >= this.tokens.length) return NONE;
    const outer = this.#frame;
    const { row, scope } = openFunction(file, outer.scope, NONE);
    const inside: Frame = { ...outer, scope, home: scope, body: { ...newBody(outer.body), isClosure: true } };
    const rows: BindingRow[] = [];
    for (const part of separated(file, this.tokens.slice(this.#at + 1, end))) {
      const name = part.find(token => file.is(token, 'identifier')) ?? NO_NODE;
      const colon = part.findIndex(token => file.text(token) === ':');
      const type = colon < 0 ? NONE : this.#types.read(part.slice(colon + 1), inside).row;
      const word = name === NO_NODE ? builder.intern(`(${rows.length})`) : file.word(name);
      inside.body?.seen.add(word);
      rows.push(builder.addBinding({ scope, name: word, kind: 'parameter', type, function: row, position: rows.length }));
    }
    builder.setParameters(row, rows);
    this.#at = end + 1;
    this.#frame = inside;
    const value = this.#chain();
    this.#frame = outer;
    builder.setReturns(row, value === NONE ? [] : [value]);
    return file.row('function', row);
  }

  /** A primary expression with what follows it; `NONE` and no step where none begins. */
  #chain(): ExpressionRow {
    let row = this.#primary();
    if (row === NONE) return NONE;
    for (;;) {
      const text = this.#text(this.#at);
      if (text === '?') {
        row = this.#file.row('unwrap', row);
        this.#at++;
      } else if (text === '.' && this.#isName(this.#at + 1)) row = this.#member(row);
      else if (text === '.' && this.#text(this.#at + 1) === 'await') {
        row = this.#file.row('await', row);
        this.#at += 2;
      } else if (text === '.' && this.#file.is(this.tokens[this.#at + 1] ?? NO_NODE, 'integer_literal')) {
        row = this.#file.row('member', row, NONE, this.#file.word(this.tokens[this.#at + 1] ?? NO_NODE));
        this.#at += 2;
      } else if (this.#opens(this.#at, '[')) {
        const [key] = this.#group(this.#at++);
        row = this.#file.row('index', row, key ?? NONE);
      } else return row;
    }
  }

  #member(receiver: ExpressionRow): ExpressionRow {
    const name = this.tokens[this.#at + 1] ?? NO_NODE;
    const word = this.#file.word(name);
    const start = this.#file.reader.start(name);
    const member = this.#file.row('member', receiver, NONE, word);
    this.#at += 2;
    this.#skipTurbofish();
    if (!this.#opens(this.#at, '(')) {
      this.#file.use('read', member, this.#frame.owner, word, start);
      return member;
    }
    const call = this.#file.row('call', member, NONE, NO_TEXT, this.#group(this.#at++));
    this.#file.use('call', call, this.#frame.owner, word, start);
    return call;
  }

  #primary(): ExpressionRow {
    const token = this.tokens[this.#at] ?? NO_NODE;
    const frame = this.#frame;
    if (this.#file.is(token, 'string_literal', 'raw_string_literal')) return this.#literal('string');
    if (this.#file.is(token, 'integer_literal', 'float_literal')) return this.#literal('number');
    if (this.#file.is(token, 'boolean_literal')) return this.#literal('boolean');
    if (this.#file.is(token, 'char_literal')) return this.#literal('char');
    if (this.#file.is(token, 'token_tree', 'token_repetition')) {
      const rows = this.#group(this.#at++);
      const [only] = rows;
      if (this.#opens(this.#at - 1, '[')) return this.#file.row('array', NONE, NONE, NO_TEXT, rows.slice(0, 12));
      return rows.length === 1 && only !== undefined ? only : this.#file.unknown();
    }
    if (this.#isPathStart(this.#at)) return this.#path(frame);
    return this.#text(this.#at) === '<' ? this.#qualified(frame) : NONE;
  }

  #literal(text: string): ExpressionRow {
    this.#at++;
    return this.#file.literal(text);
  }

  /** `<Type>::name`, `<Type as Trait>::name`; `NONE` and no step where `<` compares. */
  #qualified(frame: Frame): ExpressionRow {
    const file = this.#file;
    const end = afterAngles(file, this.tokens, this.#at);
    if (this.#text(end) !== '::' || !this.#isName(end + 1)) return NONE;
    const inner = this.tokens.slice(this.#at + 1, end - 1);
    const split = inner.findIndex(token => file.text(token) === 'as');
    const trait = split < 0 ? undefined : this.#types.read(inner.slice(split + 1), frame);
    const isOwn = trait === undefined || trait.name === NO_NODE || STANDARD_TRAITS.has(file.text(trait.name));
    const root = isOwn ? this.#types.read(split < 0 ? inner : inner.slice(0, split), frame).row : trait.row;
    this.#at = end;
    return this.#segments(root, this.tokens[end + 1] ?? NO_NODE, frame);
  }

  #path(frame: Frame): ExpressionRow {
    const isKey = this.#isName(this.#at) && (this.#text(this.#at + 1) === '=' || this.#text(this.#at + 1) === ':');
    if (isKey) {
      this.#at += 2;
      return NONE;
    }
    const name = this.tokens[this.#at] ?? NO_NODE;
    if (this.#file.expanded.has(name)) {
      this.#at++;
      return NONE;
    }
    const root = this.#root(name, frame);
    this.#at++;
    return this.#segments(root, name, frame);
  }

  /** The names after the root of a path. */
  #segments(root: ExpressionRow, first: SyntaxNode, frame: Frame): ExpressionRow {
    const file = this.#file;
    let name = first;
    let row = root;
    let prefix: ExpressionRow = NONE;
    for (;;) {
      this.#skipTurbofish();
      if (this.#text(this.#at) !== '::' || !this.#isName(this.#at + 1)) break;
      name = this.tokens[this.#at + 1] ?? NO_NODE;
      prefix = row;
      row = file.row('member', row, NONE, file.word(name));
      this.#at += 2;
    }
    return this.#used(row, prefix, name, frame);
  }

  /** What a path is used for: called, filled as a struct, called as a macro, or read. */
  #used(row: ExpressionRow, prefix: ExpressionRow, name: SyntaxNode, frame: Frame): ExpressionRow {
    const file = this.#file;
    const word = file.word(name);
    const start = file.reader.start(name);
    const next = this.tokens[this.#at + 1] ?? NO_NODE;
    if (this.#text(this.#at) === '!' && file.is(next, 'token_tree')) {
      this.#at += 2;
      return macroCall(this.walk, { macro: name, arguments: next }, frame);
    }
    const isCapital = file.isCapital(name);
    if (this.#opens(this.#at, '(')) {
      const rows = this.#group(this.#at++);
      const call = file.row('call', row, NONE, NO_TEXT, rows);
      if (!isCapital) file.use('call', call, frame.owner, word, start);
      else if (prefix !== NONE) file.use('read', row, frame.owner, word, start);
      return call;
    }
    if (isCapital && this.#opens(this.#at, '{')) {
      this.#group(this.#at++);
      file.use('type', row, frame.owner, word, start);
      return file.row('new', row);
    }
    if (prefix === NONE && file.is(name, 'identifier')) file.readName(row, frame.owner, word, start, frame.scope);
    else if (prefix !== NONE) file.use('read', row, frame.owner, word, start);
    return row;
  }

  #root(token: SyntaxNode, frame: Frame): ExpressionRow {
    const file = this.#file;
    const text = file.text(token);
    const isPath = this.#text(this.#at + 1) === '::';
    if (text === 'Self') return selfRow(this.walk, frame);
    if (text === 'self' && isPath) return file.row('name', frame.scope, NONE, file.builder.intern('self::'));
    if (text === '$crate' || text === 'crate') return file.row('name', frame.scope, NONE, file.builder.intern('crate'));
    return file.nameRow(frame, file.word(token));
  }

  /** Rows in a group; blocks and macro bodies may hold anything. */
  #group(index: number): readonly ExpressionRow[] {
    const tree = this.tokens[index] ?? NO_NODE;
    return readTokens(this.walk, innerTokens(this.#file, tree), this.#frame).rows;
  }

  #skipTurbofish(): void {
    if (this.#text(this.#at) !== '::' || this.#text(this.#at + 1) !== '<') return;
    this.#at = afterAngles(this.#file, this.tokens, this.#at + 1);
  }

  #isPathStart(index: number): boolean {
    return this.#isName(index) || this.#file.is(this.tokens[index] ?? NO_NODE, 'crate', 'super', 'metavariable', 'primitive_type');
  }

  #isName(index: number): boolean {
    const token = this.tokens[index] ?? NO_NODE;
    return this.#file.is(token, 'identifier', 'self') && !KEYWORDS.has(this.#text(index));
  }

  #opens(index: number, delimiter: string): boolean {
    const token = this.tokens[index] ?? NO_NODE;
    return this.#file.is(token, 'token_tree') && this.#file.table.text[this.#file.reader.start(token)] === delimiter;
  }

  #text(index: number): string {
    const token = this.tokens[index];
    return token === undefined || this.#file.reader.length(token) > MAX_KEYWORD_LENGTH ? '' : this.#file.text(token);
  }
}

/** Index after the `>` that closes the `<` at `index`. */
export function afterAngles(file: RustFile, tokens: readonly SyntaxNode[], index: number): number {
  let depth = 0;
  for (let at = index; at < tokens.length; at++) {
    const text = file.text(tokens[at] ?? NO_NODE);
    if (text === '<') depth++;
    else if (text === '>') depth--;
    else if (text === '>>') depth -= 2;
    else if (text === ';') return at;
    if (depth <= 0) return at + 1;
  }
  return tokens.length;
}
