import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { resolverVersion } from './resolverVersion.mjs';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'lattice-resolver-version-')));
afterAll(() => removeFolder(root));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** The version in a bundle of what stands in the folder. */
async function version(): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['main.ts'],
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [resolverVersion(root, 'resolve/resolver.ts')],
  });
  return /RESOLVER_VERSION = "(?<hash>[0-9a-f]{16})"/.exec(outputFiles[0]?.text ?? '')?.groups?.['hash'] ?? '';
}

test('the version changes with the code that resolves references, wherever it stands, and with nothing else', async () => {
  write('main.ts', "import { RESOLVER_VERSION } from './resolverVersion';\nconsole.log(RESOLVER_VERSION);\n");
  write('resolverVersion.ts', "export const RESOLVER_VERSION: string = 'unbuilt';\n");
  write('resolve/resolver.ts', "import { rank } from '../model/rank';\nexport const resolve = (name: string) => rank(name);\n");
  write('model/rank.ts', 'export const rank = (name: string) => name.length;\n');
  const first = await version();
  expect(first).not.toBe('');
  write('main.ts', "import { RESOLVER_VERSION } from './resolverVersion';\nconsole.warn(RESOLVER_VERSION);\n");
  write('model/rank.ts', '/** Longer names first. */\nexport const rank = (name: string) => name.length;\n');
  expect(await version()).toBe(first);
  write('model/rank.ts', 'export const rank = (name: string) => -name.length;\n');
  expect(await version()).not.toBe(first);
});
