/** Doc comments as Markdown: what their writers marked as code is code, and nothing else of them is Markdown. */

/** A doc comment in any of the usual styles (Markdown, reStructuredText, JSDoc), one line of Markdown each. */
export function docLines(text: string): string[] {
  const source = text.trim().split('\n');
  const lines: string[] = [];
  for (let at = 0; at < source.length; ) {
    const line = source[at] ?? '';
    const end = lengthOfCode(source, at);
    if (end > at) {
      lines.push(...fenced(source.slice(at, end)));
      at = end;
      continue;
    }
    // Fields (`:param x:`, `@param x`) begin lines of their own.
    const breaks = /^\s*(?::\w[^:`]*:|@\w)/.test(source[at + 1] ?? '') && line.trim() !== '' ? '  ' : '';
    lines.push(`${prose(line)}${breaks}`);
    at++;
  }
  return lines;
}

const FENCE = /^\s*(?:`{3,}|~{3,})\s*([\w+#-]*)\s*$/;
const INDENTED = /^(?: {4}|\t)/;

/** End of the code that begins at a line: within a fence, or indented below an empty line; the line itself when none does. */
function lengthOfCode(source: readonly string[], at: number): number {
  const line = source[at] ?? '';
  if (FENCE.test(line)) {
    const close = source.findIndex((other, place) => place > at && /^\s*(?:`{3,}|~{3,})\s*$/.test(other));
    return close < 0 ? source.length : close + 1;
  }
  if (!INDENTED.test(line) || (source[at - 1] ?? '').trim() !== '') return at;
  let end = at;
  for (let place = at; place < source.length; place++) {
    if (INDENTED.test(source[place] ?? '')) end = place + 1;
    else if ((source[place] ?? '').trim() !== '') break;
  }
  return end;
}

function fenced(code: readonly string[]): string[] {
  const [, language = ''] = FENCE.exec(code[0] ?? '') ?? [];
  const isFenced = FENCE.test(code[0] ?? '');
  const inner = isFenced ? code.slice(1, /^\s*(?:`{3,}|~{3,})\s*$/.test(code.at(-1) ?? '') && code.length > 1 ? -1 : undefined) : code;
  const indents = inner.flatMap(line => (line.trim() === '' ? [] : [line.length - line.trimStart().length]));
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  const longest = Math.max(2, ...inner.flatMap(line => line.match(/`+/g) ?? []).map(run => run.length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}${language}`, ...inner.map(line => line.slice(indent)), fence];
}

/** Code between backticks stays code; a role of reStructuredText (`:class:`~a.B``) is the name it shows. */
function prose(line: string): string {
  return line
    .split(/(``[^`]+``|(?::[\w:+.-]+:)?`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? inlineCode(part) : escaped(part.replace(/::$/, ':'))))
    .join('');
}

function inlineCode(part: string): string {
  const inner = part.slice(part.indexOf('`')).replaceAll('`', '').trim();
  const [, shown = inner] = part.startsWith(':') ? (/^(.+?)\s*<[^>]*>$/.exec(inner) ?? []) : [];
  return inner === '' ? escaped(part) : `\`${shown.startsWith('~') ? shown.slice(shown.lastIndexOf('.') + 1).replace(/^~/, '') : shown}\``;
}

/** Text of the workspace must not become Markdown. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
