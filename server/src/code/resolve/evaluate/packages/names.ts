/** Names in languages with packages: lexical scopes, members of the types around, packages, what the language itself says. */
import { type BindingRow, NONE, type ScopeRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import type { LanguageTraits } from '../../languages/languageTraits';
import type { NameNumber, PackageNumber } from '../../numbers';
import type { PackageEntry } from '../../packages/packageEntries';
import { NO_VALUE, NOTHING, SELF, VALUE, type Value, type ValueSet } from '../../values';
import { AS_TYPE, AS_VALUE, type Evaluator, type MemberHit, type Mode } from '../evaluator';
import { findMembers, hasOpenBase, isMethodHit, memberValues } from '../members';
import { entriesValue, globalEntries } from './globals';
import { entryValues, outsideName, packageEntries } from './packages';

/** What a bare name means: a binding row of the file, members of a type around (with the receiver they are seen on), or entries of packages. */
export type FoundName =
  | { readonly kind: 'binding'; readonly row: BindingRow }
  | { readonly kind: 'members'; readonly hits: readonly MemberHit[]; readonly receiver: Value }
  /** `isVisible`: seen through wildcard imports and the like, not as members of the package around. */
  | { readonly kind: 'entries'; readonly entries: readonly PackageEntry[]; readonly isVisible: boolean }
  | { readonly kind: 'package'; readonly package: PackageNumber }
  /** A method and something else of the same name (`separateMembers`). */
  | { readonly kind: 'both'; readonly parts: readonly FoundName[] }
  /** A member of an implicit receiver that is no type of the project. */
  | { readonly kind: 'set'; readonly set: ValueSet };

/** Looks a name up from a scope outwards. `isOpen` of the answer: a type around has bases outside the project, which may have the name. */
export function findName(
  ev: Evaluator,
  file: FileState,
  from: ScopeRow,
  name: NameNumber,
  mode: Mode = AS_VALUE,
): { readonly found: FoundName | undefined; readonly isOpen: boolean } {
  const { rules } = file;
  const { scopes } = file.facts;
  const search = new NameSearch(ev, file, name, rules, mode);
  for (let scope = from; scope !== NONE; scope = scopes.parent[scope] ?? NONE) {
    const found = search.at(scope);
    if (found !== undefined) return { found, isOpen: search.isOpen };
  }
  return { found: search.afterAll(from), isOpen: search.isOpen };
}

/** One look-up, scope by scope outwards. */
class NameSearch {
  isOpen = false;
  #packageSeen = -1;
  /** Members of one sort found further in: the other sort is still looked for. */
  #first: Extract<FoundName, { kind: 'members' }> | undefined;

  constructor(
    private readonly ev: Evaluator,
    private readonly file: FileState,
    private readonly name: NameNumber,
    private readonly rules: LanguageTraits,
    private readonly mode: Mode,
  ) {}

  at(scope: ScopeRow): FoundName | undefined {
    const { file } = this;
    const inType = this.rules.implicitReceiver ? this.#inType(scope) : undefined;
    if (inType !== undefined) return inType;
    const first = file.firstBinding(scope, this.name);
    const row = this.mode === AS_TYPE && this.#isOtherMember(scope, first) ? NONE : first;
    const given = row === NONE ? this.#inReceivers(scope) : undefined;
    if (given !== undefined) return given;
    if (row !== NONE && (file.facts.bindings.symbol[row] ?? NONE) === NONE) return this.#bound(row);
    if (this.#first !== undefined) return undefined;
    return this.#inPackage(scope) ?? (row === NONE ? undefined : { kind: 'binding', row });
  }

  /** True for a member of a type that is no type. */
  #isOtherMember(scope: ScopeRow, row: BindingRow): boolean {
    const { file } = this;
    const symbol = row === NONE || !this.rules.implicitReceiver || !file.isClassScope(scope) ? NONE : (file.facts.bindings.symbol[row] ?? NONE);
    return symbol !== NONE && !file.isContainer(symbol);
  }

  /** What is left when no scope has the name. */
  afterAll(from: ScopeRow): FoundName | undefined {
    const { ev, file, name } = this;
    if (this.#first !== undefined) return this.#first;
    ev.dependencies.consult(ev.dependencies.unit(file.id, name));
    const visible = ev.hooks(file).visible?.(ev, file, from, name) ?? [];
    return visible.length > 0 ? { kind: 'entries', entries: nearest(ev, file, visible), isVisible: true } : undefined;
  }

  #inType(scope: ScopeRow): FoundName | undefined {
    const { ev } = this;
    const receiver = typeAround(ev, this.file, scope);
    if (receiver < 0) return undefined;
    const all = findMembers(ev, ev.values.node(receiver), this.name, this.rules, this.mode);
    // Where a type is asked for, members of other kinds hide none.
    const hits = this.mode === AS_TYPE ? all.filter(hit => hit.file.isContainer(hit.row)) : all;
    const found = hits.length === 0 ? undefined : this.#membersOf(hits, receiver);
    if (found === undefined) this.isOpen ||= hasOpenBase(ev, ev.values.node(receiver));
    return found;
  }

  #membersOf(hits: readonly MemberHit[], receiver: Value): FoundName | undefined {
    const here: Extract<FoundName, { kind: 'members' }> = { kind: 'members', hits, receiver };
    if (this.rules.separateMembers !== true || this.mode === AS_TYPE) return here;
    const first = this.#first;
    const other = first === undefined ? hits : hits.filter(hit => isMethodHit(hit) !== isMethodHit(first.hits[0]));
    if (first !== undefined && other.length > 0) return { kind: 'both', parts: [first, { kind: 'members', hits: other, receiver }] };
    this.#first ??= here;
    return hits.some(isMethodHit) && !hits.every(isMethodHit) ? this.#first : undefined;
  }

  #inReceivers(scope: ScopeRow): FoundName | undefined {
    const { ev } = this;
    const given = this.mode === AS_VALUE && this.#first === undefined ? (this.ev.hooks(this.file).receivers?.(ev, this.file, scope) ?? NOTHING) : NOTHING;
    if (given === NOTHING) return undefined;
    const found = memberOfReceivers(ev, given, this.name, this.rules);
    if (found === undefined)
      this.isOpen ||= ev.values.members(given).some(value => OUTSIDE.has(ev.values.kindOf(value)) || hasOpenBase(ev, ev.values.node(value)));
    return found;
  }

  #bound(row: BindingRow): FoundName {
    const first = this.#first;
    const binding: FoundName = { kind: 'binding', row };
    if (first === undefined) return binding;
    const isOther = isMethodHit(first.hits[0]) || (this.file.facts.bindings.import[row] ?? NONE) !== NONE;
    return isOther ? { kind: 'both', parts: [first, binding] } : first;
  }

  #inPackage(scope: ScopeRow): FoundName | undefined {
    const { ev, file } = this;
    const own = ev.packages.packageOf(file, scope);
    if (own < 0 || own === this.#packageSeen || !file.isPackageScope(scope)) return undefined;
    this.#packageSeen = own;
    const all = packageEntries(ev, own, this.name);
    const entries = ev.hooks(file).select?.(ev, file, all) ?? all;
    return entries.length > 0 ? { kind: 'entries', entries: nearest(ev, file, entries), isVisible: false } : undefined;
  }
}

const OUTSIDE: ReadonlySet<number> = new Set([VALUE.external, VALUE.unknown, VALUE.builtin]);

/** What the receivers that a scope implies have under a name. */
function memberOfReceivers(ev: Evaluator, receivers: ValueSet, name: NameNumber, rules: LanguageTraits): FoundName | undefined {
  const { values } = ev;
  for (const receiver of values.members(receivers)) {
    const kind = values.kindOf(receiver);
    if (kind === VALUE.instance || kind === VALUE.class) {
      const hits = findMembers(ev, values.node(receiver), name, rules, AS_VALUE);
      if (hits.length > 0) return { kind: 'members', hits, receiver };
    } else if (kind === VALUE.builtin) {
      const set = ev.memberOf(values.single(receiver), name, AS_VALUE);
      if (set !== NOTHING && values.members(set).every(value => values.kindOf(value) !== VALUE.external && values.kindOf(value) !== VALUE.unknown))
        return { kind: 'set', set };
    }
  }
  return undefined;
}

/** Of several declarations of one name, those that the language prefers from here. */
function nearest(ev: Evaluator, file: FileState, entries: readonly PackageEntry[]): readonly PackageEntry[] {
  return entries.length < 2 ? entries : (ev.hooks(file).nearest?.(ev, file, entries) ?? entries);
}

/** Instance of the type whose body a scope is, or whose member (declared outside) the scope's function is; -1 for others. */
function typeAround(ev: Evaluator, file: FileState, scope: ScopeRow): Value {
  const { scopes, symbols, functions } = file.facts;
  const { values } = ev;
  if (file.isClassScope(scope)) {
    const owner = scopes.symbol[scope] ?? NONE;
    return owner === NONE ? NO_VALUE : values.instance(ev.canonical(file, owner), SELF);
  }
  const functionRow = scopes.function[scope] ?? NONE;
  const symbol = functionRow === NONE ? NONE : (functions.symbol[functionRow] ?? NONE);
  const receiver = symbol === NONE ? NONE : (symbols.receiver[symbol] ?? NONE);
  if (receiver === NONE || scopes.symbol[scope] !== symbol || ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.static) !== 0) return NO_VALUE;
  return values.members(ev.typeOf(file, receiver)).find(value => values.kindOf(value) === VALUE.instance) ?? NO_VALUE;
}

/** What a bare name is. */
export function namedValue(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const { found, isOpen } = findName(ev, file, scope, name, mode);
  if (found !== undefined) {
    const set = foundValue(ev, file, found, mode);
    if (set !== NOTHING) return set;
  }
  return unboundValue(ev, file, scope, name, mode, isOpen);
}

/** A name that neither scopes nor packages have. */
export function unboundValue(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber, mode: Mode, isOpen: boolean): ValueSet {
  const outer = ev.hooks(file).outer?.(ev, file, scope, name, mode) ?? NOTHING;
  if (outer !== NOTHING) return outer;
  const shared = file.isModular ? entriesValue(ev, globalEntries(ev, file, scope, name), mode) : NOTHING;
  return shared === NOTHING ? outsideName(ev, file, ev.project.names.text(name), mode, isOpen) : shared;
}

export function foundValue(ev: Evaluator, file: FileState, found: FoundName, mode: Mode): ValueSet {
  switch (found.kind) {
    case 'binding':
      return ev.binding(file, found.row, mode);
    case 'members':
      return mode === AS_TYPE
        ? found.hits.reduce((set, hit) => ev.values.union(set, ev.symbol(hit.file, hit.row, AS_TYPE)), NOTHING)
        : memberValues(ev, found.hits, found.receiver);
    case 'entries':
      return entryValues(ev, found.entries, mode);
    case 'set':
      return mode === AS_TYPE ? NOTHING : found.set;
    case 'both':
      return found.parts.reduce((set, part) => ev.values.union(set, foundValue(ev, file, part, mode)), NOTHING);
    default:
      return ev.values.single(ev.values.packageOf(found.package));
  }
}
