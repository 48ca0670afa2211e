/**
 * Rooms that work for all languages name none of them: what is particular to a language stands in its folder, as data and hooks, and as a trait in its
 * row of `server/src/model/languages.ts`. Comments may give examples.
 */

/**
 * All of the server but where languages stand: their folders and their table; and the tables of tools of an ecosystem, which are called after it: what they put
 * beside the code (`model/toolchains.ts`), test frameworks and manifests.
 */
const ROOMS =
  /^server\/src\/(?!model\/(?:languages|toolchains)\.ts$|code\/(?:facts|resolve)\/languages\/|services\/code\/languages\/|services\/files\/manifests\.ts$|features\/testSelection\/frameworks\.ts$)/;

/** Names that mean nothing else, also as parts of identifiers. */
const NAMES = /typescript|javascript|python|kotlin|csharp|scala(?!r)|golang|(?<![a-z])ruby|(?<![a-z])rust(?!ed)|(?<![a-z])php(?!myadmin)|svelte|(?<![a-z])vue/i;
/** Names that are words, too, and so are those of a language only as a text by themselves. */
const QUOTED = /(['"`])(?:go|c|cpp|java|lua|bash|rust|ruby|php|tsx)\1/;
/** Extensions, as a text or in a pattern. */
const EXTENSIONS = /(['"`])\.(?:ts|js|py|go|rs|java|kt|cs|rb|php)\1|\\\.(?:\(\?:)?(?:py|go|rs|java|kt|cs|rb|php)\b/;

/** Places in a file where a language is named, as `line: text`; empty for files of other rooms. */
export function languageNamesIn(path, text) {
  if (!ROOMS.test(path)) return [];
  return withoutComments(text)
    .split('\n')
    .flatMap((line, index) => {
      const found = NAMES.exec(line) ?? QUOTED.exec(line) ?? EXTENSIONS.exec(line);
      return found === null ? [] : [`${index + 1}: ${found[0]}`];
    });
}

/** The code alone; line breaks stay. Texts with `//` in them (addresses) lose their end, which names no language. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, '')).replace(/(?<![:'"`\\/])\/\/.*$/gm, '');
}
