import { execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import type { OpenOptions } from '../../server/src/main/compose';
import { DEFAULT_RETRIEVAL } from '../../server/src/model/settings';
import { projectFolder } from '../../server/src/store/dataFolder';
import { parseFixture } from '../helpers/fixture';
import { mutated, random } from '../helpers/mutate';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { type Asking, Checkout, isOfCode } from './checkout';

const SEEDS = Number(process.env['LATTICE_STORMS'] ?? (process.env['LATTICE_SUITE'] === 'soak' ? 300 : 3));
const FIRST_SEED = Number(process.env['LATTICE_SEED'] ?? 1);
const STEPS = 12;
/** Every so often even the facts of files that nobody has touched are made anew for a first index of a repository. */
const COLD_EVERY = 10;
/** Search by meaning is not looked at here, and to learn it again after each sequence takes longer than all else. */
const SETTINGS = { retrieval: { ...DEFAULT_RETRIEVAL, embedder: 'none' } } as const;
/** Repositories to work in instead of the fixtures: each is copied for each sequence. */
const REPOSITORIES = (process.env['LATTICE_STORM_REPOSITORIES'] ?? '').split(',').filter(path => path !== '');
/** File of results, one line for each sequence. Those in it are not run again, so a run that was ended goes on. */
const RESULTS = process.env['LATTICE_STORM_RESULTS'];

/** What a first index found in each file of a repository, by the repository's path. */
const facts = mkdtempSync(join(tmpdir(), 'lattice-storm-'));

let checkout: Checkout | undefined;
afterEach(() => checkout?.dispose());
afterAll(() => removeFolder(facts));

function keptFacts(repository: string): string {
  return join(facts, `${REPOSITORIES.indexOf(repository)}.pack`);
}

/** Opens the checkout with a data folder that knows the facts of unchanged files, and nothing of how they hang together. */
function openKnowing(place: Checkout, repository: string | undefined, dataFolder: string, options: Partial<OpenOptions> = {}): Promise<Asking> {
  if (repository !== undefined && existsSync(keptFacts(repository))) {
    const { factsPack, folder } = projectFolder(dataFolder, join(place.root, '.git'));
    mkdirSync(folder, { recursive: true });
    copyFileSync(keptFacts(repository), factsPack);
  }
  return place.open({ settings: SETTINGS, dataFolder, ...options });
}

/** Cases of the fixtures, each in a folder of its own. */
function project(): Record<string, string> {
  const files: Record<string, string> = {};
  for (const name of ['flow.ts', 'modules.ts', 'members.py', 'names.go', 'flow.rs', 'java.java']) {
    const text = readFileSync(join(import.meta.dirname, `../fixtures/resolve/${name}.fixture`), 'utf8');
    const cases = text.split(/^(?:\/\/|#|--)= .*$/m).slice(1, 8);
    for (const [at, part] of cases.entries()) {
      for (const [path, source] of parseFixture(part).files) if (path !== 'main') files[`${name.replace('.', '_')}/case${at}/${path}`] = source;
    }
  }
  return files;
}

/** A repository that somebody works in at random, with what they did for the message of a failure. */
class Storm {
  readonly done: string[] = [];
  #names = 0;

  constructor(
    readonly place: Checkout,
    private readonly next: () => number,
    repository: string | undefined,
  ) {
    if (repository === undefined) this.git('init', '-q', '-b', 'main');
    else {
      this.git('clone', '-q', '--no-hardlinks', repository, '.');
      this.git('checkout', '-q', '-B', 'main');
    }
    this.#commit();
    for (const branch of ['left', 'right']) {
      this.git('checkout', '-q', '-b', branch, 'main');
      for (let edit = 0; edit < 6; edit++) this.#edit();
      this.#rename();
      this.#commit();
    }
    this.done.length = 0;
  }

  git(...args: readonly string[]): void {
    const identity = ['-c', 'user.name=n', '-c', 'user.email=e@x', '-c', 'core.autocrlf=false', '-c', 'gc.auto=0'];
    execFileSync('git', [...identity, ...args], { cwd: this.place.root, stdio: 'ignore' });
  }

  files(): string[] {
    return readdirSync(this.place.root, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => relative(this.place.root, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
      .filter(path => !path.startsWith('.git/'))
      .sort();
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)] as T;
  }

  step(): void {
    const steps = [
      () => this.#edit(),
      () => this.#edit(),
      () => this.#rename(),
      () => this.#say('delete', path => rmSync(join(this.place.root, path))),
      () => this.#tryGit('stash', '-u'),
      () => this.#tryGit('stash', 'pop'),
      () => this.#commit(),
      () => this.#tryGit('rebase', 'main'),
      ...['main', 'left', 'right', 'HEAD~1'].map(target => () => this.#tryGit('checkout', '-f', target)),
    ];
    this.pick(steps)();
  }

  #say(what: string, act: (path: string) => void): void {
    const path = this.pick(this.files());
    this.done.push(`${what} ${path}`);
    act(path);
  }

  #edit(): void {
    this.#say('edit', path => this.place.write({ [path]: mutated([readFileSync(join(this.place.root, path), 'utf8')], this.next) }));
  }

  #rename(): void {
    this.#say('rename', path => {
      const to = join(this.place.root, dirname(path), `renamed${this.#names++}`, path.slice(path.lastIndexOf('/') + 1));
      mkdirSync(dirname(to), { recursive: true });
      renameSync(join(this.place.root, path), to);
    });
  }

  #commit(): void {
    this.done.push('commit');
    this.git('add', '-A');
    this.git('commit', '-q', '--allow-empty', '-m', 'work');
  }

  /** What git refuses here changes nothing. */
  #tryGit(...args: readonly string[]): void {
    this.done.push(args.join(' '));
    try {
      this.git(...args);
    } catch {
      if (args[0] === 'rebase' && args[1] !== '--abort') this.#tryGit('rebase', '--abort');
      if (args[1] === 'pop') this.git('checkout', '-q', '-f', 'HEAD');
    }
  }
}

async function keepFacts(repository: string): Promise<void> {
  const place = new Checkout({});
  execFileSync('git', ['clone', '-q', '--no-hardlinks', repository, '.'], { cwd: place.root, stdio: 'ignore' });
  const asking = await place.open({ settings: SETTINGS });
  await asking.close();
  copyFileSync(projectFolder(place.data, join(place.root, '.git')).factsPack, keptFacts(repository));
  await place.dispose();
}

/** The whole graph in the order it is given out, and the communities. */
async function told(asking: Asking): Promise<string> {
  for (;;) {
    const rows: unknown[] = [];
    let revision: number | undefined;
    for (let offset: number | undefined = 0; offset !== undefined; ) {
      const answer = await asking.gateway.query('exportGraph', { offset }, asking.caller('cli'), neverCancelled);
      if (!answer.ok) throw new Error(answer.error.message);
      const part = answer.value as { readonly revision: number; readonly rows: readonly unknown[]; readonly nextOffset?: number };
      if (revision !== undefined && part.revision !== revision) break;
      revision = part.revision;
      rows.push(...part.rows.filter(isOfCode));
      offset = part.nextOffset;
      if (offset === undefined) rows.push(...(await communitiesOf(asking)));
      if (offset === undefined) return rows.map(row => JSON.stringify(row)).join('\n');
    }
  }
}

/** The first lines that only one of the two has; that the order differs, when nothing else does. */
function differences(warm: string, cold: string): readonly string[] {
  if (warm === cold) return [];
  const [warmRows, coldRows] = [warm.split('\n'), cold.split('\n')];
  const [inWarm, inCold] = [new Set(warmRows), new Set(coldRows)];
  const rows = [...warmRows.filter(row => !inCold.has(row)).map(row => `+ ${row}`), ...coldRows.filter(row => !inWarm.has(row)).map(row => `- ${row}`)];
  return rows.length === 0 ? ['the same rows in another order'] : rows.slice(0, 20);
}

/** Number, name, members and what else is told of each community. */
async function communitiesOf(asking: Asking): Promise<readonly unknown[]> {
  const answer = await asking.gateway.query('communities', { limit: 1_000 }, asking.caller('cli'), neverCancelled);
  if (!answer.ok) throw new Error(answer.error.message);
  return (answer.value as { readonly communities: readonly object[] }).communities.map(row => ({ ...row, computedAt: 0 }));
}

/** A symbol that is said to be there is on the disk, with the lines that are given for it, unless the answer says that something is pending. */
async function question(storm: Storm, asking: Asking, known: readonly string[]): Promise<void> {
  const symbol = storm.pick(known);
  const { envelope } = await asking.call('semantic_slice', { symbol });
  const data = envelope.data as { readonly id?: string; readonly file?: string; readonly symbolName?: string; readonly code?: string } | undefined;
  if (!envelope.ok || data?.id !== symbol || data.file === undefined || data.code === undefined) return;
  const file = join(storm.place.root, data.file);
  if (envelope.stamp?.pendingFiles !== 0 && !existsSync(file)) return;
  const lines = readFileSync(file, 'utf8')
    .split(/\r\n|\n|\r/)
    .join('\n');
  expect(lines, `${symbol} after ${storm.done.join(', ')}`).toContain(data.code);
}

/** Files that rows of an answer name are on the disk, or marked. */
async function rowsOf(storm: Storm, asking: Asking, known: readonly string[]): Promise<void> {
  const symbol = storm.pick(known);
  const name = symbol.slice(symbol.lastIndexOf(':') + 1);
  const asked = [
    ['search_code', { query: name }],
    ['impact_analyze', { target: symbol }],
    ['query_graph_neighborhood', { node_id: symbol, radius: 2 }],
  ] as const;
  for (const [tool, input] of asked) {
    const before = new Set(storm.files());
    const { envelope } = await asking.call(tool, input);
    for (const row of envelope.ok ? rowsIn(envelope.data) : []) {
      const named = row['id'] ?? row['chunk_id'] ?? row['file'];
      const [path = ''] = typeof named === 'string' ? named.split('::') : [];
      if (!path.includes('.') || row['kind'] === 'external' || before.has(path)) continue;
      expect(row, `${tool} ${symbol} after ${storm.done.join(', ')}, stamp ${JSON.stringify(envelope.stamp)}`).toMatchObject({ stale: true });
    }
  }
}

/** All objects in a value that stand in a list. */
function rowsIn(value: unknown, isRow = false): Readonly<Record<string, unknown>>[] {
  if (Array.isArray(value)) return value.flatMap(item => rowsIn(item, true));
  if (typeof value !== 'object' || value === null) return [];
  return [...(isRow ? [value as Record<string, unknown>] : []), ...Object.values(value).flatMap(part => rowsIn(part))];
}

/** What differs after a sequence, as text. */
async function sequence(seed: number): Promise<string | undefined> {
  const repository = REPOSITORIES[seed % Math.max(1, REPOSITORIES.length)];
  const place = new Checkout(repository === undefined ? project() : {});
  checkout = place;
  const storm = new Storm(place, random(seed), repository);
  try {
    if (repository !== undefined && !existsSync(keptFacts(repository))) await keepFacts(repository);
    const asking = await openKnowing(place, repository, place.data, { longLived: true, watch: 'files' });
    const known = (await told(asking)).split('\n').flatMap(row => {
      const { nodeType, id } = JSON.parse(row) as { readonly nodeType?: string; readonly id?: string };
      return nodeType === 'symbol' && id !== undefined ? [id] : [];
    });
    for (let step = 0; step < STEPS; step++) {
      storm.step();
      await question(storm, asking, known);
      await rowsOf(storm, asking, known);
    }
    const cold = await openKnowing(place, seed % COLD_EVERY === 0 ? undefined : repository, join(place.base, 'cold'));
    const expected = await told(cold);
    await expect.poll(async () => differences(await told(asking), expected), { message: `seed ${seed}: ${storm.done.join(', ')}` }).toEqual([]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await place.dispose();
    if (repository !== undefined) console.log(`${basename(repository)}, seed ${seed}: ${storm.done.length} steps`);
  }
}

/** The sequences that a results file already has. */
function sequencesIn(file: string): ReadonlySet<number> {
  const lines = existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line !== '')
    : [];
  return new Set(lines.map(line => (JSON.parse(line) as { readonly seed: number }).seed));
}

test('After any sequence of checkouts, edits, stashes and renames, the index is the same as a new one', { timeout: 36_000_000 }, async () => {
  const ran = RESULTS === undefined ? new Set<number>() : sequencesIn(RESULTS);
  const failed: string[] = [];
  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
    if (ran.has(seed)) continue;
    const difference = await sequence(seed);
    if (RESULTS !== undefined) appendFileSync(RESULTS, `${JSON.stringify({ seed, difference: difference ?? null })}\n`);
    if (difference !== undefined) failed.push(difference);
  }
  expect(failed).toEqual([]);
});
