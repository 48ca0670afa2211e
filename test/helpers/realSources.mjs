/**
 * Real code for the tests: what registries carry with its sources, each pinned by hash. It is fetched once, through the registries'
 * own clients as they are set up on this machine, into `.cache/sources`; a second run finds it there and needs no network.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { removeFolder } from './removeFolder.mjs';

const FETCH_LIMIT_MS = 120_000;

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const cache = join(project, '.cache', 'sources');

/** Each with the place of its sources: a folder that is only read. */
const SOURCES = {
  flask: () => cached('flask-3.1.2', fetchFlask),
  gin: () => cached('gin-1.10.1', fetchGin),
  // A development dependency, which the lock file pins by hash.
  msal: () => join(project, 'node_modules', '@azure', 'msal-common'),
};

/**
 * Makes `folder` a Git repository of one commit with the sources of `name` (`flask`, `gin` or `msal`).
 * Throws an error that says which program or network is missing, or that what came is not what is pinned.
 */
export function copySources(name, folder) {
  const from = SOURCES[name]();
  // What packages of npm have beside their sources is built from them.
  cpSync(from, folder, { recursive: true, filter: path => !/^[\\/](browser|dist.*|lib|node|node_modules|types)$/.test(path.slice(from.length)) });
  const git = (...args) => execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.invalid', ...args], { cwd: folder, stdio: 'ignore' });
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-q', '-m', 'Import');
}

/** `fetch(folder)` fills the folder; one that was not filled whole is not there. */
function cached(name, fetch) {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const unfinished = `${folder}.unfinished`;
  removeFolder(unfinished);
  mkdirSync(unfinished, { recursive: true });
  fetch(unfinished);
  renameSync(unfinished, folder);
  return folder;
}

function fetchFlask(folder) {
  const sha256 = 'bf656c15c80190ed628ad08cdfd3aaa35beb087855e2f494910aa3774cc4fd87';
  const archive = join(folder, 'flask-3.1.2.tar.gz');
  run('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--no-binary', 'flask', '--dest', folder, 'flask==3.1.2'], {
    missing: 'python3 with pip',
  });
  const found = createHash('sha256').update(readFileSync(archive)).digest('hex');
  if (found !== sha256) throw new Error(`flask 3.1.2 is not what is pinned: its SHA-256 is ${found}`);
  run('tar', ['-xzf', archive, '--strip-components=1', '-C', folder], { missing: 'tar' });
  removeFolder(archive);
}

function fetchGin(folder) {
  const sum = 'h1:T0ujvqyCSqRopADpgPgiTT63DUQVSfojyME59Ei63pQ=';
  const modules = join(folder, 'modules');
  // The sum is compared here, so no other place is asked for it.
  const env = { ...process.env, GOMODCACHE: modules, GOFLAGS: '-modcacherw', GOSUMDB: 'off', GOTOOLCHAIN: 'local' };
  const answer = JSON.parse(run('go', ['mod', 'download', '-json', 'github.com/gin-gonic/gin@v1.10.1'], { cwd: folder, env, missing: 'go' }));
  if (answer.Sum !== sum) throw new Error(`gin 1.10.1 is not what is pinned: its sum is ${answer.Sum}`);
  cpSync(answer.Dir, folder, { recursive: true });
  removeFolder(modules);
}

function run(program, args, { missing, ...options }) {
  const result = spawnSync(program, args, { encoding: 'utf8', timeout: FETCH_LIMIT_MS, ...options });
  if (result.error?.code === 'ENOENT') throw new Error(`${missing} is not installed`);
  if (result.status === 0) return result.stdout;
  const said = `${result.stderr}${result.stdout}`.trim().split('\n').slice(-6).join('\n');
  throw new Error(`\`${program} ${args.join(' ')}\` failed; is there a network?\n${said}`, { cause: result.error });
}
