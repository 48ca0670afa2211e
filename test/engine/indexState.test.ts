import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Turn } from '../../server/src/base/yield';
import type { LoadedFile } from '../../server/src/engine/indexing/fileLoader';
import { IndexState } from '../../server/src/engine/indexing/indexState';
import type { NodeHandle } from '../../server/src/model/ids';
import { upsertOf } from '../helpers/graphOf';

const turn = new Turn({ now: () => 0, monotonic: () => 0 }, () => Promise.resolve());

function loaded(path: string, name: string): LoadedFile & { facts: NonNullable<LoadedFile['facts']> } {
  const { record, facts } = upsertOf(path, { symbols: [{ name }] }, new Interner<NodeHandle>());
  if (facts === undefined) throw new Error('a sketch has facts');
  const signature = { sizeBytes: 1, mtimeMs: 1, inode: 1 };
  return {
    tracked: { record, signature, factsKey: name, syntax: facts.syntax, symbols: 1, isMinified: false, problem: undefined },
    facts,
    change: 'content',
    parsed: true,
  };
}

test('Unsaved text that could not be previewed to the end is not in what everybody sees next', async () => {
  const state = new IndexState(0);
  state.primeEmpty();
  const saved = loaded('src/a.ts', 'saved');
  await state.apply({ loaded: [saved], removed: [], manifests: [], draft: undefined, precise: undefined }, turn, neverCancelled);
  const update = state.search.update.bind(state.search);
  state.search.update = () => {
    state.search.update = update;
    return Promise.reject(new Error('out of memory'));
  };
  await expect(state.preview([{ ...loaded('src/a.ts', 'unsaved'), text: '' }], new Map([['src/a.ts', saved.facts]]), turn)).rejects.toThrow('out of memory');
  await state.apply({ loaded: [loaded('src/b.ts', 'other')], removed: [], manifests: [], draft: undefined, precise: undefined }, turn, neverCancelled);
  const view = state.published?.graph;
  expect(view?.find('src/a.ts::saved')).toBeDefined();
  expect(view?.find('src/a.ts::unsaved')).toBeUndefined();
});
