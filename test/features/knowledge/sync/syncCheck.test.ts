import { expect, test } from 'vitest';
import { FOLDER, Sharing, sharedAtom } from './sharing';

test('a check reads the files alone', async () => {
  const { ada, path } = await sharedAtom();
  await ada.create({ entityType: 'molecule', name: 'M' });
  await ada.export();
  expect(await ada.check()).toEqual({ atoms: 1, molecules: 1, entries: 0, problems: [] });
  ada.edit(path, 'two', '>>>>>>> branch');
  const bob = await Sharing.begin(ada.root, 'b');
  expect(await bob.check()).toMatchObject({ atoms: 0, molecules: 1, problems: [{ path: `${FOLDER}/${path}`, line: 13 }] });
});
