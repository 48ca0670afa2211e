import { spawn } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Door, openMcp, SharedPlace } from './doors';

let place: SharedPlace;
let door: Door;

beforeEach(async () => {
  place = new SharedPlace();
  door = openMcp(place);
  expect(await door.call('manage_container', { operation: 'create', containerType: 'task', name: 'a' })).toMatchObject({ ok: true });
});
afterEach(async () => {
  await door.kill();
  place.remove();
});

function entries(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(path => join(folder, path));
}

/** Address of the owner's socket, from its card. */
function socket(): string {
  const [card] = entries(place.home).filter(path => /owner\.\d+\.json$/.test(path));
  return (JSON.parse(readFileSync(card ?? '', 'utf8')) as { readonly address: string }).address;
}

/** Runs a program as another user; what it printed. */
function asOther(program: string, words: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, ['-e', program, ...words], { uid: 65_534, gid: 65_534, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve(text.trim()));
  });
}

// Windows has access lists in place of modes.
if (process.platform !== 'win32') {
  test('only the user can access data and socket', () => {
    const modes = (paths: readonly string[], is: (stats: Stats) => boolean = () => true): string[] => {
      // The index is being saved: a file that is written goes when it takes its place.
      const there = paths.flatMap(path => lstatSync(path, { throwIfNoEntry: false }) ?? []).filter(is);
      return [...new Set(there.map(({ mode }) => (mode & 0o777).toString(8)))].sort();
    };
    const all = [place.home, ...entries(place.home)];
    expect(modes(all, stats => stats.isDirectory())).toEqual(['700']);
    expect(modes(all, stats => stats.isFile())).toEqual(['600']);
    expect(modes([dirname(socket())])).toEqual(['700']);
    expect(modes([socket()])).toEqual(['600']);
  });
}

// Only root may become somebody else.
if (process.platform !== 'win32' && process.getuid?.() === 0) {
  test('a process of another user can neither read the data nor connect', async () => {
    for (let folder = place.base; folder !== '/'; folder = dirname(folder)) if ((statSync(folder).mode & 0o001) === 0) chmodSync(folder, 0o755);
    const connect = `require('net').connect(process.argv[1]).on('connect',()=>{console.log('connected');process.exit()}).on('error',e=>console.log(e.code))`;
    const list = `try{console.log(require('fs').readdirSync(process.argv[1]).length)}catch(e){console.log(e.code)}`;
    expect(await asOther(`console.log(process.getuid())`, [])).toBe('65534');
    expect(await asOther(list, [place.workspace])).toBe('1');
    expect(await asOther(list, [place.home])).toBe('EACCES');
    expect(await asOther(connect, [socket()])).toBe('EACCES');
    chmodSync(dirname(socket()), 0o755);
    expect(await asOther(connect, [socket()]), 'the socket refuses by itself').toBe('EACCES');
    expect(await door.call('get_next_task', {})).toMatchObject({ ok: true });
  });
}
