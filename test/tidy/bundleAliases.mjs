import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
const mainOf = library => dirname(require.resolve(library));

/**
 * Entries of libraries that a CommonJS bundle takes instead of their main ones.
 * The ESM build of web-tree-sitter needs import.meta.url, which such a bundle does not have.
 * The entry of msgpackr for Node looks for a native library at each start, which no package of ours holds.
 * The main entry of jsonc-parser hides its parts from the bundler.
 */
export const bundleAliases = {
  'jsonc-parser': join(mainOf('jsonc-parser'), '..', 'esm', 'main.js'),
  'web-tree-sitter': join(mainOf('web-tree-sitter'), 'web-tree-sitter.cjs'),
  msgpackr: join(mainOf('msgpackr'), '..', 'index.js'),
};
