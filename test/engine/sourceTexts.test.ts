import { expect, test } from 'vitest';
import { SourceTexts } from '../../server/src/engine/sourceTexts';
import { NO_NODE } from '../../server/src/model/ids';
import { FactsReader } from '../helpers/extract';
import { graphOf } from '../helpers/graphOf';

test('The source of a symbol is that of its file as it reads now, also when the graph does not know that yet', async () => {
  const reader = await FactsReader.create();
  let text = '// new\nfunction one() {\n  return 1;\n}\n';
  const texts = new SourceTexts({
    root: '/work',
    caseInsensitive: false,
    host: { read: async () => Buffer.from(text), realPath: async path => path },
    unsavedText: () => undefined,
    isIndexed: path => path === 'a.ts',
    parse: async (path, _, now) => reader.factsOfFile(path, now),
  });
  const { view } = graphOf({ 'a.ts': { symbols: [{ name: 'one', lines: [1, 3] }], lines: 3 } });
  const one = view.node(view.find('a.ts::one') ?? NO_NODE);
  const moved = { code: 'function one() {\n  return 1;\n}', startLine: 2, endLine: 4, isStale: true };
  expect(await texts.readSymbol(one, 'hash of another text')).toEqual({ ok: true, value: moved });
  text = 'function two() {}\n';
  expect(await texts.readSymbol(one, 'hash of another text')).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
  expect(await texts.readText('b.ts')).toMatchObject({ ok: false, error: { code: 'FORBIDDEN' } });
});
