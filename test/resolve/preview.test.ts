import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { NotPreviewable, Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import type { FileResolution } from '../../server/src/model/resolution';
import { GLOBAL_FILES, type Pick, PY_FILES, python, TS_FILES, typescript, typescriptGlobals } from '../helpers/randomCode';
import { resolverFile, resolverFiles, testTurn } from '../helpers/resolveFixture';
import { cold, random, restarted, spelled } from '../helpers/resolveRuns';

type Texts = ReadonlyMap<string, string>;

/** The same program with some imports that only manifests can lead anywhere. */
function throughManifests(text: string, pick: Pick): string {
  return text.replaceAll(/'\.\/(?<to>lib|a|b)'/g, (_, to: string) => `'${pick([`./${to}`, `@/${to}`, to === 'lib' ? 'lib' : `lib/${to}`])}'`);
}

function manifestsOf(pick: Pick): Map<string, string> {
  const texts = new Map<string, string>();
  const mapping = pick(['./*', './lib/*', './pkg/*']);
  const options = { paths: { '@/*': [mapping] }, verbatimModuleSyntax: pick([true, false]), target: pick(['es2022', 'esnext']) };
  if (pick([true, false])) texts.set('tsconfig.json', JSON.stringify({ compilerOptions: options }));
  if (pick([true, false])) texts.set('lib/package.json', JSON.stringify({ name: 'lib', version: pick(['1', '2']), main: pick(['./d.ts', './index.ts']) }));
  return texts;
}

/** Configurations that come and go: which files see the global names of which others depends on them. */
function programsOf(pick: Pick): Map<string, string> {
  const texts = new Map<string, string>();
  if (pick([true, false])) texts.set('lib/tsconfig.json', '{}');
  if (pick([true, false])) texts.set('package.json', '{}');
  if (pick([true, false])) texts.set('lib/package.json', '{}');
  return texts;
}

/** What brings a resolver from one state to another. */
async function between(before: Texts, after: Texts, manifestsBefore: Texts, manifestsAfter: Texts) {
  const changed = [...after].filter(([path, text]) => before.get(path) !== text);
  const manifests = new Map([...new Set([...manifestsBefore.keys(), ...manifestsAfter.keys()])].map(path => [path, manifestsAfter.get(path)]));
  return { upserts: await resolverFiles(new Map(changed)), removed: [...before.keys()].filter(path => !after.has(path)), manifests };
}

test.each([
  ['TypeScript', TS_FILES, (path: string, pick: Pick) => throughManifests(typescript(path, pick), pick), manifestsOf],
  ['global names', GLOBAL_FILES, typescriptGlobals, programsOf],
  ['Python', PY_FILES, python, (): Texts => new Map()],
] as const)('a previewed state is that of a cold run, and leaves nothing behind: %s', async (_, paths, write, manifestsAt) => {
  for (let seed = 1; seed <= 25; seed++) {
    const next = random(seed);
    const pick: Pick = items => items[Math.floor(next() * items.length)] as (typeof items)[number];
    const ids = new Interner<NodeHandle>();
    let resolver = new Resolver({ ids });
    const files = new Map(paths.map(path => [path, write(path, pick)]));
    const manifests = manifestsAt(pick);
    const state = new Map<string, FileResolution>();
    const first = await resolver.update({ upserts: await resolverFiles(files), removed: [], manifests }, testTurn(), neverCancelled);
    for (const resolution of first.resolutions) state.set(resolution.path, resolution);
    for (let step = 0; step < 6; step++) {
      const name = `seed ${seed} step ${step}`;
      if (next() < 0.4) resolver = await restarted(ids, resolver, files, state, manifests);
      const previewed = new Map(files);
      for (const path of paths) {
        if (next() < 0.15) previewed.delete(path);
        else if (next() < 0.4) previewed.set(path, write(path, pick));
      }
      const others = manifestsAt(pick);
      const result = await resolver.preview(await between(files, previewed, manifests, others), testTurn(), neverCancelled);
      const seen = new Map([...state].filter(([path]) => previewed.has(path)));
      for (const resolution of [...result.resolutions, ...result.relinked]) seen.set(resolution.path, resolution);
      expect(spelled(ids, seen.values()), `${name}, previewed`).toEqual(await cold(previewed, others));
      const further = new Map(previewed);
      for (const path of paths) if (next() < 0.3) further.set(path, write(path, pick));
      const furtherManifests = manifestsAt(pick);
      const second = await resolver.previewNext(await between(previewed, further, others, furtherManifests), testTurn(), neverCancelled);
      for (const resolution of [...second.resolutions, ...second.relinked]) seen.set(resolution.path, resolution);
      expect(spelled(ids, seen.values()), `${name}, previewed from there`).toEqual(await cold(further, furtherManifests));
      await resolver.rollback(testTurn());

      const path = pick(paths);
      const isRemoval = files.has(path) && next() < 0.2;
      if (isRemoval) files.delete(path);
      else files.set(path, write(path, pick));
      const upserts = isRemoval ? [] : [await resolverFile(path, files.get(path) ?? '')];
      const edited = await resolver.update({ upserts, removed: isRemoval ? [path] : [] }, testTurn(), neverCancelled);
      if (isRemoval) state.delete(path);
      for (const resolution of [...edited.resolutions, ...edited.relinked]) state.set(resolution.path, resolution);
      expect(spelled(ids, state.values()), `${name}, after it`).toEqual(await cold(files, manifests));
    }
  }
});

test('manifests that may concern every file cannot be previewed, and what was tried leaves nothing behind', async () => {
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const texts = new Map([
    ['go.mod', 'module example.org/shop\n'],
    ['till/till.go', 'package till\n\nfunc Add() int { return 1 }\n'],
    ['main.go', 'package main\n\nimport "example.org/shop/till"\n\nfunc main() { till.Add() }\n'],
  ]);
  const manifests = new Map([['go.mod', texts.get('go.mod')]]);
  const before = await resolver.update({ upserts: await resolverFiles(texts), removed: [], manifests }, testTurn(), neverCancelled);
  const renamed = new Map([['go.mod', 'module example.org/other\n']]);
  expect(resolver.canPreview(renamed)).toBe(false);
  await expect(resolver.preview({ upserts: [], removed: [], manifests: renamed }, testTurn(), neverCancelled)).rejects.toBeInstanceOf(NotPreviewable);
  await resolver.rollback(testTurn());
  const newer = new Map([['go.mod', 'module example.org/shop\n\ngo 1.24\n\nrequire golang.org/x/text v0.3.0\n']]);
  expect(resolver.canPreview(newer)).toBe(true);
  const nothing = await resolver.update({ upserts: [], removed: [], manifests: newer }, testTurn(), neverCancelled);
  expect(nothing.resolved).toBe(0);
  expect(before.failed).toEqual([]);
});
