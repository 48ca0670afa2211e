import { expect, test } from 'vitest';
import { TOOLS } from '../../server/src/tools/catalogue';
import { describeTool } from '../../server/src/tools/manifest';
import { selectTools } from '../../server/src/tools/profiles';
import type { JsonObjectSchema, ToolRow } from '../../server/src/transports/host';
import { toolList } from '../../server/src/transports/mcp/toolList';

/** Four characters to a token, as the envelope's estimate counts. */
const tokens = (value: unknown): number => Math.ceil(JSON.stringify(value).length / 4);

const core = selectTools(TOOLS, 'core');
const listed = toolList(
  (core.ok ? core.value : []).map(tool => ({ ...describeTool(tool), inputSchema: describeTool(tool).inputSchema as JsonObjectSchema }) as ToolRow),
);

test('the core list is small enough to be in every prompt', () => {
  expect(listed.length).toBeGreaterThan(0);
  expect(listed.length).toBeLessThanOrEqual(8);
  expect(tokens(listed.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })))).toBeLessThanOrEqual(2500);
  expect(tokens(listed)).toBeLessThanOrEqual(4500);
});

test('every tool has a title, explicit hints, and schemas without references', () => {
  for (const tool of listed) {
    expect(tool.title, tool.name).toBeTruthy();
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = tool.annotations ?? {};
    expect([readOnlyHint, destructiveHint, idempotentHint, openWorldHint].map(hint => typeof hint)).toEqual(['boolean', 'boolean', 'boolean', 'boolean']);
    expect(tool.inputSchema.type).toBe('object');
    expect(JSON.stringify([tool.inputSchema, tool.outputSchema])).not.toContain('$ref');
  }
});

test('the list is the same every time', () => {
  expect(JSON.stringify(toolList((core.ok ? core.value : []).map(tool => describeTool(tool) as ToolRow)))).toBe(JSON.stringify(listed));
});
