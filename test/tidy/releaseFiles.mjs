/** Files that registries and desktop clients read of a release; made of the manifest of the extension, so that versions and texts are written once. */

/** Longest description that the MCP registry accepts. */
const MAX_REGISTRY_DESCRIPTION = 100;
const FIRST_TEXT = 'See what depends on code and what breaks when it changes. Typed code graph on your machine.';

/** `server.json` of the MCP registry: the package on npm, started with `npx`. */
export function registryEntry(manifest) {
  if (FIRST_TEXT.length > MAX_REGISTRY_DESCRIPTION) throw new Error('the description is too long for the MCP registry');
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: manifest.mcpName,
    title: manifest.displayName,
    description: FIRST_TEXT,
    version: manifest.version,
    packages: [
      {
        registryType: 'npm',
        identifier: manifest.name,
        version: manifest.version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: 'mcp', description: 'Starts the MCP server' },
          {
            type: 'named',
            name: '--workspace',
            description: 'Folder to index. Default: the repository or folder that the server is started in',
            format: 'filepath',
            isRequired: false,
          },
          {
            type: 'named',
            name: '--tools',
            description: 'Tools to offer: core, agent, full, admin, or names with commas between',
            default: 'core',
            isRequired: false,
          },
        ],
      },
    ],
  };
}

/** `manifest.json` of the MCP bundle (`.mcpb`). A desktop client starts servers in no project, so it asks for the folder. */
export function bundleManifest(manifest, coreTools) {
  return {
    manifest_version: '0.3',
    name: 'lattice',
    display_name: manifest.displayName,
    version: manifest.version,
    description: manifest.description,
    author: { name: 'Lattice contributors' },
    license: manifest.license,
    icon: 'media/icon.png',
    keywords: manifest.keywords,
    server: {
      type: 'node',
      entry_point: 'dist/mcp.js',
      mcp_config: {
        command: 'node',
        args: ['${__dirname}/dist/mcp.js', '--workspace', '${user_config.workspace}', '--tools', '${user_config.tools}'],
        env: {},
      },
    },
    tools: coreTools.map(({ name, title }) => ({ name, description: title })),
    tools_generated: true,
    prompts_generated: true,
    user_config: {
      workspace: {
        type: 'directory',
        title: 'Folder',
        description: 'The project to answer questions about. It is indexed when the server starts.',
        required: true,
      },
      tools: {
        type: 'string',
        title: 'Tools',
        description: 'Tools to offer: core, agent, full, admin, or names with commas between.',
        default: 'core',
        required: false,
      },
    },
    compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: manifest.engines.node } },
  };
}
