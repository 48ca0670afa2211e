import { PatternProblem } from './syntax';

export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'parameter' | 'sign' | 'end';
  readonly text: string;
  /** 1-based place in the query. */
  readonly at: number;
}

const TOKEN_PATTERN =
  /\s+|\/\/[^\n]*|(?<text>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(?<number>\d+(?:\.(?!\.)\d+)?)|\$(?<parameter>\w+)|(?<word>[\p{L}_][\p{L}\p{N}_]*|`[^`]+`)|(?<sign><>|<=|>=|->|<-|\.\.|[()[\]{}:,.|*<>=-])/uy;

/** Splits a query into words and signs. Throws `PatternProblem`. */
export function tokensOf(query: string): Token[] {
  const tokens: Token[] = [];
  const token = new RegExp(TOKEN_PATTERN);
  let at = 0;
  while (at < query.length) {
    token.lastIndex = at;
    const found = token.exec(query);
    if (found === null) throw new PatternProblem('VALIDATION_ERROR', `Syntax error at character ${at + 1}: ${query.slice(at, at + 12)}.`);
    const { text, number, parameter, word, sign } = found.groups ?? {};
    if (text !== undefined) tokens.push({ kind: 'text', text: text.slice(1, -1).replace(/\\(.)/g, '$1'), at: at + 1 });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, at: at + 1 });
    else if (parameter !== undefined) tokens.push({ kind: 'parameter', text: parameter, at: at + 1 });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word.replaceAll('`', ''), at: at + 1 });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at: at + 1 });
    at += found[0].length;
  }
  tokens.push({ kind: 'end', text: '', at: query.length + 1 });
  return tokens;
}
