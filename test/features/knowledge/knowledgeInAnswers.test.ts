import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { Answer, FeatureName, ParamsOf } from '../../../server/src/features/catalogue/catalogue';
import { createKnowledge } from '../../../server/src/features/knowledge/edits';
import { askFeature } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { memoryRecords, SOMEBODY } from '../../helpers/memoryRecords';
import { type MemoryWorkspace, workspaceOf } from '../../helpers/workspaceOf';

const uses = (to: string) => ({ from: '', relation: 'IMPORTS', to, source: 'import' }) as const;
const SKETCH: WorkspaceSketch = {
  'src/tax/rate.ts': { symbols: [{ name: 'TaxRate', kind: 'class', doc: 'Rates of tax by country.', lines: [1, 3] }] },
  'src/tax/table.ts': { symbols: [{ name: 'TaxTable', kind: 'class', doc: 'Tables of tax.', lines: [1, 3] }], references: [uses('src/tax/rate.ts')] },
  'src/shop/bill.ts': { symbols: [{ name: 'Bill', kind: 'class', doc: 'A bill with tax.', lines: [1, 3] }], references: [uses('src/tax/rate.ts')] },
  'src/shop/till.ts': { symbols: [{ name: 'Till', kind: 'class', doc: 'A till with tax.', lines: [1, 3] }], references: [uses('src/shop/bill.ts')] },
  'src/other.ts': { symbols: [{ name: 'other' }] },
};

async function told(atoms: readonly { readonly name: string; readonly paths: readonly string[]; readonly knowledge?: string }[]): Promise<MemoryWorkspace> {
  const workspace = workspaceOf(SKETCH, { records: await memoryRecords() });
  for (const { name, paths, knowledge = name } of atoms) {
    const made = await createKnowledge(workspace, SOMEBODY, { entityType: 'atom', name, paths, knowledge, createdByTaskId: 'manual' }, neverCancelled);
    if (!made.ok) throw new Error(made.error.message);
  }
  return workspace;
}

async function run<Name extends FeatureName>(name: Name, workspace: MemoryWorkspace, params: ParamsOf<Name>): Promise<Answer<Name>> {
  const found = await askFeature(name, workspace, params);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value;
}

const ATOMS = [
  { name: 'Shop', paths: ['src/shop/**'] },
  { name: 'Rates', paths: ['src/tax/rate.ts'] },
  { name: 'Elsewhere', paths: ['src/other.ts'] },
];

test('an impact names the atoms of what changed and of what it reaches, those that cover most first', async () => {
  const { atoms } = await run('impact', await told(ATOMS), { target: 'src/tax/rate.ts' });
  expect(atoms).toMatchObject([
    { name: 'Shop', files: 2 },
    { name: 'Rates', files: 1 },
  ]);
});

test('an explanation names the atoms of the file and what the symbol hangs together with', async () => {
  const answer = await run('explain', await told(ATOMS), { target: 'TaxRate' });
  expect(answer['atoms']).toEqual([expect.objectContaining({ name: 'Rates' })]);
  expect(answer['community']).toMatchObject({ id: expect.any(Number), label: expect.any(String) });
});

const PLACE = { description: 'tax of a bill in the shop', name: 'ShopTax', kind: 'class' } as const;

test('a place whose atom speaks of what is asked scores a tenth more, and the atom is to be updated', async () => {
  type Suggestions = readonly { readonly path: string; readonly score: number; readonly reasons: readonly string[] }[];
  const without = await run('suggestArchitecture', await told([]), PLACE);
  const { suggestions, atomsToUpdate } = await run(
    'suggestArchitecture',
    await told([
      { name: 'Shop', paths: ['src/shop/**'], knowledge: 'A bill has its tax in the shop.' },
      { name: 'Elsewhere', paths: ['src/other.ts'] },
    ]),
    PLACE,
  );
  const scoreIn = (list: Suggestions, folder: string): number => list.find(row => row.path.startsWith(folder))?.score ?? 0;
  expect(scoreIn(suggestions, 'src/shop/') - scoreIn(without.suggestions, 'src/shop/')).toBeCloseTo(0.1, 3);
  expect(scoreIn(suggestions, 'src/tax/')).toBe(scoreIn(without.suggestions, 'src/tax/'));
  expect(suggestions.find(row => row.path.startsWith('src/shop/'))?.reasons).toContain('its knowledge mentions this');
  expect(atomsToUpdate).toEqual([{ id: expect.any(String), name: 'Shop', path: expect.stringMatching(/^src\/shop\//) }]);
  expect(without.atomsToUpdate).toEqual([]);
});
