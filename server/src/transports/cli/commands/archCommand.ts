import { randomUUID } from 'node:crypto';
import * as files from 'node:fs/promises';
import * as paths from 'node:path';
import { shownValue } from '../../../../protocol/shownText';
import { writeWorkspaceFile } from '../../../../protocol/workspaceFile';
import type { Answer } from '../../../features/catalogue/catalogue';
import type { Gateway } from '../../../session/gateway';
import { askFeature } from '../../asking';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { ToolRow } from '../../host';
import { asPlain, inCodeCell } from '../../markdown';
import type { Command, CommandContext } from '../command';
import { AS_OF_FLAG, type Flag, FORMAT_FLAG } from '../flags';
import { plural } from '../terminal';
import { flagsOfTool, inputFromFlags } from '../toolFlags';
import { pastLine, spellingsOf } from '../toolText';
import { answerOfTool, firstSentence, printAnswer } from './toolCommands';

const SEVERITIES = ['info', 'warning', 'error'];

const OWN_FLAGS: readonly Flag[] = [
  FORMAT_FLAG,
  {
    name: 'fail-on',
    kind: 'string',
    value: `${SEVERITIES.join('|')}|never`,
    choices: [...SEVERITIES, 'never'],
    help: 'Exit with 5 if there is a violation of at least this severity that is not in the baseline.',
    fallback: 'error',
  },
  { name: 'accept-baseline', kind: 'boolean', help: 'Save all current violations to the baseline file, so that only new ones fail.' },
];

type Report = Answer<'architecture'>;

/** The files that a feature may name to be written. */
const RULES_FOLDER = /^\.lattice\/[^\\]+$/;

/** `lattice arch`, also for CI: the declared architecture as lines a person or an editor reads, and an exit code. */
export function archCommands(tools: readonly ToolRow[]): Command[] {
  const tool = tools.find(candidate => candidate.name === 'arch_validate');
  return tool === undefined ? [] : [archCommand(tool)];
}

function archCommand(tool: ToolRow): Command {
  return {
    name: 'arch',
    summary: firstSentence(tool.description),
    when: 'In CI or before a commit, to check that the code follows the declared architecture.',
    returns: 'One line per violation: location, severity, rule and message. Exits with 5 if a violation is at least as severe as --fail-on.',
    examples: [
      'lattice arch',
      'lattice arch src/ui --min-severity warning',
      'lattice arch --since origin/main...HEAD --format markdown',
      'lattice arch --accept-baseline',
    ],
    get flags() {
      return [...flagsOfTool(tool, ['files']), ...OWN_FLAGS, AS_OF_FLAG];
    },
    spellings: spellingsOf(tool, 'files', 'PATHS'),
    positionals: [{ name: 'PATHS', required: false, many: true, help: 'Files or folders to check. By default, all.' }],
    run: context => {
      if (context.flag('accept-baseline') && 'asOf' in context.ofThePast)
        return context.fail(EXIT.usage, 'USAGE', '--accept-baseline cannot be used with --as-of.');
      const files = context.options.args.positionals;
      const input = { ...inputFromFlags(tool, context.options.args.flags), ...(files.length === 0 ? {} : { files }), ...context.ofThePast };
      const refused = context.refusalOf(tool.name, input);
      if (refused !== undefined) return printAnswer(context, refused, context.options.json || context.text('format') === 'json');
      return context.withIndex(gateway => run(context, gateway, tool, input));
    },
  };
}

async function run(context: CommandContext, gateway: Gateway, tool: ToolRow, input: Record<string, unknown>): Promise<ExitCode> {
  if (context.flag('accept-baseline')) return acceptBaseline(context, gateway);
  const { cursor: _cursor, maxTokens: _maxTokens, profile: _profile, asOf: _asOf, ...params } = input;
  const answer = await askFeature(gateway, 'architecture', params, context.options.caller, context.token, context.ofThePast);
  if (!answer.ok) return context.refused(answer.error);
  const found = shownValue(answer.value);
  if (context.options.json || context.text('format') === 'json') {
    const exit = await answerOfTool(context, gateway, tool.name, input, true);
    if (exit !== EXIT.ok) return exit;
  } else await context.out(context.text('format') === 'markdown' ? asMarkdown(found) : asText(found));
  const limit = context.text('fail-on') ?? 'error';
  const breaking = found.violations.filter(row => !row.baseline && limit !== 'never' && SEVERITIES.indexOf(row.severity) >= SEVERITIES.indexOf(limit));
  return breaking.length === 0 ? EXIT.ok : EXIT.limitReached;
}

function asText(found: Report): string {
  const lines = found.violations.map(
    ({ baseline, from, message, ruleId, severity }) => `${from.file}:${from.line}: ${baseline ? 'accepted' : severity} ${ruleId}: ${message}`,
  );
  return [...lines, verdict(found), ...pastLine(found.stamp), ''].join('\n');
}

function verdict({ checkedFiles, counts, fixed, rulesSource, status }: Report): string {
  const parts = COUNTED.flatMap(key => (counts[key] > 0 ? [plural(counts[key], ...WORDS[key])] : []));
  const gone =
    fixed > 0
      ? ` ${plural(fixed, 'violation')} in the baseline no longer ${fixed === 1 ? 'occurs' : 'occur'}. To update the baseline, run with --accept-baseline.`
      : '';
  return `${status}: ${parts.length === 0 ? 'no violations' : parts.join(', ')} in ${plural(checkedFiles, 'file')} (rules: ${rulesSource === 'builtin' ? 'built-in' : rulesSource}).${gone}`;
}

const COUNTED = ['error', 'warning', 'info', 'baseline', 'excepted'] as const;
const WORDS: Readonly<Record<(typeof COUNTED)[number], readonly [string, string]>> = {
  error: ['error', 'errors'],
  warning: ['warning', 'warnings'],
  info: ['hint', 'hints'],
  baseline: ['accepted', 'accepted'],
  excepted: ['excepted', 'excepted'],
};
const MAX_ROWS = 50;

function asMarkdown(found: Report): string {
  const fresh = found.violations.filter(row => !row.baseline);
  const rows = fresh
    .slice(0, MAX_ROWS)
    .map(({ from, message, ruleId, severity }) => `| ${severity} | ${inCodeCell(ruleId)} | ${inCodeCell(`${from.file}:${from.line}`)} | ${asPlain(message)} |`);
  const more = fresh.length > MAX_ROWS ? [`… and ${fresh.length - MAX_ROWS} more`, ''] : [];
  const table = rows.length === 0 ? [] : ['| Severity | Rule | Location | Violation |', '| --- | --- | --- | --- |', ...rows, '', ...more];
  return ['### Architecture', '', verdict(found), '', ...table, ...pastLine(found.stamp).flatMap(line => [line, ''])].join('\n');
}

/** `EACCES` of a folder that others own, `EROFS`, `ENOSPC`, … */
function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}

async function acceptBaseline(context: CommandContext, gateway: Gateway): Promise<ExitCode> {
  const answer = await askFeature(gateway, 'architectureEdit', { kind: 'acceptAll' }, context.options.caller, context.token);
  if (!answer.ok) return context.refused(answer.error);
  const { after, before, count, path } = answer.value;
  if (!RULES_FOLDER.test(path)) return context.fail(EXIT.answerIsError, 'FORBIDDEN', `${path} is not a file of .lattice.`);
  if (after !== before) {
    const written = await writeWorkspaceFile({ files, paths, newName: randomUUID }, gateway.root, path, after).catch((error: unknown) => ({
      problem: `${path} cannot be written (${codeOf(error)}).`,
    }));
    if ('problem' in written) return context.fail(EXIT.answerIsError, 'FORBIDDEN', `${written.problem} Nothing was written.`);
  }
  if (context.options.json) await context.printJson({ path, count, changed: after !== before });
  else await context.line(`${plural(count, 'violation')} in ${path}${after === before ? ' (no changes)' : ''}.`);
  return EXIT.ok;
}
