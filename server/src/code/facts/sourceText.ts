/**
 * What a symbol shows of its source: doc comment, signature, first line. Works on text alone, for languages with C-like comments.
 */

const MAX_SIGNATURE_LENGTH = 300;
const MAX_DOC_LENGTH = 2000;
const MAX_FIRST_LINE_LENGTH = 120;
/** Signatures are cut out of at most this much source. */
const SIGNATURE_WINDOW = 1500;

/** Comments that speak to tools, not to readers. */
const DIRECTIVE =
  /^(?:eslint|tslint|jshint|jscs|biome|oxlint|prettier|istanbul|c8|v8|@ts-|#(?:region|endregion)|global[s ]|webpack|noinspection|sourceMappingURL|copyright\b|licen[sc]e\b|spdx)/i;

/** Strings, which are kept, or a comment. */
const C_COMMENT = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const HASH_COMMENT = /("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|#[^\n\r]*/g;

/** `text[start, end)` on one line, without comments and without the breaks that a list over several lines has at its brackets. */
export function foldedText(text: string, start: number, end: number, comments: 'slashes' | 'hash' = 'slashes'): string {
  let folded = text.slice(start, Math.min(end, start + SIGNATURE_WINDOW));
  if (comments === 'hash') {
    if (folded.includes('#')) folded = folded.replace(HASH_COMMENT, '$1');
  } else if (folded.includes('//') || folded.includes('/*')) folded = folded.replace(C_COMMENT, '$1');
  if (folded.includes('\n')) folded = folded.replace(/([([<])\s*\n\s*/g, '$1').replace(/,?\s*\n\s*([)\]>])/g, '$1');
  return folded.replace(/\s+/g, ' ').trim().slice(0, MAX_SIGNATURE_LENGTH);
}

/** First line of `text[start, end)` that says something. */
export function firstLineOf(text: string, start: number, end: number): string {
  let inComment = false;
  for (let from = start; from < end; ) {
    const newline = text.indexOf('\n', from);
    const to = newline < 0 || newline > end ? end : newline;
    const line = text.slice(from, Math.min(to, from + 4 * MAX_FIRST_LINE_LENGTH)).trim();
    from = to + 1;
    if (inComment) {
      inComment = !line.includes('*/');
      continue;
    }
    if (line === '' || line === '}' || line.startsWith('//')) continue;
    if (line.startsWith('/*')) {
      inComment = !line.includes('*/');
      continue;
    }
    return line.slice(0, MAX_FIRST_LINE_LENGTH);
  }
  return '';
}

/** The comment that ends directly before `anchor` with its marks, or `undefined`: a block comment, or line comments without an empty line below. */
export function commentBefore(text: string, anchor: number): { readonly start: number; readonly end: number; readonly isBlock: boolean } | undefined {
  let end = anchor;
  let newlines = 0;
  for (; end > 0; end--) {
    const code = text.charCodeAt(end - 1);
    if (code === 10) newlines++;
    else if (code !== 32 && code !== 9 && code !== 13) break;
  }
  if (text.charCodeAt(end - 1) === 47 && text.charCodeAt(end - 2) === 42) {
    const start = text.lastIndexOf('/*', end - 3);
    return start < 0 || newlines > 2 ? undefined : { start, end, isBlock: true };
  }
  if (newlines !== 1) return undefined;
  let start = -1;
  for (let lineEnd = end; ; ) {
    const lineStart = text.lastIndexOf('\n', lineEnd - 1) + 1;
    let first = lineStart;
    while (first < lineEnd && (text.charCodeAt(first) === 32 || text.charCodeAt(first) === 9)) first++;
    if (text.charCodeAt(first) !== 47 || text.charCodeAt(first + 1) !== 47) break;
    start = first;
    if (lineStart === 0) break;
    lineEnd = lineStart - 1;
    if (text.charCodeAt(lineEnd - 1) === 13) lineEnd--;
  }
  return start < 0 ? undefined : { start, end, isBlock: false };
}

/** A comment's words without its marks. */
export function commentText(comment: string): string {
  const isBlock = comment.startsWith('/*');
  const lines = (isBlock ? comment.slice(2, -2) : comment).slice(0, 3 * MAX_DOC_LENGTH).split(/\r?\n/);
  const words = lines.map(line => line.replace(isBlock ? /^\s*\*+ ?|\*+$/ : /^\s*\/\/+ ?/, '').trimEnd());
  const kept = words.filter(line => !DIRECTIVE.test(line.trim()) && (line.trim() === '' || /[\p{L}\p{N}]/u.test(line)));
  return kept.join('\n').trim().slice(0, MAX_DOC_LENGTH);
}
