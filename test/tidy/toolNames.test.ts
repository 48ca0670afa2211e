import { expect, test } from 'vitest';

const { toolNamesIn } = (await import(new URL('./toolNames.mjs', import.meta.url).href)) as {
  readonly toolNamesIn: (path: string, text: string) => string[];
};

test('a hint that names a tool in plain text is found, with its line', () => {
  expect(toolNamesIn('server/src/features/work/moves.ts', "const a = 1;\nconst hint = 'Call manage_graph next.';")).toEqual(['2: manage_graph']);
  expect(toolNamesIn('server/src/tools/shaping.ts', 'const hint = `Or use ${depth} with search_code.`;')).toEqual(['1: search_code']);
  expect(toolNamesIn('client/src/refusal.ts', "throw new Error('manage_graph has stored nothing');")).toEqual(['1: manage_graph']);
});

test('one that mentions it is not', () => {
  expect(toolNamesIn('server/src/tools/shaping.ts', "const hint = phrase`Try ${toolRef('search_code')} with other keywords.`;")).toEqual([]);
});

test('descriptions, commands and texts for agents may name tools', () => {
  const described = "defineTool({ description: 'To complete a task use task_update.', input: z.string().describe('From get_next_task.') })";
  expect(toolNamesIn('server/src/tools/definitions/work/moves.ts', described)).toEqual([]);
  expect(toolNamesIn('server/src/store/recovery/recovery.ts', "'Then run lattice tool graph_restore.'")).toEqual([]);
  expect(toolNamesIn('server/src/transports/mcp/prompts.ts', "'Then run query_graph with the files.'")).toEqual([]);
});

test('a hint beside a description is found', () => {
  expect(toolNamesIn('server/src/tools/definitions/work/moves.ts', "({ description: 'x', hint: 'Use task_update first.' })")).toEqual(['1: task_update']);
});
