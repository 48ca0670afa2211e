import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseFixture } from '../helpers/fixture';
import { mismatches, resolveFiles } from '../helpers/resolveFixture';

const folder = join(import.meta.dirname, '..', 'fixtures', 'resolve');

for (const file of readdirSync(folder).sort()) {
  describe(file, () => {
    for (const part of readFileSync(join(folder, file), 'utf8')
      .split(/^(?:\/\/|#)= /m)
      .slice(1)) {
      const end = part.indexOf('\n');
      test(part.slice(0, end), async () => {
        const text = part.slice(end + 1);
        expect(await mismatches(text)).toEqual([]);
        const { ids, resolutions } = await resolveFiles(parseFixture(text).files);
        for (const { symbolNodes } of resolutions) {
          const names = [...symbolNodes].map(node => ids.text(node));
          expect(names).toEqual([...new Set(names)]);
        }
      });
    }
  });
}
