import { dirname, join, type WorkspacePath } from '../../base/path';
import type { UnitFact } from '../serviceFile';
import { imageName } from './compose';
import { type Data, isRecord, lineAt, listIn, recordIn, textIn } from './data';

const EMPTY = { buildWords: [], env: {}, envFrom: [], aliases: [], ports: [] } as const;

/** What Skaffold builds, by artifact. */
export function readSkaffold(path: WorkspacePath, documents: readonly unknown[], text: string): readonly UnitFact[] {
  const lines = text.split('\n');
  return documents.flatMap(document => {
    const profiles = listIn(document, 'profiles').flatMap(profile => listIn(recordIn(profile, 'build'), 'artifacts'));
    return [...listIn(recordIn(document, 'build'), 'artifacts'), ...profiles].filter(isRecord).map(artifact => artifactOf(path, artifact, lines));
  });
}

/** The line that names an image, 1 where none does. */
function lineOfImage(image: string, lines: readonly string[]): number {
  return lines.findIndex(line => /^[\s{-]*["']?image["']?\s*:\s*["']?(?<name>[^"'#\s,}]+)/.exec(line)?.groups?.['name'] === image) + 1 || 1;
}

function artifactOf(path: WorkspacePath, artifact: Data, lines: readonly string[]): UnitFact {
  const named = textIn(artifact, 'image');
  const image = imageName(named);
  const context = join(dirname(path), textIn(artifact, 'context') || '.');
  // Jib names a folder of the context, or a module of Maven by group and name.
  const project = textIn(recordIn(artifact, 'jib'), 'project').replace(/^.*:/, '').replace(/^\./, '');
  const main = textIn(recordIn(artifact, 'ko'), 'main');
  const dockerfile = textIn(recordIn(artifact, 'docker'), 'dockerfile');
  const inner = project || main;
  const folder = context === undefined || inner === '' ? context : join(context, inner);
  return {
    ...EMPTY,
    source: 'skaffold',
    name: image.split('/').pop() ?? image,
    line: lineOfImage(named, lines),
    image,
    context: folder,
    dockerfile: dockerfile === '' || context === undefined ? undefined : join(context, dockerfile),
  };
}

const BUILD =
  /\b(?:docker_build|custom_build|docker_build_with_restart|podman_build)\(\s*(?:ref\s*=\s*)?["'](?<image>[^"']+)["']\s*,\s*(?:context\s*=\s*)?["'](?<context>[^"']+)["'](?<rest>[^)]*)/g;

/** What a Tiltfile builds. */
export function readTilt(path: WorkspacePath, text: string): readonly UnitFact[] {
  return [...text.matchAll(BUILD)].map(match => {
    const { context = '', image = '', rest = '' } = match.groups ?? {};
    const dockerfile = /dockerfile\s*=\s*["'](?<file>[^"']+)["']/.exec(rest)?.groups?.['file'];
    return {
      ...EMPTY,
      source: 'tilt',
      name: imageName(image).split('/').pop() ?? '',
      line: lineAt(text, match.index),
      image: imageName(image),
      context: join(dirname(path), context),
      dockerfile: dockerfile === undefined ? undefined : join(dirname(path), dockerfile),
    };
  });
}
