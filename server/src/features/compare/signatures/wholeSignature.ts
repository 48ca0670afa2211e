import type { GraphNode } from '../../../code/graph/graphView';

/** Signatures are kept up to this length. */
const KEPT_LENGTH = 300;
/** Lines of a declaration that are looked at. */
const MAX_LINES = 120;
const COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<=\s)#(?!\[)[^\n]*/g;

export function isWhole({ signature }: GraphNode): boolean {
  return signature.length < KEPT_LENGTH;
}

/** The signature of a function with all of its parameters, from the text of its file where the kept one is cut. */
export function wholeSignature(node: GraphNode, text: string | undefined): string {
  const { name, nameColumn, nameLine, signature } = node;
  const at = signature.indexOf(name);
  if (isWhole(node) || text === undefined || at < 0) return signature;
  const lines = text.split('\n').slice(nameLine - 1, nameLine - 1 + MAX_LINES);
  const declaration = lines.join('\n').slice(nameColumn).replaceAll(COMMENT, '$1');
  const end = endOfParentheses(declaration);
  if (!declaration.startsWith(name) || end < 0) return signature;
  const result = /^[^{;]*?(?=[{;]|:\s*(?:\n|$)|=>|$)/.exec(declaration.slice(end))?.[0] ?? '';
  return `${signature.slice(0, at)}${declaration.slice(0, end)}${result}`.replaceAll(/\s+/g, ' ').trim();
}

/** Place behind the parenthesis that closes the first one; -1 where none does. Strings are passed over. */
function endOfParentheses(text: string): number {
  let depth = 0;
  for (const { 0: sign, index } of text.matchAll(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|[()[\]{}]/g)) {
    if ('([{'.includes(sign)) depth++;
    else if (')]}'.includes(sign) && --depth <= 0) return index + 1;
  }
  return -1;
}
