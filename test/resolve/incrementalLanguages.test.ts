import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { isManifest, Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import type { FileResolution } from '../../server/src/model/resolution';
import { parseFixture } from '../helpers/fixture';
import { resolverFiles, testTurn } from '../helpers/resolveFixture';
import { cold, random, restarted, spelled } from '../helpers/resolveRuns';

const folder = join(import.meta.dirname, '..', 'fixtures', 'resolve');
const isSoak = process.env['LATTICE_SOAK'] === '1';
/** One of so many snippets is taken through edits. */
const EVERY = isSoak ? 1 : 2;
const STEPS = isSoak ? 20 : 5;
/** Sequences of edits of one snippet. */
const ROUNDS = isSoak ? 5 : 1;

function snippets(file: string): { readonly name: string; readonly files: ReadonlyMap<string, string> }[] {
  return readFileSync(join(folder, file), 'utf8')
    .split(/^(?:\/\/|#)= /m)
    .slice(1)
    .map(part => ({ name: part.slice(0, part.indexOf('\n')), files: parseFixture(part.slice(part.indexOf('\n') + 1)).files }));
}

/** A line less, a line twice, or a name changed wherever it stands in the file. */
function edited(text: string, next: () => number): string {
  const lines = text.split('\n');
  const at = Math.floor(next() * lines.length);
  const kind = next();
  if (kind < 0.4) return lines.filter((_, index) => index !== at).join('\n');
  if (kind < 0.6) return [...lines.slice(0, at), lines[at] ?? '', ...lines.slice(at)].join('\n');
  const names = text.match(/[A-Za-z_]\w*/g) ?? ['x'];
  const name = names[Math.floor(next() * names.length)] ?? 'x';
  return text.replace(new RegExp(`\\b${name}\\b`, 'g'), `${name}2`);
}

test.each(readdirSync(folder).sort())('edits of the snippets end where a cold run does: %s', async file => {
  const all = snippets(file);
  for (let index = 0; index < all.length * ROUNDS; index += EVERY) {
    const { name, files: original } = all[index % all.length] ?? { name: '', files: new Map<string, string>() };
    const next = random(index + 1);
    const manifests = new Map([...original].filter(([path]) => isManifest(path)));
    const sources = [...original].filter(([path]) => !isManifest(path));
    const now = new Map<string, string>(sources);
    const ids = new Interner<NodeHandle>();
    let resolver = new Resolver({ ids });
    const state = new Map<string, FileResolution>();
    const update = async (upserts: Iterable<readonly [string, string]>, removed: readonly string[], isFirst = false): Promise<void> => {
      const given = await resolverFiles(upserts);
      const result = await resolver.update({ upserts: given, removed, ...(isFirst ? { manifests } : {}) }, testTurn(), neverCancelled);
      for (const path of removed) state.delete(path);
      for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
    };
    await update(now, [], true);
    for (let step = 0; step < STEPS; step++) {
      const [path, text] = sources[Math.floor(next() * sources.length)] ?? ['', ''];
      if (now.has(path) && next() < 0.25) {
        now.delete(path);
        await update([], [path]);
      } else {
        now.set(path, now.has(path) ? edited(now.get(path) ?? '', next) : text);
        await update([[path, now.get(path) ?? '']], []);
      }
      expect(spelled(ids, state.values()), `${name}, step ${step}, ${path}\n${now.get(path) ?? '(removed)'}`).toEqual(await cold(now, manifests));
      if (step % 2 === 1) resolver = await restarted(ids, resolver, now, state, manifests);
    }
  }
});

/** Found by the long run: the files at first, then a file and its new text (none: it goes). */
const FOUND: readonly (readonly [string, Readonly<Record<string, string>>, string, string | undefined])[] = [
  [
    'an enumerator of a class in another file gets another name',
    { 'a.h': 'class Lexer { enum State { kStart }; int step(); };', 'a.cpp': '#include "a.h"\nint Lexer::step() { return kStart; }' },
    'a.h',
    'class Lexer { enum State { kEnd }; int step(); };',
  ],
  [
    'a module that a wildcard import leads through goes',
    { 'src/lib.rs': 'mod a;\nuse a::inner::*;\nfn g() {}\nfn f() { g(); three(); }', 'src/a.rs': 'pub mod inner { pub fn three() {} }' },
    'src/a.rs',
    undefined,
  ],
  [
    'a declared variable becomes a defined one',
    { 'g.h': 'extern int verbose;', 'g.c': '#include "g.h"\nint verbose = 0;', 'b.c': '#include "g.h"\nint b(void) { return verbose; }' },
    'g.h',
    'int verbose;',
  ],
  [
    'a definition in another file no longer fits its declaration',
    { 'g.h': 'int go(int n);', 'a.c': '#include "g.h"\nint go(int n) { return n; }', 'b.c': '#include "g.h"\nint b(void) { return go(1); }' },
    'a.c',
    '#include "g.h"\nint go(int n, int m) { return n; }',
  ],
  [
    'a function that no header names becomes private to its file',
    { 'a.c': 'int go(int n) { return n; }', 'b.c': '#include "gone.h"\nint b(void) { return go(1); }' },
    'a.c',
    'static int go(int n) { return n; }',
  ],
  [
    'a Python module no longer says what a star import brings',
    { 'a.py': 'from b import *\nhidden()\n', 'b.py': "__all__ = ['f']\ndef f(): pass\ndef hidden(): pass\n" },
    'b.py',
    'def f(): pass\ndef hidden(): pass\n',
  ],
  [
    'a script that another sources no longer sources a third',
    { 'run.sh': 'source ./log.sh\nbase', 'log.sh': 'source ./base.sh\nlog() { echo; }', 'base.sh': 'base() { echo; }' },
    'log.sh',
    'log() { echo; }',
  ],
];

test.each(FOUND)('%s', async (_says, files, path, text) => {
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const now = new Map(Object.entries(files));
  const state = new Map<string, FileResolution>();
  const update = async (upserts: ReadonlyMap<string, string>, removed: readonly string[]): Promise<void> => {
    const result = await resolver.update({ upserts: await resolverFiles(upserts), removed, manifests: new Map() }, testTurn(), neverCancelled);
    expect(result.failed).toEqual([]);
    for (const gone of removed) state.delete(gone);
    for (const resolution of [...result.resolutions, ...result.relinked]) state.set(resolution.path, resolution);
  };
  await update(now, []);
  const before = spelled(ids, state.values());
  if (text === undefined) now.delete(path);
  else now.set(path, text);
  await update(new Map(text === undefined ? [] : [[path, text]]), text === undefined ? [path] : []);
  const after = spelled(ids, state.values());
  expect(after).toEqual(await cold(now));
  expect(after).not.toEqual(before);
});
