/** 1-based lines, both inclusive. */
export interface StatementLines {
  readonly start: number;
  readonly end: number;
}

/** Texts of any kind, comments, brackets, line breaks (a joined line keeps none) in this order. */
const PARTS = /"""[\s\S]*?(?:(?<!\\)"""|$)|'''[\s\S]*?(?:(?<!\\)'''|$)|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|#[^\n]*|\\\r?\n|[([{]|[)\]}]|\n/g;
/** Lines that hold nothing that runs: the marks of branches, and declarations of names. */
const NO_STATEMENT = /^(?:(?:else|finally)\s*:|(?:global|nonlocal)\b)/;
const EXCLUDED = /#\s*pragma:\s*no\s*cover|^if\s+(?:\w+\.)?TYPE_CHECKING\s*:|^(?:async\s+)?def\b[\s\S]*:\s*\.\.\.$/i;

/**
 * Statements of a Python file by the rules of coverage.py, near enough for what is not measured there: logical lines that are neither empty, nor a comment,
 * a docstring, `else:`, or excluded, with the block it begins, by `# pragma: no cover`, `if TYPE_CHECKING:` or a body of `...`.
 */
export function statementsIn(text: string): readonly StatementLines[] {
  const found: StatementLines[] = [];
  let depth = 0;
  let line = 1;
  let begin = 0;
  let startLine = 1;
  /** Indentation of an excluded block, whose statements are indented further. */
  let excluded = Number.POSITIVE_INFINITY;
  const close = (end: number): void => {
    const source = text.slice(begin, end);
    const code = source.trim();
    const blanks = source.slice(0, source.length - source.trimStart().length).split('\n').length - 1;
    if (code === '' || code.startsWith('#')) return;
    const indent = source.trimEnd().length - code.length - (source.lastIndexOf('\n', source.length - source.trimStart().length) + 1);
    if (indent > excluded) return;
    excluded = EXCLUDED.test(code) ? indent : Number.POSITIVE_INFINITY;
    if (!isText(code) && !NO_STATEMENT.test(code) && excluded !== indent) found.push({ start: startLine + blanks, end: line });
  };
  for (const { 0: part, index } of text.matchAll(PARTS)) {
    if (part === '\n') {
      if (depth > 0) line++;
      else {
        close(index);
        line++;
        begin = index + 1;
        startLine = line;
      }
    } else if ('([{'.includes(part)) depth++;
    else if (')]}'.includes(part)) depth = Math.max(0, depth - 1);
    else line += part.split('\n').length - 1;
  }
  close(text.length);
  return found;
}

/** A text alone, as docstrings are. */
function isText(code: string): boolean {
  return /^[rRuUbB]{0,2}(?:"""(?:[^\\]|\\[\s\S])*?"""|'''(?:[^\\]|\\[\s\S])*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')\s*(?:#.*)?$/.test(code);
}
