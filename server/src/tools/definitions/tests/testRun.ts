import { z } from 'zod';
import { ok } from '../../../base/result';
import { type RunAnswer, runProblem, runTests } from '../../../features/testSelection/run';
import { defineTool } from '../../tool';
import { block, count, failure, rowsIn, textIn } from '../outcome';

export const testRun = defineTool({
  name: 'test_run',
  title: 'Run tests',
  description:
    'Runs test files with the framework that the workspace uses and tells what passed and failed. Off until the user allows it (lattice.tests.allowRun, a trusted workspace, each command approved once); the command is never yours to give. Use after test_select.',
  group: 'tests',
  effect: 'execute',
  defaultProfile: 'compact',
  input: z.object({
    tests: z.array(z.string()).optional().describe('Files or ids of tests, at most 50 files'),
    affected: z.boolean().optional().describe('Instead: what test_select gives for uncommitted changes'),
    timeoutMs: z.number().int().min(1000).max(600_000).default(120_000),
    dryRun: z.boolean().default(false).describe('Only say which command it would be'),
  }),
  fields: [
    { key: 'status', priority: 'required', description: 'passed, failed, timeout, error or dry_run' },
    { key: 'passed', priority: 'required', description: 'Number of tests' },
    { key: 'failed', priority: 'required', description: 'Number of tests' },
    { key: 'skipped', priority: 'required', description: 'Number of tests' },
    { key: 'failures', priority: 'high', description: 'Test, file, line and message of each failure' },
    { key: 'durationMs', priority: 'medium', description: 'How long it took' },
    { key: 'command', priority: 'medium', description: 'The command, word by word' },
    { key: 'folder', priority: 'medium', description: 'Folder that it runs in' },
    { key: 'outputTail', priority: 'low', description: 'The last 8 KB of what was printed' },
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
  if (status === 'timeout') return `The tests took too long and were ended: ${counts}.`;
  return status === 'error' ? `The command failed without a failed test: ${counts}.` : `Tests ${status}: ${counts}.`;
}
