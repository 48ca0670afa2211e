import { basename, dirname, extname, type WorkspacePath } from '../../../base/path';
import { headOf, type StableId } from '../../../model/ids';
import { languageOfExtension, traitsOf } from '../../../model/languages';

/** `pay` of `src/pay.ts`, `test/pay.test.ts`, `test_pay.py`, `PayTest.java`. */
export function stemOf(path: WorkspacePath): string {
  const name = basename(path).replace(/\.[^.]+$/, '');
  const bare = name
    .replace(/[._-](?:test|tests|spec|cy|e2e|unit|integration)(?=$|[._-])/gi, '')
    .replace(/^test_/, '')
    .replace(/(?<=.)(?:Tests?|IT|Spec)$/, '');
  return bare.toLowerCase();
}

/** The file that a test is called after: of those with its stem the one that shares most folders; none when two do. */
export function namesakeOf(test: WorkspacePath, candidates: readonly WorkspacePath[]): WorkspacePath | undefined {
  const ranked = candidates.map(path => ({ path, near: nearness(test, path) })).sort((a, b) => b.near - a.near || (a.path < b.path ? -1 : 1));
  return ranked[0] !== undefined && ranked[0].near !== ranked[1]?.near ? ranked[0].path : undefined;
}

const TEST_FOLDERS: ReadonlySet<string> = new Set(['test', 'tests', '__tests__', 'src', 'spec', 'unit', 'integration', 'main', 'lib']);

function nearness(a: WorkspacePath, b: WorkspacePath): number {
  const folders = (path: WorkspacePath): string[] =>
    dirname(path)
      .split('/')
      .filter(name => !TEST_FOLDERS.has(name));
  const others = new Set(folders(b));
  return folders(a).filter(name => others.has(name)).length * 100 - others.size;
}

/** Whether the name of a file says that it holds tests, in whatever language. */
export function isCalledAsTest(path: WorkspacePath): boolean {
  const name = basename(path).replace(/\.[^.]+$/, '');
  return /(?:^|[._-])(?:tests?|spec|cy|e2e)(?=$|[._-])|(?<=.)(?:Tests?|IT|Specs?)$/.test(name);
}

/** A benchmark, or something in one, by its ID: runners of tests run those only when asked. */
export function isBenchmark(id: StableId): boolean {
  const path = headOf(id);
  const names = traitsOf(languageOfExtension(extname(path))).testFiles;
  return names?.benchmark?.test(id.slice(path.length + 2)) === true && names.name.test(basename(path));
}
