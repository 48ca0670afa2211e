import { expect, test } from 'vitest';
import { batchesOf, outcomeOfRuns } from '../../../client/src/commands/testRuns';

type Answers = Parameters<typeof outcomeOfRuns>[0];

const ran = (status: string, passed: number, failed: number, outputTail = '') => ({
  text: `${status} text`,
  envelope: { ok: true, summary: `${passed} of ${passed + failed}`, data: { status, passed, failed, command: ['pytest', '-q'], outputTail } },
});
const refused = { text: 'refused', envelope: { ok: false, summary: 'no', data: { reason: 'notStarted', program: 'go', missing: true } } };

test('more than one run takes is several runs', () => {
  expect(batchesOf([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]);
  expect(batchesOf([], 2)).toEqual([]);
});

test('several runs are told as one, each with what it printed', () => {
  const answers = [ran('passed', 3, 0), ran('passed', 4, 0)] as unknown as Answers;
  expect(outcomeOfRuns(answers)).toMatchObject({
    isPassed: true,
    summary: '7 passed, 0 failed in 2 runs.',
    parts: [{ title: '3 of 3', text: 'passed text' }, { title: '4 of 4' }],
  });
  expect(outcomeOfRuns([ran('passed', 3, 0), ran('failed', 4, 2)] as unknown as Answers)).toMatchObject({
    isPassed: false,
    summary: '7 passed, 2 failed in 2 runs.',
  });
});

test('a run that could not test anything says what is missing', () => {
  expect(outcomeOfRuns([ran('passed', 3, 0), refused] as unknown as Answers)).toMatchObject({
    isPassed: false,
    title: '3 passed, 0 failed in 2 runs.',
    summary:
      '3 passed, 0 failed in 2 runs. 1 run did not finish: The tests could not run because go was not found. Install it or add its folder to the PATH, then run the tests again.',
  });
  const missing = ran('error', 0, 0, "ModuleNotFoundError: No module named 'flaskr'");
  expect(outcomeOfRuns([missing, refused] as unknown as Answers).summary).toMatch(
    /^0 passed, 0 failed in 2 runs\. 2 runs did not finish: .*flaskr is not installed/,
  );
});
