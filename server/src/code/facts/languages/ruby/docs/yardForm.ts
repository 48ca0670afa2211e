/** A type as YARD writes it. `at` are offsets in the file. */
export type YardForm =
  | { readonly is: 'name'; readonly text: string; readonly at: number }
  | { readonly is: 'generic'; readonly base: YardForm; readonly items: readonly YardForm[] }
  | { readonly is: 'union' | 'tuple'; readonly items: readonly YardForm[] }
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'self' }
  | { readonly is: 'unknown' };

const TOKEN = /\s*(?:(?<name>(?:::)?[A-Za-z_]\w*(?:::\w+)*[?!]?)|(?<other>:"?[\w?!]+"?|'[^']*'|"[^"]*"|#\w+[?!=]?|-?\d[\w.]*)|(?<mark>=>|[<>{}(),;\]|]))/y;
const UNKNOWN: YardForm = { is: 'unknown' };
const MAX_DEPTH = 30;

const WORDS: Readonly<Record<string, string>> = {
  nil: 'null',
  void: 'null',
  true: 'boolean',
  false: 'boolean',
  Boolean: 'boolean',
  boolean: 'boolean',
  Bool: 'boolean',
};

/** Reads the types between the brackets that open at `position` of `text`; `offset` is where the text starts in the file. */
export function readYardTypes(text: string, position: number, offset: number): { readonly form: YardForm; readonly end: number } {
  const parser = new YardParser(text, position + 1, offset);
  const items = parser.list(']', 0);
  return { form: unionOf(items), end: parser.position };
}

function unionOf(items: readonly YardForm[]): YardForm {
  const [only] = items;
  if (only === undefined) return UNKNOWN;
  return items.length === 1 ? only : { is: 'union', items };
}

class YardParser {
  constructor(
    private readonly text: string,
    public position: number,
    private readonly offset: number,
  ) {}

  /** Types up to the closing mark; commas, semicolons and arrows divide them. */
  list(close: string, depth: number): YardForm[] {
    const items: YardForm[] = [];
    for (let steps = 0; steps < 200; steps++) {
      TOKEN.lastIndex = this.position;
      const match = TOKEN.exec(this.text);
      if (match === null) return items;
      this.position = TOKEN.lastIndex;
      const { name, other, mark } = match.groups ?? {};
      if (mark === close) return items;
      if (name !== undefined) items.push(this.#applied(name, depth));
      else if (other !== undefined) items.push(otherForm(other));
      else if (mark === '(' && depth < MAX_DEPTH) items.push({ is: 'tuple', items: this.list(')', depth + 1) });
      else if (mark === '{' && depth < MAX_DEPTH) items.push({ is: 'generic', base: this.#plain('Hash'), items: this.list('}', depth + 1) });
    }
    return items;
  }

  #plain(text: string): YardForm {
    return { is: 'name', text, at: -1 };
  }

  #applied(name: string, depth: number): YardForm {
    const base = this.#named(name);
    const open = this.text[this.position];
    if (depth >= MAX_DEPTH || open === undefined || !'<{('.includes(open)) return base;
    this.position++;
    if (open === '(') return { is: 'tuple', items: this.list(')', depth + 1) };
    return { is: 'generic', base, items: this.list(open === '<' ? '>' : '}', depth + 1) };
  }

  #named(name: string): YardForm {
    const word = WORDS[name];
    if (word !== undefined) return { is: 'literal', text: word };
    if (name === 'self') return { is: 'self' };
    return /^(?:::)?[A-Z]/.test(name) ? { is: 'name', text: name, at: this.offset + this.position - name.length } : UNKNOWN;
  }
}

function otherForm(text: string): YardForm {
  if (/^[:'"]/.test(text)) return { is: 'literal', text: 'string' };
  return /^-?\d/.test(text) ? { is: 'literal', text: 'number' } : UNKNOWN;
}
