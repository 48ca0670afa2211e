import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { context } from 'esbuild';
import { expect, test } from 'vitest';
import { watchReport } from './watchReport.mjs';

const root = join(import.meta.dirname, '..', '..');
const json = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

interface Matcher {
  readonly pattern: { readonly regexp: string; readonly file: number; readonly line: number; readonly severity: number; readonly message: number };
  readonly background: { readonly beginsPattern: string; readonly endsPattern: string };
}
interface Tasks {
  readonly tasks: readonly { readonly label: string; readonly script?: string; readonly args?: readonly string[]; readonly problemMatcher?: unknown }[];
}
interface Launch {
  readonly configurations: readonly { readonly name: string; readonly preLaunchTask?: string; readonly program?: string; readonly port?: number }[];
  readonly compounds: readonly { readonly configurations: readonly string[] }[];
}

const { tasks } = json('.vscode/tasks.json') as Tasks;
const launch = json('.vscode/launch.json') as Launch;

test('tasks run scripts that there are, and what is launched is there after a build', () => {
  const { scripts } = json('package.json') as { readonly scripts: Readonly<Record<string, string>> };
  expect(Object.keys(scripts)).toEqual(expect.arrayContaining(tasks.flatMap(task => task.script ?? [])));
  const labels = tasks.map(task => task.label);
  expect(labels).toEqual(expect.arrayContaining(launch.configurations.flatMap(each => each.preLaunchTask ?? [])));
  const names = launch.configurations.map(each => each.name);
  for (const { configurations } of launch.compounds) expect(names).toEqual(expect.arrayContaining([...configurations]));
  const programs = [...launch.configurations.flatMap(each => each.program ?? []), ...tasks.flatMap(task => task.args?.[0] ?? [])];
  for (const program of programs.map(path => path.replace('${workspaceFolder}/', '')))
    expect(program.startsWith('dist/') || existsSync(join(root, program)), program).toBe(true);
});

test('the debugger attaches where the client lets the server listen', () => {
  const attached = launch.configurations.find(each => each.port !== undefined)?.port;
  expect(readFileSync(join(root, 'client/src/languageClient/start.ts'), 'utf8')).toContain(`--inspect=${attached}`);
});

test('an editor can follow the builds of npm run watch: when they begin, what is wrong where, when they end', async () => {
  const matcher = tasks.find(task => task.label === 'watch')?.problemMatcher;
  if (matcher === undefined) throw new Error('watch has no problem matcher');
  const { background, pattern } = matcher as Matcher;
  const folder = mkdtempSync(join(tmpdir(), 'lattice-watch-'));
  writeFileSync(join(folder, 'good.js'), 'export const a = 1;');
  writeFileSync(join(folder, 'bad.js'), '\nimport "./nowhere";');
  const lines: string[] = [];
  const report = watchReport(line => lines.push(line));
  const contexts = await Promise.all(
    ['good.js', 'bad.js'].map(entry =>
      context({ absWorkingDir: folder, entryPoints: [entry], bundle: true, write: false, logLevel: 'silent', plugins: [report] }),
    ),
  );
  for (const round of [1, 2]) {
    lines.length = 0;
    await Promise.all(contexts.map(each => each.rebuild().catch(() => undefined)));
    // One of the builds may end before the other begins; then the editor sees two rounds.
    const marks = lines.flatMap(line =>
      new RegExp(background.beginsPattern).test(line) ? 'begins' : new RegExp(background.endsPattern).test(line) ? 'ends' : [],
    );
    expect(marks.length, `round ${round}`).toBeGreaterThan(0);
    expect(marks).toEqual(marks.map((_, at) => (at % 2 === 0 ? 'begins' : 'ends')));
    expect([lines[0], lines.at(-1)].map(line => new RegExp(`${background.beginsPattern}|${background.endsPattern}`).test(line ?? ''))).toEqual([true, true]);
    expect(lines.at(-1)).toMatch(/^\[watch\] built/);
    const told = lines.map(line => new RegExp(pattern.regexp).exec(line)).filter(found => found !== null);
    expect(told.map(found => [found[pattern.file], found[pattern.line], found[pattern.severity], found[pattern.message]])).toEqual([
      ['bad.js', '2', 'error', 'Could not resolve "./nowhere"'],
    ]);
  }
  await Promise.all(contexts.map(each => each.dispose()));
  rmSync(folder, { recursive: true });
});

test('a file of the other suite is told where it belongs, before anything is built', () => {
  const asked = spawnSync(process.execPath, [join(root, 'setup.mjs'), 'suite', 'unit', 'test/engine/engine.slow.test.ts'], { encoding: 'utf8' });
  expect(asked.status).toBe(1);
  expect(asked.stderr).toContain('npm run test:slow -- test/engine/engine.slow.test.ts');
});
