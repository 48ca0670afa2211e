import {
  type Column,
  type Comparison,
  type Expression,
  FUNCTIONS,
  type LinkPattern,
  MAX_HOPS,
  type MatchClause,
  type NodePattern,
  type Pattern,
  PatternProblem,
  type PatternQuery,
} from './syntax';
import { type Token, tokensOf } from './tokens';

const WRITES: ReadonlySet<string> = new Set(['CREATE', 'MERGE', 'DELETE', 'DETACH', 'SET', 'REMOVE', 'DROP', 'LOAD', 'FOREACH']);
const UNKNOWN: ReadonlySet<string> = new Set(['WITH', 'UNWIND', 'CALL', 'UNION', 'YIELD', 'USE', 'EXISTS', 'CASE', 'XOR']);
const SUBSET = 'MATCH, OPTIONAL MATCH, WHERE, RETURN [DISTINCT], count, collect, ORDER BY, SKIP, LIMIT';

/** Reads a pattern query. Throws `PatternProblem` for what is outside the subset. */
export function parsePattern(query: string): PatternQuery {
  return new Parser(tokensOf(query)).query();
}

class Parser {
  #at = 0;
  #unnamed = 0;
  readonly #known = new Set<string>();

  constructor(private readonly tokens: readonly Token[]) {
    for (const { kind, text, at } of tokens) {
      if (kind === 'word' && WRITES.has(text.toUpperCase()) && this.#startsClause(at)) {
        throw new PatternProblem('READ_ONLY', `${text} would change the graph. Pattern queries are read-only.`);
      }
    }
  }

  query(): PatternQuery {
    const matches: MatchClause[] = [];
    while (this.#isWord('MATCH') || this.#isWord('OPTIONAL')) matches.push(this.#match());
    if (matches.length === 0) this.#fail('MATCH');
    this.#word('RETURN');
    const distinct = this.#takesWord('DISTINCT');
    const columns = this.#listed(() => this.#column());
    const order = this.#takesWord('ORDER') ? this.#order() : [];
    const skip = this.#takesWord('SKIP') ? this.#value() : undefined;
    const limit = this.#takesWord('LIMIT') ? this.#value() : undefined;
    if (this.#next.kind !== 'end') this.#fail('the end of the query');
    return { matches, distinct, columns, order, skip, limit };
  }

  #match(): MatchClause {
    const optional = this.#takesWord('OPTIONAL');
    this.#word('MATCH');
    const patterns = this.#listed(() => this.#pattern());
    return { optional, patterns, where: this.#takesWord('WHERE') ? this.#expression() : undefined };
  }

  #pattern(): Pattern {
    const nodes = [this.#node()];
    const links: LinkPattern[] = [];
    while (this.#isSign('-') || this.#isSign('<-')) {
      links.push(this.#link());
      nodes.push(this.#node());
    }
    return { nodes, links };
  }

  #node(): NodePattern {
    this.#sign('(');
    const variable = this.#next.kind === 'word' ? this.#name() : this.#invented();
    const labels: string[] = [];
    while (this.#takesSign(':')) labels.push(this.#name());
    const properties = this.#isSign('{') ? this.#properties() : [];
    this.#sign(')');
    this.#known.add(variable);
    return { variable, labels, properties };
  }

  #properties(): [string, Expression][] {
    this.#sign('{');
    const properties = this.#listed((): [string, Expression] => {
      const name = this.#name();
      this.#sign(':');
      return [name, this.#value()];
    });
    this.#sign('}');
    return properties;
  }

  #link(): LinkPattern {
    const isIn = this.#takesSign('<-');
    if (!isIn) this.#sign('-');
    let variable = this.#invented();
    const types: string[] = [];
    let hops: readonly [number, number] = [1, 1];
    let isVariable = false;
    if (this.#takesSign('[')) {
      if (this.#next.kind === 'word') variable = this.#name();
      if (this.#takesSign(':')) {
        do {
          this.#takesSign(':');
          types.push(this.#name());
        } while (this.#takesSign('|'));
      }
      isVariable = this.#takesSign('*');
      if (isVariable) hops = this.#hops();
      this.#sign(']');
    }
    const isOut = this.#takesSign('->');
    if (!isOut) this.#sign('-');
    if (isIn && isOut) this.#fail('one direction');
    this.#known.add(variable);
    return { variable, types, hops, isVariable, direction: isIn ? 'in' : isOut ? 'out' : 'both' };
  }

  #hops(): readonly [number, number] {
    const low = this.#next.kind === 'number' ? Number(this.#take().text) : 1;
    const isRange = this.#takesSign('..');
    const high = this.#next.kind === 'number' ? Number(this.#take().text) : isRange || low === 1 ? MAX_HOPS : low;
    if (!Number.isInteger(low) || high > MAX_HOPS || low < 0 || low > high) {
      throw new PatternProblem('VALIDATION_ERROR', `A path of ${low} to ${high} links is not supported. The maximum is ${MAX_HOPS}.`);
    }
    return [low, high];
  }

  #column(): Column {
    const first = this.#next.at;
    const value = this.#expression();
    if (this.#takesWord('AS')) {
      const name = this.#name();
      this.#known.add(name);
      return { name, value };
    }
    const texts = this.tokens.filter(token => token.at >= first && token.at < this.#next.at).map(token => token.text);
    return { name: texts.join(''), value };
  }

  #order(): { by: Expression; descending: boolean }[] {
    this.#word('BY');
    return this.#listed(() => {
      const by = this.#expression();
      const descending = this.#takesWord('DESC') || this.#takesWord('DESCENDING');
      if (!descending && !this.#takesWord('ASC')) this.#takesWord('ASCENDING');
      return { by, descending };
    });
  }

  #expression(): Expression {
    let left = this.#conjunction();
    while (this.#takesWord('OR')) left = { kind: 'or', left, right: this.#conjunction() };
    return left;
  }

  #conjunction(): Expression {
    let left = this.#negation();
    while (this.#takesWord('AND')) left = { kind: 'and', left, right: this.#negation() };
    return left;
  }

  #negation(): Expression {
    let isNegated = false;
    while (this.#takesWord('NOT')) isNegated = !isNegated;
    const of = this.#comparison();
    return isNegated ? { kind: 'not', of } : of;
  }

  #comparison(): Expression {
    const left = this.#value();
    if (this.#takesWord('IS')) {
      const negated = this.#takesWord('NOT');
      this.#word('NULL');
      return { kind: 'isNull', of: left, negated };
    }
    const operator = this.#operator();
    return operator === undefined ? left : { kind: 'compare', operator, left, right: this.#value() };
  }

  #operator(): Comparison | undefined {
    for (const sign of ['=', '<>', '<=', '>=', '<', '>'] as const) if (this.#takesSign(sign)) return sign;
    for (const word of ['CONTAINS', 'IN'] as const) if (this.#takesWord(word)) return word;
    for (const word of ['STARTS', 'ENDS'] as const) {
      if (!this.#takesWord(word)) continue;
      this.#word('WITH');
      return word;
    }
    return undefined;
  }

  #value(): Expression {
    const token = this.#take();
    if (token.kind === 'text') return { kind: 'literal', value: token.text };
    if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) };
    if (token.kind === 'parameter') return { kind: 'parameter', name: token.text };
    if (token.kind === 'sign') return this.#bracketed(token);
    if (token.kind === 'end') this.#fail('a value', token);
    const upper = token.text.toUpperCase();
    if (upper === 'TRUE' || upper === 'FALSE') return { kind: 'literal', value: upper === 'TRUE' };
    if (upper === 'NULL') return { kind: 'literal', value: null };
    if (this.#isSign('(')) return this.#call(token);
    if (UNKNOWN.has(upper)) this.#fail('a value', token);
    if (!this.#known.has(token.text)) throw new PatternProblem('VALIDATION_ERROR', `${token.text} is not defined in a pattern (character ${token.at}).`);
    return this.#takesSign('.') ? { kind: 'property', of: token.text, name: this.#name() } : { kind: 'variable', name: token.text };
  }

  #bracketed(token: Token): Expression {
    if (token.text === '-' && this.#next.kind === 'number') return { kind: 'literal', value: -Number(this.#take().text) };
    if (token.text === '[') {
      const items = this.#isSign(']') ? [] : this.#listed(() => this.#value());
      this.#sign(']');
      return { kind: 'list', items };
    }
    if (token.text !== '(') this.#fail('a value', token);
    const inner = this.#expression();
    this.#sign(')');
    return inner;
  }

  #call({ text, at }: Token): Expression {
    const name = text.toLowerCase();
    if (!FUNCTIONS.has(name)) {
      throw new PatternProblem('VALIDATION_ERROR', `The function ${text} is not supported (character ${at}). Use one of ${[...FUNCTIONS].join(', ')}.`);
    }
    this.#sign('(');
    const distinct = this.#takesWord('DISTINCT');
    const argument = name === 'count' && this.#takesSign('*') ? undefined : this.#expression();
    this.#sign(')');
    return { kind: 'call', name, argument, distinct };
  }

  #listed<T>(item: () => T): T[] {
    const items = [item()];
    while (this.#takesSign(',')) items.push(item());
    return items;
  }

  get #next(): Token {
    return this.#peek(0);
  }

  #peek(ahead: number): Token {
    return this.tokens[Math.min(this.#at + ahead, this.tokens.length - 1)] ?? { kind: 'end', text: '', at: 1 };
  }

  #take(): Token {
    const token = this.#next;
    this.#at++;
    return token;
  }

  #invented(): string {
    return ` ${this.#unnamed++}`;
  }

  #name(): string {
    if (this.#next.kind !== 'word') this.#fail('a name');
    return this.#take().text;
  }

  #isWord(word: string): boolean {
    return this.#next.kind === 'word' && this.#next.text.toUpperCase() === word;
  }

  #isSign(sign: string): boolean {
    return this.#next.kind === 'sign' && this.#next.text === sign;
  }

  #takesWord(word: string): boolean {
    return this.#isWord(word) && this.#take() !== undefined;
  }

  #takesSign(sign: string): boolean {
    return this.#isSign(sign) && this.#take() !== undefined;
  }

  #word(word: string): void {
    if (!this.#takesWord(word)) this.#fail(word);
  }

  #sign(sign: string): void {
    if (!this.#takesSign(sign)) this.#fail(`"${sign}"`);
  }

  /** Words that write are such only where a clause can begin, else they may be names. */
  #startsClause(at: number): boolean {
    const place = this.tokens.findIndex(token => token.at === at);
    const before = this.tokens[place - 1];
    return before === undefined || !(before.kind === 'sign' && ['(', ':', '.', ',', '{', '[', '|'].includes(before.text));
  }

  #fail(expected: string, token = this.#next): never {
    const upper = token.text.toUpperCase();
    const found = token.kind === 'end' ? 'the end of the query' : `"${token.text}"`;
    if (token.kind === 'word' && WRITES.has(upper)) throw new PatternProblem('READ_ONLY', `${upper} would change the graph. Pattern queries are read-only.`);
    if (token.kind === 'word' && UNKNOWN.has(upper)) {
      throw new PatternProblem('VALIDATION_ERROR', `${upper} is not supported (character ${token.at}). Supported: ${SUBSET}.`);
    }
    throw new PatternProblem('VALIDATION_ERROR', `Expected ${expected}, but found ${found} (character ${token.at}).`);
  }
}
