import { expect, test } from 'vitest';
import { canonical, changedFields, type SharedEntity } from '../../../server/src/knowledge/sync/sharedState';
import { entityText } from '../../../server/src/knowledge/sync/textFiles';
import { CheckoutModel } from './checkoutModel';
import { pick, type Random, randomOf, someEntities, someEntity, someText } from './generated';

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed);

/** The entity after somebody worked on it: some fields replaced, or lines of its knowledge changed, added or removed. */
function edited(random: Random, entity: SharedEntity): SharedEntity {
  const other = someEntity(random, entity.kind === 'atom' ? 0 : 1, 6);
  const lines = entity.knowledge.split('\n');
  const at = Math.floor(random() * lines.length);
  const edits: (() => Partial<SharedEntity>)[] = [
    () => ({}),
    () => ({ name: other.name }),
    () => ({ paths: other.paths, moleculeId: other.moleculeId }),
    () => ({ related: other.related.filter(({ id }) => id !== entity.id) }),
    () => ({ knowledge: lines.with(at, someText(random, 1)).join('\n') }),
    () => ({ knowledge: lines.toSpliced(at, 1).join('\n') }),
    () => ({ knowledge: `${entity.knowledge}\n\n---[2026-02-0${1 + Math.floor(random() * 8)}T00:00:00.000Z task:manual]---\n${someText(random, 1)} x` }),
  ];
  return canonical({ ...entity, ...pick(random, edits)(), ...pick(random, edits)() });
}

test('whatever is edited on both sides at once, the result has all of it or nobody is touched', () => {
  let [merged, refused] = [0, 0];
  for (const seed of SEEDS) {
    const random = randomOf(seed);
    const model = new CheckoutModel(someEntities(random, 4));
    model.export();
    const [base] = [...model.rows.values()].filter(({ id }) => model.bases.has(id));
    if (base === undefined) continue;
    const [local, file] = [edited(random, base), edited(random, base)];
    const [path] = [...model.files].find(([, text]) => text === entityText(base)) ?? [''];
    model.set(local);
    model.files.set(path, entityText(file));
    const plan = model.import();
    const [mine, theirs] = [changedFields(base, local), changedFields(base, file)];
    const row = model.rows.get(base.id);
    if (plan.conflicts.length > 0) {
      refused++;
      expect(
        plan.conflicts[0]?.fields.every(field => mine.includes(field) && theirs.includes(field)),
        `seed ${seed}`,
      ).toBe(true);
      model.export();
      expect([row, model.files.get(path)], `seed ${seed}`).toEqual([local, entityText(file)]);
      continue;
    }
    merged++;
    for (const field of mine) if (!theirs.includes(field)) expect(row?.[field], `seed ${seed}`).toEqual(local[field]);
    for (const field of theirs) if (!mine.includes(field)) expect(row?.[field], `seed ${seed}`).toEqual(file[field]);
    for (const side of [local, file]) for (const block of appended(side.knowledge, base.knowledge)) expect(row?.knowledge, `seed ${seed}`).toContain(block);
    model.export();
    const files = new Map(model.files);
    expect(model.import().updated, `seed ${seed}`).toEqual([]);
    expect([...model.files.values()], `seed ${seed}`).toContain(entityText(row ?? base));
    expect(model.export().changes, `seed ${seed}`).toEqual([]);
    expect(model.files, `seed ${seed}`).toEqual(files);
  }
  expect([merged > 100, refused > 20]).toEqual([true, true]);
});

/** Separators that are new since `base`. */
function appended(text: string, base: string): string[] {
  return [...text.matchAll(/^---\[2026-02-\d\dT[^\]]*\]---$/gm)].map(found => found[0]).filter(separator => !base.includes(separator));
}
