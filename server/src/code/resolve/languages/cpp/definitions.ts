/**
 * A function, method or variable that is declared in one place and defined in another is one thing: what calls and reads point at is the definition,
 * when there is exactly one that fits; else the declaration.
 */
import { NO_TEXT, NONE, type SymbolRow } from '../../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../../model/ids';
import { MODIFIERS } from '../../../../model/nodes';
import type { DeclaredSymbol, Evaluator } from '../../evaluate/evaluator';
import { outsideMembers } from '../../evaluate/packages/openTypes';
import { packageEntries } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import { type NameNumber, NO_NAME, NO_PACKAGE } from '../../numbers';
import { reachOf } from './includes';

const KEPT = Symbol('definitions');

/** Node of the definition behind a declaration's node; the node itself for everything else. */
export function definitionOf(ev: Evaluator, node: NodeHandle): NodeHandle {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return node;
  const row = ev.project.rowOf(node);
  const { dependencies } = ev;
  const unit = ev.unitOfSymbol(file, row);
  dependencies.consult(unit);
  if (((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.declared) === 0) return node;
  const kept = ev.kept(KEPT) as Map<number, NodeHandle>;
  const known = kept.get(node);
  if (known !== undefined) return known;
  const before = dependencies.current;
  dependencies.current = unit;
  const name = file.name(file.facts.symbols.name[row] ?? NO_TEXT);
  dependencies.consult(dependencies.bearers(name));
  const found = find(ev, file, row, name);
  dependencies.current = before;
  const answer = found === undefined ? node : (found.file.symbolNodes[found.row] ?? node);
  kept.set(node, answer);
  return answer;
}

function find(ev: Evaluator, file: FileState, row: SymbolRow, name: NameNumber): DeclaredSymbol | undefined {
  const { symbols } = file.facts;
  const parent = symbols.parent[row] ?? NONE;
  const isMember = parent !== NONE && file.facts.scopes.kind[symbols.scope[parent] ?? NONE] !== undefined && file.isClassScope(symbols.scope[parent] ?? NONE);
  const candidates: readonly DeclaredSymbol[] = isMember ? outsideMembers(ev, file.symbolNodes[parent] ?? NO_NODE, name) : linked(ev, file, row, name);
  for (const candidate of candidates) ev.dependencies.consult(ev.unitOfSymbol(candidate.file, candidate.row));
  const isFunction = (symbols.function[row] ?? NONE) !== NONE;
  const defined = candidates.filter(
    candidate => isDefinition(candidate, isFunction) && (!isFunction || parametersOf(candidate) === parametersOf({ file, row })),
  );
  if (defined.length < 2) return defined[0];
  const wanted = typesOf({ file, row });
  const alike = defined.filter(candidate => typesOf(candidate) === wanted);
  if (alike.length === 1) return alike[0];
  return nearest(ev, file, alike.length > 1 ? alike : defined);
}

/** The definition beside its header, or the only one in a file that includes it. */
function nearest(ev: Evaluator, file: FileState, candidates: readonly DeclaredSymbol[]): DeclaredSymbol | undefined {
  const stem = stemOf(file.path);
  const beside = candidates.filter(candidate => stemOf(candidate.file.path) === stem);
  if (beside.length > 0) return beside.length === 1 ? beside[0] : undefined;
  const including = candidates.filter(candidate => reachOf(ev, candidate.file).files.has(file.id));
  return including.length === 1 ? including[0] : undefined;
}

function stemOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.includes('.') ? name.slice(0, name.lastIndexOf('.')) : name;
}

/** Symbols of the name in the same namespace, in any file. */
function linked(ev: Evaluator, file: FileState, row: SymbolRow, name: NameNumber): DeclaredSymbol[] {
  const scope = file.scopeDeclaring(row);
  const own = scope < 0 ? NO_PACKAGE : ev.packages.packageOf(file, scope);
  if (own < 0) return [];
  return packageEntries(ev, own, name)
    .map(entry => ({ file: entry.file, row: entry.file.facts.bindings.symbol[entry.binding] ?? NONE }))
    .filter(symbol => symbol.row !== NONE);
}

function isDefinition({ file, row }: DeclaredSymbol, isFunction: boolean): boolean {
  const { symbols } = file.facts;
  const modifiers = symbols.modifiers[row] ?? 0;
  const isStatic = (modifiers & MODIFIERS.static) !== 0 && (symbols.receiver[row] ?? NONE) === NONE;
  return (modifiers & MODIFIERS.declared) === 0 && !isStatic && ((symbols.function[row] ?? NONE) !== NONE) === isFunction && !file.isContainer(row);
}

function parametersOf({ file, row }: DeclaredSymbol): number {
  return file.facts.functions.parameterCount[file.facts.symbols.function[row] ?? NONE] ?? 0;
}

/** Last names of the types of the parameters. */
function typesOf({ file, row }: DeclaredSymbol): string {
  const { functions, lists, bindings } = file.facts;
  const functionRow = file.facts.symbols.function[row] ?? NONE;
  if (functionRow === NONE) return '';
  const start = functions.parameterStart[functionRow] ?? 0;
  const names: NameNumber[] = [];
  for (let i = 0; i < (functions.parameterCount[functionRow] ?? 0); i++) {
    const type = bindings.type[lists[start + i] ?? NONE] ?? NONE;
    names.push(type === NONE ? NO_NAME : file.lastName(type));
  }
  return names.join();
}
