import { z } from 'zod';
import { ok } from '../../../base/result';
import { type RunAnswer, runProblem, runTests } from '../../../features/testSelection/run';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';

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
  }),
  fields: [
    { key: 'status', priority: 'required', description: 'passed, failed, timeout, error or dry_run' },
    { key: 'passed', priority: 'required', description: 'Number of tests' },
    { key: 'failed', priority: 'required', description: 'Number of tests' },
    { key: 'skipped', priority: 'required', description: 'Number of tests' },
    { key: 'failures', priority: 'high', description: 'Test, file, line and message of each failure' },
    { key: 'durationMs', priority: 'medium', description: 'Duration' },
    { key: 'command', priority: 'medium', description: 'Command as a list of arguments' },
    { key: 'folder', priority: 'medium', description: 'Working directory' },
    { key: 'outputTail', priority: 'low', description: 'Last 8 KB of the output' },
  ],

  check: runProblem,

  async handle(context, input, token) {
    const { tests, affected, timeoutMs, dryRun } = input;
    const asked = { timeoutMs, dryRun, ...(tests === undefined ? {} : { tests }), ...(affected === undefined ? {} : { affected }) };
    const ran = await runTests(context.workspace, asked, token);
    if (!ran.ok) return failure(ran.error);
    const { stamp, ...data } = ran.value;
    return ok({ summary: summaryOf(ran.value), stamp, data });
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

function summaryOf({ command, durationMs, failed, passed, skipped, status }: RunAnswer): string {
  if (status === 'dry_run') return `Would run ${command.join(' ')}.`;
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped in ${count(Math.round(durationMs / 100) / 10, 'second')}`;
  if (status === 'timeout') return `The tests timed out: ${counts}.`;
  return status === 'error' ? `The command failed, but no test failed: ${counts}.` : `Tests ${status}: ${counts}.`;
}
