import type { Answer, ParamsOf } from '../../../features/catalogue/catalogue';
import { askFeature } from '../../asking';
import { diffMarkdown } from '../../diffMarkdown';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { ToolRow } from '../../host';
import type { Command, CommandContext } from '../command';
import type { Flag } from '../flags';
import { flagsOfTool, inputFromFlags } from '../toolFlags';
import { spellingsOf } from '../toolText';
import { answerOfTool, firstSentence, printAnswer } from './toolCommands';

const FORMATS = ['text', 'json', 'markdown'];
const CONDITIONS = ['breaking', 'cycle', 'architecture', 'risk'] as const;

const OWN_FLAGS: readonly Flag[] = [
  {
    name: 'format',
    kind: 'string',
    value: FORMATS.join('|'),
    choices: FORMATS,
    help: 'Output format. markdown is meant for pull request comments; json is the complete comparison.',
    fallback: 'text',
  },
  {
    name: 'fail-on',
    kind: 'list',
    value: CONDITIONS.join(','),
    choices: CONDITIONS,
    help: 'Exit with 5 for a breaking change, a new import cycle, a new architecture violation with severity error, or a high risk.',
  },
];

/** `lattice diff`, also for CI: how two states of the code differ as graphs, and an exit code. */
export function diffCommands(tools: readonly ToolRow[]): Command[] {
  const tool = tools.find(candidate => candidate.name === 'graph_diff');
  return tool === undefined ? [] : [diffCommand(tool)];
}

function diffCommand(tool: ToolRow): Command {
  return {
    name: 'diff',
    summary: firstSentence(tool.description),
    when: 'To review a branch or a release: what changed in the graph, what it breaks, and what has no tests.',
    returns: 'Breaking changes, new cycles, changed symbols and dependencies, tests. Exits with 5 if a --fail-on limit is reached.',
    examples: [
      'lattice diff',
      'lattice diff v1.0 v2.0',
      'lattice diff HEAD~5 --scope src/server',
      'lattice diff origin/main...HEAD --format markdown --fail-on breaking,cycle',
    ],
    get flags() {
      return [...flagsOfTool(tool, ['from', 'to']), ...OWN_FLAGS];
    },
    spellings: new Map([...spellingsOf(tool), ['from', 'FROM'], ['to', 'TO']]),
    positionals: [
      {
        name: 'FROM',
        required: false,
        many: false,
        help: 'Older state, or a range: a commit, tag, branch, time or transaction. Default: where the branch left the main branch.',
      },
      { name: 'TO', required: false, many: false, help: 'Newer state. Default: the current code.' },
    ],
    run: context => {
      const [from, to] = context.options.args.positionals;
      const states = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
      const input = { ...inputFromFlags(tool, context.options.args.flags), ...states };
      const wrong = context.list('fail-on').find(limit => !(CONDITIONS as readonly string[]).includes(limit));
      if (wrong !== undefined) return context.fail(EXIT.usage, 'USAGE', `--fail-on accepts ${CONDITIONS.join(', ')}, not ${JSON.stringify(wrong)}.`);
      const refused = context.refusalOf(tool.name, input);
      if (refused !== undefined) return printAnswer(context, refused, context.options.json);
      return context.withIndex(async gateway => {
        const { include, scope } = input as ParamsOf<'graphDiff'>;
        const params: ParamsOf<'graphDiff'> = { ...states, ...(include === undefined ? {} : { include }), ...(scope === undefined ? {} : { scope }) };
        const format = context.options.json ? 'json' : (context.text('format') ?? 'text');
        const limits = context.list('fail-on');
        if (format === 'text' && limits.length === 0) return answerOfTool(context, gateway, tool.name, input, false);
        const answer = await askFeature(gateway, 'graphDiff', params, context.options.caller, context.token);
        if (!answer.ok) return context.refused(answer.error);
        if (format === 'json') await context.printJson(answer.value);
        else if (format === 'markdown') await context.out(diffMarkdown(answer.value));
        else {
          const exit = await answerOfTool(context, gateway, tool.name, input, false);
          if (exit !== EXIT.ok) return exit;
        }
        return limitsReached(context, answer.value, limits);
      });
    },
  };
}

function limitsReached(context: CommandContext, { architecture, breaking, risk }: Answer<'graphDiff'>, limits: readonly string[]): ExitCode {
  const isCircle = ({ members }: { readonly members?: readonly string[] }): boolean => members !== undefined;
  const fresh = architecture.added.filter(violation => !violation.baseline);
  const found: Readonly<Record<(typeof CONDITIONS)[number], number>> = {
    breaking: breaking.length,
    cycle: fresh.filter(isCircle).length,
    architecture: fresh.filter(violation => violation.severity === 'error').length,
    risk: risk === 'high' ? 1 : 0,
  };
  const reached = CONDITIONS.filter(limit => limits.includes(limit) && found[limit] > 0);
  if (reached.length === 0) return EXIT.ok;
  context.options.io.stderr.write(
    `${reached.map(limit => (limit === 'risk' ? 'Risk: high' : `${limit}: ${found[limit]}`)).join(', ')} (--fail-on ${limits.join(',')}).\n`,
  );
  return EXIT.limitReached;
}
