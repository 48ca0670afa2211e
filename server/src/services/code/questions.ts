/** Small questions about terms, scopes and values. */
import type { CallTerm, DigestClass, DigestFunction, Term } from '../../model/digest';
import { languageRow } from '../../model/languages';
import { type FileUnit, moduleName, nameOf, type Scope } from './units';
import type { Value } from './values';

export function sharedFolders(left: string, right: string): number {
  const a = left.split('/');
  const b = right.split('/');
  let count = 0;
  while (count < a.length - 1 && a[count] === b[count]) count++;
  return count;
}

/** Files of a folder are one package. */
export function isFolderPackage(file: FileUnit): boolean {
  return file.package !== '' && !file.package.includes('.') && languageRow(file.language).folderIsPackage === true;
}

/** Whether members are named without their object. */
export function hasImplicitSelf(file: FileUnit): boolean {
  return languageRow(file.language).implicitSelf === true;
}

export function isSelf(fn: DigestFunction): boolean {
  const [first] = fn.ps;
  return first?.v === 'self' || first?.v === 'cls' || (first?.d ?? []).some(term => nameOf(term) === 'this');
}

export function isBlock(term: Term): boolean {
  return term !== 0 && term.k === 'f' && term.fn.v === '*block';
}

export function selfScope(scope: Scope): Scope | undefined {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.up) if (at.cls !== undefined) return at;
  return undefined;
}

export function bound(value: Value, c: DigestClass, scope: Scope): Value {
  return value.k === 'function' ? { ...value, self: { k: 'instance', c, scope } } : value;
}

/** Path of something outside: `from` and the name in it, joined with dots; a module as a whole is called as it is. */
export function outsidePath(from: string, name: string): string {
  const module = from.replace(/^node:/, '').replaceAll('::', '.');
  if (name === '*' || name === 'default' || name === '') return module;
  return module === '' ? name : `${module}.${name}`;
}

export function matchesSpecifier(path: string, from: string): boolean {
  const name =
    from
      .replace(/\/$/, '')
      .split('/')
      .at(-1)
      ?.replace(/\.(?:[cm]?[jt]s|json)$/, '') ?? '';
  return name === '' || name === '.' || name === '..' || moduleName(path) === name || path.includes(`/${name}`) || path.startsWith(name);
}

export function readsEnvironment(fn: DigestFunction): boolean {
  return /[Gg]etenv|LookupEnv|environ|"env"/.test(JSON.stringify(fn.b));
}

export function holeName(term: Term): string {
  if (term === 0) return 'value';
  if (term.k === 'n' || term.k === 'm') return term.v === '*' ? 'value' : term.v;
  if (term.k === 'call')
    return term.a.length === 1
      ? holeName(term.a[0] ?? 0)
      : term.f !== 0 && term.f.k === 'm' && term.f.of !== 0
        ? holeName(term.f.of)
        : nameOf(term.f) || 'value';
  return 'value';
}

export function sameValue(left: Value, right: Value): boolean {
  return left === right || (left.k === 'router' && right.k === 'router' && left.router === right.router);
}

export function distinct(values: readonly Value[]): Value[] {
  const out: Value[] = [];
  for (const value of values) {
    const isKnown = out.some(
      other =>
        sameValue(other, value) ||
        (other.k === 'outside' && value.k === 'outside' && other.path === value.path) ||
        (other.k === 'function' && value.k === 'function' && other.fn === value.fn) ||
        (other.k === 'text' &&
          value.k === 'text' &&
          other.via?.p === value.via?.p &&
          other.via?.file === value.via?.file &&
          JSON.stringify(other.of) === JSON.stringify(value.of)),
    );
    if (!isKnown) out.push(value);
  }
  return out;
}

/** What is called, without type arguments. */
export function calleeOf(call: CallTerm): Term {
  return call.f !== 0 && call.f.k === '<' ? call.f.of : call.f;
}
