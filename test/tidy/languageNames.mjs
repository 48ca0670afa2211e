/**
 * Rooms that work for all languages name none of them: what is particular to a language stands in its folder, as data and hooks, and as a trait in its
 * row of `server/src/model/languages.ts`. Comments may give examples.
 */

/**
 * All of the server but where languages stand: their folders and their table; and what knows ecosystems by their own names: files that are passed over or
 * are tests (`code/files`), test frameworks (`features/testSelection`), services and routes of frameworks;
 * and how signatures of a language are written (`features/compare`) and its packages named (`features/impact`).
 */
const ROOMS =
  /^server\/src\/(?!model\/languages\.ts$|code\/(?:facts|resolve)\/languages\/|code\/files\/|features\/(?:testSelection|compare|impact)\/|(?:features\/)?services?\/)/;

/** Names that mean nothing else, also as parts of identifiers. */
const NAMES = /typescript|javascript|python|kotlin|csharp|scala(?!r)|golang|(?<![a-z])ruby|(?<![a-z])rust(?!ed)|(?<![a-z])php|svelte|(?<![a-z])vue/i;
/** Names that are words, too, and so are those of a language only as a text by themselves. */
const QUOTED = /(['"`])(?:go|c|cpp|java|lua|bash|rust|ruby|php|tsx)\1/;

/** Places in a file where a language is named, as `line: text`; empty for files of other rooms. */
export function languageNamesIn(path, text) {
  if (!ROOMS.test(path)) return [];
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
