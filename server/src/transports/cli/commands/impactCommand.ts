import { riskReasons } from '../../../../protocol/riskReasons';
import type { ParamsOf } from '../../../features/catalogue/catalogue';
import type { Gateway } from '../../../session/gateway';
import { askFeature } from '../../asking';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { ToolRow } from '../../host';
import type { Command, CommandContext } from '../command';
import { AS_OF_FLAG, type Flag, FORMAT_FLAG } from '../flags';
import { type ImpactReport, impactMarkdown } from '../impactMarkdown';
import { flagsOfTool, inputFromFlags } from '../toolFlags';
import { spellingsOf } from '../toolText';
import { answerOfTool, firstSentence, printAnswer } from './toolCommands';

const RISKS = ['low', 'medium', 'high'];

const OWN_FLAGS: readonly Flag[] = [
  { name: 'depth', kind: 'integer', value: 'N', help: 'Same as --max-depth.' },
  FORMAT_FLAG,
  { name: 'fail-on', kind: 'string', value: 'medium|high', choices: ['medium', 'high'], help: 'Exit with 5 if the risk is at least this high.' },
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
    when: 'Before a change, to see what it may break and which tests cover it. In CI with --since, to see the impact of a pull request.',
    returns: 'What changed (--since), dependents by distance, tests and the risk. Exits with 5 if the --fail-on limit is reached.',
    examples: [
      'lattice impact src/base/result.ts',
      'lattice impact parseArguments --depth 2',
      'lattice impact --since HEAD',
      'lattice impact --since origin/main...HEAD --format markdown --fail-on high',
    ],
    get flags() {
      return [...flagsOfTool(tool, []), ...OWN_FLAGS, AS_OF_FLAG];
    },
    spellings: spellingsOf(tool, 'target', 'TARGET'),
    problem: ({ flags, positionals }) =>
      [positionals[0] ?? flags.get('target'), flags.get('files'), flags.get('since')].filter(value => value !== undefined).length === 1
        ? undefined
        : 'lattice impact requires exactly one of TARGET, --files and --since.',
    positionals: [
      { name: 'TARGET', required: false, many: false, help: 'Path, path::symbol, path#symbol or unique name. Alternatively, use --files or --since.' },
    ],
    run: context => {
      const target = context.options.args.positionals[0];
      const depth = context.number('depth');
      const input = {
        ...inputFromFlags(tool, context.options.args.flags),
        ...(target === undefined ? {} : { target }),
        ...(depth === undefined ? {} : { maxDepth: depth }),
        ...context.ofThePast,
      };
      const isJson = context.options.json || context.text('format') === 'json';
      const isMarkdown = context.text('format') === 'markdown';
      const refused = context.refusalOf(tool.name, input);
      if (refused !== undefined) return printAnswer(context, refused, isJson);
      return context.withIndex(async gateway => {
        const exit = isMarkdown ? await writeMarkdown(context, gateway, input) : await answerOfTool(context, gateway, tool.name, input, isJson);
        return exit === EXIT.ok ? limitsReached(context, gateway, input) : exit;
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

async function limitsReached(context: CommandContext, gateway: Gateway, input: Readonly<Record<string, unknown>>): Promise<ExitCode> {
  const limit = context.text('fail-on');
  if (limit === undefined) return EXIT.ok;
  const report = await reportOf(context, gateway, input);
  if (typeof report === 'number') return report;
  if (RISKS.indexOf(report.risk) < RISKS.indexOf(limit)) return EXIT.ok;
  context.options.io.stderr.write(
    `Risk: ${report.risk} (${riskReasons(report.riskParts)}). Files and tests that may be affected: ${report.blastRadius} (--fail-on ${limit}).\n`,
  );
  return EXIT.limitReached;
}

/** The whole answer of the feature, or the exit code of a failure that was told. */
async function reportOf(context: CommandContext, gateway: Gateway, input: Readonly<Record<string, unknown>>): Promise<ImpactReport | ExitCode> {
  // What the flags gave; the feature checks it.
  const { target, files, since, maxDepth, relations } = input as ParamsOf<'impact'>;
  const params = { target, files, since, maxDepth, relations } as ParamsOf<'impact'>;
  const answer = await askFeature(gateway, 'impact', params, context.options.caller, context.token, context.ofThePast);
  return answer.ok ? answer.value : context.refused(answer.error);
}
