import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mismatches } from '../helpers/resolveFixture';

const folder = join(import.meta.dirname, '..', 'fixtures', 'resolve');

for (const file of readdirSync(folder).sort()) {
  describe(file, () => {
    for (const part of readFileSync(join(folder, file), 'utf8')
      .split(/^(?:\/\/|#)= /m)
      .slice(1)) {
      const end = part.indexOf('\n');
      test(part.slice(0, end), async () => {
        expect(await mismatches(part.slice(end + 1))).toEqual([]);
      });
    }
  });
}
