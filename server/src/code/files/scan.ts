import { setImmediate as othersTurn } from 'node:timers/promises';
import { type CancellationToken, throwIfCancelled } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, type Failure, ok, type Result } from '../../base/result';
import type { LanguageId } from '../../model/languages';
import { classify, isSecretName } from './classify';
import { type FolderRules, isIgnoreFileName, PathFilter, readGitRules } from './filter';
import { absoluteOf, byCodePoint, type FileHost, type FileProblem, type FileStat, faultCode, type HostEntry, isMissing } from './host';
import { isSkippedByContent, isSkippedFolder } from './skips';

/** Which folder is scanned, and what is skipped in it. */
export interface ScanOptions {
  /** Absolute path of an existing folder. */
  readonly root: string;
  readonly host: FileHost;
  /** How names compare on this file system (Windows, macOS: true). */
  readonly caseInsensitive: boolean;
  readonly respectGitignore: boolean;
  /** See `FilterOptions`. */
  readonly isAllTracked?: boolean;
  /** Larger files get a file node by name only. */
  readonly maxFileSizeKb: number;
  /** `lattice.ignorePatterns`, in gitignore syntax from the root; a negated pattern brings back what is skipped by default. */
  readonly ignorePatterns: readonly string[];
  /** Globs of the editor's `files.exclude` and `search.exclude` whose value is true. */
  readonly excludeGlobs: readonly string[];
}

export const DEFAULT_MAX_FILE_SIZE_KB = 2048;

/** A file that is part of the index, as it was when the folder was scanned. */
export interface ScannedFile {
  readonly path: WorkspacePath;
  readonly absolutePath: string;
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly inode: number;
  /** `undefined`: gets a file node only. */
  readonly language: LanguageId | undefined;
  /** `read`: content may be read and hashed; otherwise the file is indexed by name only, and this is why. */
  readonly content: 'read' | 'binary' | 'tooLarge';
  readonly isTest: boolean;
  /** By name; `content.ts` tells more once the content is read. */
  readonly isGenerated: boolean;
  readonly isMinified: boolean;
}

/** Entries left out, by reason. A folder counts once, whatever it holds. */
export interface SkipCounts {
  readonly ignored: number;
  readonly builtIn: number;
  readonly excluded: number;
  readonly secret: number;
  readonly link: number;
  readonly special: number;
}

/** A scan of a folder: its files, and what was left out and why. */
export interface Scan {
  /** In code-point order of `path`. */
  readonly files: readonly ScannedFile[];
  readonly problems: readonly FileProblem[];
  readonly skipped: SkipCounts;
  /** The rules that were in force, for later events. */
  readonly filter: PathFilter;
}

/** Codes: `ROOT_MISSING`, `ROOT_NOT_A_FOLDER`, `ROOT_UNREADABLE`. */
export type ScanFailure = Failure;

/** What stands in a name for bytes that are not UTF-8; such a name opens nothing. */
const UNREADABLE_CHARACTER = '\uFFFD';

const FOLDERS_AT_ONCE = 16;
/** Entries of one folder looked at before others have their turn. */
const ENTRIES_PER_TURN = 250;
const FILES_AT_ONCE = 64;

/**
 * Every file below the root that Lattice may index. Links are never followed: a target inside the root is found under its own path,
 * and a link that leaves the root, dangles or makes a cycle is reported. Throws `Cancelled`.
 */
export async function scan(options: ScanOptions, token: CancellationToken, onProgress?: (files: number) => void): Promise<Result<Scan, ScanFailure>> {
  const root = await openRoot(options);
  if (!root.ok) return root;
  const walk = new Walk(options, root.value, onProgress);
  await walk.run([{ path: '', rules: walk.filter.rootRules }], token);
  return ok(walk.result());
}

/** What became of paths that a watcher named. */
export interface Inspection {
  readonly files: readonly ScannedFile[];
  /** Paths that are not there, or are not to be indexed any more; a path may be that of a former folder. */
  readonly gone: readonly WorkspacePath[];
  /** Of the named paths those that are folders: `files` has all that is in them. */
  readonly folders: readonly WorkspacePath[];
  readonly problems: readonly FileProblem[];
}

/** Looks at the named paths (files or folders) under the rules of an earlier scan. A changed ignore file needs a new scan instead (`changesRules`). */
export async function inspectPaths(
  options: ScanOptions,
  filter: PathFilter,
  paths: readonly WorkspacePath[],
  token: CancellationToken,
): Promise<Result<Inspection, ScanFailure>> {
  const root = await openRoot(options);
  if (!root.ok) return root;
  const walk = new Walk(options, { ...root.value, filter }, undefined);
  const gone: WorkspacePath[] = [];
  const folders: WorkspacePath[] = [];
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    throwIfCancelled(token);
    await Promise.all(paths.slice(at, at + FILES_AT_ONCE).map(path => walk.visit(path, gone, folders, token)));
  }
  const { files, problems } = walk.result();
  return ok({ files, problems, folders, gone: gone.sort(byCodePoint) });
}

/** True for paths whose change alters which files are indexed. */
export function changesRules(path: WorkspacePath): boolean {
  return isIgnoreFileName(path.slice(path.lastIndexOf('/') + 1));
}

interface OpenRoot {
  readonly realRoot: string;
  readonly filter: PathFilter;
  readonly problems: readonly FileProblem[];
}

async function openRoot(options: ScanOptions): Promise<Result<OpenRoot, ScanFailure>> {
  const { root, host } = options;
  const problems: FileProblem[] = [];
  try {
    const stat = await host.stat(root);
    if (stat.kind !== 'directory') return err({ code: 'ROOT_NOT_A_FOLDER', message: `${root} is not a folder. Open its parent folder instead.` });
    const realRoot = await host.realPath(root);
    const report = (problem: FileProblem): void => void problems.push(problem);
    const rules = await readGitRules(options, report);
    await host.list(root);
    return ok({ realRoot, filter: new PathFilter(options, rules, report), problems });
  } catch (error) {
    if (isMissing(error)) return err({ code: 'ROOT_MISSING', message: `${root} does not exist.` });
    return err({ code: 'ROOT_UNREADABLE', message: `${root} cannot be read (${faultCode(error)}). Check its permissions.` });
  }
}

interface Folder {
  readonly path: WorkspacePath;
  readonly rules: FolderRules;
}

/** One walk and what it found so far. */
class Walk {
  readonly filter: PathFilter;
  readonly #files: ScannedFile[] = [];
  readonly #problems: FileProblem[];
  readonly #skipped = { ignored: 0, builtIn: 0, excluded: 0, secret: 0, link: 0, special: 0 };
  readonly #realRoot: string;
  #paused: Promise<void> = Promise.resolve();

  constructor(
    private readonly options: ScanOptions,
    root: OpenRoot,
    private readonly onProgress: ((files: number) => void) | undefined,
  ) {
    this.filter = root.filter;
    this.#realRoot = root.realRoot;
    this.#problems = [...root.problems];
  }

  async run(folders: readonly Folder[], token: CancellationToken): Promise<void> {
    let frontier = folders;
    while (frontier.length > 0) {
      const next: Folder[] = [];
      for (let at = 0; at < frontier.length; at += FOLDERS_AT_ONCE) {
        throwIfCancelled(token);
        const found = await Promise.all(frontier.slice(at, at + FOLDERS_AT_ONCE).map(folder => this.#enter(folder, token)));
        for (const folders of found) next.push(...folders);
        this.onProgress?.(this.#files.length);
      }
      frontier = next;
    }
  }

  async visit(path: WorkspacePath, gone: WorkspacePath[], folders: WorkspacePath[], token: CancellationToken): Promise<void> {
    const absolute = absoluteOf(this.options.root, path);
    let stat: FileStat;
    try {
      stat = await this.options.host.stat(absolute);
      if (await this.#isBehindLink(path, absolute)) return void gone.push(path);
    } catch (error) {
      if (isMissing(error)) return void gone.push(path);
      this.#report('FILE_UNREADABLE', path, error);
      return;
    }
    const isFolder = stat.kind === 'directory';
    if (this.filter.ignores(path, isFolder)) return void gone.push(path);
    if (isFolder) {
      folders.push(path);
      await this.run([{ path, rules: this.filter.rulesOf(path) }], token);
    } else if (stat.kind === 'file') this.#add(path, stat);
  }

  result(): Scan {
    const files = this.#files.sort((a, b) => byCodePoint(a.path, b.path));
    const unique = files.filter((file, at) => file.path !== files[at - 1]?.path);
    const problems = this.#problems.sort((a, b) => byCodePoint(a.path, b.path) || byCodePoint(a.code, b.code));
    return { files: unique, problems, skipped: { ...this.#skipped }, filter: this.filter };
  }

  /** Real path differs from the plain one below the root: some segment is a link. */
  async #isBehindLink(path: WorkspacePath, absolute: string): Promise<boolean> {
    const real = await this.options.host.realPath(absolute);
    const expected = absoluteOf(this.#realRoot, path);
    return this.options.caseInsensitive ? real.toLowerCase() !== expected.toLowerCase() : real !== expected;
  }

  async #enter(folder: Folder, token: CancellationToken): Promise<readonly Folder[]> {
    const { host, root } = this.options;
    let entries: readonly HostEntry[];
    try {
      entries = await host.list(absoluteOf(root, folder.path));
    } catch (error) {
      if (folder.path !== '') this.filter.forget(folder.path);
      this.#report(isMissing(error) ? 'FILE_VANISHED' : 'FOLDER_UNREADABLE', folder.path, error);
      return [];
    }
    const name = folder.path.slice(folder.path.lastIndexOf('/') + 1);
    if (folder.path !== '' && isSkippedByContent(name, entries) && !this.filter.admitsByPattern(folder.path)) {
      this.filter.skip(folder.path);
      this.#skipped.builtIn++;
      return [];
    }
    const rules = await this.filter.enter(folder.path, folder.rules, entries, problem => this.#problems.push(problem));
    if (rules === undefined) {
      this.#skipped.builtIn++;
      return [];
    }
    return this.#sort(folder.path, rules, entries, token);
  }

  /** Sorts the entries of a folder into files, folders still to enter and what is left out. */
  async #sort(path: WorkspacePath, rules: FolderRules, entries: readonly HostEntry[], token: CancellationToken): Promise<readonly Folder[]> {
    const folders: Folder[] = [];
    const files: WorkspacePath[] = [];
    const links: WorkspacePath[] = [];
    let seen = 0;
    for (const entry of entries) {
      if (++seen % ENTRIES_PER_TURN === 0) await this.#pause();
      const child = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.name.includes('\\') || entry.name.includes('::')) {
        this.#problems.push({ code: 'NAME_UNUSABLE', path: child, message: `${child} was skipped, because its name contains \`\\\` or \`::\`.` });
      } else if (this.#isOut(child, entry, rules, entries) || (await this.#isIgnored(child, entry, rules))) continue;
      else if (entry.kind === 'directory') folders.push({ path: child, rules });
      else if (entry.kind === 'file' && entry.stat !== undefined) this.#add(child, entry.stat);
      else if (entry.kind === 'file') files.push(child);
      else if (entry.kind === 'link') links.push(child);
      else this.#skipped.special++;
    }
    for (let at = 0; at < files.length; at += FILES_AT_ONCE) {
      throwIfCancelled(token);
      await Promise.all(files.slice(at, at + FILES_AT_ONCE).map(file => this.#statAndAdd(file)));
    }
    for (const link of links) await this.#judgeLink(link);
    return folders;
  }

  /** Folders are sorted beside each other: one of them goes on in each turn of the event loop. */
  #pause(): Promise<void> {
    this.#paused = this.#paused.then(() => othersTurn());
    return this.#paused;
  }

  #isOut(path: WorkspacePath, entry: HostEntry, rules: FolderRules, siblings: readonly HostEntry[]): boolean {
    const isFolder = entry.kind === 'directory';
    if (!isFolder && isSecretName(entry.name)) {
      this.#skipped.secret++;
      return true;
    }
    const custom = this.filter.byPattern(path, isFolder);
    if (custom === 'out') {
      this.#skipped.excluded++;
      return true;
    }
    if (custom !== 'in' && isFolder && isSkippedFolder(entry.name, siblings, rules.tracked !== undefined)) {
      this.filter.skip(path);
      this.#skipped.builtIn++;
      return true;
    }
    return false;
  }

  async #isIgnored(path: WorkspacePath, entry: HostEntry, rules: FolderRules): Promise<boolean> {
    const isFolder = entry.kind === 'directory';
    if (!this.filter.byGit(path, isFolder, rules) || this.filter.byPattern(path, isFolder) === 'in') return false;
    if (await this.filter.tracks(path, rules)) return false;
    this.#skipped.ignored++;
    return true;
  }

  async #statAndAdd(path: WorkspacePath): Promise<void> {
    try {
      const stat = await this.options.host.stat(absoluteOf(this.options.root, path));
      if (stat.kind === 'file') this.#add(path, stat);
    } catch (error) {
      this.#report(isMissing(error) ? 'FILE_VANISHED' : 'FILE_UNREADABLE', path, error);
    }
  }

  #add(path: WorkspacePath, stat: FileStat): void {
    const { language, isBinary, isTest, isGenerated, isMinified } = classify(path);
    const tooLarge = stat.sizeBytes > this.options.maxFileSizeKb * 1024;
    this.#files.push({
      path,
      absolutePath: absoluteOf(this.options.root, path),
      sizeBytes: stat.sizeBytes,
      mtimeMs: stat.mtimeMs,
      inode: stat.inode,
      language,
      content: isBinary ? 'binary' : tooLarge ? 'tooLarge' : 'read',
      isTest,
      isGenerated,
      isMinified,
    });
  }

  async #judgeLink(path: WorkspacePath): Promise<void> {
    this.#skipped.link++;
    const { host, root, caseInsensitive } = this.options;
    const fold = (text: string): string => `${(caseInsensitive ? text.toLowerCase() : text).replaceAll('\\', '/').replace(/\/+$/, '')}/`;
    try {
      const target = fold(await host.realPath(absoluteOf(root, path)));
      const home = fold(this.#realRoot);
      const here = fold(absoluteOf(this.#realRoot, path.slice(0, Math.max(0, path.lastIndexOf('/')))));
      if (here.startsWith(target)) this.#link('LINK_CYCLE', path, 'is circular');
      else if (!target.startsWith(home)) this.#link('LINK_LEAVES_ROOT', path, 'points outside the folder');
    } catch (error) {
      if (faultCode(error) === 'ELOOP') this.#link('LINK_CYCLE', path, 'is circular');
      else this.#link('LINK_DANGLING', path, 'is broken');
    }
  }

  #link(code: 'LINK_CYCLE' | 'LINK_LEAVES_ROOT' | 'LINK_DANGLING', path: WorkspacePath, why: string): void {
    this.#problems.push({ code, path, message: `The link ${path} ${why} and was not followed.` });
  }

  #report(code: FileProblem['code'], path: WorkspacePath, error: unknown): void {
    if (code === 'FILE_VANISHED' && path.includes(UNREADABLE_CHARACTER)) {
      this.#problems.push({ code: 'NAME_UNUSABLE', path, message: `${path} was skipped, because its name is not valid UTF-8.` });
      return;
    }
    const what = code === 'FILE_VANISHED' ? 'was deleted while it was being read' : `cannot be read (${faultCode(error)})`;
    this.#problems.push({ code, path, message: `${path === '' ? 'The folder' : path} ${what}.` });
  }
}
