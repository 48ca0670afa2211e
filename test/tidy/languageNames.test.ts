import { expect, test } from 'vitest';

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
});

test('comments may give examples, words that are no languages are none', () => {
  const text = ["/* Python's iterator\n protocol */", "const rows = 'a'; // as in Ruby", "const trusted = ['call', 'jsx'];", "const at = 'https://x';"];
  expect(languageNamesIn(EVALUATOR, text.join('\n'))).toEqual([]);
});

test('the folders of languages, the registrations and other rooms name what they want', () => {
  const text = "import { goRules } from './go/goRules';\nconst family = 'python';";
  for (const path of ['server/src/code/resolve/languages/rules.ts', 'server/src/code/facts/languages/extractors.ts', 'server/src/model/languages.ts'])
    expect(languageNamesIn(path, text)).toEqual([]);
});
