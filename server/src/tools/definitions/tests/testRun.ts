import { z } from 'zod';
import type { CancellationToken } from '../../../base/cancellation';
import { ok, type Result } from '../../../base/result';
import { remember } from '../../../features/memory/remember';
import type { FeatureFailure } from '../../../features/shared/failure';
import { object, optional, shape } from '../../../features/shared/shape';
import { skippedTestShape, testFailureShape } from '../../../features/testSelection/outcome';
import { type RunAnswer, runProblem, runTests } from '../../../features/testSelection/run';
import { defineTool, type ToolContext } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';
import { authorOf } from '../work/rows';

/** The outcome of a run as an answer gives it: what is empty, or does not fit, is missing. */
const runReportShape = shape(() =>
  object({
    status: z.enum(['passed', 'failed', 'timeout', 'error', 'dry_run']),
    passed: z.number(),
    failed: z.number(),
    skipped: z.number(),
    failures: optional(z.array(testFailureShape())),
    skippedTests: optional(z.array(skippedTestShape())),
    durationMs: optional(z.number()),
    /** Argument by argument. */
    command: optional(z.array(z.string())),
    /** Workspace path of the folder that it ran in. */
    folder: optional(z.string()),
    /** Further files with affected tests, which are more than one run takes; absent when there are none. */
    notRun: optional(z.number()),
    /** Of the recorded `TEST_RESULT`. */
    episodeId: optional(z.string()),
    /** The last 8 KB of what was printed. */
    outputTail: optional(z.string()),
  }),
);

export const testRun = defineTool({
  name: 'test_run',
  title: 'Run tests',
  description:
    'Run test files with the test framework of the workspace and report the results. Disabled until the user allows it (setting lattice.tests.allowRun, trusted workspace, each command approved once). You cannot specify the command. Use after test_select.',
  group: 'tests',
  effect: 'execute',
  defaultProfile: 'compact',
  input: z.object({
    tests: z.array(z.string()).optional().describe('Test files or IDs, at most 50 files'),
    affected: z.boolean().optional().describe('Instead of tests: the tests that test_select returns for uncommitted changes'),
    timeoutMs: z.number().int().min(1000).max(600_000).default(120_000),
    dryRun: z.boolean().default(false).describe('Only show the command'),
    taskId: z.string().optional().describe('Task that it belongs to; the result is recorded as an episode'),
  }),
  fields: [
    { key: 'status', priority: 'required', description: 'passed, failed, timeout, error or dry_run' },
    { key: 'passed', priority: 'required', description: 'Number of tests' },
    { key: 'failed', priority: 'required', description: 'Number of tests' },
    { key: 'skipped', priority: 'required', description: 'Number of tests' },
    { key: 'failures', priority: 'high', description: 'Test, file, line and message of each failure' },
    { key: 'notRun', priority: 'high', description: 'With affected: number of files with affected tests that were left out; one run takes at most 50' },
    { key: 'durationMs', priority: 'medium', description: 'Duration' },
    { key: 'command', priority: 'medium', description: 'Command as a list of arguments' },
    { key: 'folder', priority: 'medium', description: 'Working directory' },
    { key: 'episodeId', priority: 'medium', description: 'The recorded TEST_RESULT' },
    { key: 'skippedTests', priority: 'low', description: 'Test and file of each skipped test, if the report names them' },
    { key: 'outputTail', priority: 'low', description: 'Last 8 KB of the output' },
  ],

  answer: runReportShape,

  check: runProblem,

  async handle(context, input, token) {
    const { tests, affected, timeoutMs, dryRun } = input;
    const asked = { timeoutMs, dryRun, ...(tests === undefined ? {} : { tests }), ...(affected === undefined ? {} : { affected }) };
    const ran = await runTests(context.workspace, asked, token);
    if (!ran.ok) return failure(ran.error);
    const { files: _files, stamp, ...data } = ran.value;
    const recorded = await record(context, ran.value, input.taskId, token);
    const hint = recorded.ok ? {} : { hint: `The result could not be recorded: ${recorded.error.message}` };
    const episode = recorded.ok && recorded.value !== undefined ? { episodeId: recorded.value } : {};
    return ok({ summary: summaryOf(ran.value), stamp, data: { ...data, ...episode }, ...hint });
  },

  render(data) {
    const command = Array.isArray(data['command']) ? (data['command'] as readonly unknown[]).map(String).join(' ') : '';
    const failures = rowsIn(data, 'failures').map(row =>
      `${textIn(row, 'file')}${row['line'] === undefined ? '' : `:${textIn(row, 'line')}`} ${textIn(row, 'test')}: ${textIn(row, 'message')}`.trim(),
    );
    const tail = textIn(data, 'outputTail');
    return [...(command === '' ? [] : [`$ ${command}`]), ...block('Failures', failures), ...(tail === '' ? [] : [tail])].join('\n');
  },
});

/** Keeps what came of a run; a dry run is none. */
async function record(
  context: ToolContext,
  answer: RunAnswer,
  taskId: string | undefined,
  token: CancellationToken,
): Promise<Result<string | undefined, FeatureFailure>> {
  const { failed, failures, files, passed, status } = answer;
  if (status === 'dry_run') return ok(undefined);
  const failing = failures.slice(0, 10).map(({ file, message, test }) => `${file} ${test}: ${message}`.trim());
  const added = await remember(
    context.workspace,
    authorOf(context),
    {
      type: 'TEST_RESULT',
      content: [summaryOf(answer), ...failing].join('\n').slice(0, 4_000),
      outcome: status === 'passed' ? 'success' : 'failure',
      metadata: { passed, failed, testFiles: files },
      ...given({ taskId }),
    },
    token,
  );
  return added.ok ? ok(added.value.episode.id) : added;
}

function summaryOf(answer: RunAnswer): string {
  const { notRun } = answer;
  const outcome = outcomeOf(answer);
  return notRun === undefined ? outcome : `${outcome} ${count(notRun, 'more file')} with affected tests ${notRun === 1 ? 'was' : 'were'} not run.`;
}

function outcomeOf({ command, durationMs, failed, passed, skipped, status }: RunAnswer): string {
  if (status === 'dry_run') return `Would run ${command.join(' ')}.`;
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped in ${count(Math.round(durationMs / 100) / 10, 'second')}`;
  if (status === 'timeout') return `The tests timed out: ${counts}.`;
  return status === 'error' ? `The command failed, but no test failed: ${counts}.` : `Tests ${status}: ${counts}.`;
}
