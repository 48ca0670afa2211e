import { beforeAll, expect, test } from 'vitest';
import type { LanguageId } from '../../server/src/model/languages';
import { FactsReader } from '../helpers/extract';

let reader: FactsReader;

beforeAll(async () => {
  reader = await FactsReader.create();
});

// Made up, and put together here so that no scanner takes this file for a leak.
const KEY = `ghp_${'16C7e42F292c6912E7710c838347Ae178B4a'}`;

test.each<[LanguageId, string]>([
  ['python', `TOKEN = "${KEY}"\n\ndef use(key="${KEY}"):\n    """Uses ${KEY}."""\n    return call("${KEY}")\n`],
  ['typescript', `/** Of ${KEY}. */\nexport const token = '${KEY}';\nexport function use(key = '${KEY}') {\n  return fetch('${KEY}');\n}\n`],
  ['go', `package a\n\nconst token = "${KEY}"\n\n// Use of ${KEY}.\nfunc Use() string { return call("${KEY}") }\n`],
  ['java', `class A {\n  static final String TOKEN = "${KEY}";\n  String use() { return call("${KEY}"); }\n}\n`],
  ['ruby', `TOKEN = "${KEY}"\ndef use(key = "${KEY}")\n  call("${KEY}")\nend\n`],
  ['php', `<?php\nconst TOKEN = '${KEY}';\nfunction f($key = '${KEY}') { return call('${KEY}'); }\n`],
  ['rust', `pub const TOKEN: &str = "${KEY}";\npub fn f() -> &'static str { call("${KEY}") }\n`],
  ['csharp', `class A { const string Token = "${KEY}"; string Use() => Call("${KEY}"); }\n`],
  ['kotlin', `const val TOKEN = "${KEY}"\nfun use(key: String = "${KEY}") = call("${KEY}")\n`],
])('no credential of a %s file is in its facts', async (language, text) => {
  const facts = await reader.facts(language, text);
  expect(JSON.stringify(facts)).not.toContain(KEY.slice(4));
});
