/** Names in languages with rules: lexical scopes, members of the types around, packages, what the language itself says. */
import { NONE } from '../../../model/facts';
import type { FileState } from '../fileState';
import type { PackageEntry } from '../packageIndex';
import { NOTHING, VALUE } from '../values';
import { AS_TYPE, type Evaluator, type Mode } from './evaluator';
import { findMember, hasOpenBase, type MemberHit, memberValues } from './members';
import { entryValues, outsideName, packageEntries } from './packages';

/** What a bare name means: a binding row of the file, members of a type around (with the receiver they are seen on), or entries of packages. */
export type FoundName =
  | { readonly kind: 'binding'; readonly row: number }
  | { readonly kind: 'members'; readonly hits: readonly MemberHit[]; readonly receiver: number }
  | { readonly kind: 'entries'; readonly entries: readonly PackageEntry[] }
  | { readonly kind: 'package'; readonly package: number };

/** Looks a name up from a scope outwards. `isOpen` of the answer: a type around has bases outside the project, which may have the name. */
export function findName(ev: Evaluator, file: FileState, from: number, name: number): { readonly found: FoundName | undefined; readonly isOpen: boolean } {
  const { scopes } = file.facts;
  const { rules } = file;
  let isOpen = false;
  if (rules === undefined) return { found: undefined, isOpen };
  let packageSeen = -1;
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    const receiver = rules.implicitReceiver ? typeAround(ev, file, scope) : -1;
    if (receiver >= 0) {
      const hits = findMember(ev, ev.values.a(receiver), name);
      if (hits.length > 0) return { found: { kind: 'members', hits, receiver }, isOpen };
      isOpen ||= hasOpenBase(ev, ev.values.a(receiver));
    }
    const row = file.firstBinding(scope, name);
    if (row !== NONE && (file.facts.bindings.symbol[row] ?? NONE) === NONE) return { found: { kind: 'binding', row }, isOpen };
    const own = ev.packages.packageOf(file, scope);
    const isEdge = own >= 0 && own !== packageSeen && file.isPackageScope(scope);
    if (isEdge) {
      packageSeen = own;
      const entries = packageEntries(ev, own, name);
      if (entries.length > 0) return { found: { kind: 'entries', entries }, isOpen };
    }
    if (row !== NONE) return { found: { kind: 'binding', row }, isOpen };
  }
  ev.dependencies.consult(ev.dependencies.unit(file.id, name));
  const visible = ev.hooks(file)?.visible?.(ev, file, from, name) ?? [];
  if (visible.length > 0) return { found: { kind: 'entries', entries: visible }, isOpen };
  return { found: undefined, isOpen };
}

/** Instance of the type whose body a scope is, or whose member (declared outside) the scope's function is; -1 for others. */
function typeAround(ev: Evaluator, file: FileState, scope: number): number {
  const { scopes, symbols, functions } = file.facts;
  const { values } = ev;
  if (file.isClassScope(scope)) {
    const owner = scopes.symbol[scope] ?? NONE;
    return owner === NONE ? -1 : values.value(VALUE.instance, ev.canonical(file, owner), 1);
  }
  const functionRow = scopes.function[scope] ?? NONE;
  const symbol = functionRow === NONE ? NONE : (functions.symbol[functionRow] ?? NONE);
  const receiver = symbol === NONE ? NONE : (symbols.receiver[symbol] ?? NONE);
  if (receiver === NONE || scopes.symbol[scope] !== symbol) return -1;
  return values.members(ev.typeOf(file, receiver)).find(value => values.kindOf(value) === VALUE.instance) ?? -1;
}

/** What a bare name is. */
export function namedValue(ev: Evaluator, file: FileState, scope: number, name: number, mode: Mode): number {
  const { found, isOpen } = findName(ev, file, scope, name);
  if (found !== undefined) {
    const set = foundValue(ev, file, found, mode);
    if (set !== NOTHING) return set;
  }
  const outer = ev.hooks(file)?.outer?.(ev, file, scope, name, mode) ?? NOTHING;
  if (outer !== NOTHING) return outer;
  return outsideName(ev, file, ev.project.names.text(name), mode, isOpen);
}

export function foundValue(ev: Evaluator, file: FileState, found: FoundName, mode: Mode): number {
  switch (found.kind) {
    case 'binding':
      return ev.binding(file, found.row, mode);
    case 'members':
      return mode === AS_TYPE
        ? found.hits.reduce((set, hit) => ev.values.union(set, hit.file.isContainer(hit.row) ? ev.symbol(hit.file, hit.row, AS_TYPE) : NOTHING), NOTHING)
        : memberValues(ev, found.hits, found.receiver);
    case 'entries':
      return entryValues(ev, found.entries, mode);
    default:
      return ev.values.single(ev.values.value(VALUE.package, found.package));
  }
}
