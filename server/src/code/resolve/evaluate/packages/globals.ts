/** Global names in languages whose files are modules, and what the project adds to types and objects from outside it. */
import { operandOf } from '../../../../model/expressions';
import { type BindingRow, type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, operatorCode, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import { symbolKindCode } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { isAmbient } from '../../packages/globalNames';
import type { PackageEntry } from '../../packages/packageEntries';
import { NOTHING, SET_EXTERNAL, VALUE, type Value, type ValueSet } from '../../values';
import { AS_TYPE, type DeclaredSymbol, type Evaluator, type Mode } from '../evaluator';

/** Declarations of a name that no scope of the file binds. */
export function globalEntries(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly PackageEntry[] {
  return file.rules.globalNames === true ? (ev.hooks(file).visible?.(ev, file, scope, name) ?? NO_ENTRIES) : NO_ENTRIES;
}

const NO_ENTRIES: readonly PackageEntry[] = [];

/** The same as symbols. */
export function globalSymbols(ev: Evaluator, file: FileState, scope: ScopeRow, name: NameNumber): readonly DeclaredSymbol[] {
  return globalEntries(ev, file, scope, name).map(({ file: at, binding }) => ({ file: at, row: at.facts.bindings.symbol[binding] ?? NONE }));
}

/** What declarations of a global name are. */
export function entriesValue(ev: Evaluator, entries: readonly PackageEntry[], mode: Mode): ValueSet {
  let answer = NOTHING;
  let hasNamespace = false;
  const seen = new Set<BindingRow>();
  let last: FileState | undefined;
  for (const { file, binding } of entries) {
    if (file !== last) seen.clear();
    last = file;
    const { bindings, symbols } = file.facts;
    const first = file.firstBinding(bindings.scope[binding] ?? MODULE_SCOPE, file.name(bindings.name[binding] ?? NO_TEXT));
    if (first === NONE || seen.has(first)) continue;
    seen.add(first);
    const isNamespace = symbols.kind[bindings.symbol[binding] ?? NONE] === symbolKindCode.namespace;
    // One declaration of a namespace leads to the members of all.
    if (isNamespace && hasNamespace && file.nextBinding(first) === NONE) continue;
    hasNamespace ||= isNamespace;
    answer = ev.values.union(answer, ev.binding(file, first, mode));
  }
  return answer;
}

/** `window.x`: declarations of the global name `x`. */
export function globalMember(ev: Evaluator, file: FileState, row: ExpressionRow): readonly PackageEntry[] {
  const { expressions } = file.facts;
  const object = operandOf.receiver(expressions, row);
  if (object < 0 || expressions.operator[object] !== operatorCode.name) return NO_ENTRIES;
  const text = expressions.text[object] ?? NO_TEXT;
  if (file.rules.globalObjects?.has(file.text(text)) !== true) return NO_ENTRIES;
  const scope = operandOf.scope(expressions, object);
  if (ev.lookup(file, scope, file.name(text)) !== NONE) return NO_ENTRIES;
  return globalEntries(ev, file, MODULE_SCOPE, file.name(expressions.text[row] ?? NO_TEXT));
}

/** Instances of the types of the project whose members something from outside has, too. */
export function addedTypes(ev: Evaluator, value: Value): ValueSet {
  const { values } = ev;
  const { globals } = ev.packages;
  const kind = values.kindOf(value);
  if (kind === VALUE.external) {
    if (values.name(value) === 0) return NOTHING;
    const key = globals.addedKey(values.name(value));
    ev.dependencies.consult(ev.dependencies.bearers(key));
    return globals.added(key).reduce((set, { file, row }) => values.union(set, ev.symbol(file, row, AS_TYPE)), NOTHING);
  }
  const { addedTo, family } = ev.project.rulesOfBuiltin(values.name(value));
  if (addedTo === undefined) return NOTHING;
  const type = addedTo(ev.project.names.text(values.name(value)).slice(family.length + 1));
  const key = globals.keyOf(family, ev.nameOf(kind === VALUE.builtinClass ? `${type}Constructor` : type));
  ev.dependencies.consult(ev.dependencies.bearers(key));
  let answer = NOTHING;
  for (const { file, binding } of globals.declared(key)) {
    const symbol = file.facts.bindings.symbol[binding] ?? NONE;
    if (file.facts.symbols.kind[symbol] !== symbolKindCode.interface) continue;
    for (const instance of values.members(ev.symbol(file, symbol, AS_TYPE)))
      answer = values.union(answer, values.single(values.kindOf(instance) === VALUE.instance ? values.withArgs(instance, values.argsId(value)) : instance));
  }
  return answer;
}

/** What the project adds under a name; NOTHING where it does not. */
export function addedMember(ev: Evaluator, value: Value, name: NameNumber, mode: Mode): ValueSet {
  const types = addedTypes(ev, value);
  if (types === NOTHING) return NOTHING;
  const found = ev.memberOf(types, name, mode);
  return found === SET_EXTERNAL ? NOTHING : found;
}

/** A member that a namespace does not declare which may add to one from outside the project (`namespace NodeJS`): it may be there. */
export function outsideNamespaceMember(ev: Evaluator, file: FileState, row: SymbolRow, name: NameNumber): ValueSet {
  if (!file.hasGlobalNames || !isAmbient(file, row) || !file.isGlobal(row)) return NOTHING;
  return ev.values.single(ev.values.external(ev.nameOf(`${file.text(file.facts.symbols.name[row] ?? NO_TEXT)}.${ev.project.names.text(name)}`)));
}

/** True for an interface that may add to one from outside the project. */
export function mayAddToOutside(file: FileState, row: SymbolRow): boolean {
  return file.hasGlobalNames && file.facts.symbols.kind[row] === symbolKindCode.interface && file.isGlobal(row);
}
