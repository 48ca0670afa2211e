/** `npm run package`: production build, then the VSIX. */
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

function run(args) {
  const status = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
  if (status !== 0) process.exit(status);
}

rmSync(join(root, 'dist'), { recursive: true, force: true });
run(['esbuild.mjs', '--production']);
// The page of the extension: the README without pictures and links into the repository, which the VSIX does not hold.
const readme = readFileSync(join(root, 'README.md'), 'utf8')
  .split('\n')
  .filter(line => !line.trim().startsWith('!['))
  .join('\n')
  .replace(/\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g, '$1');
writeFileSync(join(root, 'dist', 'readme.md'), readme);
run([
  join('node_modules', '@vscode', 'vsce', 'vsce'),
  'package',
  '--no-dependencies',
  '--allow-missing-repository',
  '--skip-license',
  '--readme-path',
  'dist/readme.md',
  '--out',
  `${name}-${version}.vsix`,
]);
