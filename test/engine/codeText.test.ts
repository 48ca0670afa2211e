import { expect, test } from 'vitest';
import { codeText } from '../../server/src/engine/parse/codeText';
import { type LanguageId, languageRow } from '../../server/src/model/languages';
import { FactsReader } from '../helpers/extract';

const reader = await FactsReader.create();

async function codeOf(language: LanguageId, text: string): Promise<string> {
  const { names, table } = await reader.table(language, text);
  return codeText(table, names, languageRow(language), text);
}

test.each<[LanguageId, string, string]>([
  ['typescript', "const a = '// no'; // yes\n/* b\n c */ f(/x\\/\\*/);\n", "const a = '// no';       \n    \n      f(/x\\/\\*/);\n"],
  ['javascript', '#!/usr/bin/env node\nf(`/* ${1 /* x */} */`);', '#!/usr/bin/env node\nf(`/* ${1        } */`);'],
  ['python', 'def f():\n    """Doc\n    more."""\n    return """kept"""  # gone\n', 'def f():\n          \n            \n    return """kept"""        \n'],
  ['go', '//go:build linux\n// said\npackage a // of it\n', '//go:build linux\n       \npackage a         \n'],
  ['ruby', 'x = <<~A # said\n  # kept\nA\n', 'x = <<~A       \n  # kept\nA\n'],
  ['java', 'class A { /** said */ String s = "/* kept */"; }', `class A { ${' '.repeat(11)} String s = "/* kept */"; }`],
  ['rust', "fn f<'a>() { let c = '/'; } // gone\n", "fn f<'a>() { let c = '/'; }        \n"],
  ['bash', 'echo "# kept" $# # gone\n', 'echo "# kept" $#       \n'],
  ['lua', 'x = "--" -- gone\n', 'x = "--"        \n'],
])('comments of %s become spaces, and nothing else', async (language, text, code) => {
  expect(await codeOf(language, text)).toBe(code);
});
