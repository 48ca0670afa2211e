/** How the parts of a symbol's id read, one inside the other. */

/** A title of a test: it has spaces or a call, or ends a sentence, as no name in code does. */
const TITLE = /[\s()]|[.!?]$/;
/** `operator ==` of C++ and C# is a name in code. */
const OPERATOR = /^operator\b/;

/** `Cart.add`; titles of tests, which may have points of their own, stand apart: `a cart › adds up...`. */
export function joinedNames(names: readonly string[]): string {
  let text = '';
  for (const [at, name] of names.entries()) {
    const before = names[at - 1];
    text += before === undefined ? name : `${isTitle(before) || isTitle(name) ? ' › ' : '.'}${name}`;
  }
  return text;
}

function isTitle(name: string): boolean {
  return TITLE.test(name) && !OPERATOR.test(name);
}

/** Names of the symbol and of what it is in, outermost first; empty for the id of a file. */
export function namesIn(id: string): string[] {
  return id.split('::').slice(1).map(withoutOrdinal);
}

/** `Cart#2` is the second of that name in its file, which readers see by its line. */
function withoutOrdinal(segment: string): string {
  return segment.replace(/(?<=.)#\d+$/, '');
}
