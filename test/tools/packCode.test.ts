import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { PackSymbol } from '../../server/src/features/pack/contextPack';
import { TOOLS } from '../../server/src/tools/catalogue';
import { fitCode } from '../../server/src/tools/definitions/pack/packCode';
import { invoke } from '../../server/src/tools/invoke';
import { workspaceOf } from '../helpers/workspaceOf';

function symbolOf(name: string, score: number, more: Partial<PackSymbol> = {}): PackSymbol {
  const path = `src/${name}.ts`;
  const code = `function ${name}() {\n  return 1;\n}`;
  const place = { path, startLine: 1, endLine: 3, nameLine: 1, nameColumn: 9 };
  const id = `${path}::${name}`;
  return {
    id,
    name,
    kind: 'function',
    ...place,
    score,
    why: ['words'],
    signature: `function ${name}()`,
    sentence: '',
    outline: [],
    code,
    inner: [],
    linkedTo: [],
    ...more,
  };
}

async function fitted(symbols: readonly PackSymbol[]): Promise<{ readonly shown: readonly string[]; readonly rest: readonly string[] }> {
  const { rest, rows } = await fitCode(symbols, 10_000, async () => []);
  return { shown: rows.map(({ symbolName }) => symbolName), rest: rest.map(({ name }) => name) };
}

test('what is far behind the best has no source, though there is room; what is linked to a shown unit may be further behind, most so to one of the first', async () => {
  const { rest, shown } = await fitted([
    symbolOf('best', 0.8),
    symbolOf('second', 0.7),
    symbolOf('third', 0.6),
    symbolOf('half', 0.41),
    symbolOf('called', 0.36, { linkedTo: ['src/half.ts::half'] }),
    symbolOf('alone', 0.36),
    symbolOf('besideAlone', 0.35, { linkedTo: ['src/alone.ts::alone'] }),
    symbolOf('calledFar', 0.3, { linkedTo: ['src/half.ts::half'] }),
    symbolOf('calledByThird', 0.1, { linkedTo: ['src/third.ts::third'] }),
  ]);
  expect(shown).toEqual(['best', 'second', 'third', 'half', 'called', 'calledByThird']);
  expect(rest).toEqual(['alone', 'besideAlone', 'calledFar']);
});

test('what the task spells has its source however far behind, and so has everything where nothing was found', async () => {
  expect((await fitted([symbolOf('best', 1), symbolOf('spelled', 0.1, { why: ['named', 'words'] })])).shown).toEqual(['best', 'spelled']);
  expect((await fitted([symbolOf('one', 0, { why: [] }), symbolOf('two', 0, { why: [] })])).shown).toEqual(['one', 'two']);
});

test('further symbols are a line for each file with first line and name, twenty in all', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `weigh${String.fromCodePoint(97 + (at % 26))}${at}`);
  const body = (name: string): string => `function ${name}() {\n${`  apples.push("${'x'.repeat(60)}");\n`.repeat(12)}}\n`;
  const sketch = {
    'src/apples.ts': { symbols: names.map((name, at) => ({ name, lines: [1 + 14 * at, 14 + 14 * at] as [number, number], signature: `function ${name}()` })) },
  };
  const workspace = workspaceOf(sketch, { texts: { 'src/apples.ts': names.map(body).join('') } });
  const asked = { name: 'context_pack', input: { task: 'apples', maxTokens: 4_000 }, agentId: undefined, sessionId: 's' };
  const { envelope } = await invoke(TOOLS, workspace, asked, neverCancelled);
  const [line, ...others] = (envelope.data?.['places'] ?? []) as readonly string[];
  expect(others).toEqual([]);
  expect(line).toMatch(/^src\/apples\.ts:\d+ weigh\w+(?:, \d+ weigh\w+)*$/);
  expect(line?.split(', ').length).toBe(20);
});
