import { refusedFor } from '../../../server/protocol/refusals';
import type { AnswerDto, DataOf } from '../../../server/protocol/requests';
import { missingRunner, notInstalled } from './missingRunner';

/** What several runs of tests came to together, with what each printed. */
export interface RunsOutcome {
  readonly isPassed: boolean;
  /** Counts of all runs. */
  readonly title: string;
  /** The same, with what kept a run from ending. */
  readonly summary: string;
  readonly parts: readonly { readonly title: string; readonly text: string }[];
}

/** In their order, at most `size` in each. */
export function batchesOf<T>(all: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));
}

export function outcomeOfRuns(answers: readonly AnswerDto<DataOf<'test_run'>>[]): RunsOutcome {
  const parts = answers.map(({ envelope, text }) => {
    const { command = [], outputTail = '', status = 'error' } = (envelope.ok ? envelope.data : undefined) ?? {};
    const failed = refusedFor('notStarted', envelope.data);
    const missing = failed?.missing === true ? notInstalled(failed.program) : status === 'error' ? missingRunner(command, outputTail) : undefined;
    return { status, title: missing ?? envelope.summary, text };
  });
  const sum = (key: 'passed' | 'failed'): number => answers.reduce((total, { envelope }) => total + (envelope.ok ? (envelope.data?.[key] ?? 0) : 0), 0);
  const unfinished = parts.filter(({ status }) => status === 'error' || status === 'timeout');
  const title = `${sum('passed')} passed, ${sum('failed')} failed in ${answers.length} runs.`;
  const [first] = unfinished;
  const summary = first === undefined ? title : `${title} ${unfinished.length === 1 ? '1 run' : `${unfinished.length} runs`} did not finish: ${first.title}`;
  return { isPassed: parts.every(({ status }) => status === 'passed'), title, summary, parts };
}
