import { expect, test } from 'vitest';
import { RULES } from '../../server/src/code/resolve/languages/rules';
import { LANGUAGES, type LanguageRow } from '../../server/src/model/languages';

const { languageNamesIn } = (await import(new URL('./languageNames.mjs', import.meta.url).href)) as {
  readonly languageNamesIn: (path: string, text: string) => string[];
};

const EVALUATOR = 'server/src/code/resolve/evaluate/calls.ts';

test('a language that the evaluator names is found, with its line', () => {
  expect(languageNamesIn(EVALUATOR, "const a = 1;\nif (file.family === 'python') return;")).toEqual(['2: python']);
  expect(languageNamesIn(EVALUATOR, "import { rubyRules } from '../languages/ruby/rubyRules';")).toEqual(['1: ruby']);
  expect(languageNamesIn('server/src/code/facts/walk/fileWalk.ts', "if (language === 'go') return;")).toEqual(["1: 'go'"]);
  expect(languageNamesIn('server/src/code/parse/syntaxReader.ts', 'const isJavaScript = true;')).toEqual(['1: JavaScript']);
  expect(languageNamesIn('server/src/code/graph/graphNodes.ts', "return language !== 'python';")).toEqual(['1: python']);
  expect(languageNamesIn('server/src/features/patterns/smells.ts', "if (language === 'ruby') return;")).toEqual(['1: ruby']);
  for (const room of [
    'code/files/classify',
    'features/testSelection/select',
    'features/compare/signatures',
    'features/impact/calledFromOutside',
    'services/discovery/discover',
  ])
    expect(languageNamesIn(`server/src/${room}.ts`, "if (language === 'go') return;")).toEqual(["1: 'go'"]);
});

test('so is one that is known by the extension of its files', () => {
  expect(languageNamesIn(EVALUATOR, "if (path.endsWith('.go')) return;")).toEqual(["1: '.go'"]);
  expect(languageNamesIn(EVALUATOR, 'return /\\.(?:java|kt)$/.test(path);')).toEqual(['1: \\.(?:java']);
});

test.each(LANGUAGES.map((row: LanguageRow) => [row.id, row] as const))(
  '%s is known by all that the table says of it',
  (_, { id, name, family, editorIds, extensions }) => {
    const words = [id, family ?? id, ...(editorIds ?? []), ...extensions];
    for (const word of words) expect({ word, found: languageNamesIn(EVALUATOR, `if (x === '${word}') return;`).length }).toEqual({ word, found: 1 });
    expect(languageNamesIn(EVALUATOR, `if (x === '${name}') return;`)).toHaveLength(1);
    expect(languageNamesIn(EVALUATOR, `import { rules } from '../languages/${family}/rules';`)).toHaveLength(1);
    expect(languageNamesIn(EVALUATOR, `path.endsWith('/index${extensions[0]}')`)).toHaveLength(1);
    for (const extension of extensions) expect(languageNamesIn(EVALUATOR, `/\\${extension.replaceAll('+', '\\+')}$/.test(path)`)).toHaveLength(1);
  },
);

test('so is a space that families share, and a name that is part of another', () => {
  for (const { space = 'jvm' } of RULES) expect(languageNamesIn(EVALUATOR, `if (rules.space === '${space}') return;`)).toEqual([`1: '${space}'`]);
  const texts = ['if (isJava(file)) return;', 'goRules.separator;', 'const WEIGHTS = { go: 1, x: 2 };', 'return /\\.[cm]?[jt]sx?$/.test(path);'];
  for (const text of texts) expect({ text, found: languageNamesIn(EVALUATOR, text).length }).toEqual({ text, found: 1 });
});

test('so is a manifest of packages, as a text and in a pattern', () => {
  const room = 'server/src/features/scene/sceneGroups.ts';
  for (const text of [
    "const root = 'package.json';",
    'return /^(?:pom\\.xml|go\\.mod)$/.test(name);',
    "const files = ['Gemfile'];",
    "path.endsWith('.csproj')",
  ])
    expect({ text, found: languageNamesIn(room, text).length }).toEqual({ text, found: 1 });
});

test('comments may give examples, words that are no languages are none', () => {
  const text = [
    "/* Python's iterator\n protocol */",
    "const rows = 'a'; // as in Ruby",
    "const kind = 'jsx';",
    'const { category, goesOn } = ergo;',
    "const trusted = ['call', 'jsx'];",
    "const at = 'https://x';",
  ];
  expect(languageNamesIn(EVALUATOR, text.join('\n'))).toEqual([]);
});

test('the folders of languages and the tables of languages, tools, frameworks and manifests name what they want', () => {
  const text = "import { goRules } from './go/goRules';\nconst family = 'python';";
  const rooms = ['code/resolve/languages/rules', 'code/facts/languages/extractors', 'services/code/languages/tables', 'features/testSelection/frameworks'];
  for (const path of [...rooms, 'model/languages', 'model/toolchains', 'services/files/manifests'])
    expect(languageNamesIn(`server/src/${path}.ts`, text)).toEqual([]);
});
