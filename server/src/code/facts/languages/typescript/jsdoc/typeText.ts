/**
 * Types written in JSDoc comments: a recursive-descent parser over the text between the braces.
 * Reads both TypeScript's and Closure's spellings. What it cannot read is `unknown`; it never fails.
 */
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type SomeRow } from '../../../../../model/facts';
import type { Walk } from '../walk';

const LITERALS: Readonly<Record<string, string>> = {
  string: 'string',
  String: 'string',
  number: 'number',
  Number: 'number',
  boolean: 'boolean',
  Boolean: 'boolean',
  bool: 'boolean',
  bigint: 'bigint',
  void: 'undefined',
  undefined: 'undefined',
  null: 'null',
  true: 'boolean',
  false: 'boolean',
};
const UNKNOWN = new Set(['any', 'unknown', 'object', 'Object', 'never', 'symbol', 'Function', 'function', 'mixed']);
const KEYWORD_PREFIXES = new Set(['keyof', 'readonly', 'unique', 'infer', 'asserts']);
/** Deepest nesting of brackets that is read. */
const MAX_DEPTH = 50;

/** Row of the type in `text[start, end)`. Names are references of the current owner. */
export function typeOfText(walk: Walk, start: number, end: number): ExpressionRow {
  return new TypeText(walk, start, end).union(0);
}

class TypeText {
  #at: number;

  constructor(
    private readonly walk: Walk,
    start: number,
    private readonly end: number,
  ) {
    this.#at = start;
  }

  union(depth: number): ExpressionRow {
    if (depth > MAX_DEPTH) {
      this.#at = this.end;
      return this.walk.unknown;
    }
    const rows: ExpressionRow[] = [];
    const seen = this.#at;
    do {
      rows.push(this.#postfix(depth));
    } while (this.#take('|') || this.#take('&'));
    if (this.#at === seen) this.#at++;
    return this.walk.either(rows);
  }

  #postfix(depth: number): ExpressionRow {
    while (this.#take('?') || this.#take('!') || this.#take('...'));
    let row = this.#primary(depth);
    for (;;) {
      if (this.#take('[]')) row = this.walk.row(operatorCode.arrayType, row);
      else if (this.#peek('[')) {
        this.#take('[');
        this.union(depth + 1);
        this.#take(']');
        row = this.walk.row(operatorCode.computedType, row);
      } else if (!(this.#take('=') && !this.#peek('>')) && !this.#take('?') && !this.#take('!')) return row;
    }
  }

  #primary(depth: number): ExpressionRow {
    const { walk } = this;
    if (this.#take('*')) return walk.unknown;
    if (this.#take('(')) return this.#parenthesised(depth);
    if (this.#take('{')) return this.#object(depth);
    if (this.#take('[')) return walk.list(operatorCode.arrayType, this.#items(']', depth), NONE, walk.builder.intern('tuple'));
    const quote = this.#quoted();
    if (quote !== undefined) return walk.literal('string');
    const start = this.#skipSpace();
    const word = this.#word();
    if (word === '') return walk.unknown;
    if (KEYWORD_PREFIXES.has(word)) return this.#postfix(depth + 1);
    if (word === 'typeof') return walk.row(operatorCode.typeof, this.#value());
    if (word === 'import' && this.#peek('(')) return this.#arguments(this.#imported(start), depth);
    if (/^-?\d/.test(word)) return walk.literal('number');
    const literal = LITERALS[word];
    if (literal !== undefined) return walk.literal(literal);
    if (word === 'function' && this.#take('(')) return this.#functionAfterParenthesis(depth);
    return this.#arguments(UNKNOWN.has(word) ? walk.unknown : this.#named(start, word), depth, word);
  }

  /** `(T)` or `(a: T) => R`. */
  #parenthesised(depth: number): ExpressionRow {
    const items = this.#parameters(depth);
    if (this.#take('=>')) return this.walk.row(operatorCode.functionType, this.union(depth + 1));
    return items[0] ?? this.walk.unknown;
  }

  #functionAfterParenthesis(depth: number): ExpressionRow {
    this.#parameters(depth);
    const returned = this.#take(':') ? this.#postfix(depth + 1) : this.walk.unknown;
    return this.walk.row(operatorCode.functionType, returned);
  }

  /** Types up to the closing parenthesis; a parameter's name before its colon is skipped. */
  #parameters(depth: number): ExpressionRow[] {
    const rows: ExpressionRow[] = [];
    while (this.#at < this.end && !this.#take(')')) {
      const before = this.#at;
      this.#take('...');
      const name = this.#word();
      const isNamed = name !== '' && (this.#take('?') || true) && this.#take(':');
      if (!isNamed) this.#at = before;
      rows.push(this.union(depth + 1));
      this.#take(',');
      if (this.#at === before) this.#at++;
    }
    return rows;
  }

  #object(depth: number): ExpressionRow {
    const { walk } = this;
    const items: SomeRow[] = [];
    while (this.#at < this.end && !this.#take('}')) {
      const before = this.#at;
      const name = this.#quoted() ?? this.#word();
      this.#take('?');
      if (this.#take(':')) items.push(walk.builder.intern(name), this.union(depth + 1));
      else if (name === '' && this.#take('[')) {
        this.#items(']', depth);
        if (this.#take(':')) items.push(NO_TEXT, this.union(depth + 1));
      } else items.push(walk.builder.intern(name), walk.unknown);
      if (!this.#take(',')) this.#take(';');
      if (this.#at === before) this.#at++;
    }
    return walk.list(operatorCode.objectType, items);
  }

  #items(close: string, depth: number): ExpressionRow[] {
    const rows: ExpressionRow[] = [];
    while (this.#at < this.end && !this.#take(close)) {
      const before = this.#at;
      rows.push(this.union(depth + 1));
      if (!this.#take(',')) this.#take(':');
      if (this.#at === before) this.#at++;
    }
    return rows;
  }

  /** Type arguments after a name: `<A, B>` and Closure's `.<A, B>`. */
  #arguments(base: ExpressionRow, depth: number, word = ''): ExpressionRow {
    const { walk } = this;
    if (!this.#take('.<') && !this.#take('<')) return base;
    const rows = this.#items('>', depth);
    if (word === 'Array' || word === 'ReadonlyArray') return walk.row(operatorCode.arrayType, rows[0] ?? walk.unknown);
    if (word === 'Object') return walk.list(operatorCode.objectType, [NO_TEXT, rows.at(-1) ?? walk.unknown]);
    return base === walk.unknown ? base : walk.list(operatorCode.generic, rows, base);
  }

  /** What `typeof` is asked of: a name, or a module. */
  #value(): ExpressionRow {
    const start = this.#skipSpace();
    const word = this.#word();
    return word === 'import' && this.#peek('(') ? this.#imported(start) : this.#named(start, word);
  }

  /** `a.b.C`: a reference to the last name. */
  #named(start: number, word: string): ExpressionRow {
    const { walk } = this;
    const parts = word.split(/[.~#]/).filter(part => part !== '');
    const first = parts[0];
    if (first === undefined) return walk.unknown;
    let row = walk.name(walk.builder.intern(first));
    for (const part of parts.slice(1)) row = walk.row(operatorCode.member, row, NONE, walk.builder.intern(part));
    const last = parts.at(-1) ?? first;
    walk.builder.addReference('type', row, walk.owner, walk.builder.intern(last), start + word.lastIndexOf(last));
    return row;
  }

  /** `import('./x').Y` */
  #imported(start: number): ExpressionRow {
    const { walk } = this;
    this.#take('(');
    const specifier = this.#quoted();
    this.#take(')');
    if (specifier === undefined) return walk.unknown;
    const text = walk.builder.intern(specifier);
    const row = walk.builder.addImport({ kind: 'dynamic', specifier: text, typeOnly: true, at: start });
    let value = walk.builder.addExpression(operatorCode.module, row, NONE, text);
    if (!this.#take('.')) return value;
    const at = this.#at;
    const word = this.#word();
    for (const part of word.split('.')) value = walk.row(operatorCode.member, value, NONE, walk.builder.intern(part));
    const last = word.slice(word.lastIndexOf('.') + 1);
    if (last !== '') walk.builder.addReference('type', value, walk.owner, walk.builder.intern(last), at + word.length - last.length);
    return value;
  }

  #skipSpace(): number {
    const { text } = this.walk;
    while (this.#at < this.end) {
      const code = text.charCodeAt(this.#at);
      // Lines of a comment start with a star, which is no part of the type.
      const isMargin = code === 42 && /^\s*$/.test(text.slice(text.lastIndexOf('\n', this.#at) + 1, this.#at)) && text.lastIndexOf('\n', this.#at) > 0;
      if (code !== 32 && code !== 9 && code !== 10 && code !== 13 && !isMargin) break;
      this.#at++;
    }
    return this.#at;
  }

  #peek(mark: string): boolean {
    return this.walk.text.startsWith(mark, this.#skipSpace()) && this.#at + mark.length <= this.end;
  }

  #take(mark: string): boolean {
    if (!this.#peek(mark)) return false;
    this.#at += mark.length;
    return true;
  }

  /** A name with its dots, a number; `''` when there is none. */
  #word(): string {
    const { text } = this.walk;
    const start = this.#skipSpace();
    while (this.#at < this.end && isWordCode(text, this.#at, this.end)) this.#at++;
    return text.slice(start, this.#at);
  }

  #quoted(): string | undefined {
    const { text } = this.walk;
    const start = this.#skipSpace();
    const mark = text[start];
    if (mark !== '"' && mark !== "'" && mark !== '`') return undefined;
    const close = text.indexOf(mark, start + 1);
    if (close < 0 || close >= this.end) return undefined;
    this.#at = close + 1;
    return text.slice(start + 1, close);
  }
}

function isWordCode(text: string, at: number, end: number): boolean {
  const code = text.charCodeAt(at);
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95 || code === 36 || code > 127) return true;
  // A dot joins names; `.<` opens Closure's type arguments.
  if (code === 46 || code === 126 || code === 35 || code === 45) return at + 1 < end && /[\w$]/.test(text[at + 1] ?? '');
  return false;
}
