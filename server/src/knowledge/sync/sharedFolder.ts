import type { Steps } from '../../base/steps';
import { type ChangelogFile, changelogOwner, readChangelogFile } from './changelogFile';
import { type EntityFile, readEntityFile } from './entityFile';
import { problem, type SyncProblem } from './problems';
import { type EntityKind, FOLDER, type SharedEntity, uuidOf } from './sharedState';
import { ATTRIBUTES_PATH, FORMAT, FORMAT_VERSION, MANIFEST_PATH } from './textFiles';

/** A file below the folder, as the disk gives it. */
export interface FolderFile {
  /** Workspace path. */
  readonly path: string;
  /** Absent when it could not be read. */
  readonly text: string | undefined;
  /** Of the bytes on disk. */
  readonly hash: string;
  /** Why it was not read: a link, too large, not UTF-8. */
  readonly problem?: string;
}

export interface SharedFile {
  readonly path: string;
  readonly hash: string;
  readonly text: string;
  readonly entity: SharedEntity;
}

export interface SharedFolder {
  /** Nothing of the format is there. */
  readonly isEmpty: boolean;
  /** Usable files by the id of their entity. */
  readonly entities: ReadonlyMap<string, SharedFile>;
  /** By the id of the parent. */
  readonly changelogs: ReadonlyMap<string, ChangelogFile & { readonly text: string; readonly hash: string }>;
  readonly problems: readonly SyncProblem[];
  /** Entities whose file is there but cannot be used: they are neither gone nor to be overwritten. */
  readonly held: ReadonlySet<string>;
  /** A file could not be used and does not say whose it is, so of no entity it can be said that its file is gone. */
  readonly holdsAll: boolean;
  readonly hashes: ReadonlyMap<string, string>;
  readonly manifestText: string | undefined;
  readonly attributesText: string | undefined;
}

/** The folder cannot be used as a whole: its version is unknown, or its manifest is missing or broken. */
export interface UnusableFolder {
  readonly refusal: SyncProblem;
}

/** A file and what it says, as far as it is one of the format. */
export interface ReadFile {
  readonly file: FolderFile;
  readonly entity?: EntityFile;
  readonly changelog?: ChangelogFile;
}

/** Reads one file. `unchanged` is what a file of this hash is known to say; reading it again is then spared. */
export function readFolderFile(file: FolderFile, unchanged?: SharedEntity): ReadFile {
  const { path, text } = file;
  if (text === undefined) return { file };
  if (kindOf(path) !== undefined) {
    return { file, entity: unchanged === undefined ? readEntityFile(path, text) : { path, entity: unchanged, claimedId: unchanged.id, problems: [] } };
  }
  const owner = changelogOwner(path);
  return owner === undefined ? { file } : { file, changelog: readChangelogFile(path, owner.parentId, text) };
}

/** `known` are the ids of all entities that a file could be of. */
export function* sharedFolder(files: readonly ReadFile[], known: Iterable<string>): Steps<SharedFolder | UnusableFolder> {
  const ordered = [...files].sort((a, b) => (a.file.path < b.file.path ? -1 : 1));
  yield undefined;
  const hasContents = ordered.some(({ file }) => kindOf(file.path) !== undefined || changelogOwner(file.path) !== undefined);
  const manifest = ordered.find(({ file }) => file.path === MANIFEST_PATH)?.file;
  const refusal = manifestProblem(manifest, hasContents);
  if (refusal !== undefined) return { refusal };
  return yield* new Assembly(ordered, [...known]).folder(manifest?.text);
}

/** Files between two stops. */
const STEP = 500;

class Assembly {
  readonly #problems: SyncProblem[] = [];
  readonly #held = new Set<string>();
  #holdsAll = false;

  constructor(
    readonly files: readonly ReadFile[],
    readonly known: readonly string[],
  ) {}

  *folder(manifestText: string | undefined): Steps<SharedFolder> {
    const entities = yield* this.#entities();
    const changelogs = yield* this.#changelogs();
    this.#reportUnknownFiles();
    yield undefined;
    return {
      isEmpty: manifestText === undefined && entities.size === 0 && changelogs.size === 0,
      entities,
      changelogs,
      problems: this.#problems.sort((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1)),
      held: this.#held,
      holdsAll: this.#holdsAll,
      hashes: new Map(this.files.map(({ file }) => [file.path, file.hash])),
      manifestText,
      attributesText: this.files.find(({ file }) => file.path === ATTRIBUTES_PATH)?.file.text,
    };
  }

  *#entities(): Steps<Map<string, SharedFile>> {
    const entities = new Map<string, SharedFile>();
    for (const [at, { entity: read, file }] of this.files.entries()) {
      if (at % STEP === STEP - 1) yield undefined;
      if (kindOf(file.path) === undefined) continue;
      this.#note(file, read);
      if (read?.entity === undefined || file.text === undefined) continue;
      const other = entities.get(read.entity.id);
      if (other === undefined && !this.#held.has(read.entity.id)) {
        entities.set(read.entity.id, { path: file.path, hash: file.hash, text: file.text, entity: read.entity });
        continue;
      }
      const also = other === undefined ? '' : `, which is also used by ${other.path}`;
      this.#problems.push(
        problem(file.path, 2, `This file has the ID ${read.entity.id}${also}.`, 'Keep only one of the files, or use a new UUID in one of them.'),
      );
      this.#held.add(read.entity.id);
      entities.delete(read.entity.id);
    }
    return entities;
  }

  #note(file: FolderFile, read: EntityFile | undefined): void {
    if (read === undefined) this.#problems.push(unreadable(file));
    else this.#problems.push(...read.problems);
    if (read?.entity === undefined) this.#hold(file.path, read?.claimedId);
  }

  /** Holds back whatever the file may be of: what it says, else what its name says, else everything. */
  #hold(path: string, claimedId: string | undefined): void {
    if (claimedId !== undefined) {
      this.#held.add(claimedId);
      return;
    }
    const start = /--([0-9a-f-]{8,36})\.md$/.exec(path)?.[1];
    const meant = this.known.filter(id => start !== undefined && id.startsWith(`${kindOf(path)}::`) && uuidOf(id).startsWith(start));
    for (const id of meant) this.#held.add(id);
    if (meant.length === 0) this.#holdsAll = true;
  }

  *#changelogs(): Steps<Map<string, ChangelogFile & { readonly text: string; readonly hash: string }>> {
    const changelogs = new Map<string, ChangelogFile & { readonly text: string; readonly hash: string }>();
    for (const [at, { changelog, file }] of this.files.entries()) {
      if (at % STEP === STEP - 1) yield undefined;
      if (changelogOwner(file.path) === undefined) continue;
      if (changelog === undefined || file.text === undefined) {
        this.#problems.push(unreadable(file));
        continue;
      }
      this.#problems.push(...changelog.problems);
      changelogs.set(changelog.parentId, { ...changelog, text: file.text, hash: file.hash });
    }
    return changelogs;
  }

  #reportUnknownFiles(): void {
    for (const { file } of this.files) {
      const { path } = file;
      if (path === MANIFEST_PATH || path === ATTRIBUTES_PATH || kindOf(path) !== undefined || changelogOwner(path) !== undefined) continue;
      if (file.text === undefined) {
        // A link in place of a folder hides whatever was in it.
        this.#problems.push(unreadable(file));
        this.#holdsAll = true;
        continue;
      }
      const fix = 'Knowledge files are atoms/*.md, molecules/*.md and changelog/{atom|molecule}-{uuid}.jsonl. Move this file elsewhere.';
      this.#problems.push(problem(path, 1, 'This is not a knowledge file. It was ignored.', fix, 'warning'));
    }
  }
}

function unreadable({ path, problem: why }: FolderFile): SyncProblem {
  return problem(path, 1, why ?? 'This file cannot be read.', 'Replace it with a UTF-8 text file.');
}

function kindOf(path: string): EntityKind | undefined {
  const found = /^(atom|molecule)s\/[^/]+\.md$/.exec(path.slice(FOLDER.length + 1))?.[1];
  return found as EntityKind | undefined;
}

function manifestProblem(manifest: FolderFile | undefined, hasContents: boolean): SyncProblem | undefined {
  const refuse = (message: string, fix: string): SyncProblem => problem(MANIFEST_PATH, 1, message, fix);
  const restore = `Write { "format": "${FORMAT}", "formatVersion": ${FORMAT_VERSION} } to it, or restore it from Git.`;
  if (manifest === undefined) return !hasContents ? undefined : refuse('The manifest is missing.', restore);
  let value: unknown;
  try {
    value = JSON.parse(manifest.text ?? '');
  } catch {
    return refuse('The manifest is not valid JSON.', restore);
  }
  const { format, formatVersion } = (typeof value === 'object' && value !== null ? value : {}) as {
    readonly format?: unknown;
    readonly formatVersion?: unknown;
  };
  if (format !== FORMAT) return refuse(`The format is not ${FORMAT}.`, restore);
  if (formatVersion === FORMAT_VERSION) return undefined;
  return refuse(
    `The format version ${JSON.stringify(formatVersion)} is not supported. This version of Lattice supports version ${FORMAT_VERSION}.`,
    'Update Lattice.',
  );
}
