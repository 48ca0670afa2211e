/** Builds the port of the transports from the engine, the stores and the catalogue of tools. */
import { join } from 'node:path';
import type { Log } from '../base/ports';
import { ok } from '../base/result';
import { TOOLS } from '../tools/catalogue';
import { refusalOf } from '../tools/invoke';
import { describeTool } from '../tools/manifest';
import { selectTools } from '../tools/profiles';
import type { Tool } from '../tools/tool';
import type { JsonObjectSchema, ToolRow, TransportHost } from '../transports/host';
import { defaultDataFolder, openWorkspace } from './compose';
import { dataAdministration } from './upkeep/dataAdministration';
import { version } from './version';

/** `bundleFolder` holds the bundles and what they load: workers, grammars, wasm. */
export function transportHost(bundleFolder: string, log?: Log): TransportHost {
  const dataFolder = defaultDataFolder(process.env);
  const rows = new Map(TOOLS.map(tool => [tool, toRow(tool)]));
  return {
    version,
    bundleFolder,
    tools: [...rows.values()],
    selectTools: spec => {
      const selected = selectTools(TOOLS, spec);
      return selected.ok ? ok(selected.value.map(tool => rows.get(tool) ?? toRow(tool))) : selected;
    },
    refusalOf: (name, input) => refusalOf(TOOLS, name, input),
    open: request => openWorkspace({ ...request, distFolder: bundleFolder, dataFolder, ...(log === undefined ? {} : { log }) }),
    data: dataAdministration({ dataFolder, grammarFolder: join(bundleFolder, 'grammars') }),
  };
}

/** Schemas are made when somebody asks for them: a process that answers one question describes no tool. */
function toRow(tool: Tool): ToolRow {
  let described: ReturnType<typeof describeTool> | undefined;
  const describe = (): ReturnType<typeof describeTool> => {
    described ??= describeTool(tool);
    return described;
  };
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    get inputSchema() {
      return describe().inputSchema as JsonObjectSchema;
    },
    get outputSchema() {
      return describe().outputSchema as JsonObjectSchema;
    },
    get annotations() {
      return describe().annotations;
    },
  };
}
