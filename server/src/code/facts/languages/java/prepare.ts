/** Angle brackets that may stay open: the parser's own stack does not hold some thousand type arguments inside one another. */
const MAX_OPEN = 1500;

/** Text with thousands of `<` that nothing closes is no Java: they are blanked, so that the rest of it can be read. */
export function prepareJava(text: string): string {
  return countOf(text, '<') - countOf(text, '>') > MAX_OPEN ? text.replaceAll('<', ' ') : text;
}

function countOf(text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + 1)) count++;
  return count;
}
