import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { removeFolder } from '../../helpers/removeFolder.mjs';

/** A fresh folder with the given files, removed after the test. Keys are paths with `/`; a key that ends in `/` makes a folder. */
export function tempFolder(files: Readonly<Record<string, string>> = {}): string {
  const root = realpathSync.native(mkdtempSync(join(tmpdir(), 'lattice-files-')));
  onTestFinished(() => removeFolder(root));
  writeFiles(root, files);
  return root;
}

export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const absolute = join(root, path);
    if (path.endsWith('/')) mkdirSync(absolute, { recursive: true });
    else {
      mkdirSync(dirname(absolute), { recursive: true });
      writeFileSync(absolute, text);
    }
  }
}
