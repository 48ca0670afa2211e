import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { impactMarkdown } from '../../../server/src/transports/cli/impactMarkdown';
import type { CoverageFile } from '../../../server/src/workspace/coverage';
import { outcomeOf } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

const HOUR = 3_600_000;

/** The shop with reports that were written at `modifiedAt` hours; its files were written at hour 5, now it is hour 20. */
function reported(files: readonly { readonly path?: string; readonly text: string; readonly hour?: number }[], problems: readonly string[] = []) {
  const reports: CoverageFile[] = files.map(({ path = 'lcov.info', text, hour = 10 }) => ({ path, text, modifiedAt: hour * HOUR }));
  return workspaceOf(shop, {
    coverage: { reports: async () => ({ files: reports, problems }), modifiedAt: async () => 5 * HOUR, now: () => 20 * HOUR },
  });
}

const LINES = '<line number="11" hits="1"/><line number="12" hits="0"/><line number="13" hits="2"/>';
const PY = {
  meta: { version: '7.6' },
  files: {
    'src/pay.ts': {
      executed_lines: [11, 13],
      missing_lines: [12],
      contexts: { 11: ['', 'test/pay.test.ts::testTotal[1-a]|run'], 13: ['gone.py::test_x|run'], 2: ['test/checkout.test.ts'] },
    },
  },
};
const statement = (line: number): object => ({ start: { line, column: 0 }, end: { line, column: 9 } });
const ISTANBUL = { x: { path: '/home/ada/shop/src/pay.ts', statementMap: { 0: statement(11), 1: statement(12), 2: statement(13) }, s: { 0: 1, 1: 0, 2: 4 } } };

test.each([
  ['lcov', 'TN:\nSF:src/pay.ts\nDA:11,1\nDA:12,0\nDA:13,3\nend_of_record\n'],
  ['lcov', 'SF:C:\\build\\shop\\src\\pay.ts\r\nDA:11,1\r\nDA:12,0\r\nDA:13,3\r\nend_of_record\r\n'],
  ['Cobertura', `<?xml version="1.0"?>\n<coverage><packages><class name="pay" filename="src/pay.ts"><lines>${LINES}</lines></class></packages></coverage>`],
  [
    'JaCoCo',
    '<report name="shop"><package name="src"><sourcefile name="pay.ts"><line nr="11" mi="0" ci="2"/><line nr="12" mi="3" ci="0"/><line nr="13" mi="1" ci="1"/>',
  ],
  ['Go', 'mode: set\nexample.com/shop/src/pay.ts:11.2,11.9 1 1\nexample.com/shop/src/pay.ts:12.2,12.9 1 0\nexample.com/shop/src/pay.ts:13.1,13.2 1 7\n'],
  ['Istanbul', JSON.stringify(ISTANBUL)],
  ['coverage.py', JSON.stringify(PY)],
])('lines that no test ran are read from %s', async (format, text) => {
  const { coverage } = await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text }]));
  expect(coverage).toMatchObject({
    lines: 3,
    uncovered: 1,
    symbols: [{ id: 'src/pay.ts::total', lines: 3, uncovered: [12], report: 'lcov.info', stale: false }],
    reports: [{ path: 'lcov.info', format, ageHours: 10 }],
    problems: [],
  });
});

test('tests that a report tells apart are named where they still exist', async () => {
  const { coverage } = await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text: JSON.stringify(PY) }]));
  const by = { provenance: 'coverage', report: 'lcov.info', ageHours: 10, stale: false };
  expect(coverage?.tests).toEqual([{ id: 'test/pay.test.ts::testTotal', by }]);
  const newer = { path: 'lcov.info', text: 'SF:src/pay.ts\nDA:11,1\n', hour: 11 };
  const both = reported([newer, { path: 'coverage.json', text: JSON.stringify(PY) }]);
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' }, both)).coverage).toMatchObject({
    lines: 1,
    tests: [{ id: 'test/pay.test.ts::testTotal', by: { ...by, report: 'coverage.json' } }],
  });
});

test('contexts may be numbers in a list of names', async () => {
  const text = JSON.stringify({
    meta: { contexts: ['gone.py::test_x', 'test/pay.test.ts::testTotal|run'] },
    files: { 'src/pay.ts': { executed_lines: [11], contexts: { 11: [0, 1, 7] } } },
  });
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text }]))).coverage?.tests.map(({ id }) => id)).toEqual([
    'test/pay.test.ts::testTotal',
  ]);
});

test('records of lcov below the name of a test are of that test', async () => {
  const record = (name: string, runs: number): string => `TN:${name}\nSF:src/pay.ts\nDA:11,${runs}\nDA:12,0\nend_of_record\n`;
  const text = [record('', 1), record('testTotal', 2), record('test_checkout_test_ts,diff', 0), record('gone', 1)].join('');
  const { coverage } = await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text }]));
  expect(coverage).toMatchObject({ lines: 2, uncovered: 1, tests: [{ id: 'test/pay.test.ts::testTotal' }] });
});

test('of reports that name a test, one that is newer than the code counts, else the newest', async () => {
  const text = (name: string): string => `TN:${name}\nSF:src/pay.ts\nDA:11,1\n`;
  const both = reported([
    { path: 'coverage.lcov', text: text('testTotal'), hour: 12 },
    { path: 'lcov.info', text: text('testTotal'), hour: 4 },
  ]);
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' }, both)).coverage?.tests).toMatchObject([
    { by: { report: 'coverage.lcov', ageHours: 8, stale: false } },
  ]);
  const old = reported([{ text: text('testTotal'), hour: 4 }]);
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' }, old)).coverage?.tests).toMatchObject([{ by: { ageHours: 16, stale: true } }]);
});

test('the tool lists the tests that ran the code on demand, with the report and its age', async () => {
  const workspace = reported([{ text: 'TN:testTotal\nSF:src/pay.ts\nDA:11,1\nDA:12,0\n', hour: 4 }]);
  const told = await invoke(
    TOOLS,
    workspace,
    { name: 'impact_analyze', input: { target: 'src/pay.ts::total', profile: 'debug' }, agentId: undefined, sessionId: 's' },
    neverCancelled,
  );
  expect(told.text).toContain('src/pay.ts::total not run: 12 (of 2 lines) (lcov.info, 16 h old, older than the file)');
  expect(told.text).toContain('run by test/pay.test.ts::testTotal (lcov.info, 16 h old, older than the file)');
});

test('a report that is older than the file says so', async () => {
  const { coverage } = await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text: 'SF:src/pay.ts\nDA:12,0\n', hour: 4 }]));
  expect(coverage?.symbols).toMatchObject([{ uncovered: [12], stale: true }]);
});

test.each(['{"meta": {', '{}', 'not a report', '<html/>', ''])('a file that is no report is named, not read: %j', async text => {
  const { coverage } = await outcomeOf(
    'impact',
    { target: 'src/pay.ts::total' },
    reported([{ path: 'coverage.xml', text }], ['cover.out is larger than 16 MB.']),
  );
  expect(coverage).toMatchObject({
    lines: 0,
    symbols: [],
    problems: ['cover.out is larger than 16 MB.', 'coverage.xml is not a coverage report in a known format.'],
  });
});

test('without reports nothing is said of coverage', async () => {
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([]))).coverage).toBeUndefined();
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' })).coverage).toBeUndefined();
});

test('a file that a report names in part belongs to the only one that ends so', async () => {
  const text = 'SF:pay.ts\nDA:12,0\nSF:other/src/pay.ts\nDA:11,0\nSF:../../etc/passwd\nDA:1,0\n';
  const { coverage } = await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text }]));
  expect(coverage?.lines).toBe(1);
});

test('paths of a report in a project of a repository are those of the project', async () => {
  const symbols = [{ name: 'total', lines: [1, 3] as [number, number] }];
  const packages = {
    'a/src/pay.ts': { symbols },
    'b/src/pay.ts': { symbols },
    'src/pay.ts': { symbols },
    'b/java/src/main/org/x/Till.java': { symbols },
    'a/java/src/main/org/x/Till.java': { symbols },
  };
  const text = 'SF:src/pay.ts\nDA:1,0\nDA:2,1\nSF:org/x/Till.java\nDA:1,0\n';
  const coverage = {
    reports: async () => ({ files: [{ path: 'b/coverage/lcov.info', text, modifiedAt: 9 }], problems: [] }),
    modifiedAt: async () => 5,
    now: () => 20,
  };
  const { coverage: known } = await outcomeOf('impact', { files: Object.keys(packages) }, workspaceOf(packages, { coverage }));
  expect(known?.symbols.map(({ id }) => id)).toEqual(['b/java/src/main/org/x/Till.java::total', 'b/src/pay.ts::total']);
});

test('the comment on a pull request tells what no test ran', async () => {
  const text = 'SF:src/pay.ts\nDA:11,1\nDA:12,0\n';
  const comment = async (hour: number): Promise<string> =>
    impactMarkdown(await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text, hour }])));
  expect(await comment(10)).toContain('**Coverage:** 1 of 2 lines not run by tests: `total` (1).');
  expect(await comment(4)).toContain('**Coverage:** not known. The files are newer than their report.');
});

test('lines of a report that is older than the file raise no risk', async () => {
  const risk = async (hour: number) =>
    (await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text: 'SF:src/pay.ts\nDA:12,0\n', hour }]))).riskParts;
  expect(await risk(10)).toMatchObject({ uncovered: 1, raisedBy: expect.arrayContaining(['coverage']) });
  const stale = await risk(4);
  expect(stale.uncovered).toBeUndefined();
  expect(stale.raisedBy).not.toContain('coverage');
});

test('the shortest answer says how much is covered, with many tests beside it', async () => {
  const names = Array.from({ length: 60 }, (_, at) => `testTotal${at}`);
  const many: WorkspaceSketch[string] = {
    isTest: true,
    symbols: names.map((name, at) => ({ name, lines: [at + 2, at + 2], modifiers: ['test'] })),
    references: names.map((name, at) => ({ from: name, relation: 'CALLS', to: 'src/pay.ts::total', source: 'import', line: at + 2 })),
  };
  const text = names.map(name => `TN:${name}\nSF:src/pay.ts\nDA:11,1\nDA:12,0\nDA:13,0\nend_of_record\n`).join('');
  const told = async (profile: string, hour = 10) => {
    const coverage = {
      reports: async () => ({ files: [{ path: 'lcov.info', text, modifiedAt: hour * HOUR }], problems: [] }),
      modifiedAt: async () => 5 * HOUR,
      now: () => 20 * HOUR,
    };
    const input = { target: 'src/pay.ts::total', profile };
    const call = { name: 'impact_analyze', input, agentId: undefined, sessionId: 's' };
    return (await invoke(TOOLS, workspaceOf({ ...shop, 'test/many.test.ts': many }, { coverage }), call, neverCancelled)).text;
  };
  expect(await told('compact')).toContain(' 2 of 3 lines not covered (lcov.info, 10 h old).');
  expect(await told('compact', 4)).toContain(' Coverage is older than the code (lcov.info, 16 h old).');
  const balanced = await told('balanced');
  expect(balanced).toContain('not run: 12-13 (of 3 lines) (lcov.info, 10 h old)');
  expect(balanced).toContain('run by 60 tests');
  expect(balanced).toMatch(/^Risk: \w+ \(.*67% of its lines not covered\)$/m);
});
