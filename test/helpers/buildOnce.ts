import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');

/** Newest modification in milliseconds of the files below the given places. */
function newest(places: readonly string[]): number {
  let latest = 0;
  for (const place of places) {
    if (!existsSync(place)) continue;
    const stat = statSync(place);
    if (stat.isDirectory()) latest = Math.max(latest, newest(readdirSync(place).map(name => join(place, name))));
    else latest = Math.max(latest, stat.mtimeMs);
  }
  return latest;
}

/** Vitest global set-up for suites that run the built bundles: builds them when they are older than the sources. */
export function setup(): void {
  const built = join(root, 'dist', 'cli.js');
  const sources = ['client/src', 'server', 'webview/src', 'package.json', 'esbuild.mjs'].map(place => join(root, place));
  if (existsSync(built) && statSync(built).mtimeMs > newest(sources)) return;
  const result = spawnSync(process.execPath, [join(root, 'esbuild.mjs')], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) throw new Error('The build failed; see the messages above.');
}
