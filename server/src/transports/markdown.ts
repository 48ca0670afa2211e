import { shownText } from '../../protocol/shownText';

/** Text of the workspace as code within a line: nothing in it is Markdown or HTML, and nothing ends it. */
export function inCode(text: string): string {
  const plain = shownText(text);
  const longest = Math.max(0, ...(plain.match(/`+/g) ?? []).map(run => run.length));
  return longest === 0 ? `\`${plain}\`` : `${'`'.repeat(longest + 1)} ${plain} ${'`'.repeat(longest + 1)}`;
}

/** The same in a cell of a table, which a bar would end. */
export function inCodeCell(text: string): string {
  return inCode(text).replaceAll('|', '\\|');
}

/** Text of the workspace as plain text within a line. */
export function asPlain(text: string): string {
  return shownText(text).replace(/[\\`*_{}[\]<>#|~!&$]/g, '\\$&');
}
