import { NO_TEXT, NONE, operatorCode, type SymbolRow } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import type { LanguageTraits } from '../languages/languageTraits';
import type { NameNumber } from '../numbers';
import { NO_ARGUMENTS, NOTHING, SELF, SET_EXTERNAL, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../values';

import { builtinResult } from './builtinCalls';
import { assignedInHierarchy, assignedMember, assignedToBases, literalAsBuiltin, OBJECT_METHODS } from './containers';
import { inheritedAccessor, isField } from './declared/accessors';
import { AS_TYPE, AS_VALUE, type Evaluator, type MemberHit, type Mode } from './evaluator';
import { classSubstitution, constraintOf, environmentOf, outsideSubstitution, rebindSelf, substitute } from './generics';
import { moduleValue } from './imports';
import { declarationsOf, literalType } from './operands';
import { addedMember, outsideNamespaceMember } from './packages/globals';
import { declarationsAcross, outsideMembers, outsideMembersOfValue } from './packages/openTypes';
import { packageMember } from './packages/packages';

/** What property `name` of one alternative is. */
export function memberOfValue(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  switch (values.kindOf(value)) {
    case VALUE.instance:
      return instanceMember(ev, value, name);
    case VALUE.class:
      return classMember(ev, value, name, mode);
    case VALUE.super:
      return superMember(ev, value, name);
    case VALUE.module:
      return moduleMember(ev, value, name, mode);
    case VALUE.folder: {
      const found = ev.modules.inFolder(ev.project.names.text(values.name(value)), ev.project.names.text(values.member(value)), ev.project.names.text(name));
      return found === undefined ? SET_UNKNOWN : moduleValue(ev, found);
    }
    case VALUE.namespace:
      return namespaceMember(ev, value, name, mode);
    case VALUE.object:
      return objectMember(ev, value, name, mode);
    case VALUE.objectType:
      return objectTypeMember(ev, value, name);
    case VALUE.builtin:
    case VALUE.builtinClass:
      return builtinMember(ev, value, name, mode);
    case VALUE.typeParameter:
      return boundMember(ev, value, name, mode);
    case VALUE.function:
      return functionMember(ev, value, name);
    case VALUE.lambda:
    case VALUE.functionType:
      return calledThrough(ev, value, name);
    case VALUE.external: {
      const owner = ev.project.names.text(values.name(value));
      const extensions = values.name(value) === 0 ? [] : outsideMembersOfValue(ev, value, name).filter(({ file }) => ev.hooks(file).accepts !== undefined);
      if (extensions.length > 0)
        return memberValues(
          ev,
          extensions.map(({ file, row }) => ({ file, row, owner: NO_NODE, args: NO_ARGUMENTS })),
          value,
        );
      const added = addedMember(ev, value, name, mode);
      if (added !== NOTHING) return added;
      return values.name(value) === 0 ? SET_EXTERNAL : values.single(values.external(ev.nameOf(`${owner}.${ev.project.names.text(name)}`)));
    }
    case VALUE.package:
      return packageMember(ev, value, name, mode, separatorOf(ev, value));
    case VALUE.weak:
      return values.single(value);
    case VALUE.builtinMethod:
      return SET_EXTERNAL;
    default:
      return SET_UNKNOWN;
  }
}

/** First declarations of a member in the hierarchy of a class, skipping `skip` classes; overloads come together. */
export function findMember(
  ev: Evaluator,
  node: NodeHandle,
  name: NameNumber,
  skip = 0,
  accept: (file: FileState, row: SymbolRow) => boolean = () => true,
): MemberHit[] {
  const links = ev.hierarchy(node);
  for (let index = skip; index < links.length; index++) {
    const link = links[index];
    if (link === undefined) continue;
    const file = ev.project.ownerOf(link.node);
    if (file === undefined) continue;
    const hits: MemberHit[] = [];
    for (const { file: at, row: declaration } of declarationsAcross(ev, file, ev.project.rowOf(link.node))) {
      ev.consultMember(at, declaration, name);
      for (const row of at.membersNamed(declaration, name)) {
        if (accept(at, row) && !isNamedConstructor(at, row)) hits.push({ file: at, row, owner: link.node, args: link.args });
      }
      if (hits.length === 0 && at.rules.opensEnums === true)
        for (const row of enumeratorsNamed(at, declaration, name)) if (accept(at, row)) hits.push({ file: at, row, owner: link.node, args: link.args });
    }
    if (!file.isModular)
      for (const { file: at, row } of outsideMembers(ev, link.node, name)) if (accept(at, row)) hits.push({ file: at, row, owner: link.node, args: link.args });
    if (hits.length > 0) return file.rules.openObjects === true && hits.every(isField) ? (inheritedAccessor(ev, links, index + 1, name, hits) ?? hits) : hits;
  }
  return [];
}

/** A constructor that bears the name of its type is no member that a name could mean. */
function isNamedConstructor(file: FileState, row: SymbolRow): boolean {
  const { symbols } = file.facts;
  return file.rules.constructorName === '' && symbols.kind[row] === symbolKindCode.constructor;
}

/** Enumerators that are bound in the type around their enumeration. */
function enumeratorsNamed(file: FileState, container: SymbolRow, name: NameNumber): SymbolRow[] {
  const { symbols, bindings } = file.facts;
  const scope = symbols.scope[container] ?? NONE;
  const found: SymbolRow[] = [];
  for (let row = scope === NONE ? NONE : file.firstBinding(scope, name); row !== NONE; row = file.nextBinding(row)) {
    const symbol = bindings.symbol[row] ?? NONE;
    if (symbol !== NONE && symbols.kind[symbol] === symbolKindCode.enum_member) found.push(symbol);
  }
  return found;
}

/** Members of a type by name, of either sort where methods and fields have names of their own; for a type: types alone. */
export function findMembers(ev: Evaluator, node: NodeHandle, name: NameNumber, rules: LanguageTraits, mode: Mode, skip = 0): MemberHit[] {
  if (rules.separateMembers !== true) return findMember(ev, node, name, skip);
  if (mode === AS_TYPE) return findMember(ev, node, name, skip, (file, row) => file.isContainer(row));
  const nearest = findMember(ev, node, name, skip);
  if (nearest.length === 0) return nearest;
  const isMethod = isMethodHit(nearest[0]);
  if (nearest.some(hit => isMethodHit(hit) !== isMethod)) return nearest;
  return [...nearest, ...findMember(ev, node, name, skip, (file, row) => isMethodHit({ file, row }) !== isMethod)];
}

/** True for methods and functions, false for what is read without a call. */
export function isMethodHit(hit: { readonly file: FileState; readonly row: SymbolRow } | undefined): boolean {
  if (hit === undefined) return false;
  const { symbols } = hit.file.facts;
  return (symbols.function[hit.row] ?? NONE) !== NONE && ((symbols.modifiers[hit.row] ?? 0) & (MODIFIERS.getter | MODIFIERS.setter | MODIFIERS.property)) === 0;
}

/** True when some base of the class is outside the project or unknown. */
export function hasOpenBase(ev: Evaluator, node: NodeHandle): boolean {
  return ev.hierarchy(node)[0]?.open === true;
}

function instanceMember(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  const node = values.node(value);
  const owner = ev.project.ownerOf(node);
  if (owner === undefined) return SET_UNKNOWN;
  const { rules } = owner;
  if (rules.openObjects !== true) return typedMember(ev, value, owner, name, AS_VALUE);
  const isFunction = isFunctionSymbol(owner, ev.project.rowOf(node));
  const accept = (file: FileState, row: SymbolRow): boolean => {
    if (isFunction && file === owner && !isAssignedMember(file, row)) return false;
    // What an object has under the name of its constructor is its class.
    if (rules.classUnderConstructor === true && file.facts.symbols.kind[row] === symbolKindCode.constructor) return false;
    return rules.apartStatics !== true || ((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.static) === 0;
  };
  const hits = findMember(ev, node, name, 0, accept);
  if (hits.length > 0) return hitValues(ev, hits, value);
  const assigned = assignedInHierarchy(ev, owner, value, name);
  if (assigned !== NOTHING) return assigned;
  if (owner.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.enum)
    return ev.project.names.text(name) === 'name' ? ev.builtin(literalType(owner, 'string')) : SET_EXTERNAL;
  const given = ev.hooks(owner).member?.(ev, value, name, AS_VALUE) ?? NOTHING;
  if (given !== NOTHING) return given;
  return hasOpenBase(ev, node) ? SET_EXTERNAL : NOTHING;
}

function isFunctionSymbol(file: FileState, row: SymbolRow): boolean {
  return file.facts.symbols.kind[row] === symbolKindCode.function;
}

/** Symbols inside a function symbol are members only when they were assigned to it; the others are nested functions. */
function isAssignedMember(file: FileState, row: SymbolRow): boolean {
  return file.assignmentsTo(row).length > 0;
}

/** Accepts methods of classes or of instances, and whatever is no method. */
function isOfSort(isOfClass: boolean): (file: FileState, row: SymbolRow) => boolean {
  return (file, row) => !isMethodHit({ file, row }) || (((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.static) !== 0) === isOfClass;
}

/** Member of a project type where types say what there is; static and instance members of one name are told apart where both are there. */
function typedMember(ev: Evaluator, value: Value, file: FileState, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const node = values.node(value);
  const isClass = values.kindOf(value) === VALUE.class;
  const ofSort = mode === AS_VALUE && file.rules.apartStatics === true ? findMember(ev, node, name, 0, isOfSort(isClass)) : [];
  const all = ofSort.length > 0 ? ofSort : findMembers(ev, node, name, file.rules, mode);
  if (all.length > 0) {
    if (mode === AS_TYPE)
      return all.reduce((set, hit) => values.union(set, hit.file.isContainer(hit.row) ? ev.symbol(hit.file, hit.row, AS_TYPE) : NOTHING), NOTHING);
    const alike = all.filter(hit => (((hit.file.facts.symbols.modifiers[hit.row] ?? 0) & MODIFIERS.static) !== 0) === isClass);
    return memberValues(ev, alike.length > 0 ? alike : all, value);
  }
  const other = ev.hooks(file).member?.(ev, value, name, mode) ?? NOTHING;
  if (other !== NOTHING) return other;
  const assigned = mode === AS_TYPE ? NOTHING : assignedInHierarchy(ev, file, value, name);
  if (assigned !== NOTHING) return assigned;
  return hasOpenBase(ev, node) ? SET_EXTERNAL : NOTHING;
}

/** Values of members of a type: all fields and properties, and of overloads the first. */
export function memberValues(ev: Evaluator, hits: readonly MemberHit[], receiver: Value): ValueSet {
  const first = hits.find(hit => isMethodHit(hit) && !isOfOutsideBase(hit)) ?? hits.find(isMethodHit);
  return bindHits(
    ev,
    hits.filter(hit => hit === first || !isMethodHit(hit)),
    receiver,
  );
}

/** Declared outside the type for a base of it: the type's own member of that name comes first. */
function isOfOutsideBase(hit: MemberHit): boolean {
  const { symbols } = hit.file.facts;
  return (symbols.receiver[hit.row] ?? NONE) !== NONE && ((symbols.modifiers[hit.row] ?? 0) & MODIFIERS.override) !== 0;
}

/** Values of declarations found on a receiver: functions bound to it, fields with type arguments put in. */
function hitValues(ev: Evaluator, hits: readonly MemberHit[], receiver: Value): ValueSet {
  return bindHits(ev, chosen(hits), receiver);
}

function bindHits(ev: Evaluator, hits: readonly MemberHit[], receiver: Value): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const hit of hits) {
    const set = ev.symbol(hit.file, hit.row, AS_VALUE);
    const ownArgs = values.kindOf(receiver) === VALUE.instance || values.kindOf(receiver) === VALUE.class ? values.argsId(receiver) : NO_ARGUMENTS;
    let bound = NOTHING;
    for (const value of values.members(set)) {
      const isMethod = values.kindOf(value) === VALUE.function && values.node(value) === (hit.file.symbolNodes[hit.row] ?? NO_NODE);
      bound = values.union(bound, values.single(isMethod ? values.functionOf(values.node(value), receiver) : value));
    }
    bound = ev.hooks(hit.file).attribute?.(ev, hit, bound) ?? bound;
    bound = substitute(ev, bound, classSubstitution(ev, hit.owner, hit.args));
    bound = substitute(ev, bound, classSubstitution(ev, values.node(receiver), ownArgs));
    if ((hit.file.facts.symbols.receiver[hit.row] ?? NONE) !== NONE) bound = substitute(ev, bound, outsideSubstitution(ev, hit.file, hit.row, receiver));
    answer = values.union(answer, rebindSelf(ev, bound, receiver));
  }
  return answer;
}

/** Of overload signatures with a body among them: the body. Of getter and setter: the getter. Otherwise all for fields, the first for functions. */
function chosen(hits: readonly MemberHit[]): readonly MemberHit[] {
  if (hits.length === 1) return hits;
  const functions = hits.filter(
    hit => (hit.file.facts.symbols.function[hit.row] ?? NONE) !== NONE && ((hit.file.facts.symbols.modifiers[hit.row] ?? 0) & MODIFIERS.setter) === 0,
  );
  if (functions.length === 0) return hits;
  const getter = functions.find(hit => ((hit.file.facts.symbols.modifiers[hit.row] ?? 0) & (MODIFIERS.getter | MODIFIERS.property)) !== 0);
  const body = functions.filter(hit => hasBody(hit.file, hit.row));
  const pick = getter ?? (hits[0]?.file.rules.lastDefinitionCounts === true ? functions[functions.length - 1] : (body[0] ?? functions[0]));
  return pick === undefined ? hits : [pick];
}

function hasBody(file: FileState, row: SymbolRow): boolean {
  const functionRow = file.facts.symbols.function[row] ?? NONE;
  if (functionRow === NONE) return false;
  const { symbols } = file.facts;
  return (symbols.complexity[row] ?? 0) > 0 && ((symbols.modifiers[row] ?? 0) & (MODIFIERS.abstract | MODIFIERS.declared)) === 0;
}

function classMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return SET_UNKNOWN;
  const { rules } = file;
  if (rules.openObjects !== true) return typedMember(ev, value, file, name, mode);
  const reserved = ev.hooks(file).reserved?.(ev, value, name) ?? NOTHING;
  if (reserved !== NOTHING) return reserved;
  const accept = (owner: FileState, member: SymbolRow): boolean => {
    if (rules.apartStatics !== true) return true;
    const { symbols } = owner.facts;
    if (((symbols.modifiers[member] ?? 0) & MODIFIERS.static) !== 0 || symbols.kind[member] === symbolKindCode.enum_member) return true;
    const parent = symbols.parent[member] ?? NONE;
    if (symbols.kind[parent] === symbolKindCode.namespace || owner.isContainer(member)) return true;
    return isStaticAssignment(owner, member);
  };
  const hits = findMember(ev, node, name, 0, accept);
  if (hits.length > 0) {
    if (mode === AS_TYPE) return hits.reduce((set, hit) => values.union(set, ev.symbol(hit.file, hit.row, AS_TYPE)), NOTHING);
    return hitValues(ev, hits, value);
  }
  const assigned = assignedInHierarchy(ev, file, value, name);
  if (assigned !== NOTHING) return assigned;
  const given = ev.hooks(file).member?.(ev, value, name, mode) ?? NOTHING;
  if (given !== NOTHING) return given;
  if (file.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.enum) return SET_EXTERNAL;
  return hasOpenBase(ev, node) ? SET_EXTERNAL : NOTHING;
}

/** `Foo.bar = …` defines a static member; `Foo.prototype.bar = …` does not. */
function isStaticAssignment(file: FileState, member: SymbolRow): boolean {
  const { assignments, expressions } = file.facts;
  return file.assignmentsTo(member).some(row => {
    const target = assignments.target[row] ?? NONE;
    return file.text(expressions.text[target] ?? NO_TEXT) !== 'prototype' && !file.isThis(target);
  });
}

function superMember(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  const node = values.node(value);
  const isStatic = values.isStaticSuper(value);
  const receiver = isStatic ? values.classOf(node, SELF) : values.instance(node, SELF);
  const owner = ev.project.ownerOf(node);
  const rules = owner?.rules;
  if (rules === undefined) return NOTHING;
  const isApart = rules.openObjects !== true && rules.apartStatics === true;
  const ofSort = isApart ? findMember(ev, node, name, 1, isOfSort(isStatic)) : [];
  // What a class is extended with has methods of instances.
  const hits = ofSort.length > 0 || (isApart && !isStatic) ? ofSort : findMembers(ev, node, name, rules, AS_VALUE, 1);
  if (hits.length > 0) return rules.openObjects === true ? hitValues(ev, hits, receiver) : memberValues(ev, hits, receiver);
  const next = owner === undefined ? NOTHING : (ev.hooks(owner).superMember?.(ev, receiver, name) ?? NOTHING);
  if (next !== NOTHING) return next;
  const assigned = assignedToBases(ev, receiver, name);
  if (assigned !== NOTHING) return assigned;
  if (hasOpenBase(ev, node)) return SET_EXTERNAL;
  return rules.rootType === undefined ? NOTHING : ev.memberOf(ev.builtin(`${rules.family}.${rules.rootType}`), name, AS_VALUE);
}

function moduleMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const file = ev.project.file(ev.values.file(value));
  if (file === undefined) return SET_UNKNOWN;
  const exported = ev.exported(file, name, mode);
  if (exported !== NOTHING) return exported;
  const assigned = assignedMember(ev, file, value, name);
  if (assigned !== NOTHING) return assigned;
  return ev.hooks(file).member?.(ev, value, name, mode) ?? NOTHING;
}

function namespaceMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const node = ev.values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return SET_UNKNOWN;
  let answer = NOTHING;
  const hits: MemberHit[] = [];
  for (const { file: at, row: declaration } of declarationsAcross(ev, file, ev.project.rowOf(node))) {
    ev.consultMember(at, declaration, name);
    for (const row of at.membersNamed(declaration, name)) hits.push({ file: at, row, owner: node, args: NO_ARGUMENTS });
    const scope = at.facts.symbols.scope[declaration] ?? NONE;
    if (hits.length === 0 && scope !== NONE) {
      const first = at.firstBinding(scope, name);
      if (first !== NONE) answer = ev.values.union(answer, ev.binding(at, first, mode));
    }
  }
  if (answer === NOTHING && hits.length === 0) {
    const other = ev.hooks(file).member?.(ev, value, name, mode) ?? NOTHING;
    return other === NOTHING ? outsideNamespaceMember(ev, file, ev.project.rowOf(node), name) : other;
  }
  const ofModule = file.rules.dynamic === true ? hits.filter(hit => ((hit.file.facts.symbols.modifiers[hit.row] ?? 0) & MODIFIERS.static) !== 0) : [];
  for (const hit of mode === AS_TYPE ? hits : chosen(ofModule.length > 0 ? ofModule : hits))
    answer = ev.values.union(answer, ev.symbol(hit.file, hit.row, mode));
  return answer;
}

function objectMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const file = ev.project.file(values.file(value));
  if (file === undefined) return SET_UNKNOWN;
  const row = values.row(value);
  let own = NOTHING;
  let spread = NOTHING;
  let isOpen = false;
  const { lists } = file.facts;
  const start = file.facts.expressions.listStart[row] ?? 0;
  const count = file.facts.expressions.listCount[row] ?? 0;
  for (let i = 0; i + 1 < count; i += 2) {
    const key = lists[start + i] ?? 0;
    const item = lists[start + i + 1] ?? NONE;
    if (key === 0) {
      const part = ev.valueOf(file, item);
      spread = values.union(spread, ev.memberOf(part, name, mode));
      isOpen = true;
    } else if (file.name(key) === name) own = values.union(own, mode === AS_TYPE ? ev.typeOf(file, item) : ev.valueOf(file, item));
  }
  const assigned = assignedMember(ev, file, value, name);
  const answer = values.union(own, assigned);
  if (answer !== NOTHING) return answer;
  if (file.facts.expressions.operator[row] !== operatorCode.object) return SET_UNKNOWN;
  const given = ev.hooks(file).literalMember?.(ev, value, name);
  if (given !== undefined) return given;
  if (file.rules.objectType !== undefined) return builtinMember(ev, literalAsBuiltin(ev, value), name, mode);
  // What an outside prototype has is not known, and neither is what else the object is given.
  if (spread !== NOTHING) return values.members(spread).every(part => values.kindOf(part) === VALUE.external) ? values.union(spread, SET_UNKNOWN) : spread;
  if (isOpen) return SET_UNKNOWN;
  return OBJECT_METHODS.has(ev.project.names.text(name)) ? SET_EXTERNAL : NOTHING;
}

function objectTypeMember(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const file = ev.project.file(ev.values.file(value));
  if (file === undefined) return SET_UNKNOWN;
  let answer = NOTHING;
  const { lists, expressions } = file.facts;
  const start = expressions.listStart[ev.values.row(value)] ?? 0;
  const count = expressions.listCount[ev.values.row(value)] ?? 0;
  for (let i = 0; i + 1 < count; i += 2) {
    const key = lists[start + i] ?? 0;
    if (key !== 0 && file.name(key) === name)
      answer = ev.values.union(answer, substitute(ev, ev.typeOf(file, lists[start + i + 1] ?? NONE), environmentOf(ev, value)));
  }
  return answer;
}

/** Separator of the language that a package value belongs to. */
function separatorOf(ev: Evaluator, value: Value): string {
  return ev.packages.separatorOf(ev.values.package(value));
}

/** Members of built-in types: their own, those declared for them in the project, then those of what they hold. */
function builtinMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const { values } = ev;
  const type = values.name(value);
  const rules = ev.project.rulesOfBuiltin(type);
  const known = ev.project.builtinType(type);
  if (isEmpty(ev, type, rules, known !== undefined)) return NOTHING;
  const text = ev.project.names.text(name);
  const isClass = values.kindOf(value) === VALUE.builtinClass;
  const member = isClass ? (known?.statics.get(text) ?? known?.members.get(text)) : known?.members.get(text);
  if (member !== undefined) return member.isProperty ? builtinResult(ev, value, text, []) : values.single(values.builtinMethod(0, name, value));
  if (known?.other !== undefined && !isClass) return ev.builtinForm(value, 'other');
  const added = rules.globalNames === true ? addedMember(ev, value, name, mode) : NOTHING;
  if (added !== NOTHING) return added;
  const outside = rules.modules === undefined ? outsideMembersOfValue(ev, value, name) : [];
  if (outside.length > 0)
    return memberValues(
      ev,
      outside.map(({ file, row }) => ({ file, row, owner: NO_NODE, args: NO_ARGUMENTS })),
      value,
    );
  if (known?.delegate !== undefined && !isClass) {
    const inner = ev.builtinForm(value, 'delegate');
    const delegated = inner === NOTHING ? NOTHING : ev.memberOf(inner, name, mode);
    if (delegated !== NOTHING) return delegated;
  }
  return SET_EXTERNAL;
}

/** Alternatives that have no members at all: they never decide where a call goes. */
function isEmpty(ev: Evaluator, type: NameNumber, { emptyTypes, family, literals }: LanguageTraits, isKnown: boolean): boolean {
  if (emptyTypes === undefined && !isKnown) return false;
  const bare = ev.project.names.text(type).slice(family.length + 1);
  return emptyTypes?.has(bare) ?? bare === literals['null'];
}

function boundMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const file = ev.project.file(ev.values.file(value));
  if (file === undefined) return SET_UNKNOWN;
  const constraint = constraintOf(ev, value);
  if (constraint !== NOTHING && !ev.values.has(constraint, value)) return ev.memberOf(constraint, name, mode);
  const root = file.rules.rootType;
  return root === undefined ? SET_UNKNOWN : ev.memberOf(ev.builtin(`${file.family}.${root}`), name, mode);
}

/** Properties of functions: those assigned to them, and the ways to call them. */
function functionMember(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const { values } = ev;
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return SET_UNKNOWN;
  const row = ev.project.rowOf(node);
  const reserved = ev.hooks(file).reserved?.(ev, value, name) ?? NOTHING;
  if (reserved !== NOTHING) return reserved;
  const hits: MemberHit[] = [];
  for (const declaration of declarationsOf(file, row)) {
    ev.consultMember(file, declaration, name);
    const isNamespace = file.facts.symbols.kind[declaration] === symbolKindCode.namespace;
    for (const member of file.membersNamed(declaration, name))
      if (isNamespace || isStaticAssignment(file, member)) hits.push({ file, row: member, owner: node, args: NO_ARGUMENTS });
  }
  if (hits.length > 0) return hits.reduce((set, hit) => values.union(set, ev.symbol(hit.file, hit.row, AS_VALUE)), NOTHING);
  const assigned = assignedMember(ev, file, value, name);
  if (assigned !== NOTHING) return assigned;
  return calledThrough(ev, value, name);
}

/** `f.call`, `f.apply`, `f.bind` stand for `f`. */
function calledThrough(ev: Evaluator, value: Value, name: NameNumber): ValueSet {
  const text = ev.project.names.text(name);
  const file = ev.values.kindOf(value) === VALUE.function ? ev.project.ownerOf(ev.values.node(value)) : ev.project.file(ev.values.file(value));
  if (text === file?.rules.invokeName) return ev.values.single(value);
  if (text === 'call' || text === 'apply' || text === 'bind') return ev.values.single(ev.values.builtinMethod(1, name, value));
  return SET_EXTERNAL;
}
