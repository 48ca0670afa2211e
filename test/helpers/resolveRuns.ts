/** Runs of the resolver to compare: one over all files against a sequence of updates. */

import { expect } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle, NodeIds } from '../../server/src/model/ids';
import type { FileResolution } from '../../server/src/model/resolution';
import { linksOf, resolverFiles, testTurn } from './resolveFixture';

/** Numbers in [0, 1) from a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Resolutions as text, in order of path: everything but the numbers of nodes. */
export function spelled(ids: NodeIds, resolutions: Iterable<FileResolution>): string[] {
  const out: string[] = [];
  for (const resolution of [...resolutions].sort((left, right) => (left.path < right.path ? -1 : 1))) {
    out.push(`${resolution.path} unresolved ${resolution.unresolved.join()} external ${resolution.external.join()}`);
    for (const link of linksOf(ids, [resolution])) out.push(Object.values(link).join(' '));
  }
  return out;
}

/** What one update with all files gives. */
export async function cold(files: ReadonlyMap<string, string>, manifests: ReadonlyMap<string, string> = new Map()): Promise<string[]> {
  const ids = new Interner<NodeHandle>();
  const result = await new Resolver({ ids }).update({ upserts: await resolverFiles(files), removed: [], manifests }, testTurn(), neverCancelled);
  expect(result.failed).toEqual([]);
  return spelled(ids, result.resolutions);
}

/** Another process that goes on where a resolver ended, with nothing but its columns and the facts of the files. */
export async function restarted(
  ids: NodeIds,
  before: Resolver,
  files: ReadonlyMap<string, string>,
  state: ReadonlyMap<string, FileResolution>,
  manifests: ReadonlyMap<string, string> = new Map(),
): Promise<Resolver> {
  const columns = structuredClone(before.toColumns());
  const resolver = new Resolver({ ids });
  await resolver.adopt({ upserts: await resolverFiles(files), removed: [], manifests }, state.values(), columns, testTurn(), neverCancelled);
  return resolver;
}
