import type { Tool } from '@modelcontextprotocol/server';
import type { ToolRow } from '../host';
import { appMetaOf } from './graphApp';

/** Rows of `tools/list`, in the order of the catalogue; all four hints are explicit. */
export function toolList(tools: readonly ToolRow[]): Tool[] {
  return tools.map(tool => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: mutable(tool.inputSchema) as Tool['inputSchema'],
    outputSchema: mutable(tool.outputSchema) as NonNullable<Tool['outputSchema']>,
    annotations: { title: tool.title, ...tool.annotations },
    ...appMetaOf(tool.name),
  }));
}

/** The SDK's types are mutable, the catalogue is not. */
function mutable(schema: object): object {
  return structuredClone(schema);
}
