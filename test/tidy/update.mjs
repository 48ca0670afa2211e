/**
 * `npm run update`: rewrites everything that is generated, so that nothing is kept equal by hand:
 * the law table in ARCHITECTURE.md, settings, tools and the chat participant in package.json, docs/tools.md, docs/settings.md, docs/cli.md, the pin of the tools.
 *   node test/tidy/update.mjs --check   writes nothing; exit status 1 when something would change
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as esbuild from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const require = createRequire(import.meta.url);
const checkOnly = process.argv.includes('--check');
const changed = [];

function put(path, text) {
  const place = join(root, path);
  if (existsSync(place) && readFileSync(place, 'utf8') === text) return;
  changed.push(path);
  if (checkOnly) return;
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** Replaces what stands between two marks of a Markdown file. */
function between(text, mark, content) {
  const pattern = new RegExp(`(<!-- ${mark}:begin -->\\n)[\\s\\S]*?(<!-- ${mark}:end -->)`);
  if (!pattern.test(text)) throw new Error(`the marks ${mark}:begin and ${mark}:end are missing`);
  return text.replace(pattern, (_all, begin, end) => `${begin}${content}\n${end}`);
}

/** Loads TypeScript modules of the project as one bundle. */
async function load(source) {
  const folder = mkdtempSync(join(tmpdir(), 'lattice-update-'));
  try {
    const outfile = join(folder, 'loaded.mjs');
    await esbuild.build({
      stdin: { contents: source, resolveDir: root, loader: 'ts' },
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile,
      logLevel: 'error',
      define: { LATTICE_VERSION: '"0.0.0"' },
      banner: { js: "import { createRequire as _createRequire } from 'node:module'; const require = _createRequire(import.meta.url);" },
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Help of every command as the built command line prints it. */
function commandLineDocument() {
  const folder = mkdtempSync(join(tmpdir(), 'lattice-update-'));
  const outfile = join(folder, 'cli.cjs');
  try {
    const wasm = dirname(require.resolve('web-tree-sitter'));
    esbuild.buildSync({
      entryPoints: [join(root, 'server/src/main/cliMain.ts')],
      bundle: true,
      platform: 'node',
      format: 'cjs',
      outfile,
      logLevel: 'error',
      external: ['fsevents'],
      alias: { 'web-tree-sitter': join(wasm, 'web-tree-sitter.cjs') },
      define: { LATTICE_VERSION: JSON.stringify(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version) },
    });
    const help = (...words) =>
      spawnSync(process.execPath, [outfile, 'help', ...words], { encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' } }).stdout.trimEnd();
    const overview = help();
    const names = [...overview.matchAll(/^ {2}([a-z]+) +[A-Z]/gm)].map(match => match[1]).filter(name => name !== 'help' && name !== 'version');
    const parts = names.map(name => `## ${name}\n\n\`\`\`text\n${help(name)}\n\`\`\``);
    return `# Command line\n\nWritten by \`npm run update\` from the commands' own help.\n\n\`\`\`text\n${overview}\n\`\`\`\n\n${parts.join('\n\n')}\n`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const row = cells => `| ${cells.join(' | ')} |`;
const table = (head, rows) => [row(head), row(head.map(() => '---')), ...rows.map(row)].join('\n');

const { rooms, nodeRooms, libraries } = require('../../law.cjs');
const librariesOf = room =>
  Object.entries(libraries)
    .filter(([, allowed]) => allowed.includes(room))
    .map(([library]) => `\`${library}\``)
    .join(', ');
const lawTable = table(
  ['Room', 'May import', 'Node', 'Libraries'],
  Object.entries(rooms).map(([room, allowed]) => [
    `\`${room}\``,
    allowed.includes('*') ? 'all' : allowed.join(', ') || '–',
    nodeRooms.includes(room) ? 'yes' : '',
    librariesOf(room),
  ]),
);
put('ARCHITECTURE.md', between(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'), 'law', lawTable));

const { SETTINGS, EDITOR_LANGUAGES, CHAT_COMMANDS, contributedConfiguration, configurationTexts, languageModelTools, toolsMarkdown, pinnedTools } = await load(`
  export { SETTINGS } from './server/protocol/settings';
  export { EDITOR_LANGUAGES } from './server/protocol/editorLanguages';
  export { CHAT_COMMANDS } from './server/protocol/chat';
  export { contributedConfiguration, configurationTexts } from './server/protocol/contributedConfiguration';
  export { languageModelTools, toolsMarkdown, pinnedTools } from './server/src/tools/manifest';
`);
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
manifest.contributes.configuration = contributedConfiguration(SETTINGS);
// A graph that was open when the window closed is brought back with it.
manifest.activationEvents = [...EDITOR_LANGUAGES.map(language => `onLanguage:${language}`), 'onWebviewPanel:lattice.graph'];
manifest.contributes.languageModelTools = languageModelTools();
const chatCommands = CHAT_COMMANDS.filter(command => pinnedTools().some(tool => tool.name === command.tool));
manifest.contributes.chatParticipants = [
  {
    id: 'lattice.chat',
    name: 'lattice',
    fullName: 'Lattice',
    description: '%chat.description%',
    isSticky: true,
    commands: chatCommands.map(({ name }) => ({ name, description: `%chat.${name}%` })),
    disambiguation: [
      {
        category: 'lattice',
        description:
          'Questions about this code base that need its dependency graph: who calls or uses something, what breaks if it changes, which tests reach it.',
        examples: ['What breaks if I change this function?', 'Who uses this class?', 'Which tests cover this file?'],
      },
    ],
  },
];
put('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
const chatTexts = {
  'chat.description': 'Ask the graph of this workspace',
  ...Object.fromEntries(chatCommands.map(({ name, description }) => [`chat.${name}`, description])),
};
const texts = Object.entries(JSON.parse(readFileSync(join(root, 'package.nls.json'), 'utf8'))).filter(([key]) => !/^(?:setting|chat)\./.test(key));
put('package.nls.json', `${JSON.stringify({ ...Object.fromEntries(texts), ...chatTexts, ...configurationTexts(SETTINGS) }, undefined, 2)}\n`);
put(
  'docs/settings.md',
  `# Settings\n\nWritten by \`npm run update\` from \`server/protocol/settings.ts\`.\n\n${table(
    ['Setting', 'Default', 'Meaning'],
    SETTINGS.map(setting => [`\`${setting.key}\``, `\`${JSON.stringify(setting.default)}\``, setting.description]),
  )}\n`,
);
put('docs/tools.md', `# Tools\n\nWritten by \`npm run update\` from the tool catalogue (\`server/src/tools\`).\n\n${toolsMarkdown()}\n`);
put('docs/cli.md', commandLineDocument());
put('test/pins/tools.json', `${JSON.stringify(pinnedTools(), undefined, 2)}\n`);

if (changed.length > 0) console.log(`${checkOnly ? 'out of date' : 'updated'}: ${changed.join(', ')}`);
process.exitCode = checkOnly && changed.length > 0 ? 1 : 0;
