/** A type written in a doc comment. `at` are offsets in the file. */
export type DocForm =
  | { readonly is: 'name'; readonly text: string; readonly at: number }
  | { readonly is: 'generic'; readonly base: DocForm; readonly items: readonly DocForm[] }
  | { readonly is: 'array'; readonly item: DocForm }
  | { readonly is: 'union' | 'both'; readonly items: readonly DocForm[] }
  | { readonly is: 'function'; readonly result: DocForm; readonly parameters: readonly DocForm[] }
  | { readonly is: 'shape'; readonly entries: readonly (readonly [string, DocForm])[] }
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'unknown' };

const MAX_DEPTH = 40;
const UNKNOWN: DocForm = { is: 'unknown' };
const TOKEN =
  /[ \t]*(?:(?<name>\$this\b|\\?[A-Za-z_\x80-\uffff][\w\x80-\uffff]*(?:[\\-][A-Za-z_\x80-\uffff][\w\x80-\uffff]*)*)|(?<string>'[^'\n]*'|"[^"\n]*")|(?<number>-?\d[\w.]*)|(?<mark>\.\.\.|::|[<>[\](){},|&?:*=]))/uy;

interface Token {
  readonly is: 'name' | 'string' | 'number' | 'mark' | 'end';
  readonly text: string;
  readonly at: number;
}

/** A type at the start of a text and where it ends. */
export interface ReadType {
  readonly form: DocForm;
  readonly end: number;
}

/** Reads the type that begins at `position` of `text`; `offset` is where the text starts in the file. */
export function readDocType(text: string, position: number, offset: number): ReadType {
  const parser = new DocTypeParser(text, position, offset);
  const form = parser.union(0);
  return { form, end: parser.end };
}

class DocTypeParser {
  #token: Token;
  #position: number;
  /** Where the last token taken ends. */
  end: number;

  constructor(
    private readonly text: string,
    position: number,
    private readonly offset: number,
  ) {
    this.#position = position;
    this.end = position;
    this.#token = this.#scan();
  }

  union(depth: number): DocForm {
    if (depth > MAX_DEPTH) return UNKNOWN;
    const items = [this.#both(depth)];
    while (this.#take('|')) items.push(this.#both(depth));
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { is: 'union', items };
  }

  #both(depth: number): DocForm {
    const items = [this.#postfix(depth)];
    while (this.#isMark('&') && this.#isTypeAhead()) {
      this.#next();
      items.push(this.#postfix(depth));
    }
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { is: 'both', items };
  }

  /** `&$x` and `&...$x` are parameters by reference, not intersections. */
  #isTypeAhead(): boolean {
    return /^[ \t]*[\\A-Za-z_(?]/.test(this.text.slice(this.#position, this.#position + 8));
  }

  #postfix(depth: number): DocForm {
    this.#take('?');
    let form = this.#primary(depth);
    for (;;) {
      if (this.#isMark('[')) {
        if (!/^[ \t]*\]/.test(this.text.slice(this.#position, this.#position + 8))) return form;
        this.#next();
        this.#next();
        form = { is: 'array', item: form };
      } else if (this.#isMark('<')) {
        this.#next();
        form = { is: 'generic', base: form, items: this.#items('>', depth) };
      } else if (this.#isMark('::')) {
        this.#next();
        if (this.#token.is === 'name') this.#next();
        this.#take('*');
        form = UNKNOWN;
      } else return form;
    }
  }

  #primary(depth: number): DocForm {
    if (this.#take('(')) {
      const inner = this.union(depth + 1);
      this.#take(')');
      return inner;
    }
    const token = this.#token;
    if (token.is === 'string' || token.is === 'number') {
      this.#next();
      return { is: 'literal', text: token.is };
    }
    if (token.is !== 'name') return UNKNOWN;
    this.#next();
    const word = token.text.toLowerCase();
    if (this.#isMark('{') && /^(?:array|list|object|non-empty-array)$/.test(word)) return this.#shape(depth);
    if (this.#isMark('(') && /^(?:callable|\\?closure|pure-callable)$/.test(word)) return this.#callable(depth);
    return { is: 'name', text: token.text, at: token.at };
  }

  #shape(depth: number): DocForm {
    this.#next();
    const entries: (readonly [string, DocForm])[] = [];
    let position = 0;
    while (!this.#take('}') && this.#token.is !== 'end') {
      const before = this.#position;
      const key = this.#token;
      const isKeyed =
        (key.is === 'name' || key.is === 'string' || key.is === 'number') && /^[ \t]*\??[ \t]*:(?!:)/.test(this.text.slice(this.#position, this.#position + 8));
      if (isKeyed) {
        this.#next();
        this.#take('?');
        this.#take(':');
      }
      const name = isKeyed ? key.text.replace(/^['"]|['"]$/g, '') : String(position++);
      entries.push([name, this.union(depth + 1)]);
      if (!this.#take(',') && this.#position === before) this.#next();
    }
    return { is: 'shape', entries };
  }

  #callable(depth: number): DocForm {
    this.#next();
    const parameters = this.#items(')', depth);
    const result = this.#take(':') ? this.#both(depth + 1) : UNKNOWN;
    return { is: 'function', result, parameters };
  }

  #items(close: string, depth: number): DocForm[] {
    const items: DocForm[] = [];
    while (!this.#take(close)) {
      if (this.#token.is === 'end') return items;
      const before = this.#position;
      items.push(this.union(depth + 1));
      while (this.#take('...') || this.#take('=')) continue;
      if (!this.#take(',') && this.#position === before) this.#next();
    }
    return items;
  }

  #isMark(mark: string): boolean {
    return this.#token.is === 'mark' && this.#token.text === mark;
  }

  #take(mark: string): boolean {
    if (!this.#isMark(mark)) return false;
    this.#next();
    return true;
  }

  #next(): void {
    this.end = this.#token.is === 'end' ? this.end : this.#token.at - this.offset + this.#token.text.length;
    this.#token = this.#scan();
  }

  /** Inside brackets a type may go on behind the star of the next line. */
  #scan(): Token {
    const gap = /[ \t]*\r?\n[ \t]*\*(?!\/)[ \t]*/y;
    gap.lastIndex = this.#position;
    if (/[<{(,|]/.test(this.text[this.#position - 1] ?? '') && gap.test(this.text)) this.#position = gap.lastIndex;
    TOKEN.lastIndex = this.#position;
    const match = TOKEN.exec(this.text);
    if (match === null) return { is: 'end', text: '', at: this.offset + this.#position };
    this.#position = TOKEN.lastIndex;
    for (const is of ['name', 'string', 'number', 'mark'] as const) {
      const text = match.groups?.[is];
      if (text !== undefined) return { is, text, at: this.offset + this.#position - text.length };
    }
    return { is: 'end', text: '', at: this.offset + this.#position };
  }
}
