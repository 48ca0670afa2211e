/** Names of tests that are known by a title. */

const MAX_LENGTH = 120;

/** A title on one line; `::` joins the parts of ids. */
export function testTitle(text: string): string {
  const title = text.replace(/\s+/g, ' ').replaceAll('::', ':').trim();
  return title === '' ? '(untitled)' : title.slice(0, MAX_LENGTH).trim();
}
