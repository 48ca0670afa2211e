import { operandOf } from '../../../model/expressions';
import {
  BINDING_KINDS,
  type BindingRow,
  type ExpressionRow,
  type FunctionRow,
  type ImportRow,
  NO_TEXT,
  NONE,
  operatorCode,
  type StringIndex,
  type SymbolRow,
} from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import { accessorOf } from '../fileTables';
import type { FileNumber, NameNumber } from '../numbers';
import { NOTHING, SELF, SET_UNKNOWN, VALUE, type Value, type ValueSet } from '../values';
import { parameterFromCalls } from './callFlow';
import { assignedSymbols } from './containers';
import { parameterFromContext } from './context';
import { AS_TYPE, AS_VALUE, type DeclaredSymbol, type Evaluator, type Mode } from './evaluator';
import { instancesOf } from './generics';
import { awaited, exportedBinding, importedBinding } from './imports';
import { findMember } from './members';
import { declarationsOf } from './operands';
import { addedTypes, globalSymbols } from './packages/globals';
import { type FoundName, findName } from './packages/names';
import { entriesSeenFrom, pathValue } from './packages/packages';

const kinds = symbolKindCode;
const binding = Object.fromEntries(BINDING_KINDS.map((kind, code) => [kind, code])) as Record<(typeof BINDING_KINDS)[number], number>;

/** Type alias symbol that a name means, through imports. */
export function aliasOf(ev: Evaluator, file: FileState, row: ExpressionRow): DeclaredSymbol | undefined {
  const { expressions, bindings, symbols } = file.facts;
  if (expressions.operator[row] === operatorCode.generic) return aliasOf(ev, file, operandOf.inner(expressions, row));
  if (expressions.operator[row] === operatorCode.member) return aliasMember(ev, file, row);
  if (expressions.operator[row] !== operatorCode.name) return undefined;
  if (!file.isModular) return aliasInPackages(ev, file, row);
  let at = file;
  const name = file.name(expressions.text[row] ?? NO_TEXT);
  let found = ev.lookup(file, operandOf.scope(expressions, row), name);
  if (found === NONE)
    return globalSymbols(ev, file, operandOf.scope(expressions, row), name).find(global => global.file.facts.symbols.kind[global.row] === kinds.type);
  for (let hops = 0; hops < 8 && found !== NONE; hops++) {
    const table = at === file ? bindings : at.facts.bindings;
    const symbol = table.symbol[found] ?? NONE;
    if (symbol !== NONE) return (at === file ? symbols : at.facts.symbols).kind[symbol] === kinds.type ? { file: at, row: symbol } : undefined;
    const next = importedBinding(ev, at, table.import[found] ?? NONE);
    if (next === undefined) return undefined;
    at = next.file;
    found = next.binding;
  }
  return undefined;
}

/** The same in a language with packages; imports are followed. */
function aliasInPackages(ev: Evaluator, file: FileState, row: ExpressionRow): DeclaredSymbol | undefined {
  const { expressions } = file.facts;
  const { found } = findName(ev, file, operandOf.scope(expressions, row), file.name(expressions.text[row] ?? NO_TEXT));
  return namedSymbols(ev, file, found).find(symbol => symbol.file.facts.symbols.kind[symbol.row] === kinds.type);
}

/** Symbols that a found name stands for, before their values; imports are followed. */
export function namedSymbols(ev: Evaluator, file: FileState, found: FoundName | undefined): readonly DeclaredSymbol[] {
  if (found === undefined || found.kind === 'package' || found.kind === 'set') return [];
  if (found.kind === 'members') return found.hits;
  if (found.kind === 'both') return found.parts.flatMap(part => namedSymbols(ev, file, part));
  if (found.kind === 'entries') return found.entries.flatMap(entry => symbolsOfBinding(ev, entry.file, entry.binding, 0));
  const out: DeclaredSymbol[] = [];
  for (let row = found.row; row !== NONE; row = file.nextBinding(row)) out.push(...symbolsOfBinding(ev, file, row, 0));
  return out;
}

function symbolsOfBinding(ev: Evaluator, file: FileState, row: BindingRow, depth: number): readonly DeclaredSymbol[] {
  const { bindings } = file.facts;
  const symbol = bindings.symbol[row] ?? NONE;
  if (symbol !== NONE) return [{ file, row: symbol }];
  const importRow = bindings.import[row] ?? NONE;
  return importRow === NONE || depth > 6 || file.isModular ? [] : symbolsFromPackage(ev, file, importRow, depth);
}

/** Symbols that an import row stands for in a language with packages. */
function symbolsFromPackage(ev: Evaluator, file: FileState, importRow: ImportRow, depth: number): readonly DeclaredSymbol[] {
  const { imports } = file.facts;
  const around = ev.hooks(file).importedFrom?.(ev, file, importRow) ?? pathValue(ev, file, file.text(imports.specifier[importRow] ?? NO_TEXT), AS_VALUE);
  const name = file.name(imports.importedName[importRow] ?? NO_TEXT);
  return ev.values.members(around).flatMap(value => memberSymbols(ev, value, name, depth + 1));
}

/** Declared members of a value, before their values. */
export function memberSymbols(ev: Evaluator, value: Value, name: NameNumber, depth = 0, from?: FileState): readonly DeclaredSymbol[] {
  const { values } = ev;
  switch (values.kindOf(value)) {
    case VALUE.package:
      return entriesSeenFrom(ev, from, values.package(value), name).flatMap(entry => symbolsOfBinding(ev, entry.file, entry.binding, depth));
    case VALUE.instance:
    case VALUE.class: {
      const found = findMember(ev, values.node(value), name);
      const owner = ev.project.ownerOf(values.node(value));
      const companion = found.length > 0 || owner === undefined ? NOTHING : (ev.hooks(owner).companion?.(ev, values.node(value)) ?? NOTHING);
      if (companion !== NOTHING) return values.members(companion).flatMap(other => memberSymbols(ev, other, name, depth));
      return found.length > 0 || owner === undefined ? found : assignedSymbols(ev, owner, value, name);
    }
    case VALUE.module:
      return exportedSymbols(ev, values.file(value), name);
    case VALUE.namespace:
      return namespaceSymbols(ev, values.node(value), name);
    case VALUE.object:
      return objectSymbols(ev, value, name, depth);
    case VALUE.external:
    case VALUE.builtin:
      return depth > MAX_SPREADS ? [] : values.members(addedTypes(ev, value)).flatMap(added => memberSymbols(ev, added, name, depth + 1));
    default:
      return [];
  }
}

/** Getters and setters of an object literal and of the objects spread into it, and what is assigned to it or defined on it. */
function objectSymbols(ev: Evaluator, value: Value, name: NameNumber, depth: number): readonly DeclaredSymbol[] {
  const file = ev.project.file(ev.values.file(value));
  if (file === undefined || depth > MAX_SPREADS) return [];
  const { expressions, lists } = file.facts;
  const row = ev.values.row(value);
  const start = expressions.listStart[row] ?? 0;
  const end = start + (expressions.listCount[row] ?? 0);
  const found: DeclaredSymbol[] = [];
  for (let at = start; at + 1 < end; at += 2) {
    const key = lists[at] ?? NO_TEXT;
    const item = (lists[at + 1] ?? NONE) as ExpressionRow;
    if (key === NO_TEXT) for (const part of ev.values.members(ev.valueOf(file, item))) found.push(...memberSymbols(ev, part, name, depth + 1));
    else if (file.name(key as StringIndex) === name) {
      const symbol = accessorOf(file.facts, item);
      if (symbol !== NONE) found.push({ file, row: symbol });
    }
  }
  return found.length > 0 ? found : assignedSymbols(ev, file, value, name);
}

const MAX_SPREADS = 6;

/** `Namespace.Alias`. */
function aliasMember(ev: Evaluator, file: FileState, row: ExpressionRow): DeclaredSymbol | undefined {
  const { expressions } = file.facts;
  const name = file.name(expressions.text[row] ?? NO_TEXT);
  for (const value of ev.values.members(ev.valueOf(file, operandOf.receiver(expressions, row)))) {
    const kind = ev.values.kindOf(value);
    const owner = kind === VALUE.namespace || kind === VALUE.function || kind === VALUE.class ? ev.project.ownerOf(ev.values.node(value)) : undefined;
    const found =
      owner === undefined
        ? kind === VALUE.module
          ? exportedSymbols(ev, ev.values.file(value), name)
          : kind === VALUE.package
            ? memberSymbols(ev, value, name, 0, file)
            : []
        : declarationsOf(owner, ev.project.rowOf(ev.values.node(value))).flatMap(declaration =>
            owner.membersNamed(declaration, name).map(member => ({ file: owner, row: member })),
          );
    const alias = found.find(symbol => symbol.file.facts.symbols.kind[symbol.row] === kinds.type);
    if (alias !== undefined) return alias;
  }
  return undefined;
}

/** All declarations that the name of an import row stands for, through re-exports: functions with their overloads, a type beside a value of its name. */
export function namedByImport(ev: Evaluator, file: FileState, row: ImportRow): readonly DeclaredSymbol[] {
  if (!file.isModular) return symbolsFromPackage(ev, file, row, 0);
  const target = importedBinding(ev, file, row);
  return target === undefined ? [] : declaredBy(ev, target.file, target.binding, 0);
}

/** All declarations that a name of the module scope stands for. */
export function declaredBy(ev: Evaluator, file: FileState, first: BindingRow, hops: number): readonly DeclaredSymbol[] {
  const { bindings } = file.facts;
  const found: DeclaredSymbol[] = [];
  for (let row = first; row !== NONE && hops < 8; row = file.nextBinding(row)) {
    const symbol = bindings.symbol[row] ?? NONE;
    const next = symbol === NONE ? importedBinding(ev, file, bindings.import[row] ?? NONE) : undefined;
    if (symbol !== NONE) found.push({ file, row: symbol });
    else if (next !== undefined) found.push(...declaredBy(ev, next.file, next.binding, hops + 1));
  }
  return found;
}

/** Symbols that an import row stands for, before their values. */
export function importedSymbols(ev: Evaluator, file: FileState, row: ImportRow): readonly DeclaredSymbol[] {
  let target = importedBinding(ev, file, row);
  for (let hops = 0; hops < 8 && target !== undefined; hops++) {
    const { bindings } = target.file.facts;
    const symbol = bindings.symbol[target.binding] ?? NONE;
    if (symbol !== NONE) return [{ file: target.file, row: symbol }];
    target = importedBinding(ev, target.file, bindings.import[target.binding] ?? NONE);
  }
  return [];
}

export function exportedSymbols(ev: Evaluator, fileId: FileNumber, name: NameNumber): readonly DeclaredSymbol[] {
  const file = ev.project.file(fileId);
  const found = file === undefined ? undefined : exportedBinding(ev, file, name, 0);
  if (found === undefined) return [];
  const symbol = found.file.facts.bindings.symbol[found.binding] ?? NONE;
  if (symbol !== NONE) return [{ file: found.file, row: symbol }];
  return importedSymbols(ev, found.file, found.file.facts.bindings.import[found.binding] ?? NONE);
}

export function namespaceSymbols(ev: Evaluator, node: NodeHandle, name: NameNumber): readonly DeclaredSymbol[] {
  const file = ev.project.ownerOf(node);
  return file === undefined ? [] : file.membersNamed(ev.project.rowOf(node), name).map(row => ({ file, row }));
}

export function bindingRows(ev: Evaluator, file: FileState, first: BindingRow, mode: Mode): ValueSet {
  let answer = NOTHING;
  let declared = NOTHING;
  const { bindings } = file.facts;
  const isHinted = file.rules.hintedTypes === true;
  const initial = mode === AS_VALUE && !isHinted && file.rules.dynamic !== true ? initialType(ev, file, first) : NOTHING;
  if (initial !== NOTHING) return initial;
  for (let row = first; row !== NONE; row = file.nextBinding(row)) {
    const type = bindings.type[row] ?? NONE;
    const kind = bindings.kind[row] ?? 0;
    if (type !== NONE && kind === binding.variable && mode === AS_VALUE && !isHinted) declared = ev.values.union(declared, ev.typeOf(file, type));
    else if (bindings.symbol[row] !== NONE && kind === binding.variable) answer = ev.values.union(answer, ev.symbol(file, bindings.symbol[row] ?? NONE, mode));
    else answer = ev.values.union(answer, bindingRow(ev, file, row, kind, mode));
  }
  return declared === NOTHING ? answer : declared;
}

/** A variable that starts as an object keeps that type, whatever is assigned later; functions and unknowns do not decide. */
function initialType(ev: Evaluator, file: FileState, first: BindingRow): ValueSet {
  const { bindings } = file.facts;
  if (file.nextBinding(first) === NONE) return NOTHING;
  const symbol = bindings.symbol[first] ?? NONE;
  const value = bindings.value[first] ?? NONE;
  if (symbol === NONE ? bindings.kind[first] !== binding.variable : !isVariable(file, symbol)) return NOTHING;
  if ((value === NONE && symbol === NONE) || (bindings.type[first] ?? NONE) !== NONE) return NOTHING;
  const set = symbol === NONE ? ev.valueOf(file, value) : ev.symbol(file, symbol, AS_VALUE);
  const isObject =
    set !== NOTHING &&
    ev.values.members(set).every(member => {
      const kind = ev.values.kindOf(member);
      return kind === VALUE.instance || kind === VALUE.object || kind === VALUE.objectType;
    });
  return isObject ? set : NOTHING;
}

function isVariable(file: FileState, symbol: SymbolRow): boolean {
  const kind = file.facts.symbols.kind[symbol];
  return kind === kinds.variable || kind === kinds.constant;
}

function bindingRow(ev: Evaluator, file: FileState, row: BindingRow, kind: number, mode: Mode): ValueSet {
  const { bindings } = file.facts;
  const type = bindings.type[row] ?? NONE;
  const value = bindings.value[row] ?? NONE;
  switch (kind) {
    case binding.symbol: {
      const symbol = bindings.symbol[row] ?? NONE;
      const held = ev.symbol(file, symbol, mode);
      const isAssigned = mode === AS_VALUE && value !== NONE && value !== file.facts.symbols.value[symbol] && isVariable(file, symbol);
      return isAssigned && (file.facts.symbols.type[symbol] ?? NONE) === NONE ? ev.values.union(held, ev.valueOf(file, value)) : held;
    }
    case binding.import:
      return ev.imported(file, bindings.import[row] ?? NONE, mode);
    case binding.parameter:
      return mode === AS_TYPE ? instancesOf(ev, parameter(ev, file, row)) : parameter(ev, file, row);
    case binding.self:
      return selfOf(ev, file, row);
    case binding.typeParameter:
      return ev.values.single(ev.values.typeParameter(file.id, row));
    default: {
      if (mode === AS_TYPE) return value === NONE ? NOTHING : ev.typeOf(file, value);
      const held = value === NONE ? NOTHING : ev.valueOf(file, value);
      if (type === NONE) return held;
      return file.rules.hintedTypes === true && isPrecise(ev, held) ? held : ev.typeOf(file, type);
    }
  }
}

/** True for instances of project types: narrower than what is declared. */
function isPrecise(ev: Evaluator, set: ValueSet): boolean {
  const members = ev.values.members(set);
  return members.length > 0 && members.every(value => ev.values.kindOf(value) === VALUE.instance);
}

function parameter(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const { bindings } = file.facts;
  const type = bindings.type[row] ?? NONE;
  if (type !== NONE) {
    const declared = ev.typeOf(file, type);
    return isCallable(ev, declared) ? ev.values.union(declared, functionsOf(ev, parameterFromCalls(ev, file, row))) : declared;
  }
  const value = bindings.value[row] ?? NONE;
  const fallback = value === NONE ? NOTHING : ev.valueOf(file, value);
  const inherited = ev.hooks(file).parameter?.(ev, file, row) ?? NOTHING;
  if (inherited !== NOTHING) return inherited;
  const context = parameterFromContext(ev, file, row);
  const given = context === NOTHING ? parameterFromCalls(ev, file, row) : NOTHING;
  return context === NOTHING && fallback === NOTHING && given === NOTHING ? SET_UNKNOWN : ev.values.union(ev.values.union(context, fallback), given);
}

/** True for what is declared to be a function, and not which. */
function isCallable(ev: Evaluator, set: ValueSet): boolean {
  return ev.values.members(set).some(value => ev.values.kindOf(value) === VALUE.functionType);
}

/** Values that have members which the project declares. */
const OF_PROJECT: ReadonlySet<number> = new Set([VALUE.instance, VALUE.class, VALUE.object, VALUE.module, VALUE.namespace]);

/** The functions of a set, with the doubt about them; NOTHING when there are none. */
function functionsOf(ev: Evaluator, set: ValueSet): ValueSet {
  const { values } = ev;
  const functions = values.members(set).filter(value => FUNCTIONS.has(values.kindOf(value)));
  return functions.some(value => values.kindOf(value) !== VALUE.weak) ? values.setOf(functions) : NOTHING;
}

const FUNCTIONS: ReadonlySet<number> = new Set([VALUE.function, VALUE.lambda, VALUE.weak]);

/** Value of the receiver parameter of a method. */
function selfOf(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const { bindings, functions, symbols } = file.facts;
  const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
  const owner = symbol === NONE ? (bindings.symbol[row] ?? NONE) : (symbols.parent[symbol] ?? NONE);
  if (owner === NONE) return NOTHING;
  const node = ev.canonical(file, owner);
  const isClass = symbol !== NONE && ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.classMethod) !== 0;
  return ev.values.single(isClass ? ev.values.classOf(node, SELF) : ev.values.instance(node, SELF));
}

export function symbolType(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { symbols } = file.facts;
  const kind = symbols.kind[row] ?? 0;
  const node = ev.canonical(file, row);
  switch (kind) {
    case kinds.class:
    case kinds.interface:
    case kinds.enum:
    case kinds.struct:
    case kinds.trait:
      return ev.values.single(ev.values.instance(node));
    case kinds.enum_member:
      return ev.values.single(ev.values.instance(enumOf(ev, file, row)));
    case kinds.type:
      return isDefinedType(file, row) ? ev.values.single(ev.values.instance(node)) : ev.typeOf(file, symbols.type[row] ?? NONE);
    case kinds.namespace:
    case kinds.module:
      return file.rules.merging === 'types' && declarationsOf(file, row).length > 1 ? NOTHING : ev.values.single(ev.values.namespace(node));
    case kinds.function:
      return ev.hooks(file).isTypeOfItself?.(file, row) === true ? ev.values.single(ev.values.instance(node)) : NOTHING;
    default: {
      const value = symbols.value[row] ?? NONE;
      return value === NONE ? NOTHING : ev.typeOf(file, value);
    }
  }
}

export function symbolValue(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { symbols } = file.facts;
  const kind = symbols.kind[row] ?? 0;
  const node = ev.canonical(file, row);
  const { values } = ev;
  switch (kind) {
    case kinds.interface:
      return file.rules.erasesTypes === true ? NOTHING : values.single(values.classOf(node));
    case kinds.class:
    case kinds.enum:
    case kinds.struct:
    case kinds.trait:
      return values.single(values.classOf(node));
    case kinds.namespace:
    case kinds.module:
      return values.single(values.namespace(node));
    case kinds.type:
      if (isDefinedType(file, row)) return values.single(values.classOf(node));
      return file.rules.erasesTypes === true ? NOTHING : aliasedClass(ev, file, row);
    case kinds.enum_member:
      return values.single(values.instance(enumOf(ev, file, row)));
    default: {
      const functionRow = symbols.function[row] ?? NONE;
      const modifiers = symbols.modifiers[row] ?? 0;
      if (functionRow !== NONE && (modifiers & (MODIFIERS.getter | MODIFIERS.property)) !== 0) return ev.returned(file, functionRow);
      if (functionRow !== NONE || kind === kinds.function || kind === kinds.method || kind === kinds.constructor) {
        if ((modifiers & MODIFIERS.setter) !== 0) return NOTHING;
        return values.single(values.functionOf(node));
      }
      return held(ev, file, row);
    }
  }
}

/** A `type` with a class scope is a type of its own, made of another one; one without is another name for it. */
function isDefinedType(file: FileState, row: SymbolRow): boolean {
  const scope = file.facts.symbols.scope[row] ?? NONE;
  return scope !== NONE && file.rules.erasesTypes !== true && file.isClassScope(scope);
}

/** A type alias as a value: the class it names. */
function aliasedClass(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { values } = ev;
  let answer = NOTHING;
  for (const value of values.members(ev.typeOf(file, file.facts.symbols.type[row] ?? NONE))) {
    const kind = values.kindOf(value);
    if (kind === VALUE.instance) answer = values.union(answer, values.single(values.classOf(values.node(value), 0, values.argsId(value))));
    else if (kind === VALUE.builtin) answer = values.union(answer, values.single(values.builtinClass(values.name(value), values.argsId(value))));
    else answer = values.union(answer, values.single(value));
  }
  return answer;
}

function enumOf(ev: Evaluator, file: FileState, row: SymbolRow): NodeHandle {
  const parent = file.facts.symbols.parent[row] ?? NONE;
  return ev.canonical(file, parent === NONE ? row : parent);
}

/** What a variable, field or property holds. */
function held(ev: Evaluator, file: FileState, row: SymbolRow): ValueSet {
  const { symbols, assignments } = file.facts;
  const { values } = ev;
  const type = symbols.type[row] ?? NONE;
  if (type !== NONE && file.rules.hintedTypes !== true) {
    const declared = ev.typeOf(file, type);
    return ev.hooks(file).held?.(ev, { file, row }, declared) ?? declared;
  }
  const value = symbols.value[row] ?? NONE;
  let answer = value === NONE ? NOTHING : ev.valueOf(file, value);
  let declared = type === NONE ? NOTHING : ev.typeOf(file, type);
  for (const assignment of file.assignmentsTo(row)) {
    const assignedType = assignments.type[assignment] ?? NONE;
    if (assignedType !== NONE) declared = values.union(declared, ev.typeOf(file, assignedType));
    const assigned = assignments.value[assignment] ?? NONE;
    if (assigned !== value) answer = values.union(answer, ev.valueOf(file, assigned));
  }
  if (declared !== NOTHING) return declared;
  return answer;
}

export function returnedBy(ev: Evaluator, file: FileState, row: FunctionRow): ValueSet {
  const { functions } = file.facts;
  const { values } = ev;
  const modifiers = functions.modifiers[row] ?? 0;
  const isAsync = (modifiers & MODIFIERS.async) !== 0;
  const isGenerator = (modifiers & MODIFIERS.generator) !== 0;
  const { family, rules } = file;
  const declared = functions.returnType[row] ?? NONE;
  if (declared !== NONE) {
    const type = ev.typeOf(file, declared);
    if (ev.hooks(file).hasTypesInComments?.(file) === true && !isAsync && !isGenerator && !isOfProject(ev, type)) {
      const given = returnedValues(ev, file, row);
      return isOfProject(ev, given) ? given : type;
    }
    if (rules.hintedTypes === true && !isAsync && !isGenerator && isCallable(ev, type))
      return values.union(type, functionsOf(ev, returnedValues(ev, file, row)));
    return rules.asyncDeclared === true && isAsync && !isGenerator ? ev.builtin(`${family}.${rules.asyncType ?? ''}`, [type]) : type;
  }
  const answer = returnedValues(ev, file, row);
  if (isGenerator) return ev.builtin(`${family}.${(isAsync ? rules.asyncIteratorType : undefined) ?? 'Iterator'}`, [answer]);
  return isAsync && rules.asyncType !== undefined ? ev.builtin(`${family}.${rules.asyncType}`, [awaited(ev, answer)]) : answer;
}

function isOfProject({ values }: Evaluator, set: ValueSet): boolean {
  return values.members(set).some(value => OF_PROJECT.has(values.kindOf(value)));
}

/** What the `return` statements of a function give. */
function returnedValues(ev: Evaluator, file: FileState, row: FunctionRow): ValueSet {
  const { functions, lists } = file.facts;
  const start = functions.returnStart[row] ?? 0;
  let answer = NOTHING;
  for (let i = 0; i < (functions.returnCount[row] ?? 0); i++) answer = ev.values.union(answer, ev.valueOf(file, lists[start + i] ?? NONE));
  return answer;
}
