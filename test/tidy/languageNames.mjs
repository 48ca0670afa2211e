import { readdirSync, readFileSync } from 'node:fs';

/**
 * Rooms that work for all languages name none of them: what is particular to a language stands in its folder, as data and hooks, and as a trait in its
 * row of `server/src/model/languages.ts`. Comments may give examples.
 */

/**
 * All of the server but where languages stand: their folders and their table; and the tables of tools of an ecosystem, which are called after it: what they put
 * beside the code (`model/toolchains.ts`), test frameworks and manifests. The names of manifests stand there and in the languages' folders, too.
 */
const ROOMS =
  /^server\/src\/(?!model\/(?:languages|toolchains)\.ts$|code\/(?:facts|resolve)\/languages\/|services\/code\/languages\/|services\/files\/manifest(?:s|Names)\.ts$|features\/testSelection\/frameworks\.ts$)/;

/** Rooms that read code and join it: nothing in them is called after a tool or a file of an ecosystem, so every word of the table counts there. */
const READERS = /^server\/src\/code\/(?:parse|facts|resolve|graph)\//;

/** Names that mean nothing else, also as parts of identifiers. */
const NAMES = /typescript|javascript|python|kotlin|csharp|scala(?!r)|golang|(?<![a-z])ruby|(?<![a-z])rust(?!ed)|(?<![a-z])php(?!myadmin)|svelte|(?<![a-z])vue/i;
/** What stands in the folder of a language is reached through the tables alone. */
const FOLDERS = /\/languages\/[a-z]+\//;
/** Extensions in a pattern. */
const PATTERNS = /\\\.(?:\(\?:)?(?:py|go|rs|java|kt|cs|rb|php)\b/;

/** Reads the table of languages and the spaces that their rules name: a new language is known here by its registration. */
function wordsOfTable() {
  const source = new URL('../../server/src/', import.meta.url);
  const table = readFileSync(new URL('model/languages.ts', source), 'utf8');
  const rules = new URL('code/resolve/languages/', source);
  const spaces = readdirSync(rules, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .flatMap(path => toldIn(readFileSync(new URL(path.replaceAll('\\', '/'), rules), 'utf8'), /\bspace: '([^']+)'/g));
  const lists = [/\beditorIds: \[([^\]]*)\]/g, /\bextensions: \[([^\]]*)\]/g].map(list => toldIn(table, list).flatMap(row => toldIn(row, /'([^']+)'/g)));
  return {
    ids: [...new Set([...toldIn(table, /\bid: '([^']+)'/g), ...toldIn(table, /\bfamily: '([^']+)'/g), ...spaces])],
    others: [...toldIn(table, /\bname: '([^']+)'/g), ...lists[0]],
    extensions: lists[1],
  };
}

function toldIn(text, pattern) {
  return [...text.matchAll(pattern)].map(([, told]) => told);
}

function anyOf(words) {
  return `(?:${words.map(word => word.replace(/[.+]/g, '\\$&')).join('|')})`;
}

const { ids, others, extensions } = wordsOfTable();
/** By themselves, as a text: names that are words, too. */
const QUOTED = new RegExp(`(['"\`])${anyOf([...ids, ...extensions])}\\1`);
/** As keys and parts of identifiers (`isJava`, `goRules`), names in other spellings, files by their extension. `jsx` is a kind of reference. */
const IN_READERS = [
  new RegExp(`(['"\`])${anyOf([...others, ...extensions.map(extension => extension.slice(1)).filter(word => word !== 'jsx')])}\\1`),
  new RegExp(`(['"\`])[^'"\`\\s]*${anyOf(extensions)}\\1`),
  new RegExp(`(?<![A-Za-z])${anyOf(ids.filter(id => id.length > 1))}(?=[A-Z]|\\s*:)`),
  new RegExp(`(?<=[a-z])${anyOf(ids.filter(id => id.length > 1).map(id => id[0].toUpperCase() + id.slice(1)))}(?![a-z])`),
  new RegExp(`\\\\\\.(?:\\(\\?:)?(?:\\[cm\\]\\??)?(?:\\[[jt]{2}\\]s|${anyOf(extensions.map(extension => extension.slice(1)))}(?![a-z]))`),
];
/** Manifests of packages, as texts and in patterns. */
const MANIFESTS =
  /\b(?:package\\?\.json|composer\\?\.json|pyproject\\?\.toml|setup\\?\.(?:py|cfg)|requirements\\?\.txt|pipfile|cargo\\?\.toml|go\\?\.(?:mod|work)|pom\\?\.xml|build\\?\.gradle|gemfile|cmakelists)\b|\.(?:csproj|gemspec)\b/i;
const EVERYWHERE = [NAMES, MANIFESTS, FOLDERS, QUOTED, PATTERNS];

/** Places in a file where a language is named, as `line: text`; empty for files of other rooms. */
export function languageNamesIn(path, text) {
  if (!ROOMS.test(path)) return [];
  const patterns = READERS.test(path) ? [...EVERYWHERE, ...IN_READERS] : EVERYWHERE;
  return withoutComments(text)
    .split('\n')
    .flatMap((line, index) => {
      const found = patterns.map(pattern => pattern.exec(line)).find(match => match !== null);
      return found === undefined ? [] : [`${index + 1}: ${found[0]}`];
    });
}

/** The code alone; line breaks stay. Texts with `//` in them (addresses) lose their end, which names no language. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\//g, comment => comment.replace(/[^\n]/g, '')).replace(/(?<![:'"`\\/])\/\/.*$/gm, '');
}
