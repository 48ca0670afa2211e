import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { isManifest, Resolver, type ResolverFile } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import { languageOfExtension } from '../../server/src/model/languages';
import type { FileResolution } from '../../server/src/model/resolution';
import { resolverFile, testTurn } from '../helpers/resolveFixture';
import { spelled } from '../helpers/resolveRuns';

const isSoak = process.env['LATTICE_SOAK'] === '1';
/** Folders of git repositories whose history is replayed, separated like `PATH`; this one unless given. */
const REPOSITORIES = (process.env['LATTICE_REPLAY'] ?? join(import.meta.dirname, '..', '..')).split(delimiter);
const COMMITS = isSoak ? 200 : 8;
/** Compared after every so many commits, and after the last: between them lies what has piled up. */
const COMPARED = isSoak ? 1 : 4;
/** Files above this many bytes are left aside, as the scanner does. */
const MAX_BYTES = 400_000;

function git(repository: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Paths of a commit that the resolver takes in, with the ids of their contents. */
function treeOf(repository: string, commit: string): Map<string, string> {
  const tree = new Map<string, string>();
  for (const line of git(repository, 'ls-tree', '-r', '-l', commit).split('\n')) {
    const row = /^100\d+ blob (?<id>\w+) +(?<size>\d+)\t(?<path>[^"]+)$/.exec(line)?.groups;
    if (row?.['path'] === undefined || Number(row['size']) > MAX_BYTES) continue;
    const path = row['path'];
    const dot = path.lastIndexOf('.');
    if (isManifest(path) || (dot > 0 && languageOfExtension(path.slice(dot)) !== undefined)) tree.set(path, row['id'] ?? '');
  }
  return tree;
}

class Contents {
  readonly #texts = new Map<string, string>();
  readonly #files = new Map<string, ResolverFile>();

  constructor(private readonly repository: string) {}

  /** Has those that are not known yet read by one process. */
  prepare(ids: Iterable<string>): void {
    const unknown = [...new Set(ids)].filter(id => !this.#texts.has(id));
    if (unknown.length === 0) return;
    const all = execFileSync('git', ['-C', this.repository, 'cat-file', '--batch'], { input: `${unknown.join('\n')}\n`, maxBuffer: 1 << 30 });
    let at = 0;
    for (const id of unknown) {
      const from = all.indexOf(10, at) + 1;
      const to = from + Number(all.toString('latin1', at, from).split(' ')[2]);
      this.#texts.set(id, all.toString('utf8', from, to));
      at = to + 1;
    }
  }

  text(id: string): string {
    const text = this.#texts.get(id);
    if (text === undefined) throw new Error(`${id} was not prepared`);
    return text;
  }

  async file(path: string, id: string): Promise<ResolverFile> {
    const key = `${path}\0${id}`;
    const known = this.#files.get(key);
    if (known !== undefined) return known;
    const file = await resolverFile(path, this.text(id));
    this.#files.set(key, file);
    return file;
  }
}

/** Takes a resolver from one tree to the next. */
async function advance(resolver: Resolver, contents: Contents, before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const manifests = new Map<string, string | undefined>();
  const upserts: ResolverFile[] = [];
  const removed = [...before.keys()].filter(path => !after.has(path));
  for (const path of removed) if (isManifest(path)) manifests.set(path, undefined);
  for (const [path, id] of after) {
    if (before.get(path) === id) continue;
    if (isManifest(path)) manifests.set(path, contents.text(id));
    upserts.push(await contents.file(path, id));
  }
  return { removed, result: await resolver.update({ upserts, removed, manifests }, testTurn(), neverCancelled) };
}

test.each(REPOSITORIES)('replaying the commits of %s ends where a cold run does', { timeout: isSoak ? 3_600_000 : 900_000 }, async repository => {
  const commits = git(repository, 'log', '--first-parent', '--no-merges', `-n${COMMITS}`, '--format=%H').trim().split('\n').reverse();
  const contents = new Contents(repository);
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const state = new Map<string, FileResolution>();
  let tree = new Map<string, string>();
  for (const [at, commit] of commits.entries()) {
    const next = treeOf(repository, commit);
    contents.prepare(next.values());
    const { removed, result } = await advance(resolver, contents, tree, next);
    expect(result.failed).toEqual([]);
    for (const path of removed) state.delete(path);
    for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
    tree = next;
    if ((at + 1) % COMPARED !== 0 && at + 1 < commits.length) continue;
    const coldIds = new Interner<NodeHandle>();
    const cold = await advance(new Resolver({ ids: coldIds }), contents, new Map(), tree);
    expect(cold.result.failed).toEqual([]);
    const expected = spelled(coldIds, cold.result.resolutions);
    const got = spelled(ids, state.values());
    const differing = got.findIndex((line, at) => line !== expected[at]);
    expect([commit, got.length, got[differing]]).toEqual([commit, expected.length, expected[differing]]);
  }
});
