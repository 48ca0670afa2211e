/** Symbols that names, members and imports stand for, before their values: through re-exports, and through what CommonJS exports. */
import { compareText } from '../../../../base/text';
import { operandOf } from '../../../../model/expressions';
import {
  type BindingRow,
  EXPORT_KINDS,
  type ExpressionRow,
  exportRow,
  IMPORT_KINDS,
  type ImportRow,
  NO_TEXT,
  NONE,
  OPERATORS,
  operatorCode,
  type ScopeRow,
  type StringIndex,
} from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import { symbolKindCode } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import { accessorOf } from '../../fileTables';
import type { FileNumber, NameNumber } from '../../numbers';
import { NOTHING, VALUE, type Value } from '../../values';
import { assignedSymbols, mixedInto } from '../containers';
import { AS_VALUE, type DeclaredSymbol, type Evaluator } from '../evaluator';
import { exportedBinding, importedBinding } from '../imports';
import { findMember } from '../members';
import { declarationsOf } from '../operands';
import { addedTypes, globalMember, globalSymbols } from '../packages/globals';
import { type FoundName, findName } from '../packages/names';
import { declarationsAcross } from '../packages/openTypes';
import { entriesSeenFrom, pathValue } from '../packages/packages';

const kinds = symbolKindCode;
const VALUE_EXPORT = EXPORT_KINDS.indexOf('value');
const WHOLE = EXPORT_KINDS.indexOf('whole');
const STAR = EXPORT_KINDS.indexOf('star');
/** Kinds of imports that load what a module is as a whole. */
const LOADS: ReadonlySet<number> = new Set((['require', 'dynamic'] as const).map(kind => IMPORT_KINDS.indexOf(kind)));

/** Imports, spreads and objects that are followed one after the other. */
const MAX_STEPS = 8;
/** Symbols that one name is taken to stand for. */
const MAX_SYMBOLS = 4;

/** Objects that were asked for the member already, on the way through what is spread and mixed into each other. */
type Seen = Set<Value>;

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
export function memberSymbols(ev: Evaluator, value: Value, name: NameNumber, depth = 0, from?: FileState, seen?: Seen): readonly DeclaredSymbol[] {
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
    case VALUE.module: {
      const found = exportedSymbols(ev, values.file(value), name, depth);
      return found.length > 0 ? found : mixedInSymbols(ev, ev.project.file(values.file(value)), value, name, depth, seen);
    }
    case VALUE.function: {
      const owner = ev.project.ownerOf(values.node(value));
      return owner === undefined ? [] : assignedSymbols(ev, owner, value, name);
    }
    case VALUE.namespace:
      return namespaceSymbols(ev, values.node(value), name);
    case VALUE.object:
      return objectSymbols(ev, value, name, depth, seen);
    case VALUE.external:
    case VALUE.builtin:
      return depth > MAX_STEPS ? [] : values.members(addedTypes(ev, value)).flatMap(added => memberSymbols(ev, added, name, depth + 1));
    default:
      return [];
  }
}

/** Members of an object literal and of the objects spread into it, and what is assigned to it or defined on it. */
function objectSymbols(ev: Evaluator, value: Value, name: NameNumber, depth: number, seen: Seen = new Set()): readonly DeclaredSymbol[] {
  const file = ev.project.file(ev.values.file(value));
  if (file === undefined || seen.has(value)) return [];
  seen.add(value);
  const { expressions, lists } = file.facts;
  const row = ev.values.row(value);
  const start = expressions.listStart[row] ?? 0;
  const end = start + (expressions.listCount[row] ?? 0);
  const found: DeclaredSymbol[] = [];
  for (let at = start; at + 1 < end; at += 2) {
    const key = lists[at] ?? NO_TEXT;
    const item = (lists[at + 1] ?? NONE) as ExpressionRow;
    if (key === NO_TEXT) for (const part of ev.values.members(ev.valueOf(file, item))) found.push(...memberSymbols(ev, part, name, depth, undefined, seen));
    else if (file.name(key as StringIndex) === name) {
      const symbol = declaredIn(file, item);
      if (symbol !== NONE) found.push({ file, row: symbol });
      else if (isOfModule(file, row)) found.push(...symbolsOf(ev, file, item, depth));
    }
  }
  found.push(...assignedSymbols(ev, file, value, name));
  return found.length > 0 ? unique(found) : mixedInSymbols(ev, file, value, name, depth, seen);
}

/** True for an object that the module exports, or that a variable at its top holds: its members are other names for what they are set to. */
function isOfModule(file: FileState, object: ExpressionRow): boolean {
  const { exports } = file.facts;
  return file.users().symbol.has(object) || exports.value.indexOf(object) >= 0;
}

/** Symbol of the function, accessor or class that an expression is, else `NONE`. */
function declaredIn({ facts }: FileState, row: ExpressionRow): DeclaredSymbol['row'] {
  const { expressions, functions } = facts;
  if (expressions.operator[row] === operatorCode.function) return functions.symbol[operandOf.function(expressions, row)] ?? NONE;
  if (expressions.operator[row] === operatorCode.class) return operandOf.class(expressions, row);
  return accessorOf(facts, row);
}

/** Symbols that a value of another file is or names. */
function symbolsOf(ev: Evaluator, file: FileState, row: ExpressionRow, depth: number): readonly DeclaredSymbol[] {
  // For what they rest on.
  ev.valueOf(file, row);
  const own = row < 0 ? NONE : declaredIn(file, row);
  return own === NONE ? symbolsNamed(ev, file, row, depth + 1) : [{ file, row: own }];
}

/** Members that a receiver has from what is mixed into it (`Object.assign(receiver, source)`). */
function mixedInSymbols(
  ev: Evaluator,
  file: FileState | undefined,
  receiver: Value,
  name: NameNumber,
  depth: number,
  seen: Seen = new Set(),
): readonly DeclaredSymbol[] {
  if (file?.rules.openObjects !== true) return [];
  const mixed = mixedInto(ev, file, receiver);
  seen.add(receiver);
  return ev.values.members(mixed).flatMap(value => (seen.has(value) ? [] : memberSymbols(ev, value, name, depth, undefined, seen)));
}

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
  return target === undefined ? importedSymbols(ev, file, row) : declaredBy(ev, target.file, target.binding, 0);
}

/** All declarations that a name of the module scope stands for. */
export function declaredBy(ev: Evaluator, file: FileState, first: BindingRow, hops: number): readonly DeclaredSymbol[] {
  const { bindings } = file.facts;
  const found: DeclaredSymbol[] = [];
  for (let row = first; row !== NONE && hops < MAX_STEPS; row = file.nextBinding(row)) {
    const next = (bindings.symbol[row] ?? NONE) === NONE ? importedBinding(ev, file, bindings.import[row] ?? NONE) : undefined;
    if (next === undefined) found.push(...boundSymbols(ev, file, row, hops));
    else found.push(...declaredBy(ev, next.file, next.binding, hops + 1));
  }
  return found;
}

/** Symbols that an import row stands for, before their values. */
export function importedSymbols(ev: Evaluator, file: FileState, row: ImportRow, depth = 0): readonly DeclaredSymbol[] {
  if (row < 0 || !file.isModular || depth > MAX_STEPS) return [];
  const { imports } = file.facts;
  const target = importedBinding(ev, file, row);
  if (target !== undefined) return boundSymbols(ev, target.file, target.binding, depth + 1);
  const module = ev.modules.ofImport(file, row);
  const through = module === 'external' || module === 'missing' || 'folder' in module ? undefined : ev.project.file(module.file);
  if (through?.rules.openObjects !== true) return [];
  if (LOADS.has(imports.kind[row] ?? 0)) return wholeSymbols(ev, through, depth + 1);
  return valueSymbols(ev, through, ev.nameOf(file.text(imports.importedName[row] ?? NO_TEXT)), depth + 1);
}

/** Symbols that a binding of a module stands for; one that is set to a part of a required module for what that part is. */
function boundSymbols(ev: Evaluator, file: FileState, row: BindingRow, depth: number): readonly DeclaredSymbol[] {
  const { bindings } = file.facts;
  const symbol = bindings.symbol[row] ?? NONE;
  if (symbol !== NONE) return [{ file, row: symbol }];
  const imported = bindings.import[row] ?? NONE;
  if (imported !== NONE) return importedSymbols(ev, file, imported, depth);
  const value = bindings.value[row] ?? NONE;
  if (value === NONE || !isOfRequired(file, value, depth)) return [];
  ev.valueOf(file, value);
  return symbolsNamed(ev, file, value, depth + 1);
}

/** True for a module that is loaded where the expression stands, and for its members. */
function isOfRequired(file: FileState, row: ExpressionRow, depth: number): boolean {
  const { expressions, lists } = file.facts;
  let at = row;
  while (at >= 0 && (expressions.operator[at] === operatorCode.member || expressions.operator[at] === operatorCode.await))
    at = operandOf.inner(expressions, at);
  if (at < 0 || depth > MAX_STEPS) return false;
  if (expressions.operator[at] !== operatorCode.either) return expressions.operator[at] === operatorCode.module;
  const start = expressions.listStart[at] ?? 0;
  return lists.subarray(start, start + (expressions.listCount[at] ?? 0)).some(item => isOfRequired(file, item as ExpressionRow, depth + 1));
}

/** Symbols that a name exported by a file stands for. */
export function exportedSymbols(ev: Evaluator, fileId: FileNumber, name: NameNumber, depth = 0): readonly DeclaredSymbol[] {
  const file = ev.project.file(fileId);
  if (file === undefined || depth > MAX_STEPS) return [];
  const found = exportedBinding(ev, file, name, 0);
  if (found !== undefined) return boundSymbols(ev, found.file, found.binding, depth);
  return file.rules.openObjects === true ? valueSymbols(ev, file, name, depth) : [];
}

/** The same for what is exported by its value: `exports.name = …`, a member of `module.exports = …`. */
function valueSymbols(ev: Evaluator, file: FileState, name: NameNumber, depth: number): readonly DeclaredSymbol[] {
  // For what it rests on.
  ev.exported(file, name, AS_VALUE);
  const { exports } = file.facts;
  const rows = file.exportsNamed(name);
  const found: DeclaredSymbol[] = [];
  for (const row of rows) {
    if (exports.kind[row] !== VALUE_EXPORT) continue;
    const value = exports.value[row] ?? NONE;
    const data = exportedData(file, name, value);
    found.push(...(data === NONE ? symbolsOf(ev, file, value, depth) : [{ file, row: data }]));
  }
  if (rows.length > 0) return unique(found);
  if (name === ev.known.default) return wholeSymbols(ev, file, depth);
  for (let row = exportRow(0); row < exports.count; row++) {
    if (exports.kind[row] === WHOLE) {
      for (const value of ev.values.members(ev.valueOf(file, exports.value[row] ?? NONE))) found.push(...memberSymbols(ev, value, name, depth + 1));
    } else if (exports.kind[row] === STAR) {
      const target = ev.modules.ofImport(file, exports.import[row] ?? NONE);
      if (target !== 'external' && target !== 'missing' && !('folder' in target)) found.push(...exportedSymbols(ev, target.file, name, depth + 1));
    }
  }
  return unique(found);
}

/** Symbol of the value that `exports.name = value` declares, or `NONE`. */
function exportedData(file: FileState, name: NameNumber, value: ExpressionRow): DeclaredSymbol['row'] {
  const { assignments, expressions, symbols } = file.facts;
  const row = file.assignmentsNamed(name).find(at => {
    const symbol = assignments.symbol[at] ?? NONE;
    const isOwn = assignments.value[at] === value && symbol !== NONE && symbols.parent[symbol] === NONE;
    return isOwn && symbols.function[symbol] === NONE && expressions.operator[assignments.target[at] ?? NONE] !== operatorCode.this;
  });
  return row === undefined ? NONE : (assignments.symbol[row] ?? NONE);
}

/** Symbols that `module.exports = …` makes a file stand for. */
function wholeSymbols(ev: Evaluator, file: FileState, depth: number): readonly DeclaredSymbol[] {
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.whole));
  const { exports } = file.facts;
  const found: DeclaredSymbol[] = [];
  for (let row = exportRow(0); row < exports.count && depth <= MAX_STEPS; row++) {
    if (exports.kind[row] === WHOLE) found.push(...symbolsOf(ev, file, exports.value[row] ?? NONE, depth));
  }
  return unique(found);
}

function unique(symbols: readonly DeclaredSymbol[]): readonly DeclaredSymbol[] {
  return symbols.length < 2 ? symbols : [...new Map(symbols.map(symbol => [`${symbol.file.id}:${symbol.row}`, symbol])).values()];
}

/** The first of them, in an order that does not depend on how they were found. */
function few(symbols: readonly DeclaredSymbol[]): readonly DeclaredSymbol[] {
  const different = unique(symbols);
  if (different.length <= MAX_SYMBOLS) return different;
  return [...different].sort((left, right) => compareText(left.file.path, right.file.path) || left.row - right.row).slice(0, MAX_SYMBOLS);
}

/** Members of a module or namespace, over all its declarations. */
export function namespaceSymbols(ev: Evaluator, node: NodeHandle, name: NameNumber): readonly DeclaredSymbol[] {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return [];
  return declarationsAcross(ev, file, ev.project.rowOf(node)).flatMap(({ file: at, row: declaration }) => {
    ev.consultMember(at, declaration, name);
    return at.membersNamed(declaration, name).map(row => ({ file: at, row }));
  });
}

/** Declared symbols that a name or property expression means, before their values. */
export function symbolsNamed(ev: Evaluator, file: FileState, row: ExpressionRow, depth = 0): readonly DeclaredSymbol[] {
  if (row < 0 || depth > MAX_STEPS) return [];
  const { expressions } = file.facts;
  const operator = OPERATORS[expressions.operator[row] ?? 0];
  const name = file.name(expressions.text[row] ?? NO_TEXT);
  if (operator === 'generic') return symbolsNamed(ev, file, operandOf.inner(expressions, row), depth + 1);
  if (operator === 'name' && !file.isModular) {
    const scope = operandOf.scope(expressions, row);
    const { found } = findName(ev, file, scope, name);
    return (found === undefined ? starredMembers(ev, file, scope, name) : namedSymbols(ev, file, found)).slice(0, MAX_SYMBOLS);
  }
  if (operator === 'name') {
    const out: DeclaredSymbol[] = [];
    const first = ev.lookup(file, operandOf.scope(expressions, row), name);
    if (first === NONE) out.push(...globalSymbols(ev, file, operandOf.scope(expressions, row), name));
    for (let binding = first; binding !== NONE; binding = file.nextBinding(binding)) out.push(...boundSymbols(ev, file, binding, depth));
    return few(out);
  }
  if (operator === 'either') {
    const rows = Array.from({ length: expressions.listCount[row] ?? 0 }, (_, at) => file.facts.lists[(expressions.listStart[row] ?? 0) + at] ?? NONE);
    return few(rows.flatMap(item => symbolsNamed(ev, file, item as ExpressionRow, depth + 1)));
  }
  if (operator === 'module') return importedSymbols(ev, file, operandOf.import(expressions, row), depth);
  if (operator !== 'member') return [];
  const out = globalMember(ev, file, row).map(entry => ({ file: entry.file, row: entry.file.facts.bindings.symbol[entry.binding] ?? NONE }));
  const receivers = ev.valueOf(file, operandOf.receiver(expressions, row));
  for (const value of ev.values.members(receivers)) {
    out.push(...memberSymbols(ev, value, name, depth, file));
  }
  const isOurs = ev.values.members(receivers).some(value => !OUTSIDE.has(ev.values.kindOf(value)));
  const extension = out.length > 0 || isOurs ? undefined : ev.hooks(file).extension?.(ev, file, { receivers, name, isCalled: false });
  return extension === undefined ? few(out) : [extension];
}

const OUTSIDE: ReadonlySet<number> = new Set([VALUE.external, VALUE.unknown, VALUE.weak]);

/** Members of the nearest type that has one of that name, of those whose members a file sees by their names alone. */
function starredMembers(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly DeclaredSymbol[] {
  for (const type of ev.hooks(file).starred?.(ev, file, scope) ?? []) {
    const found = memberSymbols(ev, type, name, 0, file);
    if (found.length > 0) return found;
  }
  return [];
}
