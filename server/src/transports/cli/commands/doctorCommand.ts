import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { EXIT } from '../../exitCodes';
import type { Finding } from '../../host';
import type { Command, CommandContext } from '../command';
import { plural, type Style } from '../terminal';
import { hintForTerminal } from '../toolText';

/** Lowest Node that the command line and the MCP server run on. */
const MIN_NODE_VERSION = 20;

const BUNDLE_FILES = ['parseWorker.js', 'web-tree-sitter.wasm', 'sql-wasm.wasm', 'grammars', 'webview.js', 'webview.css'];

const MARKS: Readonly<Record<Finding['level'], readonly [mark: string, style: Style]>> = { ok: ['✓', 'green'], warning: ['!', 'yellow'], error: ['✗', 'red'] };

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check the installation, the data folder and the stored data, and suggest fixes.',
  when: 'When something fails, or after a crash or a full disk.',
  returns: 'One line per check. Exits with 3 if there is an error.',
  examples: ['lattice doctor', 'lattice doctor --repair'],
  flags: [{ name: 'repair', kind: 'boolean', help: 'Move damaged files aside and rebuild what can be rebuilt.' }],
  positionals: [],
  run: async context => {
    const { host, root, json } = context.options;
    const found = [
      nodeFinding(process.versions.node),
      bundleFinding(host.bundleFolder),
      ...(await host.data.inspect(root, context.flag('repair'), context.token)),
    ];
    const findings = found.map(({ advice, ...rest }) => ({ ...rest, ...(advice === undefined ? {} : { advice: hintForTerminal(advice) }) }));
    const failed = findings.some(finding => finding.level === 'error');
    if (json) await context.printJson({ ok: !failed, findings });
    else await print(context, findings);
    return failed ? EXIT.workspaceFailed : EXIT.ok;
  },
};

/** A finding whose advice names commands. */
type TerminalFinding = Omit<Finding, 'advice'> & { readonly advice?: string };

async function print(context: CommandContext, findings: readonly TerminalFinding[]): Promise<void> {
  const width = Math.min(24, Math.max(...findings.map(finding => finding.subject.length)));
  for (const { level, subject, message, advice } of findings) {
    const [mark, style] = MARKS[level];
    await context.line(`${context.paint(style, mark)} ${context.paint('bold', subject.padEnd(width))}  ${message}`);
    if (advice !== undefined) await context.line(`  ${' '.repeat(width)}  ${context.paint('dim', `→ ${advice}`)}`);
  }
  const errors = findings.filter(finding => finding.level === 'error').length;
  const warnings = findings.filter(finding => finding.level === 'warning').length;
  await context.line(errors + warnings === 0 ? '\nNo problems found.' : `\n${plural(errors, 'error')}, ${plural(warnings, 'warning')}.`);
}

export function nodeFinding(version: string): Finding {
  const major = Number.parseInt(version, 10);
  if (major >= MIN_NODE_VERSION) return { level: 'ok', subject: 'Node', message: `${version}` };
  return { level: 'error', subject: 'Node', message: `${version} is too old.`, advice: `Install Node.js ${MIN_NODE_VERSION} or later.` };
}

function bundleFinding(folder: string): Finding {
  const missing = BUNDLE_FILES.filter(name => !existsSync(join(folder, name)));
  if (missing.length === 0) return { level: 'ok', subject: 'Installation', message: folder };
  return {
    level: 'error',
    subject: 'Installation',
    message: `${missing.join(', ')} missing in ${folder}.`,
    advice: 'Reinstall Lattice, or run `npm run build` in its repository.',
  };
}
