/** Builds the port of the transports from the engine, the stores and the catalogue of tools. */
import { join } from 'node:path';
import type { Log } from '../base/ports';
import { ok } from '../base/result';
import { TOOLS } from '../tools/catalogue';
import { describeTool } from '../tools/manifest';
import { selectTools } from '../tools/profiles';
import type { Tool } from '../tools/tool';
import type { JsonObjectSchema, ToolRow, TransportHost } from '../transports/host';
import { defaultDataFolder, openWorkspace } from './compose';
import { dataAdministration } from './dataAdministration';
import { version } from './version';

/** `bundleFolder` holds the bundles and what they load: workers, grammars, wasm. */
export function transportHost(bundleFolder: string, log?: Log): TransportHost {
  const dataFolder = defaultDataFolder(process.env);
  return {
    version,
    bundleFolder,
    tools: TOOLS.map(toRow),
    selectTools: spec => {
      const selected = selectTools(TOOLS, spec);
      return selected.ok ? ok(selected.value.map(toRow)) : selected;
    },
    open: request => openWorkspace({ ...request, distFolder: bundleFolder, dataFolder, ...(log === undefined ? {} : { log }) }),
    data: dataAdministration({ dataFolder, grammarFolder: join(bundleFolder, 'grammars') }),
  };
}

function toRow(tool: Tool): ToolRow {
  const { name, title, description, inputSchema, outputSchema, annotations } = describeTool(tool);
  return { name, title, description, inputSchema: inputSchema as JsonObjectSchema, outputSchema: outputSchema as JsonObjectSchema, annotations };
}
