import { expect, test } from 'vitest';
import type { SharedEntity } from '../../../server/src/knowledge/sync/sharedState';
import { CheckoutModel } from './checkoutModel';
import { randomOf, someEntities, someEntries } from './generated';

function generated(seed: number): CheckoutModel {
  const random = randomOf(seed);
  const model = new CheckoutModel(someEntities(random, 1 + Math.floor(random() * 8)));
  for (const id of model.rows.keys()) model.entries.set(id, someEntries(random, 4));
  return model;
}

function byId(rows: ReadonlyMap<string, SharedEntity>): SharedEntity[] {
  return [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

const SEEDS = Array.from({ length: 150 }, (_, seed) => seed);

test('an export twice gives the same bytes, an import after it changes nothing, and every file is sound', () => {
  for (const seed of SEEDS) {
    const model = generated(seed);
    const before = new Map(model.rows);
    model.export();
    const files = new Map(model.files);
    expect(
      model.folder().problems.filter(({ severity }) => severity === 'error'),
      `seed ${seed}`,
    ).toEqual([]);
    expect(model.export().changes, `seed ${seed}`).toEqual([]);
    const plan = model.import();
    expect([plan.created, plan.updated, plan.removed, plan.conflicts, plan.entries], `seed ${seed}`).toEqual([[], [], [], [], []]);
    expect(model.rows, `seed ${seed}`).toEqual(before);
    model.export();
    expect(model.files, `seed ${seed}`).toEqual(files);
  }
});

test('another machine that imports the files and exports them writes the same bytes', () => {
  for (const seed of SEEDS) {
    const model = generated(seed);
    model.export();
    const other = new CheckoutModel();
    other.files = new Map(model.files);
    other.import();
    expect(byId(other.rows), `seed ${seed}`).toEqual(byId(model.rows));
    expect(other.export().changes, `seed ${seed}`).toEqual([]);
    other.files = new Map();
    other.bases.clear();
    other.export();
    expect(other.files, `seed ${seed}`).toEqual(model.files);
  }
});

test('files with CRLF and a byte order mark say the same, and the next export writes them with LF', () => {
  for (const seed of SEEDS.slice(0, 40)) {
    const model = generated(seed);
    model.export();
    const files = new Map(model.files);
    for (const [path, text] of model.files)
      if (path.endsWith('.md') || path.endsWith('.jsonl')) model.files.set(path, `\ufeff${text.replaceAll('\n', '\r\n')}`);
    const plan = model.import();
    expect([plan.updated, plan.conflicts, plan.entries], `seed ${seed}`).toEqual([[], [], []]);
    model.export();
    expect(model.files, `seed ${seed}`).toEqual(files);
  }
});
