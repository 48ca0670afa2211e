/** Where `#include` leads, and which files a file sees through its includes. */
import { dirname, join } from '../../../../base/path';
import { IMPORT_KINDS, type ImportRow, importRow, NO_TEXT } from '../../../../model/facts';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import type { Manifests } from '../../modules/manifests';
import type { FileNumber } from '../../numbers';

const QUOTED = IMPORT_KINDS.indexOf('require');
const ANGLED = IMPORT_KINDS.indexOf('sideEffect');

/** Headers of the standard libraries: never files of a project, whatever these are called. */
const STANDARD =
  /^(?:algorithm|any|array|atomic|bit|bitset|charconv|chrono|codecvt|compare|complex|concepts|condition_variable|coroutine|deque|exception|execution|expected|filesystem|format|forward_list|fstream|functional|future|initializer_list|iomanip|ios|iosfwd|iostream|istream|iterator|limits|list|locale|map|memory|memory_resource|mutex|new|numbers|numeric|optional|ostream|print|queue|random|ranges|ratio|regex|scoped_allocator|semaphore|set|shared_mutex|source_location|span|sstream|stack|stdexcept|stop_token|streambuf|string|string_view|system_error|thread|tuple|type_traits|typeindex|typeinfo|unordered_map|unordered_set|utility|valarray|variant|vector|version|c(?:assert|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stddef|stdint|stdio|stdlib|string|time|uchar|wchar|wctype)|(?:assert|ctype|errno|fenv|float|inttypes|limits|locale|math|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|time|unistd|fcntl|wchar|wctype|dirent|pthread|netdb|poll|sched|semaphore|termios|dlfcn|getopt|windows|winsock2|ws2tcpip|io|direct|process|malloc|alloca|libgen|fnmatch|glob|pwd|grp|syslog|utime|stdatomic|stdalign|complex|tgmath|threads|uchar)\.h|(?:sys|arpa|netinet|linux|mach|asm)\/.*)$/;

/** What a file includes: files of the project, and whether something that may be one was not found. */
export interface Included {
  readonly files: readonly FileState[];
  readonly isMissing: boolean;
}

/** Path that an include row leads to, `external` or `missing`; undefined for rows that are no includes. */
export function includeTarget(ev: Evaluator, file: FileState, row: ImportRow): string | undefined {
  const { imports } = file.facts;
  const kind = imports.kind[row];
  if (kind !== QUOTED && kind !== ANGLED) return undefined;
  const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
  const found = find(ev, file.path, specifier, kind === QUOTED);
  if (found !== undefined) return found;
  return kind === QUOTED && !specifier.includes('/') && !STANDARD.test(specifier) ? 'missing' : 'external';
}

function find(ev: Evaluator, from: string, specifier: string, isQuoted: boolean): string | undefined {
  const { paths } = ev.modules;
  const beside = isQuoted ? join(dirname(from), specifier) : undefined;
  if (beside !== undefined && paths.has(beside)) return beside;
  for (const folder of includeFolders(ev.modules.manifests)) {
    const path = join(folder, specifier);
    if (path !== undefined && paths.has(path)) return path;
  }
  if (!isQuoted && STANDARD.test(specifier)) return undefined;
  const plain = specifier.replace(/^(?:\.\.?\/)+/, '');
  const ending = paths.ending(plain);
  return ending.length < 2 ? ending[0] : nearest(ending, from);
}

/** Of several files that end alike: the one that shares most folders with the including file, then in an `include` folder, then the shortest. */
function nearest(paths: readonly string[], from: string): string | undefined {
  const rank = (path: string): number => sharedFolders(path, from) * 10_000 + (/(?:^|\/)include\//.test(path) ? 5000 : 0) - path.length;
  let best: string | undefined;
  for (const path of paths) if (best === undefined || rank(path) > rank(best)) best = path;
  return best;
}

function sharedFolders(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  let count = 0;
  while (count < a.length - 1 && a[count] === b[count]) count++;
  return count;
}

const FOLDERS = new WeakMap<Manifests, readonly string[]>();

/** `-I` of `compile_commands.json`, those below the folder that holds it, in order. */
function includeFolders(manifests: Manifests): readonly string[] {
  const known = FOLDERS.get(manifests);
  if (known !== undefined) return known;
  const folders = new Set<string>();
  for (const [path, text] of manifests.texts)
    if (path.endsWith('compile_commands.json')) for (const folder of foldersOf(dirname(path), text)) folders.add(folder);
  const found = [...folders];
  FOLDERS.set(manifests, found);
  return found;
}

const FLAG = /(?:^|[\s"])-(?:I|isystem|iquote)\s*(?:",\s*")?(?:\\")?(?<folder>[^\s"\\]+)/g;

/** Folders are written absolute or relative to `directory`; what `directory` shares with them leads to the folder of the file. */
function foldersOf(base: string, text: string): string[] {
  const directory = /"directory"\s*:\s*"(?<at>[^"]*)"/.exec(text)?.groups?.['at'] ?? '';
  const found: string[] = [];
  for (const match of text.matchAll(FLAG)) {
    const folder = match.groups?.['folder'] ?? '';
    if (!folder.startsWith('/') && !/^[A-Za-z]:/.test(folder)) {
      const joined = join(base, folder);
      if (joined !== undefined) found.push(joined);
      continue;
    }
    const root = commonRoot(directory, folder);
    if (root !== undefined)
      found.push(join(base === '' ? '' : base.replace(/(?:^|\/)(?:build|out|cmake-build[^/]*)$/, ''), folder.slice(root.length + 1)) ?? '');
  }
  return found;
}

/** The project's root as two absolute paths show it: what they share, above a build folder. */
function commonRoot(directory: string, folder: string): string | undefined {
  const root = directory.replace(/\/(?:build|out|cmake-build)[^/]*(?:\/.*)?$/, '');
  return root !== '' && (folder === root || folder.startsWith(`${root}/`)) ? root : undefined;
}

interface Reach {
  readonly files: ReadonlySet<number>;
  readonly order: readonly FileState[];
  readonly isMissing: boolean;
}

/** Files that a file sees through its includes, itself left out. */
export function reachOf(ev: Evaluator, file: FileState): Reach {
  const unit = ev.dependencies.unit(file.id, ev.nameOf('*includes'));
  ev.dependencies.consult(unit);
  const kept = ev.kept(REACH) as Map<number, Reach>;
  const known = kept.get(file.id);
  if (known !== undefined) return known;
  const { dependencies } = ev;
  const before = dependencies.current;
  dependencies.current = unit;
  const files = new Set<FileNumber>();
  const order: FileState[] = [];
  let isMissing = false;
  const queue: FileState[] = [file];
  for (let at = 0; at < queue.length; at++) {
    const current = queue[at];
    if (current === undefined) break;
    const direct = includesOf(ev, current);
    isMissing ||= direct.isMissing;
    for (const next of direct.files) {
      if (next === file || files.has(next.id)) continue;
      files.add(next.id);
      order.push(next);
      queue.push(next);
    }
  }
  dependencies.current = before;
  const reach = { files, order, isMissing };
  kept.set(file.id, reach);
  return reach;
}

const REACH = Symbol('reach');
const DIRECT = Symbol('direct includes');

function includesOf(ev: Evaluator, file: FileState): Included {
  const unit = ev.dependencies.unit(file.id, ev.nameOf('*included'));
  ev.dependencies.consult(unit);
  const kept = ev.kept(DIRECT) as Map<number, Included>;
  const known = kept.get(file.id);
  if (known !== undefined) return known;
  const { dependencies } = ev;
  const before = dependencies.current;
  dependencies.current = unit;
  dependencies.consult(dependencies.unit(file.id, ev.known.stars));
  const files: FileState[] = [];
  let isMissing = false;
  for (let row = importRow(0); row < file.facts.imports.count; row++) {
    const target = includeTarget(ev, file, row);
    if (target === undefined || target === 'external') continue;
    const state = target === 'missing' ? undefined : ev.project.fileAt(target);
    if (state === undefined) isMissing = true;
    else if (state.family === file.family) files.push(state);
  }
  dependencies.current = before;
  const included = { files, isMissing };
  kept.set(file.id, included);
  return included;
}
