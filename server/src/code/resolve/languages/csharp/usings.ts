/** What `using` directives open: of the file itself, and the global ones of its project. */
import { IMPORT_KINDS } from '../../../../model/facts';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { packageEntries, pathValue } from '../../evaluate/packages';
import type { FileState } from '../../fileState';
import type { Manifests } from '../../modules/manifests';
import type { PackageEntry } from '../../packageIndex';
import { NOTHING, VALUE } from '../../values';

const STAR = IMPORT_KINDS.indexOf('star');

/** Namespaces and types opened for a file, in the order they are asked. */
export function openedIn(ev: Evaluator, file: FileState): readonly string[] {
  const { imports } = file.facts;
  const out: string[] = [];
  for (let row = 0; row < imports.count; row++) if (imports.kind[row] === STAR) out.push(file.text(imports.specifier[row] ?? 0));
  ev.dependencies.consult(ev.dependencies.bearers(ev.packages.globalsOf(file)));
  const home = projectFolder(ev.modules.manifests, file.path);
  for (const other of ev.packages.globalImports(file)) {
    if (other.file === file || projectFolder(ev.modules.manifests, other.file.path) !== home) continue;
    const specifier = other.file.text(other.file.facts.imports.specifier[other.row] ?? 0);
    if (other.file.facts.imports.kind[other.row] === STAR && !out.includes(specifier)) out.push(specifier);
  }
  return out;
}

const FOLDERS = new WeakMap<Manifests, ReadonlySet<string>>();

/** Folder of the nearest `.csproj` above a file, '' when there is none. */
export function projectFolder(manifests: Manifests, path: string): string {
  let folders = FOLDERS.get(manifests);
  if (folders === undefined) {
    folders = new Set([...manifests.texts.keys()].filter(name => name.endsWith('.csproj')).map(folderOf));
    FOLDERS.set(manifests, folders);
  }
  for (let folder = folderOf(path); folder !== ''; folder = folderOf(folder)) if (folders.has(folder)) return folder;
  return '';
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

/** Namespaces around a scope, innermost first, without that of the scope itself: those of the namespace's own name, and the global one. */
export function enclosingNamespaces(ev: Evaluator, file: FileState, scope: number): readonly string[] {
  const { scopes } = file.facts;
  let at = scope;
  while (at > 0 && (scopes.package[at] ?? 0) === 0) at = scopes.parent[at] ?? 0;
  const own = file.text(scopes.package[Math.max(0, at)] ?? 0);
  const out: string[] = [];
  for (let end = own.lastIndexOf('.'); end > 0; end = own.lastIndexOf('.', end - 1)) out.push(own.slice(0, end));
  if (own !== '') out.push('');
  void ev;
  return out;
}

/** Declarations that a name reaches through the namespaces around and those opened. */
export function visibleEntries(ev: Evaluator, file: FileState, scope: number, name: number): readonly PackageEntry[] {
  for (const namespace of enclosingNamespaces(ev, file, scope)) {
    const entries = packageEntries(ev, ev.packages.named(file, namespace), name);
    if (entries.length > 0) return entries;
  }
  const out: PackageEntry[] = [];
  for (const namespace of openedIn(ev, file)) {
    for (const around of ['', ...relativeTo(file)]) {
      const entries = packageEntries(ev, ev.packages.named(file, `${around}${namespace}`), name);
      if (entries.length === 0) continue;
      out.push(...entries);
      break;
    }
  }
  return out;
}

/** A `using` inside a namespace may leave out the names around it. */
function relativeTo(file: FileState): readonly string[] {
  const own = file.text(file.facts.scopes.package[0] ?? 0);
  const out: string[] = [];
  for (let end = own.length; end > 0; end = own.lastIndexOf('.', end - 1)) out.push(`${own.slice(0, end)}.`);
  return out;
}

/** Static members of opened types. */
export function openedMember(ev: Evaluator, file: FileState, name: number, mode: Mode): number {
  const { values } = ev;
  for (const specifier of openedIn(ev, file)) {
    if (ev.packages.has(ev.packages.named(file, specifier))) continue;
    const owners = values.members(pathValue(ev, file, specifier, AS_VALUE)).filter(value => values.kindOf(value) === VALUE.class);
    if (owners.length === 0) continue;
    const found = ev.memberOf(values.setOf(owners), name, mode);
    if (values.members(found).some(value => values.kindOf(value) !== VALUE.external)) return found;
  }
  return NOTHING;
}
