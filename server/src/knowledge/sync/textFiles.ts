import type { Steps } from '../../base/steps';
import { byCreation, canonicalEntry, type EntityKind, FOLDER, type SharedEntity, type SharedEntry, uuidOf } from './sharedState';

export const FORMAT = 'lattice-knowledge';
export const FORMAT_VERSION = 1;
export const MANIFEST_PATH = `${FOLDER}/manifest.json`;
export const ATTRIBUTES_PATH = `${FOLDER}/.gitattributes`;
export const ATTRIBUTES_LINE = 'changelog/*.jsonl merge=union';

/** Entities between two stops. */
const STEP = 500;
/** Longest readable part of a file name, in characters. */
const SLUG_LENGTH = 60;

export function manifestText(): string {
  return `${JSON.stringify({ format: FORMAT, formatVersion: FORMAT_VERSION }, undefined, 2)}\n`;
}

/** The text of an entity's file. The entity is canonical. */
export function entityText(entity: SharedEntity): string {
  const { createdAt, createdByTaskId, id, kind, knowledge, moleculeId, name, paths, related } = entity;
  const lines = ['---', `id: ${id}`, `kind: ${kind}`, `name: ${quoted(name)}`];
  if (moleculeId !== null) lines.push(`molecule: ${moleculeId}`);
  if (kind === 'atom') lines.push(...list('paths', paths.map(quoted)));
  lines.push(
    ...list(
      'related',
      related.map(({ id: other, reason }) => `{ id: ${plain(other)}, reason: ${quoted(reason)} }`),
    ),
    `createdByTaskId: ${plain(createdByTaskId)}`,
    `createdAt: ${plain(createdAt)}`,
    '---',
  );
  return `${lines.join('\n')}\n${knowledge === '' ? '' : `${knowledge}\n`}`;
}

/** The text of a changelog file, sorted. */
export function changelogText(entries: readonly SharedEntry[]): string {
  return entries
    .map(canonicalEntry)
    .sort(byCreation)
    .map(({ id, taskId, summary, createdAt }) => `${JSON.stringify({ id, taskId, summary, createdAt })}\n`)
    .join('');
}

export function changelogPath(kind: EntityKind, id: string): string {
  return `${FOLDER}/changelog/${kind}-${uuidOf(id)}.jsonl`;
}

/** Where each entity's file lies. Entities of equal name and beginning of uuid carry their whole uuid, so that a path has one owner. */
export function* entityPaths(entities: Iterable<SharedEntity>): Steps<ReadonlyMap<string, string>> {
  const byPath = new Map<string, SharedEntity[]>();
  let seen = 0;
  for (const entity of entities) {
    if (++seen % STEP === 0) yield undefined;
    const path = pathOf(entity, 8);
    byPath.set(path, [...(byPath.get(path) ?? []), entity]);
  }
  const paths = new Map<string, string>();
  for (const [path, owners] of byPath) {
    for (const owner of owners) paths.set(owner.id, owners.length === 1 ? path : pathOf(owner, uuidOf(owner.id).length));
  }
  return paths;
}

export function folderOf(kind: EntityKind): string {
  return `${FOLDER}/${kind}s`;
}

function pathOf({ id, kind, name }: SharedEntity, uuidLength: number): string {
  return `${folderOf(kind)}/${slugOf(name)}--${uuidOf(id).slice(0, uuidLength)}.md`;
}

/** The letters and digits of a name, in lower case without accents; the same on every machine. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'unnamed' : slug;
}

function list(key: string, items: readonly string[]): string[] {
  return items.length === 0 ? [`${key}: []`] : [`${key}:`, ...items.map(item => `  - ${item}`)];
}

/** A double-quoted YAML scalar on one line. Characters that YAML calls unprintable or takes for line ends are escaped. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Ids, times and task markers need no quotes. */
function plain(text: string): string {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]*(?::{1,2}[A-Za-z0-9_.-]+)*$/.test(text) ? text : quoted(text);
}
