/**
 * Rooms that read and join the facts of all languages name none of them: what is particular to a language stands in its folder, as data and hooks.
 * Comments may give examples.
 */

/** Folders of the rooms; `languages/` in them is where languages stand. */
const ROOMS = /^server\/src\/code\/(?:parse|facts|resolve)\/(?!languages\/)/;

/** The one registration of each room. */
const REGISTRATIONS = new Set(['server/src/code/facts/registry.ts']);

/** Names that mean nothing else, also as parts of identifiers. */
const NAMES = /typescript|javascript|python|kotlin|csharp|scala(?!r)|golang|(?<![a-z])ruby|(?<![a-z])rust(?!ed)|(?<![a-z])php|svelte|(?<![a-z])vue/i;
/** Names that are words, too, and so are those of a language only as a text by themselves. */
const QUOTED = /(['"`])(?:go|c|cpp|java|lua|bash|rust|ruby|php|tsx)\1/i;

/** Places in a file where a language is named, as `line: text`; empty for files of other rooms. */
export function languageNamesIn(path, text) {
  if (!ROOMS.test(path) || REGISTRATIONS.has(path)) return [];
  return withoutComments(text)
    .split('\n')
    .flatMap((line, index) => {
      const found = NAMES.exec(line) ?? QUOTED.exec(line);
      return found === null ? [] : [`${index + 1}: ${found[0]}`];
    });
}

/** The code alone; line breaks stay. Texts with `//` in them (addresses) lose their end, which names no language. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, '')).replace(/(?<![:'"`\\/])\/\/.*$/gm, '');
}
