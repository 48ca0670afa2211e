import { SearchIndex } from '../../../server/src/search/searchIndex';
import type { SearchDocument } from '../../../server/src/search/searchView';
import type { SearchSettings } from '../../../server/src/search/settings';

/** A document by name; its id is `path::name` unless given. */
export function documentOf(name: string, more: Partial<SearchDocument> = {}): SearchDocument {
  const path = more.path ?? 'src/file.ts';
  return { id: `${path}::${name}`, name, path, signature: '', doc: '', body: '', ...more };
}

export async function indexOf(documents: readonly SearchDocument[], settings: Partial<SearchSettings> = {}): Promise<SearchIndex> {
  const index = new SearchIndex(settings);
  await index.update({ upserts: documents, removed: [] });
  return index;
}

/** Numbers from 0 to 1 that depend on the seed alone. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

const WORDS =
  'parse config load file tree node edge graph build index query search token cache store write read open close http server client error user name'.split(' ');

/** Documents as a code base has them: names of a few words, some prose, shared words. */
export function randomDocuments(count: number, random: () => number): SearchDocument[] {
  const word = (): string => WORDS[Math.floor(random() ** 2 * WORDS.length)] as string;
  const camel = (): string => word() + word().replace(/^./, letter => letter.toUpperCase());
  return Array.from({ length: count }, (_, at) => {
    const path = `src/${word()}/${camel()}.ts`;
    const name = random() < 0.3 ? word() : camel();
    const text = (length: number): string => Array.from({ length: Math.floor(random() * length) }, word).join(' ');
    return { id: `${path}::${name}#${at}`, name, path, signature: `${name}(${camel()}: ${word()})`, doc: text(12), body: text(20), remarks: text(8) };
  });
}
