import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { relativeTo, type WorkspacePath } from '../../../base/path';
import type { Clock } from '../../../base/ports';
import { absoluteOf, decodeText, type FileHost, type FileStat, type HostEntry, isMissing } from '../../../code/files/host';
import type { CoverageFile, CoveragePort } from '../../../workspace/coverage';
import { coverageDatabase, type DatabaseRows } from './coverageDatabase';
import { v8Report } from './v8Coverage';

export interface CoverageFilesOptions {
  readonly root: string;
  readonly host: Pick<FileHost, 'list' | 'read' | 'realPath' | 'stat'>;
  readonly caseInsensitive: boolean;
  readonly clock: Clock;
  /** Further reports, by path from the root. */
  readonly paths: () => readonly string[];
  /** Reads an SQLite database. Throws when it is none. */
  readonly openDatabase: (content: Uint8Array) => Promise<DatabaseRows & { close(): void }>;
}

/** Where c8 has V8 write. */
const V8_FOLDER: WorkspacePath = 'coverage/tmp';
/** Where coverage tools write by default, or as their manuals tell people to. */
const PLACES: readonly WorkspacePath[] = [
  '.coverage',
  'coverage.json',
  'coverage.xml',
  'coverage.lcov',
  'lcov.info',
  'coverage/lcov.info',
  'coverage/coverage-final.json',
  'coverage/cobertura-coverage.xml',
  V8_FOLDER,
  'coverage.out',
  'cover.out',
  'target/site/jacoco/jacoco.xml',
  'build/reports/jacoco/test/jacocoTestReport.xml',
];
/** Folders of a repository that hold no projects with reports of their own. */
const NO_PROJECTS = new Set(['node_modules', 'vendor', 'src', 'lib', 'test', 'tests', 'docs', 'dist', 'out', 'build', 'target', 'coverage']);
/** Projects of a repository are in its folders (`core`) and those in them (`packages/core`). */
const PROJECT_DEPTH = 2;
const MAX_FOLDERS = 400;
/** A larger report is left out, and said to be. */
const MAX_BYTES = 16 << 20;
/** Files of one folder, one for each process that V8 wrote about. */
const MAX_PROCESSES = 200;
const SQLITE = 'SQLite format 3\0';

function isV8Folder(path: WorkspacePath): boolean {
  return path === V8_FOLDER || path.endsWith(`/${V8_FOLDER}`);
}

/** Reads coverage reports of the workspace; links that lead out of it are refused. */
export function coverageFiles(options: CoverageFilesOptions): CoveragePort {
  const { caseInsensitive, clock, host, root } = options;
  const known = new Map<WorkspacePath, { readonly size: number; readonly file: CoverageFile }>();
  const inside = (real: string): boolean => relativeTo(root, real, caseInsensitive) !== undefined;
  /** Source of a file of the workspace, by whatever path a report has for it. */
  const sourceOf = async (written: string): Promise<string | undefined> => {
    try {
      const real = await host.realPath(isAbsolute(written) ? written : absoluteOf(root, written));
      return inside(real) && !real.includes('node_modules') ? decodeText(await host.read(real, MAX_BYTES)) : undefined;
    } catch {
      return undefined;
    }
  };
  const textOf = async (content: Uint8Array): Promise<string> => {
    if (decodeText(content.subarray(0, SQLITE.length)) !== SQLITE) return decodeText(content);
    const database = await options.openDatabase(content);
    try {
      return await coverageDatabase(database, sourceOf);
    } finally {
      database.close();
    }
  };
  /** Files of a report: its own, or those in its folder, with their whole size and the time of the newest. */
  const partsOf = async (real: string, stat: FileStat): Promise<{ readonly parts: readonly string[]; readonly size: number; readonly modifiedAt: number }> => {
    if (stat.kind !== 'directory') return { parts: [real], size: stat.sizeBytes, modifiedAt: stat.mtimeMs };
    const names = (await host.list(real)).filter(({ kind, name }) => kind === 'file' && name.endsWith('.json')).map(({ name }) => name);
    const parts = names
      .sort()
      .slice(0, MAX_PROCESSES)
      .map(name => absoluteOf(real, name));
    const stats = await Promise.all(parts.map(part => host.stat(part)));
    return { parts, size: stats.reduce((sum, each) => sum + each.sizeBytes, 0), modifiedAt: Math.max(0, ...stats.map(each => each.mtimeMs)) };
  };
  const readOne = async (path: WorkspacePath): Promise<CoverageFile | string | undefined> => {
    try {
      const real = await host.realPath(absoluteOf(root, path));
      if (!inside(real)) return `${path} is a link to a path outside the workspace.`;
      const stat = await host.stat(real);
      const { modifiedAt, parts, size } = await partsOf(real, stat);
      if (parts.length === 0) return isV8Folder(path) ? undefined : `${path} cannot be read: it is a folder without V8 coverage.`;
      if (size > MAX_BYTES) return `${path} is larger than ${MAX_BYTES >> 20} MB.`;
      const before = known.get(path);
      if (before?.file.modifiedAt === modifiedAt && before.size === size) return before.file;
      const contents = await Promise.all(parts.map(part => host.read(part, MAX_BYTES)));
      const text =
        stat.kind === 'directory'
          ? await v8Report(contents.map(decodeText), url => sourceOf(fileURLToPath(url)))
          : await textOf(contents[0] ?? new Uint8Array());
      if (text === undefined) return `${path} is not a coverage report in a known format.`;
      const file = { path, text, modifiedAt };
      known.set(path, { size, file });
      return file;
    } catch (error) {
      return isMissing(error) ? undefined : `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  /** Places in the projects of a repository, as far as the folder that a place begins with is there. */
  const placesInProjects = async (): Promise<readonly WorkspacePath[]> => {
    const places: WorkspacePath[] = [];
    let level: readonly WorkspacePath[] = [''];
    let left = MAX_FOLDERS;
    for (let depth = 0; depth <= PROJECT_DEPTH && level.length > 0; depth++) {
      const listed = await Promise.all(level.slice(0, left).map(async folder => ({ folder, entries: await entriesOf(folder) })));
      left -= listed.length;
      const next: WorkspacePath[] = [];
      for (const { entries, folder } of listed) {
        const prefix = folder === '' ? '' : `${folder}/`;
        const names = new Set(entries.map(({ name }) => name));
        if (folder !== '') places.push(...PLACES.filter(place => names.has(place.split('/', 1)[0] ?? place)).map(place => `${prefix}${place}`));
        next.push(
          ...entries.filter(({ kind, name }) => kind === 'directory' && !name.startsWith('.') && !NO_PROJECTS.has(name)).map(({ name }) => prefix + name),
        );
      }
      level = next.sort();
    }
    return places;
  };
  const entriesOf = (folder: WorkspacePath): Promise<readonly HostEntry[]> => host.list(folder === '' ? root : absoluteOf(root, folder)).catch(() => []);
  return {
    async reports() {
      const places = new Set([
        ...PLACES,
        ...(await placesInProjects()),
        ...options.paths().map(path => path.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/+$/, '')),
      ]);
      const read = await Promise.all([...places].map(readOne));
      const files = read.filter(each => typeof each === 'object').sort((a, b) => b.modifiedAt - a.modifiedAt);
      return { files, problems: read.filter(each => typeof each === 'string') };
    },
    async modifiedAt(path) {
      try {
        return (await host.stat(absoluteOf(root, path))).mtimeMs;
      } catch {
        return undefined;
      }
    },
    now: () => clock.now(),
  };
}
