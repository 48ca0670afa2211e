import { expect, test } from 'vitest';
import { contextOf, searchKnowledge } from '../../../server/src/knowledge/reads';
import { compareCodePoints, KnowledgeView } from '../../../server/src/knowledge/view';
import { SOMEBODY } from '../../helpers/memoryRecords';
import { type Knowing, knowing } from './knowing';

/** Makes the same knowledge in the order given. */
async function sample(order: readonly string[]): Promise<Knowing> {
  const known = await knowing();
  const molecules = new Map<string, string>();
  for (const name of [...order].filter(each => /^[A-Z]/.test(each))) molecules.set(name, await known.molecule(name));
  const atoms: Readonly<Record<string, { paths: string[]; molecule?: string }>> = {
    a: { paths: ['src/**'], molecule: 'Zoo' },
    b: { paths: ['src/*.ts', '**/x.ts'], molecule: 'Bar' },
    c: { paths: ['src/x.ts'], molecule: 'Zoo' },
    d: { paths: ['**/*.ts'] },
    e: { paths: ['lib/**'], molecule: 'Bar' },
  };
  for (const name of order.filter(each => each in atoms)) {
    const { paths, molecule } = atoms[name] ?? { paths: [] };
    await known.atom(name, { paths, moleculeId: molecule === undefined ? null : (molecules.get(molecule) ?? null) });
  }
  return known;
}

test.each([['Zoo Bar a b c d e'], ['Bar Zoo e d c b a'], ['Zoo Bar c a e d b']])('context does not depend on the order of making: %s', async order => {
  const { view } = await sample(order.split(' '));
  const { molecules, orphanAtoms, unmatchedPaths } = contextOf(view, ['src/y/z.js', 'src/x.ts', 'docs/a', 'README']);
  const shown = (matches: readonly { atom: { name: string }; matchedPaths: readonly string[] }[]): string[] =>
    matches.map(match => `${match.atom.name}: ${match.matchedPaths.join(' ')}`);
  expect(molecules.map(({ molecule, atoms }) => [molecule.name, ...shown(atoms)])).toEqual([
    ['Bar', 'b: src/x.ts'],
    ['Zoo', 'a: src/y/z.js src/x.ts', 'c: src/x.ts'],
  ]);
  expect(shown(orphanAtoms)).toEqual(['d: src/x.ts']);
  expect(unmatchedPaths).toEqual(['docs/a', 'README']);
});

test('names are ordered by code point, not by UTF-16 unit', () => {
  const names = ['b', 'a', '\u{1f600}', '\uff5e', 'ab', 'A', ''];
  expect([...names].sort(compareCodePoints)).toEqual(['', 'A', 'a', 'ab', 'b', '\uff5e', '\u{1f600}']);
});

test('a search wants all words, in name or knowledge; name hits come first', async () => {
  const { atom, molecule, view } = await knowing();
  const home = await molecule('Home');
  await atom('Zebra cart', { knowledge: 'nothing' });
  await atom('Basket', { knowledge: 'The CART of a Zebra', moleculeId: home });
  await atom('Apple', { knowledge: 'cart zebra' });
  await atom('Cart', { knowledge: 'alone' });
  const names = (params: object): unknown => {
    const found = searchKnowledge(view, { entityType: 'atom', orphansOnly: false, limit: 20, offset: 0, ...params });
    return found.ok ? found.value.items.map(item => item.name) : found.error.code;
  };
  expect(names({})).toEqual(['Apple', 'Basket', 'Cart', 'Zebra cart']);
  expect(names({ query: ' zebra  CART ' })).toEqual(['Zebra cart', 'Apple', 'Basket']);
  expect(names({ query: 'cart', moleculeId: home })).toEqual(['Basket']);
  expect(names({ moleculeId: home.replace('molecule::', '') })).toEqual(['Basket']);
  expect(names({ orphansOnly: true, limit: 2, offset: 1 })).toEqual(['Cart', 'Zebra cart']);
  expect(names({ query: '%' })).toEqual([]);
  expect(names({ entityType: 'molecule' })).toEqual(['Home']);
  expect(names({ moleculeId: home, orphansOnly: true })).toBe('VALIDATION_ERROR');
  expect(names({ entityType: 'molecule', orphansOnly: true })).toBe('VALIDATION_ERROR');
  expect(names({ entityType: 'molecule', moleculeId: home })).toBe('VALIDATION_ERROR');
});

test('what was read before a write is read anew after it', async () => {
  const { atom, remove, update, view } = await knowing();
  const id = await atom('A', { paths: ['src/**'] });
  const covering = (path: string): string[] => view.atomsCovering(path).map(found => found.name);
  expect(covering('src/a.ts')).toEqual(['A']);
  await update({ entityType: 'atom', id, version: 1, paths: ['lib/**'], name: 'B' });
  expect([covering('src/a.ts'), covering('lib/a.ts'), view.atoms().map(found => found.name)]).toEqual([[], ['B'], ['B']]);
  await remove({ entityType: 'atom', id, version: 2, cascade: false });
  expect([covering('lib/a.ts'), view.atoms()]).toEqual([[], []]);
});

test('what is read in steps misses nothing that is written meanwhile', async () => {
  const { atom, molecule, records, remove, update } = await knowing();
  const home = await molecule('M');
  const ids: string[] = [];
  for (let at = 0; at < 250; at++) ids.push(await atom(`a${at}`, { moleculeId: home, paths: [`src/${at}/**`] }));
  const view = new KnowledgeView(records);
  let steps = 0;
  await view.prepare(async () => {
    steps++;
    if (steps === 3) {
      await update({ entityType: 'atom', id: ids[0] ?? '', version: 1, paths: ['lib/**'] });
      await remove({ entityType: 'atom', id: ids[1] ?? '', version: 1, cascade: false });
      await remove({ entityType: 'molecule', id: home, version: 1, cascade: false });
      await atom('new', { paths: ['src/7/x'] });
    }
    return true;
  });
  expect(steps).toBeGreaterThan(3);
  const fresh = new KnowledgeView(records);
  expect(view.atoms()).toEqual(fresh.atoms());
  expect(view.molecules()).toEqual([]);
  expect(view.membersOf(null)).toHaveLength(250);
  expect(['src/0/x', 'lib/x', 'src/1/x', 'src/7/x'].map(path => view.atomsCovering(path).map(found => found.name))).toEqual([[], ['a0'], [], ['a7', 'new']]);
});

test('a question that comes while it is read in steps is answered from all of it', async () => {
  const { atom, records } = await knowing();
  for (let at = 0; at < 150; at++) await atom(`a${at}`);
  const view = new KnowledgeView(records);
  const counts: number[] = [];
  await view.prepare(async () => counts.push(view.atoms().length) > 0);
  expect(counts).toEqual([150]);
  await new KnowledgeView(records).prepare(async () => false);
  expect(view.atoms()).toHaveLength(150);
});

test('a restored backup is read anew', async () => {
  const { atom, records, view } = await knowing();
  await atom('A');
  expect(view.atoms()).toHaveLength(1);
  records.query('DELETE FROM graph_atoms');
  const backup = { backupId: 'b', tables: {} };
  await records.write(SOMEBODY, () => ({ ok: true, value: { records: [{ kind: 'knowledge.restored', payload: backup }], result: 0 } }));
  expect(view.atoms()).toEqual([]);
});
