import type { Gateway } from '../../../session/gateway';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { ToolRow } from '../../host';
import type { Command, CommandContext } from '../command';
import type { Flag } from '../flags';
import { type ImpactReport, impactMarkdown } from '../impactMarkdown';
import { flagsOfTool, inputFromFlags } from '../toolFlags';
import { answerOfTool, firstSentence } from './toolCommands';

const FORMATS = ['text', 'json', 'markdown'];
const RISKS = ['low', 'medium', 'high'];

const OWN_FLAGS: readonly Flag[] = [
  { name: 'depth', kind: 'integer', value: 'N', help: 'Short for --max-depth.' },
  {
    name: 'format',
    kind: 'string',
    value: FORMATS.join('|'),
    choices: FORMATS,
    help: 'markdown is fit for a comment on a pull request; json is --json.',
    fallback: 'text',
  },
  { name: 'fail-on', kind: 'string', value: 'medium|high', choices: ['medium', 'high'], help: 'Exit 5 when the risk is at least this.' },
];

/** `lattice impact`, also for CI: what changed since a revision, as a comment and an exit code. */
export function impactCommands(tools: readonly ToolRow[]): Command[] {
  const tool = tools.find(candidate => candidate.name === 'impact_analyze');
  return tool === undefined ? [] : [impactCommand(tool)];
}

function impactCommand(tool: ToolRow): Command {
  return {
    name: 'impact',
    summary: firstSentence(tool.description),
    when: 'Before a change: what may break, which tests cover it. In CI with --since: what a pull request reaches.',
    returns: 'What changed (--since), dependents by distance, tests that reach it, a risk. Exits 5 when --fail-on says so.',
    examples: [
      'lattice impact src/base/result.ts',
      'lattice impact parseArguments --depth 2',
      'lattice impact --since HEAD',
      'lattice impact --since origin/main...HEAD --format markdown --fail-on high',
    ],
    get flags() {
      return [...flagsOfTool(tool, []), ...OWN_FLAGS];
    },
    positionals: [{ name: 'TARGET', required: false, many: false, help: 'A path, path::symbol, path#symbol or a unique name. Or give --files or --since.' }],
    run: context => {
      const target = context.options.args.positionals[0];
      const depth = context.number('depth');
      const input = {
        ...inputFromFlags(tool, context.options.args.flags),
        ...(target === undefined ? {} : { target }),
        ...(depth === undefined ? {} : { maxDepth: depth }),
      };
      const isJson = context.options.json || context.text('format') === 'json';
      const isMarkdown = context.text('format') === 'markdown';
      return context.withIndex(async gateway => {
        const exit = isMarkdown ? await writeMarkdown(context, gateway, input) : await answerOfTool(context, gateway, tool.name, input, isJson);
        return exit === EXIT.ok ? judge(context, gateway, input) : exit;
      });
    },
  };
}

async function writeMarkdown(context: CommandContext, gateway: Gateway, input: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const report = await reportOf(context, gateway, input);
  if (typeof report === 'number') return report;
  await context.out(impactMarkdown(report));
  return EXIT.ok;
}

async function judge(context: CommandContext, gateway: Gateway, input: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const limit = context.text('fail-on');
  if (limit === undefined) return EXIT.ok;
  const report = await reportOf(context, gateway, input);
  if (typeof report === 'number') return report;
  if (RISKS.indexOf(report.risk) < RISKS.indexOf(limit)) return EXIT.ok;
  context.options.io.stderr.write(`The risk is ${report.risk}: ${report.blastRadius} files and tests are reached (--fail-on ${limit}).\n`);
  return EXIT.limitReached;
}

/** The whole answer of the feature, or the exit code of a failure that was told. */
async function reportOf(context: CommandContext, gateway: Gateway, input: Readonly<Record<string, unknown>>): Promise<ImpactReport | ExitCode> {
  const { target, files, since, maxDepth, relations } = input;
  const answer = await gateway.query('impact', { target, files, since, maxDepth, relations }, context.options.caller, context.token);
  if (answer.ok) return answer.value as ImpactReport;
  const exit = answer.error.code === 'VALIDATION_ERROR' ? EXIT.usage : EXIT.answerIsError;
  return context.fail(exit, answer.error.code, answer.error.message);
}
