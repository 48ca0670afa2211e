/** Imports from one service to another. */
import { extname, isWithin, type WorkspacePath } from '../../base/path';
import type { Steps } from '../../base/steps';
import type { CodeReader } from '../codeReader';
import type { Folders } from '../discovery/folders';
import { MANIFESTS } from '../files/manifests';
import type { Service } from '../model';

export type Import = ReturnType<CodeReader['imports']> extends Iterable<infer One> ? One : never;

/** Folders whose code is everybody's: an import from there is no call. */
const SHARED: ReadonlySet<string> = new Set(['shared', 'common', 'utils', 'lib', 'helpers']);
/** Imports looked at between two steps. */
const IMPORTS_PER_STEP = 256;

const IMPORTED_BY_NAME: ReadonlySet<string> = new Set(Object.values(MANIFESTS).flatMap(({ importsByName }) => importsByName ?? []));

export interface ImportSources {
  readonly services: readonly Service[];
  readonly serviceOf: (path: WorkspacePath) => string;
  readonly folders: Pick<Folders, 'has' | 'hasFile'>;
}

/** Imports that lead from the code of one service to that of another, in steps: a large workspace has hundreds of thousands of others. */
export function* importsBetween(imports: Iterable<Import>, sources: ImportSources): Steps<readonly Import[]> {
  const { serviceOf } = sources;
  const found: Import[] = [];
  let seen = 0;
  for (const one of imports) {
    if (++seen % IMPORTS_PER_STEP === 0) yield undefined;
    const [from, to] = [serviceOf(one.source), serviceOf(one.target)];
    if (from === '' || to === '' || from === to) continue;
    const folders = one.target.split('/').slice(0, -1);
    if (!folders.some(folder => SHARED.has(folder)) && !isOwnName(one, from, to, sources)) found.push(one);
  }
  return found;
}

/** Whether an import means a name that both services have below their roots: where modules are found by name, none imports that of the other. */
function isOwnName({ source, target }: Import, from: string, to: string, { folders, services }: ImportSources): boolean {
  const extension = extname(source);
  if (!IMPORTED_BY_NAME.has(extension)) return false;
  const rootsOf = (name: string): readonly WorkspacePath[] => services.find(service => service.name === name)?.paths ?? [];
  const root = rootsOf(to).find(path => path !== '' && path !== target && isWithin(target, path));
  if (root === undefined) return false;
  const [first = ''] = target.slice(root.length + 1).split('/');
  return rootsOf(from).some(own => own !== '' && (first.endsWith(extension) ? folders.hasFile(`${own}/${first}`) : folders.has(`${own}/${first}`)));
}
