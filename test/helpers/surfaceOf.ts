/** What the code of a fixture offers and uses, read as the product reads it; and what a fixture expects of it. */

import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { runAtOnce } from '../../server/src/base/steps';
import { CodeGraph } from '../../server/src/code/graph/codeGraph';
import type { GraphView } from '../../server/src/code/graph/graphView';
import { isManifest, Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import { languageOfExtension } from '../../server/src/model/languages';
import { CodeSurfaces } from '../../server/src/services/code/codeSurface';
import { type CodeSurface, type UrlTemplate, withQueueBindings } from '../../server/src/services/surface';
import { resolverFiles, testTurn } from './resolveFixture';

export interface SurfaceFixture {
  readonly files: ReadonlyMap<string, string>;
  /** Sorted lines of `wordsOf`. */
  readonly expected: readonly string[];
}

/** `//- path: src/a.ts` begins a file, `//- expect` the lines that are to come out. */
export function parseSurfaceFixture(text: string): SurfaceFixture {
  const files = new Map<string, string>();
  const expected: string[] = [];
  for (const part of text.split(/^\/\/- /m).slice(1)) {
    const end = part.indexOf('\n');
    const head = part.slice(0, end).trim();
    const body = part.slice(end + 1);
    if (head === 'expect') expected.push(...body.split('\n').filter(line => line.trim() !== '' && !line.startsWith('#')));
    else files.set(head.replace(/^path:\s*/, ''), body);
  }
  return { files, expected: expected.toSorted() };
}

export async function surfaceOf(files: ReadonlyMap<string, string>): Promise<CodeSurface> {
  return withQueueBindings(runAtOnce(new CodeSurfaces().read({ ...(await readTexts(files)), configurations: files })));
}

export interface TextsRead {
  readonly graph: GraphView;
  readonly digests: readonly (readonly [string, string])[];
}

/** The graph and the digests of texts, read as the product reads them. */
export function readTexts(files: ReadonlyMap<string, string>): Promise<TextsRead> {
  return readingTexts()(files);
}

/** The same for one state of texts after another: files that are the same in two of them stay as they are in the graph. */
export function readingTexts(): (files: ReadonlyMap<string, string>) => Promise<TextsRead> {
  const ids = new Interner<NodeHandle>();
  const resolver = new Resolver({ ids });
  const graph = new CodeGraph(ids);
  const digests = new Map<string, string>();
  let before: ReadonlyMap<string, string> = new Map();
  return async files => {
    const upserts = await resolverFiles(new Map([...files].filter(([path, text]) => before.get(path) !== text)));
    const removed = [...before.keys()].filter(path => !files.has(path));
    before = files;
    const manifests = new Map([...files].filter(([path]) => isManifest(path)));
    const { resolutions } = await resolver.update({ upserts, removed, manifests }, testTurn(), neverCancelled);
    const changed = new Map(upserts.map(file => [file.path, file]));
    const view = graph.apply({
      upserts: resolutions.flatMap(resolution => {
        const file = changed.get(resolution.path);
        if (file === undefined) return [];
        const language = languageOfExtension(file.path.slice(file.path.lastIndexOf('.')));
        const record = { path: file.path, language, contentHash: '', sizeBytes: 0, isTest: file.isTest, isGenerated: false };
        return [{ record, facts: file.facts, resolution }];
      }),
      relinked: resolutions.filter(({ path }) => !changed.has(path)),
      removed,
    });
    for (const path of removed) digests.delete(path);
    for (const { path, facts } of upserts) if (facts !== undefined) digests.set(path, facts.digest);
    return { graph: view, digests: [...digests] };
  };
}

/** A surface in lines, sorted: one per route, request, event and remote procedure. */
export function wordsOf(surface: CodeSurface): string[] {
  const lines = [
    ...surface.routes.map(({ handler, handlerPlace, method, path }) => `${method} ${path} -> ${handler ?? `${handlerPlace.file}:${handlerPlace.line}`}`),
    ...surface.calls.map(({ forwards, method, symbol, url }) => `call ${method} ${wordsOfUrl(url)}${forwards?.rewritten[0] ?? ''} <- ${symbol ?? ''}`),
    ...surface.events.map(({ aliases, direction, name, symbol }) => `event ${direction} ${[name, ...aliases].join(' ')} <- ${symbol ?? ''}`),
    ...surface.rpcs.map(
      ({ procedure, service, side, symbol, url }) =>
        `rpc ${side} ${service}${procedure === undefined ? '' : `.${procedure}`}${url === undefined ? '' : ` ${wordsOfUrl(url)}`} <- ${symbol ?? ''}`,
    ),
    ...surface.hosted.map(
      ({ folder, image, name, project, references }) =>
        `hosted ${name} ${folder ?? project ?? image}${references.length === 0 ? '' : ` <- ${references.join(' ')}`}`,
    ),
    ...surface.skipped.map(({ place, reason }) => `skipped ${place.file}:${place.line} ${reason}`),
  ];
  return [...new Set(lines)].toSorted();
}

function wordsOfUrl({ host, hostFrom, path }: UrlTemplate): string {
  if (hostFrom !== undefined) return `$${hostFrom.variable}${hostFrom.fallback === undefined ? '' : `=${hostFrom.fallback}`}${path}`;
  return `${host ?? ''}${path}`;
}
