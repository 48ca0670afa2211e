import type { PathTest } from '../../base/globs';
import { basename, dirname, type WorkspacePath } from '../../base/path';
import { lengthFault, shownPattern } from '../../base/patternCost';
import { isSecretName } from './classify';
import { findGit } from './git';
import { excludeGlob } from './glob';
import { absoluteOf, decodeText, type FileHost, type FileProblem, faultCode, type HostEntry, isMissing } from './host';
import { IgnoreRules } from './ignoreRules';
import { isAlwaysSkipped } from './skips';
import { TrackedFiles } from './trackedFiles';

/** Git's rules in one folder. `above` is where the opened root lies below the folder the rules are relative to, `strip` how much of a workspace path they do not see. */
export interface FolderRules {
  readonly ignore: IgnoreRules;
  readonly above: string;
  readonly strip: number;
  /** Inside a git repository whose rules are respected: what it tracks. */
  readonly tracked: Pick<TrackedFiles, 'has'> | undefined;
}

export interface FilterOptions {
  readonly root: string;
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
  readonly respectGitignore: boolean;
  /** Git tracks every file there is (the tree of a commit), so its ignore rules say nothing about any. */
  readonly isAllTracked?: boolean;
  readonly ignorePatterns: readonly string[];
  readonly excludeGlobs: readonly string[];
}

type Report = (problem: FileProblem) => void;

const IGNORE_FILE = '.gitignore';
const MAX_IGNORE_FILE_BYTES = 1 << 20;

export function isIgnoreFileName(name: string): boolean {
  return name === IGNORE_FILE;
}

/**
 * Says which paths are out, with the rules that the scan read. Fresh only as of that scan: a changed ignore file asks for a new one.
 * Precedence: secrets are always out; then the user's patterns and the editor's globs; then built-in skips; then git's rules,
 * which say nothing of files that git tracks.
 */
export class PathFilter {
  readonly #patterns: IgnoreRules;
  readonly #globs: readonly PathTest[];
  readonly #folders = new Map<WorkspacePath, FolderRules>();
  readonly #skipped = new Set<WorkspacePath>();
  /** Paths that git's rules would leave out and git tracks, as the scan met them. */
  readonly #tracked = new Set<WorkspacePath>();
  readonly #commonDir: string | undefined;
  readonly rootRules: FolderRules;

  constructor(
    private readonly options: FilterOptions,
    git: GitRules,
    report: Report,
  ) {
    const leftOut = reportPattern('', report);
    this.#patterns = IgnoreRules.empty(options.caseInsensitive).with('', options.ignorePatterns.join('\n'), leftOut);
    this.#globs = options.excludeGlobs.flatMap(glob => {
      const fault = lengthFault(glob);
      if (fault === undefined) return [excludeGlob(glob, options.caseInsensitive)];
      leftOut(`The pattern ${shownPattern(glob)} ${fault} and is ignored.`);
      return [];
    });
    this.#commonDir = git.commonDir;
    this.rootRules = git.rules;
  }

  /** True when the path, or a folder above it, is not to be indexed. */
  ignores(path: WorkspacePath, isFolder: boolean): boolean {
    const segments = path.split('/');
    let rules = this.#folders.get('') ?? this.rootRules;
    let at = '';
    for (const [i, name] of segments.entries()) {
      at = at === '' ? name : `${at}/${name}`;
      const folder = i < segments.length - 1 || isFolder;
      if (this.#isOut(at, folder, rules)) return true;
      rules = this.#folders.get(at) ?? rules;
    }
    return false;
  }

  /** Rules of the nearest folder above `path` that a scan has entered. */
  rulesOf(path: WorkspacePath): FolderRules {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const rules = this.#folders.get(folder);
      if (rules !== undefined) return rules;
      if (folder === '') return this.rootRules;
    }
  }

  byPattern(path: WorkspacePath, isFolder: boolean): 'in' | 'out' | 'none' {
    const asked = isFolder ? `${path}/` : path;
    if (this.#patterns.ignores(asked) || this.#globs.some(glob => glob.test(path))) return 'out';
    return this.#patterns.admits(asked) ? 'in' : 'none';
  }

  admitsByPattern(path: WorkspacePath): boolean {
    return this.byPattern(path, true) === 'in';
  }

  byGit(path: WorkspacePath, isFolder: boolean, rules: FolderRules): boolean {
    if (path.length <= rules.strip) return false;
    const local = rules.above === '' ? path.slice(rules.strip) : `${rules.above}/${path}`;
    return rules.ignore.ignores(isFolder ? `${local}/` : local);
  }

  /** Whether git tracks a path (or something below it) that its rules leave out; such a path is in from then on. */
  async tracks(path: WorkspacePath, rules: FolderRules): Promise<boolean> {
    if (rules.tracked === undefined || !(await rules.tracked.has(path))) return false;
    this.#tracked.add(path);
    return true;
  }

  skip(folder: WorkspacePath): void {
    this.#skipped.add(folder);
  }

  forget(folder: WorkspacePath): void {
    this.#folders.delete(folder);
  }

  /** Reads the rules a folder adds. `undefined` when the folder is another checkout of the same repository, which is not walked twice. */
  async enter(folder: WorkspacePath, inherited: FolderRules, entries: readonly HostEntry[], report: Report): Promise<FolderRules | undefined> {
    this.#skipped.delete(folder);
    let rules = inherited;
    if (this.options.respectGitignore && this.options.isAllTracked !== true) {
      if (folder !== '' && entries.some(entry => entry.name === '.git')) {
        const nested = await this.#nestedRepository(folder, report);
        if (nested === undefined) {
          this.skip(folder);
          return undefined;
        }
        rules = nested;
      }
      if (entries.some(entry => entry.name === IGNORE_FILE && entry.kind === 'file')) rules = await this.#withFile(folder, rules, report);
    }
    this.#folders.set(folder, rules);
    return rules;
  }

  #isOut(path: WorkspacePath, isFolder: boolean, rules: FolderRules): boolean {
    const name = basename(path);
    if (!isFolder && isSecretName(name)) return true;
    const custom = this.byPattern(path, isFolder);
    if (custom !== 'none') return custom === 'out';
    if (isFolder && (isAlwaysSkipped(name) || this.#skipped.has(path))) return true;
    return !this.#tracked.has(path) && this.byGit(path, isFolder, rules);
  }

  async #nestedRepository(folder: WorkspacePath, report: Report): Promise<FolderRules | undefined> {
    const { host, root, caseInsensitive } = this.options;
    const place = await findGit(absoluteOf(root, folder), host);
    if (place === undefined) return this.rulesOf(folder);
    if (place.commonDir === this.#commonDir) return undefined;
    const text = await readIgnoreFile(host, `${place.commonDir}/info/exclude`, folder, report);
    const strip = folder.length + 1;
    const tracked = new TrackedFiles(place, { host, caseInsensitive, strip, above: '' });
    return { ignore: IgnoreRules.empty(caseInsensitive).with('', text, reportPattern(folder, report)), above: '', strip, tracked };
  }

  async #withFile(folder: WorkspacePath, rules: FolderRules, report: Report): Promise<FolderRules> {
    const path = folder === '' ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`;
    const text = await readIgnoreFile(this.options.host, absoluteOf(this.options.root, path), path, report);
    const at = [rules.above, folder.slice(rules.strip)].filter(part => part !== '').join('/');
    return { ...rules, ignore: rules.ignore.with(at, text, reportPattern(path, report)) };
  }
}

export interface GitRules {
  readonly rules: FolderRules;
  readonly commonDir: string | undefined;
}

/**
 * Rules that hold at the opened root: `info/exclude` and the ignore files between the top of the checkout and the root.
 * A root that those rules ignore was opened on purpose; they are then left aside.
 */
export async function readGitRules(options: FilterOptions, report: Report): Promise<GitRules> {
  const { host, root, caseInsensitive } = options;
  const none: FolderRules = { ignore: IgnoreRules.empty(caseInsensitive), above: '', strip: 0, tracked: undefined };
  if (!options.respectGitignore) return { rules: none, commonDir: undefined };
  if (options.isAllTracked === true) return { rules: { ...none, tracked: { has: async () => true } }, commonDir: undefined };
  const place = await findGit(root, host);
  if (place === undefined) return { rules: none, commonDir: undefined };
  const { commonDir } = place;
  const exclude = await readIgnoreFile(host, `${commonDir}/info/exclude`, '.git/info/exclude', report);
  let ignore = IgnoreRules.empty(caseInsensitive).with('', exclude, reportPattern('.git/info/exclude', report));
  const above = place.folderInCheckout;
  const tracked = new TrackedFiles(place, { host, caseInsensitive, strip: 0, above });
  const repositoryOnly: FolderRules = { ignore, above: '', strip: 0, tracked };
  const parents = above === '' ? [] : above.split('/').map((_, at, all) => all.slice(0, at).join('/'));
  for (const folder of parents) {
    const text = await readIgnoreFile(host, absoluteOf(place.checkoutRoot, folder === '' ? IGNORE_FILE : `${folder}/${IGNORE_FILE}`), '', report);
    ignore = ignore.with(folder, text, reportPattern('', report));
  }
  const isRootIgnored = above !== '' && ignore.ignores(`${above}/`);
  return { commonDir, rules: isRootIgnored ? repositoryOnly : { ignore, above, strip: 0, tracked } };
}

function reportPattern(path: WorkspacePath, report: Report): (message: string) => void {
  return message => report({ code: 'BAD_PATTERN', path, message });
}

async function readIgnoreFile(host: FileHost, absolute: string, path: WorkspacePath, report: Report): Promise<string> {
  try {
    return decodeText(await host.read(absolute, MAX_IGNORE_FILE_BYTES));
  } catch (error) {
    if (!isMissing(error)) {
      report({
        code: 'IGNORE_FILE_UNREADABLE',
        path,
        message: `The ignore file ${path || absolute} cannot be read (${faultCode(error)}); its rules do not apply.`,
      });
    }
    return '';
  }
}
