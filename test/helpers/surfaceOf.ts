/** What the code of a fixture offers and uses, read as the product reads it; and what a fixture expects of it. */

import { neverCancelled } from '../../server/src/base/cancellation';
import { Interner } from '../../server/src/base/interner';
import { runAtOnce } from '../../server/src/base/steps';
import { CodeGraph } from '../../server/src/code/graph/codeGraph';
import type { GraphView } from '../../server/src/code/graph/graphView';
import { isManifest, Resolver } from '../../server/src/code/resolve/resolver';
import type { NodeHandle } from '../../server/src/model/ids';
import { languageOfExtension } from '../../server/src/model/languages';
import { codeSurface } from '../../server/src/services/code/codeSurface';
import type { CodeSurface, UrlTemplate } from '../../server/src/services/surface';
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
  return runAtOnce(codeSurface({ ...(await readTexts(files)), configurations: files }));
}

/** The graph and the digests of texts, read as the product reads them. */
export async function readTexts(
  files: ReadonlyMap<string, string>,
): Promise<{ readonly graph: GraphView; readonly digests: readonly (readonly [string, string])[] }> {
  const ids = new Interner<NodeHandle>();
  const upserts = await resolverFiles(files);
  const manifests = new Map([...files].filter(([path]) => isManifest(path)));
  const { resolutions } = await new Resolver({ ids }).update({ upserts, removed: [], manifests }, testTurn(), neverCancelled);
  const graph = new CodeGraph(ids).apply({
    upserts: resolutions.flatMap(resolution => {
      const file = upserts.find(each => each.path === resolution.path);
      if (file === undefined) return [];
      const language = languageOfExtension(file.path.slice(file.path.lastIndexOf('.')));
      const record = { path: file.path, language, contentHash: '', sizeBytes: 0, isTest: file.isTest, isGenerated: false };
      return [{ record, facts: file.facts, resolution }];
    }),
    relinked: [],
    removed: [],
  });
  const digests = upserts.flatMap(({ path, facts }) => (facts === undefined ? [] : [[path, facts.digest] as const]));
  return { graph, digests };
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
