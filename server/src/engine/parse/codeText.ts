import { EXTRA, type GrammarNames, type SyntaxTable } from '../../code/parse/syntaxTable';
import type { LanguageRow } from '../../model/languages';

/** The text of a file, which `table` was made of, with its comments, and what documents it inside of it, as spaces: lines and columns stay. Directives for builds count as code. */
export function codeText({ count, end, flags, kind, next, parent, start }: SyntaxTable, names: GrammarNames, language: LanguageRow, text: string): string {
  const isComment = new Map<number, boolean>();
  const commentKind = (of: number): boolean => {
    let known = isComment.get(of);
    if (known === undefined) isComment.set(of, (known = /comment/.test(names.kindName(of))));
    return known;
  };
  const statement = names.optionalKind('expression_statement');
  const isDoc = (node: number): boolean => {
    const above = parent[node] ?? -1;
    if (language.docInside === undefined || kind[above] !== statement || next[node] !== next[above] || above + 1 !== node) return false;
    const own = text.slice(start[node], end[node]);
    return language.docInside.exec(own)?.[0] === own;
  };
  const parts: string[] = [];
  let at = 0;
  for (let node = 1; node < count; node++) {
    const from = start[node] ?? 0;
    if (from < at) continue;
    const isBlank = ((flags[node] ?? 0) & EXTRA) !== 0 && commentKind(kind[node] ?? 0);
    if (!isBlank && !isDoc(node)) continue;
    const own = text.slice(from, end[node]);
    if (isBlank && (language.directive?.test(own) === true || (from === 0 && own.startsWith('#!')))) continue;
    parts.push(text.slice(at, from), own.replaceAll(/[^\r\n]/g, ' '));
    at = from + own.length;
  }
  parts.push(text.slice(at));
  return parts.join('');
}
