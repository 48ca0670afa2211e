/** Doc comments as Markdown: what their writers marked as code is code, and nothing else of them is Markdown. */

/** A doc comment in any of the usual styles (Markdown, reStructuredText, JSDoc), one line of Markdown each. */
export function docLines(text: string): string[] {
  return linesOf(text.trim().split('\n'));
}

function linesOf(source: readonly string[]): string[] {
  const lines: string[] = [];
  for (let at = 0; at < source.length; ) {
    const line = source[at] ?? '';
    const directive = directiveAt(source, at);
    if (directive !== undefined) {
      if (directive.lines.length > 0 && (lines.at(-1) ?? '') !== '') lines.push('');
      lines.push(...directive.lines);
      at = directive.end;
      continue;
    }
    const end = lengthOfCode(source, at);
    if (end > at) {
      lines.push(...fenced(source.slice(at, end)));
      at = end;
      continue;
    }
    // Fields (`:param x:`, `@param x`) begin lines of their own.
    const next = source[at + 1] ?? '';
    const breaks = (FIELD.test(next) || /^\s*@\w/.test(next)) && line.trim() !== '' ? '  ' : '';
    lines.push(`${field(line) ?? prose(line)}${breaks}`);
    at++;
  }
  return lines;
}

/** `:param int count: how many`, `:returns: the sum`; a role (`` :class:`Cart` ``) is a word of the text. */
const FIELD = /^\s*:(\w+)(?:\s+([^:`]+))?:(?!`)\s*(.*)$/;

const FIELDS: Readonly<Record<string, string>> = {
  param: 'Parameter',
  parameter: 'Parameter',
  arg: 'Parameter',
  argument: 'Parameter',
  key: 'Parameter',
  keyword: 'Parameter',
  type: 'Type of',
  return: 'Returns',
  returns: 'Returns',
  rtype: 'Return type',
  yield: 'Yields',
  yields: 'Yields',
  raise: 'Raises',
  raises: 'Raises',
  except: 'Raises',
  exception: 'Raises',
  var: 'Attribute',
  ivar: 'Attribute',
  cvar: 'Attribute',
};

/** A field of reStructuredText with its name in words; undefined for any other line. */
function field(line: string): string | undefined {
  const [, name = '', subject = '', text = ''] = FIELD.exec(line) ?? [];
  const word = FIELDS[name];
  if (word === undefined) return undefined;
  const words = subject.trim().split(/\s+/);
  const type = words.slice(0, -1).join(' ');
  const about = [`*${word}*`, ...(subject === '' ? [] : [`\`${words.at(-1) ?? ''}\``]), ...(type === '' ? [] : [`(\`${type}\`)`])].join(' ');
  return text === '' ? about : `${about}: ${prose(text)}`;
}

const DIRECTIVE = /^(\s*)\.\. ([\w-]+(?::[\w-]+)?)::(?:\s+(.*))?$/;
/** A target of links is nothing to read. */
const LINK_TARGET = /^\s*\.\. _[^:]+:/;
const CODE_DIRECTIVES: ReadonlySet<string> = new Set(['code', 'code-block', 'sourcecode', 'parsed-literal', 'math']);
const NOTICES: Readonly<Record<string, string>> = {
  versionadded: 'Added in version',
  versionchanged: 'Changed in version',
  versionremoved: 'Removed in version',
  deprecated: 'Deprecated since version',
  note: 'Note',
  tip: 'Tip',
  hint: 'Hint',
  important: 'Important',
  warning: 'Warning',
  caution: 'Caution',
  attention: 'Attention',
  danger: 'Danger',
  error: 'Error',
  seealso: 'See also',
};

/** Boxes whose argument is a title. */
const TITLED: ReadonlySet<string> = new Set(['admonition', 'topic']);

/** A directive of reStructuredText that has a form in Markdown, and where what it holds ends; undefined for any other line. */
function directiveAt(source: readonly string[], at: number): { readonly lines: readonly string[]; readonly end: number } | undefined {
  const line = source[at] ?? '';
  if (LINK_TARGET.test(line)) return { lines: [], end: at + 1 };
  const [, indent = '', name = '', argument = ''] = DIRECTIVE.exec(line) ?? [];
  if (NOTICES[name] === undefined && !TITLED.has(name) && !CODE_DIRECTIVES.has(name)) return undefined;
  let end = at + 1;
  for (let place = end; place < source.length; place++) {
    const text = source[place] ?? '';
    if (text.trim() === '') continue;
    if (indentOf(text) <= indent.length) break;
    end = place + 1;
  }
  const body = dedented(source.slice(at + 1, end));
  if (CODE_DIRECTIVES.has(name)) {
    // Options stand before the code.
    const start = body.findIndex(text => text.trim() !== '' && !/^:[\w-]+:/.test(text));
    return { lines: start < 0 ? [] : fence(name === 'math' || name === 'parsed-literal' ? '' : argument.trim(), body.slice(start)), end };
  }
  return { lines: noticeLines(name, argument, body), end };
}

function noticeLines(name: string, argument: string, body: readonly string[]): string[] {
  // The title of a box is what it is about.
  if (TITLED.has(name)) return said(escaped(argument.trim() || 'Note'), body);
  const notice = NOTICES[name] ?? '';
  // The version is an argument, any other text is the beginning of what is said.
  if (!notice.endsWith('version')) return said(notice, [argument, ...body]);
  const [, version = '', rest = ''] = /^(\S*)\s*(.*)$/.exec(argument) ?? [];
  return said([notice, ...(version === '' ? [] : [escaped(version)])].join(' '), [rest, ...body]);
}

function said(title: string, text: readonly string[]): string[] {
  const [first = '', ...others] = linesOf(trimmed(text));
  return [`*${title}:* ${first}`.trim(), ...others];
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function dedented(lines: readonly string[]): string[] {
  const indents = lines.flatMap(line => (line.trim() === '' ? [] : [indentOf(line)]));
  const indent = indents.length === 0 ? 0 : Math.min(...indents);
  return lines.map(line => line.slice(indent));
}

/** Without the empty lines before and after. */
function trimmed(lines: readonly string[]): readonly string[] {
  const isText = (line: string): boolean => line.trim() !== '';
  const start = lines.findIndex(isText);
  return start < 0 ? [] : lines.slice(start, lines.findLastIndex(isText) + 1);
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
  return fence(language, dedented(inner));
}

function fence(language: string, code: readonly string[]): string[] {
  const longest = Math.max(2, ...code.flatMap(line => line.match(/`+/g) ?? []).map(run => run.length));
  const marks = '`'.repeat(longest + 1);
  return [`${marks}${language}`, ...code, marks];
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
  // Of `~a.b.Cart` the last name is shown, of `.Cart` all but the point, which says to search for it.
  const name = shown.startsWith('~') ? shown.slice(shown.lastIndexOf('.') + 1).replace(/^~/, '') : part.startsWith(':') ? shown.replace(/^[.!]/, '') : shown;
  return inner === '' ? escaped(part) : `\`${name}\``;
}

/** Text of the workspace must not become Markdown. */
export function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
