import { expect, test } from 'vitest';
import { deferred } from '../../server/src/base/deferred';
import { Background } from '../../server/src/engine/scheduling/background';

type Name = 'content' | 'vectors' | 'metrics';

function make(questions: () => Promise<void> = () => Promise.resolve(), problem?: string) {
  const log: string[] = [];
  const ends = { content: deferred<void>(), vectors: deferred<void>(), metrics: deferred<void>() };
  const work = (name: Name) => ({
    run: async (): Promise<void> => {
      log.push(name);
      await ends[name].promise;
      if (problem !== undefined) throw new Error(problem);
    },
  });
  let now = 0;
  const background = new Background<Name>({
    works: { content: work('content'), vectors: work('vectors'), metrics: work('metrics') },
    clock: { now: () => now, monotonic: () => (now += 100) },
    yieldTurn: () => Promise.resolve(),
    questions,
    onError: (name, error) => log.push(`${name}: ${String(error)}`),
  });
  return { background, ends, log };
}

test('what is less important begins when nothing more important runs or waits; what runs already is not held up', async () => {
  const { background, ends, log } = make();
  const metrics = background.request('metrics');
  expect(log).toEqual(['metrics']);
  const vectors = background.request('vectors');
  const content = background.request('content');
  expect(log).toEqual(['metrics', 'vectors', 'content']);
  ends.metrics.resolve();
  ends.vectors.resolve();
  await Promise.all([metrics, vectors]);
  const again = background.request('metrics');
  expect(log).toEqual(['metrics', 'vectors', 'content']);
  ends.content.resolve();
  await Promise.all([content, again]);
  expect(log).toEqual(['metrics', 'vectors', 'content', 'metrics']);
});

test('a work that waits for a thread lets less important work begin, and only for so long', async () => {
  const { background, ends, log } = make();
  const answer = deferred<string>();
  const vectors = background.request('vectors');
  const metrics = background.request('metrics');
  expect(log).toEqual(['vectors']);
  const waited = background.aside('vectors', answer.promise);
  expect(log).toEqual(['vectors', 'metrics']);
  ends.metrics.resolve();
  await metrics;
  answer.resolve('trained');
  expect(await waited).toBe('trained');
  const again = background.request('metrics');
  expect(log).toEqual(['vectors', 'metrics']);
  ends.vectors.resolve();
  await Promise.all([vectors, again]);
  expect(log).toEqual(['vectors', 'metrics', 'metrics']);
});

test('work under way is cancelled with the scheduler', async () => {
  const background = new Background({
    works: { metrics: { run: (_, token) => new Promise<void>(resolve => token.onCancellationRequested(() => resolve())) } },
    clock: { now: () => 0, monotonic: () => 0 },
    yieldTurn: () => Promise.resolve(),
    questions: () => Promise.resolve(),
    onError: () => undefined,
  });
  const metrics = background.request('metrics');
  background.dispose();
  await metrics;
});

test('whoever asks while a work runs has it run once more, all of them together; a failure ends nothing', async () => {
  const { background, ends, log } = make(undefined, 'no disk');
  const first = background.request('content');
  const second = [background.request('content'), background.request('content')];
  ends.content.resolve();
  await Promise.all([first, ...second]);
  expect(log).toEqual(['content', 'content: Error: no disk', 'content', 'content: Error: no disk']);
});

test('background work lets the questions that wait begin first', async () => {
  const asked = deferred<void>();
  const { background } = make(() => asked.promise);
  let goesOn = false;
  const step = background
    .turn()
    .check({ isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) })
    ?.then(() => {
      goesOn = true;
    });
  await Promise.resolve();
  expect(goesOn).toBe(false);
  asked.resolve();
  await step;
  expect(goesOn).toBe(true);
});
