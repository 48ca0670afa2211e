import { expect, test } from 'vitest';
import { impactMarkdown } from '../../../server/src/transports/cli/impactMarkdown';
import type { CoverageFile } from '../../../server/src/workspace/coverage';
import { outcomeOf } from '../../helpers/askFeature';
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
  expect(coverage?.tests).toEqual(['test/pay.test.ts::testTotal']);
  const newer = { path: 'lcov.info', text: 'SF:src/pay.ts\nDA:11,1\n', hour: 11 };
  const both = reported([newer, { path: 'coverage.json', text: JSON.stringify(PY) }]);
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' }, both)).coverage).toMatchObject({ lines: 1, tests: ['test/pay.test.ts::testTotal'] });
});

test('contexts may be numbers in a list of names', async () => {
  const text = JSON.stringify({
    meta: { contexts: ['gone.py::test_x', 'test/pay.test.ts::testTotal|run'] },
    files: { 'src/pay.ts': { executed_lines: [11], contexts: { 11: [0, 1, 7] } } },
  });
  expect((await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text }]))).coverage?.tests).toEqual(['test/pay.test.ts::testTotal']);
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

test('the comment on a pull request tells what no test ran', async () => {
  const answer = await outcomeOf('impact', { target: 'src/pay.ts::total' }, reported([{ text: 'SF:src/pay.ts\nDA:11,1\nDA:12,0\n', hour: 4 }]));
  expect(impactMarkdown(answer)).toContain('**Coverage:** 1 of 2 lines not run by tests: `total` (1). Some files are newer than their report.');
});
