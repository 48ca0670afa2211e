import { expect, test } from 'vitest';
import { debuggerOf, debugPlan } from '../../../client/src/tests/debugTests';
import { batchesOf, outcomesOf } from '../../../client/src/tests/outcomes';
import { suggestedExtension, testExtension } from '../../../client/src/tests/testExtensions';
import type { RunReport } from '../../../server/protocol/features';

type Report = Pick<RunReport, 'status' | 'failures'>;
const failed = (...failures: NonNullable<RunReport['failures']>): Report => ({ status: 'failed', failures });

test.each([
  ['a passed run', { status: 'passed', failures: [] }, ['adds'], 'passed'],
  ['a run that could not begin', { status: 'error', failures: [] }, ['adds'], 'unknown'],
  // What is empty is left out of answers.
  ['a run without a report', { status: 'failed' }, ['adds'], 'unknown'],
  ['a run that took too long', { status: 'timeout', failures: [] }, ['adds'], 'unknown'],
  [
    'a failure of another case in its file, which ran as a whole',
    failed({ test: 'Sums > subtracts', file: 't/a.test.ts', message: 'x' }),
    ['Sums', 'adds'],
    'passed',
  ],
  ['a failure of a case whose name may be its own', failed({ test: 'Totals > adds()', file: 't/a.test.ts', message: 'x' }), ['Sums', 'adds'], 'unknown'],
  ['a failure that its parameters may have named', failed({ test: 'Totals > x', file: 't/a.test.ts', message: 'x' }), ['Sums', '$name'], 'unknown'],
  ['a failure in a file that was not asked for', failed({ test: 'Sums > subtracts', file: 'src/sum.ts', message: 'x' }), ['Sums', 'adds'], 'unknown'],
  ['its failure', failed({ test: 'Sums > adds', file: 't/a.test.ts', message: 'x' }), ['Sums', 'adds'], 'failed'],
  ['its failure, thrown by the code that it tests', failed({ test: 'Sums > adds', file: 'src/sum.ts', message: 'x' }), ['Sums', 'adds'], 'failed'],
  ['its failure with parameters', failed({ test: 'Sums > adds 1 and 2', file: 't/a.test.ts', message: 'x' }), ['Sums', 'adds %i and $b'], 'failed'],
  ['its failure of pytest, with parameters', failed({ test: 'TestSum::adds[1-2]', file: 't/a.test.ts', message: 'x' }), ['TestSum', 'adds'], 'failed'],
  ['its failure of pytest, with a path as parameter', failed({ test: 'adds[v1.5::a b]', file: 't/a.test.ts', message: 'x' }), ['adds'], 'failed'],
  ['an error in its file', failed({ test: 't/a.test.ts', file: 't/a.test.ts', message: 'x' }), ['adds'], 'failed'],
  ['its failure of Go, in a part of it', failed({ test: 'adds/empty', message: 'x' }), ['adds'], 'failed'],
  ['its failure of Maven', failed({ test: 'SumTest.adds', message: 'x' }), ['SumTest', 'adds'], 'failed'],
  ['a failure that names nothing', failed(), ['adds'], 'unknown'],
] as const)('%s says of a case: %4$s', (_, report, names, state) => {
  expect(outcomesOf(report as Report, [{ file: 'pkg/t/a.test.ts', names }])).toMatchObject([{ state }]);
});

test('each failure belongs to one of the tests that were asked for', () => {
  const report = failed({ test: 'adds', file: 'a.test.ts', message: 'x' });
  const files = ['a.test.ts', 'b.test.ts'].map(file => ({ file, names: [] }));
  const cases = ['a.test.ts', 'b.test.ts'].map(file => ({ file, names: ['adds'] }));
  for (const asked of [files, cases]) expect(outcomesOf(report, asked)).toMatchObject([{ state: 'failed' }, { state: 'passed' }]);
  // A part of a test of Go fails with it; the other parts do not.
  const parts = ['no money', 'cents'].map(part => ({ file: 'pay_test.go', names: ['TestPay', part] }));
  const go = failed({ test: 'TestPay', message: 'x' }, { test: 'TestPay/no_money', message: 'x' });
  expect(outcomesOf(go, parts)).toMatchObject([{ state: 'failed' }, { state: 'passed' }]);
  // A report that names fewer than it counts leaves the others open.
  expect(outcomesOf({ ...report, failed: 2 }, cases)).toMatchObject([{ state: 'failed' }, { state: 'unknown' }]);
  // So does a failure of none of them.
  const hook = failed(...(report.failures ?? []), { test: '"before all" hook', file: 'b.test.ts', message: 'x' });
  expect(outcomesOf(hook, cases)).toMatchObject([{ state: 'failed' }, { state: 'unknown' }]);
});

test('a skipped test neither passed nor failed, as far as the report names it or nothing else ran', () => {
  const asked = ['adds', 'subtracts'].map(name => ({ file: 'test_a.py', names: [name] }));
  const skippedTests = [{ test: 'adds', file: 'test_a.py' }];
  const report = { passed: 1, failed: 0, skipped: 1, failures: [], skippedTests };
  expect(outcomesOf({ ...report, status: 'passed' }, asked)).toEqual([{ state: 'skipped' }, { state: 'passed' }]);
  expect(outcomesOf({ ...report, status: 'passed' }, [{ file: 'test_a.py', names: [] }])).toEqual([{ state: 'passed' }]);
  const failure = { test: 'subtracts', file: 'test_a.py', message: 'x' };
  expect(outcomesOf({ ...report, passed: 0, failed: 1, status: 'failed', failures: [failure] }, asked)).toMatchObject([
    { state: 'skipped' },
    { state: 'failed' },
  ]);
  expect(outcomesOf({ passed: 0, failed: 0, skipped: 2, status: 'passed', failures: [] }, asked)).toEqual([{ state: 'skipped' }, { state: 'skipped' }]);
});

test('a group that fails as a whole fails each of its tests and no other', () => {
  const asked = [
    { file: 'a.test.ts', names: ['Sums', 'adds'] },
    { file: 'a.test.ts', names: ['Sums', 'deep', 'subtracts'] },
    { file: 'a.test.ts', names: ['Products', 'adds'] },
    { file: 'b.test.ts', names: ['Sums', 'adds'] },
  ];
  const states = (...failures: NonNullable<RunReport['failures']>): readonly string[] => outcomesOf(failed(...failures), asked).map(({ state }) => state);
  for (const test of ['Sums', 'Sums > "before all" hook for "adds"']) {
    expect(states({ test, file: 'a.test.ts', message: 'x' })).toEqual(['failed', 'failed', 'passed', 'passed']);
  }
  const inside = { test: 'Sums > adds', file: 'a.test.ts', message: 'x' };
  expect(states({ test: 'Sums > "after all" hook', file: 'a.test.ts', message: 'x' }, inside)).toEqual(['failed', 'unknown', 'unknown', 'unknown']);
  expect(states({ test: '"before all" hook in "{root}"', file: 'a.test.ts', message: 'x' })).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
});

test('more than one run takes is several runs', () => {
  expect(batchesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(batchesOf([], 2)).toEqual([]);
});

test('tests are debugged by the extension of their framework, when it is there and switched on', () => {
  const all = { has: () => true, isOn: () => true };
  expect(testExtension('pytest', all)?.id).toBe('ms-python.python');
  expect(testExtension('pytest', { ...all, isOn: () => false })).toBeUndefined();
  expect(testExtension('go', { ...all, has: () => false })).toBeUndefined();
  expect(testExtension('jest', { ...all, has: id => id.includes('runner') })?.name).toBe('Jest Runner');
  expect(testExtension('unknown', all)).toBeUndefined();
  expect(suggestedExtension('vitest')?.name).toBe('Vitest');
});

test.each([
  ['vitest', ['npx', 'vitest', 'run', 'a.test.ts', '-t', '^adds$'], { type: 'node', runtimeExecutable: 'npx', console: 'integratedTerminal' }],
  ['pytest', ['uv', 'run', 'pytest', '-q', 'pytest/test_a.py::adds'], { type: 'debugpy', module: 'pytest', args: ['-q', 'pytest/test_a.py::adds'] }],
] as const)('without an extension of its own, %s is debugged by the command that runs it', (framework, command, plan) => {
  const own = debuggerOf(framework);
  expect(own && debugPlan(own, { command, cwd: '/w/pkg' })).toMatchObject({ request: 'launch', cwd: '/w/pkg', ...plan });
});

test.each([
  ['vitest', '--no-file-parallelism', '--testTimeout=0'],
  ['jest', '--runInBand', '--testTimeout=86400000'],
  ['mocha', '--no-parallel', '--timeout=0'],
  ['playwright', '--workers=1', '--timeout=0'],
])('while %s is debugged, no test runs beside another or out of time', (framework, alone, patient) => {
  const own = debuggerOf(framework);
  const plan = own && debugPlan(own, { command: ['npx', framework, 'a.test.ts'], cwd: '/w' });
  expect(plan?.['runtimeArgs']).toEqual(expect.arrayContaining([framework, 'a.test.ts', alone, patient]));
});

test("Node's own runner has no such limits", () => {
  const own = debuggerOf('node');
  const plan = own && debugPlan(own, { command: ['node', '--test', 'a.test.js'], cwd: '/w' });
  expect(plan).toMatchObject({ type: 'node', runtimeExecutable: 'node', runtimeArgs: ['--test', 'a.test.js'] });
});

test('frameworks that no debugger can follow have none', () => {
  for (const framework of ['go', 'cargo', 'unknown', 'toString']) expect(debuggerOf(framework)).toBeUndefined();
});
