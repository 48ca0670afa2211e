/**
 * Conditional compilation that cuts through a declaration or an expression, which the grammar cannot read: one branch is kept, the rest is blanked.
 *
 * Groups of whole members or statements stay as they are: the grammar reads all their branches. Length and line breaks never change.
 */
interface Directive {
  readonly kind: 'if' | 'elif' | 'else' | 'endif';
  /** The directive's line, without its end. */
  readonly start: number;
  readonly end: number;
  readonly condition: string;
  /** Whether what stands before ends a member or statement. */
  readonly isAtEdge: boolean;
  /** Open brackets before it. */
  readonly depth: number;
  /** Whether something stands between the last directive and this one. */
  readonly hasCode: boolean;
}

const EDGES = ';{}]';

/** The text with the groups resolved that the grammar cannot read. */
export function withoutBrokenConditionals(text: string): string {
  if (!/^[ \t]*#[ \t]*if\b/m.test(text)) return text;
  const directives = directivesOf(text);
  const blanked: (readonly [number, number])[] = [];
  resolveGroups(directives, blanked);
  if (blanked.length === 0) return text;
  let out = '';
  let from = 0;
  for (const [start, end] of mergeRanges(blanked)) {
    out += text.slice(from, start) + text.slice(start, end).replace(/[^\r\n]/g, ' ');
    from = end;
  }
  return out + text.slice(from);
}

function mergeRanges(ranges: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const merged: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((left, right) => left[0] - right[0] || left[1] - right[1])) {
    const last = merged[merged.length - 1];
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function resolveGroups(directives: readonly Directive[], blanked: (readonly [number, number])[]): void {
  const open: Directive[][] = [];
  for (const directive of directives) {
    if (directive.kind === 'if') {
      open.push([directive]);
      continue;
    }
    const group = open[open.length - 1];
    if (group === undefined) continue;
    group.push(directive);
    if (directive.kind !== 'endif') continue;
    open.pop();
    if (isBroken(group)) resolveGroup(group, blanked);
  }
}

/** True unless every branch starts and ends between members or statements. */
function isBroken(group: readonly Directive[]): boolean {
  const [first] = group;
  return group.some((directive, index) => directive.depth !== first?.depth || !(directive.isAtEdge || (index > 0 && !directive.hasCode && first.isAtEdge)));
}

function resolveGroup(group: readonly Directive[], blanked: (readonly [number, number])[]): void {
  let isTaken = false;
  group.forEach((directive, index) => {
    const next = group[index + 1];
    blanked.push([directive.start, directive.end]);
    if (next === undefined) return;
    const holds = !isTaken && (directive.kind === 'else' || holdsMostly(directive.condition));
    isTaken ||= holds;
    if (!holds) blanked.push([directive.end, next.start]);
  });
}

/** Symbols of old frameworks are taken to be unset, all others to be set. */
const UNSET = /^(?:false|NETFRAMEWORK|NET[1-4]\d*|NETSTANDARD\w*|SILVERLIGHT|WINDOWS_PHONE|UNITY\w*|NETFX\w*|NETCOREAPP1\w*)$/;
const MAX_CONDITION_LENGTH = 300;

/** Value of `A && !(B || C)`, taking symbols as `UNSET` says; true for what cannot be read. */
function holdsMostly(condition: string): boolean {
  if (condition.length > MAX_CONDITION_LENGTH) return true;
  const tokens = condition.match(/&&|\|\||==|!=|[!()]|\w+/g) ?? [];
  let at = 0;
  const primary = (): boolean => {
    const token = tokens[at++];
    if (token === '!') return !primary();
    if (token !== '(') return token === undefined || !UNSET.test(token);
    const inner = either();
    at++;
    return inner;
  };
  const both = (): boolean => {
    let value = primary();
    while (tokens[at] === '&&') {
      at++;
      const right = primary();
      value = value && right;
    }
    return value;
  };
  const either = (): boolean => {
    let value = both();
    while (tokens[at] === '||') {
      at++;
      const right = both();
      value = value || right;
    }
    return value;
  };
  return either();
}

/** One pass over the text: comments and literals are skipped, brackets counted. */
function directivesOf(text: string): readonly Directive[] {
  const directives: Directive[] = [];
  const state = { depth: 0, last: '', hasCode: false };
  const depths: number[] = [];
  const pattern =
    /\/\/[^\n]*|\/\*[^]*?\*\/|"""[^]*?"""|\$?@\$?"(?:[^"]|"")*"|\$?"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.){1,8}'|^[ \t]*#[ \t]*(\w+)([^\r\n]*)|[^\s]/gm;
  for (const match of text.matchAll(pattern)) {
    const [token, word] = match;
    if (token.startsWith('//') || token.startsWith('/*')) continue;
    if (word === undefined) {
      if ('({['.includes(token)) state.depth++;
      else if (')}]'.includes(token)) state.depth--;
      state.last = token[token.length - 1] ?? '';
      state.hasCode = true;
      continue;
    }
    if (word !== 'if' && word !== 'elif' && word !== 'else' && word !== 'endif') continue;
    const isAtEdge = state.last === '' || EDGES.includes(state.last);
    directives.push({
      kind: word,
      start: match.index,
      end: match.index + token.length,
      condition: (match[2] ?? '').replace(/\/\/.*/, ''),
      isAtEdge,
      depth: state.depth,
      hasCode: state.hasCode,
    });
    state.hasCode = false;
    if (word === 'if') depths.push(state.depth);
    else if (word === 'endif') depths.pop();
    else state.depth = depths[depths.length - 1] ?? state.depth;
  }
  return directives;
}
