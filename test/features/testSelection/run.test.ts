import { expect, test } from 'vitest';
import type { RunReport } from '../../../server/protocol/features';
import type { ToolInput } from '../../../server/protocol/requests';
import { err, ok } from '../../../server/src/base/result';
import { countsIn, failuresIn, skippedIn } from '../../../server/src/features/testSelection/outcome';
import type { TestPolicy, TestProcess, TestRunner } from '../../../server/src/workspace/testRunner';
import { askTool } from '../../helpers/askTool';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

const POLICY: TestPolicy = { allowRun: true, trusted: true, commands: [], approved: [['npx', 'vitest', 'run']] };
const REPORT =
  ' FAIL  test/pay.test.ts > pays\nAssertionError: expected 1 to be 2\n at test/pay.test.ts:4:9\n\n Test Files  1 failed (1)\n      Tests  1 failed | 2 passed | 1 skipped (4)\n';

async function call(input: ToolInput<'test_run'>, policy: Partial<TestPolicy> = {}, runner: Partial<TestRunner> = {}, further: WorkspaceSketch = {}) {
  const started: TestProcess[] = [];
  const tests: TestRunner = {
    policy: () => ({ ...POLICY, ...policy }),
    isInside: async () => true,
    run: async process => {
      started.push(process);
      return ok({ exit: 1, timedOut: false, durationMs: 1200, output: REPORT });
    },
    ...runner,
  };
  // A case that no framework of the workspace runs.
  const unsupported = {
    isTest: true,
    symbols: [{ name: 'testLegacy', lines: [1, 3], modifiers: ['test'] }],
    references: [{ from: 'testLegacy', relation: 'CALLS', to: 'src/pay.ts::total', source: 'import', line: 2 }],
  } as const;
  const sketch = {
    ...shop,
    'test/legacy_test.lua': unsupported,
    'package.json': {},
    'pyproject.toml': {},
    'test/test_x.py': { isTest: true },
    '-x/a.test.ts': { isTest: true },
    ...further,
  };
  const texts = { 'package.json': '{"devDependencies":{"vitest":"4"}}', 'pyproject.toml': 'pytest' };
  const workspace = workspaceOf(sketch, {
    texts,
    tests,
    changes: () => ok({ since: 'HEAD', files: [{ path: 'src/pay.ts', status: 'modified', hunks: undefined, before: [] }], truncated: false }),
  });
  const { envelope } = await askTool(workspace, 'test_run', { profile: 'debug', ...input }, { agentId: undefined, sessionId: 's' });
  return { envelope, started };
}
const PAY = { tests: ['test/pay.test.ts'] };

test('approved tests run, and what failed is told with its place', async () => {
  const { envelope, started } = await call({ tests: ['test/pay.test.ts::testTotal'], timeoutMs: 5000 });
  expect(started).toEqual([{ argv: ['npx', 'vitest', 'run', 'test/pay.test.ts', '-t', '^(?:testTotal)$'], folder: '', timeoutMs: 5000 }]);
  expect(envelope).toMatchObject({
    ok: true,
    data: {
      status: 'failed',
      passed: 2,
      failed: 1,
      skipped: 1,
      failures: [{ test: 'pays', file: 'test/pay.test.ts', message: expect.stringContaining('expected 1 to be 2') }],
    },
  });
});

test.each([
  ['off', PAY, { allowRun: false }, 'FORBIDDEN', /disabled/],
  ['not trusted', PAY, { trusted: false }, 'FORBIDDEN', /trusted/],
  ['not approved', PAY, { approved: [] }, 'FORBIDDEN', /not approved/],
  ['a command that differs from the approved one is not run', PAY, { approved: [['npx', 'vitest', 'run', '--bail']] }, 'FORBIDDEN', /not approved/],
  ['changed by the user since', PAY, { commands: [['npx', 'vitest', 'run', '--pool=forks']] }, 'FORBIDDEN', /not approved/],
  ['outside', { tests: ['../../x.test.ts'] }, {}, 'FORBIDDEN', /outside/],
  ['absolute', { tests: ['/etc/passwd'] }, {}, 'FORBIDDEN', /outside/],
  ['an option', { tests: ['--config=evil.ts'] }, {}, 'FORBIDDEN', /starts with/],
  ['hidden behind a dot', { tests: ['./-x/a.test.ts'] }, {}, 'FORBIDDEN', /starts with/],
  ['no test', { tests: ['src/pay.ts'] }, {}, 'NOT_FOUND', /is not a test/],
  ['a test of no framework', { tests: ['test/legacy_test.lua'] }, {}, 'NOT_FOUND', /is not a test/],
  ['not there', { tests: ['test/none.test.ts'] }, {}, 'NOT_FOUND', /is not a test/],
  ['nothing asked', {}, {}, 'VALIDATION_ERROR', /either/],
  ['two things asked', { ...PAY, affected: true }, {}, 'VALIDATION_ERROR', /either/],
  ['two commands', { tests: ['test/pay.test.ts', 'test/test_x.py'] }, {}, 'VALIDATION_ERROR', /2 commands/],
  ['too many', { tests: Array.from({ length: 51 }, (_, at) => `t${at}.test.ts`) }, {}, 'VALIDATION_ERROR', /At most 50/],
  ['too long', { ...PAY, timeoutMs: 600_001 }, {}, 'VALIDATION_ERROR', /timeoutMs/],
  ['a command', { ...PAY, command: 'rm' }, {}, 'VALIDATION_ERROR', /command/],
] as const)('%s is refused', async (_, input, policy, errorCode, message) => {
  const { envelope, started } = await call(input, policy as Partial<TestPolicy>);
  expect(envelope).toMatchObject({ ok: false, errorCode, summary: expect.stringMatching(message) });
  expect(started).toEqual([]);
});

test('a link that leaves the workspace is refused, a second run too', async () => {
  expect((await call(PAY, {}, { isInside: async () => false })).envelope).toMatchObject({ errorCode: 'FORBIDDEN' });
  const busy = { run: async () => err({ code: 'CONFLICT', message: 'Tests are already running.' }) };
  expect((await call(PAY, {}, busy)).envelope).toMatchObject({ errorCode: 'CONFLICT' });
});

test('a refusal that the editor acts on says why in its data', async () => {
  expect((await call(PAY, { approved: [] })).envelope.data).toMatchObject({ reason: 'commandNotApproved', command: ['npx', 'vitest', 'run'] });
  const several = await call({ tests: ['test/pay.test.ts', 'test/test_x.py'] });
  expect(several.envelope.data).toMatchObject({
    reason: 'severalCommands',
    commands: [expect.stringContaining('vitest'), expect.stringContaining('pytest')],
    tests: [['test/pay.test.ts'], ['test/test_x.py']],
  });
  for (const [code, missing] of [
    ['NO_PROGRAM', true],
    ['NOT_STARTED', false],
  ] as const) {
    const failing = await call(PAY, {}, { run: async () => err({ code, message: 'no' }) });
    expect(failing.envelope).toMatchObject({ errorCode: 'UNAVAILABLE', data: { reason: 'notStarted', program: 'npx', missing } });
  }
});

test('where the environment of a project is left out, a run that fails for want of it says so', async () => {
  const python = { tests: ['test/test_x.py'] };
  const policy = { approved: [['pytest', '-q']] };
  const note = /^\.venv is a symbolic link that leads out of the workspace/m;
  const ignoredEnvironment = async (): Promise<string> => '.venv';
  const gone = await call(python, policy, { ignoredEnvironment, run: async () => err({ code: 'NO_PROGRAM', message: 'no' }) });
  expect(gone.envelope).toMatchObject({ errorCode: 'UNAVAILABLE', data: { note: expect.stringMatching(note) } });
  const ended = (exit: number, output: string) => ({ ignoredEnvironment, run: async () => ok({ exit, timedOut: false, durationMs: 1, output }) });
  const lacking = await call(python, policy, ended(1, "ModuleNotFoundError: No module named 'shop'"));
  expect(lacking.envelope.data).toMatchObject({ status: 'error', outputTail: expect.stringMatching(note) });
  expect((await call(python, policy, ended(0, '1 passed'))).envelope.data).toMatchObject({ status: 'passed', outputTail: '1 passed' });
});

test('a dry run starts nothing, a timeout is no error, the affected tests are those selected', async () => {
  const dry = await call({ ...PAY, dryRun: true }, { approved: [] });
  expect(dry).toMatchObject({ started: [], envelope: { data: { status: 'dry_run', command: ['npx', 'vitest', 'run', 'test/pay.test.ts'] } } });
  const late = { run: async () => ok({ exit: undefined, timedOut: true, durationMs: 1000, output: '' }) };
  expect((await call(PAY, {}, late)).envelope).toMatchObject({ ok: true, data: { status: 'timeout' } });
  expect((await call({ affected: true })).started[0]?.argv).toEqual(['npx', 'vitest', 'run', 'test/pay.test.ts', 'test/checkout.test.ts']);
});

test('more files with affected tests than one run takes are told', async () => {
  const own = (await call({ affected: true, dryRun: true })).envelope;
  expect(own.summary).not.toMatch(/not run/);
  const testing = {
    isTest: true,
    symbols: [{ name: 'tests', lines: [1, 3], modifiers: ['test'] }],
    references: [{ from: 'tests', relation: 'CALLS', to: 'src/pay.ts::total', source: 'import', line: 2 }],
  } as const;
  const further = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`test/t${at}.test.ts`, testing]));
  const { envelope } = await call({ affected: true, dryRun: true }, {}, {}, further);
  const { command = [], notRun = 0 } = (envelope.data ?? {}) as Partial<RunReport>;
  expect(notRun).toBeGreaterThanOrEqual(10);
  expect(command.filter(word => word.endsWith('.test.ts')).length).toBeLessThanOrEqual(50);
  expect(envelope.summary).toMatch(new RegExp(` ${notRun} more files with affected tests were not run\\.$`));
});

test.each([
  ['jest', 'Test Suites: 1 failed\nTests:       1 failed, 2 passed, 3 total\n', [2, 1, 0]],
  [
    'node',
    '✔ adds (1ms)\nℹ tests 7\nℹ pass 3\nℹ fail 2\nℹ skipped 1\nℹ todo 1\n\n✖ failing tests:\n\ntest at test/a.mjs:11:36\n✖ sub (0.18ms)\n  Error: boom\n',
    [3, 1, 2],
  ],
  ['mocha', '  3 passing (5ms)\n  1 pending\n  1 failing\n', [3, 1, 1]],
  ['playwright', '  1 failed\n  3 passed (2.1s)\n', [3, 1, 0]],
  ['pytest', '1 failed, 2 passed, 1 skipped in 0.12s\n', [2, 1, 1]],
  ['pytest', '1 failed, 2 passed, 3 errors in 0.12s\n', [2, 4, 0]],
  ['go', 'ok  \tx/a\t0.1s\n--- FAIL: TestB (0.00s)\n', [1, 1, 0]],
  [
    'go',
    '=== RUN   TestA\n=== RUN   TestA/one\n--- PASS: TestA (0.00s)\n    --- PASS: TestA/one (0.00s)\n=== RUN   TestB\n--- SKIP: TestB (0.00s)\nok  \tx/a\t0.1s\n',
    [1, 0, 1],
  ],
  ['cargo', 'test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured\ntest result: ok. 1 passed; 0 failed; 0 ignored\n', [4, 1, 2]],
  ['maven', 'Tests run: 2, Failures: 1, Errors: 0, Skipped: 0, Time elapsed: 1 s\nTests run: 5, Failures: 1, Errors: 1, Skipped: 1\n', [2, 2, 1]],
] as const)('counts of %s', (framework, output, [passed, failed, skipped]) => {
  expect(countsIn(framework, output)).toEqual({ passed, failed, skipped });
});

test.each([
  ['jest', '  ● pays › twice\n\n    expected 1\n      at test/a.test.ts:7:3\n', { test: 'pays › twice', file: 'test/a.test.ts', line: 7 }],
  ['pytest', 'ERROR tests/test_a.py::test_pay - AttributeError\n', { test: 'test_pay', file: 'tests/test_a.py', message: 'AttributeError' }],
  ['pytest', 'FAILED tests/test_a.py::test_pay - assert 1 == 2\n', { test: 'test_pay', file: 'tests/test_a.py', message: 'assert 1 == 2' }],
  ['go', '--- FAIL: TestPay (0.00s)\n    pay_test.go:12: want 1\n', { test: 'TestPay', file: 'pay_test.go', line: 12 }],
  [
    'go',
    '=== RUN   TestPay\n[debug] paid\n    pay_test.go:12: want 1\n--- FAIL: TestPay (0.00s)\n=== RUN   TestLate\n    late_test.go:3: fine\n--- PASS: TestLate (0.00s)\n',
    { test: 'TestPay', file: 'pay_test.go', line: 12, message: 'pay_test.go:12: want 1' },
  ],
  [
    'mocha',
    '  bills\n    1) pays\n  2 passing (7ms)\n  1 failing\n\n  1) bills\n       by card\n         pays:\n\n      AssertionError: 1 == 2\n      at test/bill.js:12:12\n',
    { test: 'bills > by card > pays', file: 'test/bill.js', line: 12, message: expect.stringMatching(/^AssertionError: 1 == 2/) },
  ],
  [
    'node',
    '✖ failing tests:\n\ntest at test/a.mjs:6:3\n✖ adds wrongly (13.7ms)\n  AssertionError: 2 !== 3\n',
    { test: 'adds wrongly', file: 'test/a.mjs', line: 6 },
  ],
  ['mocha', '  1) pays\n  1 failing\n\n  1) pays:\n     Error: no\n      at test/bill.js:3:1\n', { test: 'pays', file: 'test/bill.js', line: 3 }],
  ['cargo', 'test pay::works ... FAILED\n', { test: 'pay::works' }],
] as const)('failures of %s', (framework, output, failure) => {
  expect(failuresIn(framework, output)).toMatchObject([failure]);
});

test.each([
  [
    'pytest',
    'tests/test_a.py::test_marked SKIPPED (no way)    [ 14%]\ntests/test_a.py::test_rows[1 a] PASSED   [ 28%]\ntests/test_a.py::test_rows[2] SKIPPED (two) [ 42%]\ntests/test_a.py::TestC::test_m SKIPPED (cls)\nFAILED tests/test_a.py::test_bad - SKIPPED\n',
    ['tests/test_a.py test_marked', 'tests/test_a.py TestC::test_m'],
  ],
  ['go', '--- PASS: TestA (0.00s)\n--- SKIP: TestB (0.00s)\n', [' TestB']],
  ['cargo', 'test pay::works ... ok\ntest pay::late ... ignored\n', [' pay::late']],
  ['vitest', ' Tests  1 passed | 1 skipped (2)\n', []],
] as const)('skipped tests of %s', (framework, output, skipped) => {
  expect(skippedIn(framework, output).map(({ file = '', test }) => `${file} ${test}`)).toEqual(skipped);
});

test('tests that were asked for are named in the report of pytest, and so are those that it skipped', async () => {
  const output = 'test/test_x.py::test_one SKIPPED (late) [ 50%]\ntest/test_x.py::test_two PASSED [100%]\n1 passed, 1 skipped in 0.01s\n';
  const { envelope } = await call(
    { tests: ['test/test_x.py'] },
    { approved: [['pytest', '-q']] },
    {
      run: async () => ok({ exit: 0, timedOut: false, durationMs: 10, output }),
    },
  );
  expect(envelope).toMatchObject({ ok: true, data: { status: 'passed', skippedTests: [{ test: 'test_one', file: 'test/test_x.py' }] } });
  expect(envelope.data).toMatchObject({ command: ['pytest', '-q', '-vv', 'test/test_x.py'] });
});

test('failures of Vitest have their lines, with the name of a project, and files that fail to load', () => {
  const output = ` FAIL  vi/a.test.js > Hook
Error: hook
 ❯ vi/a.test.js:11:50

 FAIL   unit  vi/b.test.js > Sums > adds
Error: boom
 ❯ helper src/sum.js:2:1
 ❯ vi/b.test.js:4:41

 FAIL  |unit| vi/c.test.js [ vi/c.test.js ]
Error: Failed to parse source

      Tests  1 failed | 2 passed (9)
`;
  expect(failuresIn('vitest', output)).toMatchObject([
    { test: 'Hook', file: 'vi/a.test.js', line: 11 },
    { test: 'Sums > adds', file: 'vi/b.test.js', line: 4 },
    { test: 'vi/c.test.js', file: 'vi/c.test.js', message: expect.stringContaining('Failed to parse') },
  ]);
});

test('failures of Jest are of the file above them, and not what its tests log', () => {
  const output = `PASS test/b.test.js
  ● Console

    console.log
      hello

FAIL test/a.test.js (5.2 s)
  ● Console

    console.log
      hello

  ● Sums › adds

    boom

      1 | test
      2 | test
    > 3 | test

      at helper (src/sum.js:11:27)
      at Object.<anonymous> (test/a.test.js:3:41)

FAIL test/c.test.js
  ● Test suite failed to run

    Jest encountered an unexpected token

Tests:       1 failed, 2 passed, 3 total
`;
  expect(failuresIn('jest', output)).toMatchObject([
    { test: 'Sums › adds', file: 'test/a.test.js', line: 3, message: expect.stringMatching(/^boom/) },
    { test: 'test/c.test.js', file: 'test/c.test.js', message: expect.stringContaining('unexpected token') },
  ]);
});

test('failures of pytest have their rows of parameters, parts, files and lines', () => {
  const output = `=================================== ERRORS ====================================
________________________ ERROR at setup of TestPay.test_err ________________________

    def bad(): raise ValueError('x')

tests/test_a.py:9: ValueError
=================================== FAILURES ===================================
_________________________________ test_p[a b] __________________________________

>       helper(a)

tests/test_a.py:13: 
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ 

>       assert a == 'q'

src/a.py:15: AssertionError
_________________________________ test_p[a b] __________________________________

tests/my tests/test_b.py:14: AssertionError
=========================== short test summary info ============================
SUBFAILED[my msg] (i=0) tests/test_a.py::T::test_sub - AssertionError: 0 == 0
SUBFAILED(i=1) tests/test_a.py::T::test_sub - AssertionError: 1 == 1
FAILED tests/test_a.py::test_p[a b] - AssertionError: assert 'a b' == 'q'
  
  - q
  + a b
FAILED tests/my tests/test_b.py::test_p[a b] - assert 0
FAILED tests/test_a.py::test_p[c - d] - assert x[0] == y
ERROR tests/test_c.py - ModuleNotFoundError
ERROR tests/test_a.py::TestPay::test_err - ValueError: x
ERROR    root:test_log.py:12 a line that the tests log
6 failed, 4 passed, 2 errors in 0.26s
`;
  expect(failuresIn('pytest', output)).toEqual([
    { test: 'T::test_sub[[my msg] (i=0)]', file: 'tests/test_a.py', message: 'AssertionError: 0 == 0' },
    { test: 'T::test_sub[(i=1)]', file: 'tests/test_a.py', message: 'AssertionError: 1 == 1' },
    { test: 'test_p[a b]', file: 'tests/test_a.py', line: 13, message: "AssertionError: assert 'a b' == 'q'\n  \n  - q\n  + a b" },
    { test: 'test_p[a b]', file: 'tests/my tests/test_b.py', line: 14, message: 'assert 0' },
    { test: 'test_p[c - d]', file: 'tests/test_a.py', message: 'assert x[0] == y' },
    { test: 'tests/test_c.py', file: 'tests/test_c.py', message: 'ModuleNotFoundError' },
    { test: 'TestPay::test_err', file: 'tests/test_a.py', line: 9, message: 'ValueError: x' },
  ]);
});

test('a part of a Go test that failed is told beside its test', () => {
  const output = '--- FAIL: TestPay (0.00s)\n    --- FAIL: TestPay/no_money (0.00s)\n        pay_test.go:12: want 1\n';
  expect(failuresIn('go', output).map(({ test }) => test)).toEqual(['TestPay', 'TestPay/no_money']);
  expect(countsIn('go', output)).toMatchObject({ failed: 1 });
});
