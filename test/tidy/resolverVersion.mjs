import { createHash } from 'node:crypto';
import { join } from 'node:path';

const DIGITS = 16;

/**
 * Puts a hash of the code that resolves references in place of the text of `resolverVersion.ts`: of all that `entry` is bundled from, without comments and blanks.
 * What a build keeps of past states is then not used by a build that resolves otherwise.
 * @param {string} root
 * @param {string} entry
 * @returns {import('esbuild').Plugin}
 */
export function resolverVersion(root, entry) {
  return {
    name: 'resolver-version',
    setup(build) {
      build.onLoad({ filter: /[\\/]resolverVersion\.ts$/ }, async () => {
        const { metafile, outputFiles } = await build.esbuild.build({
          absWorkingDir: root,
          entryPoints: [entry],
          bundle: true,
          format: 'cjs',
          platform: 'node',
          // Libraries are pinned, and no other file of a library is resolved with.
          packages: 'external',
          minifyWhitespace: true,
          legalComments: 'none',
          logLevel: 'silent',
          write: false,
          metafile: true,
        });
        const hash = createHash('sha256').update(outputFiles[0].text).digest('hex').slice(0, DIGITS);
        return {
          contents: `export const RESOLVER_VERSION = ${JSON.stringify(hash)};`,
          loader: 'ts',
          watchFiles: Object.keys(metafile.inputs).map(path => join(root, path)),
        };
      });
    },
  };
}
