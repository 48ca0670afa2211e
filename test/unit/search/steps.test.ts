import { expect, test } from 'vitest';
import { indexOf, randomDocuments, randomOf } from './documents';

const QUERIES = ['parse config', 'user', 'open the http server', 'loadTree', 'cac', 'src/tree', 'nothing_like_it'];

test('an answer in steps is the answer at once, with others in between and updates meanwhile', async () => {
  const random = randomOf(5);
  const index = await indexOf(randomDocuments(400, random));
  const view = index.view();
  const ask = (text: string) => ({ text, limit: 10, offset: 0 });
  const atOnce = QUERIES.map(text => view.search(ask(text)));
  const between: unknown[] = [];
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
    between.push(view.search(ask('parse config')));
    await Promise.resolve();
  };
  const underway = QUERIES.map(text => view.searchInSteps(ask(text), pause));
  await index.update({ upserts: randomDocuments(20, random), removed: [] });
  expect(await Promise.all(underway)).toEqual(atOnce);
  expect(pauses).toBeGreaterThan(QUERIES.length);
  expect(between.every(page => JSON.stringify(page) === JSON.stringify(atOnce[0]))).toBe(true);
});

test('the same question asked again while it is being answered is answered once', async () => {
  const view = (await indexOf(randomDocuments(50, randomOf(9)))).view();
  let pauses = 0;
  const pause = async (): Promise<void> => {
    pauses++;
  };
  const once = { text: 'parse config', limit: 5, offset: 0 };
  const alone = await view.searchInSteps(once, pause);
  const needed = pauses;
  const answers = await Promise.all([1, 2, 3].map(() => view.searchInSteps(once, pause)));
  expect(pauses).toBe(2 * needed);
  expect(answers).toEqual([alone, alone, alone]);
});
