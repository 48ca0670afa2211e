/** Types whose declaration is spread: over several declarations (partial, reopened), or with members and bases declared outside their body. */
import { type ExpressionRow, type HeritageRow, MODULE_SCOPE, NO_TEXT, NONE, type SymbolRow } from '../../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../../model/ids';
import { symbolKindCode } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import { type NameNumber, NO_PACKAGE } from '../../numbers';
import type { OutsideEntry } from '../../packages/packageEntries';
import { VALUE, type Value } from '../../values';
import type { DeclaredSymbol, Evaluator } from '../evaluator';
import { declarationsOf, isMerging, mergedInto } from '../operands';
import { globalSymbols } from './globals';
import { packageEntries, preferred } from './packages';

/** All declarations of the container symbol, in order of paths and rows. */
export function declarationsAcross(ev: Evaluator, file: FileState, row: SymbolRow): readonly DeclaredSymbol[] {
  const { rules } = file;
  if (rules.merging !== undefined) return withGlobals(ev, file, row);
  if (!rules.openTypes || !file.isContainer(row)) return [{ file, row }];
  const { symbols } = file.facts;
  const name = file.name(symbols.name[row] ?? NO_TEXT);
  const parent = symbols.parent[row] ?? NONE;
  const own: readonly DeclaredSymbol[] = [{ file, row }];
  if (rules.arePartsOfOne?.(file, row, file, row) === false) return own;
  if (parent !== NONE && !file.isContainer(parent)) return own;
  const isNested = parent !== NONE && !file.isPackageScope(file.scopeDeclaring(row));
  const found = isNested ? siblingsAcross(ev, file, parent, name) : inPackage(ev, file, row, name);
  const parts = rules.arePartsOfOne === undefined ? found : found.filter(part => isOneWith(part, file, row));
  return parts.length === 0 ? own : parts;
}

/** Declarations of one name beside each other; of a global one those in other files, too. */
function withGlobals(ev: Evaluator, file: FileState, row: SymbolRow): readonly DeclaredSymbol[] {
  const own = declarationsOf(file, row).map(declaration => ({ file, row: declaration }));
  if (!file.hasGlobalNames || !file.isContainer(row) || !file.isGlobal(row)) return own;
  const name = file.name(file.facts.symbols.name[row] ?? NO_TEXT);
  // Two classes of one name are of two programs.
  const isClass = file.facts.symbols.kind[row] === symbolKindCode.class;
  const others = globalSymbols(ev, file, MODULE_SCOPE, name).filter(
    other => other.file !== file && other.file.isContainer(other.row) && !(isClass && other.file.facts.symbols.kind[other.row] === symbolKindCode.class),
  );
  const after = others.findIndex(other => other.file.path > file.path);
  return after < 0 ? [...others, ...own] : [...others.slice(0, after), ...own, ...others.slice(after)];
}

function isOneWith(part: DeclaredSymbol, file: FileState, row: SymbolRow): boolean {
  return (part.row === row && part.file === file) || file.rules.arePartsOfOne?.(file, row, part.file, part.row) === true;
}

function siblingsAcross(ev: Evaluator, file: FileState, parent: SymbolRow, name: NameNumber): DeclaredSymbol[] {
  const out: DeclaredSymbol[] = [];
  for (const container of declarationsAcross(ev, file, parent)) {
    for (const member of container.file.membersNamed(container.row, name))
      if (container.file.isContainer(member)) out.push({ file: container.file, row: member });
  }
  if (out.length > 1) ev.dependencies.consult(ev.dependencies.bearers(name));
  return out;
}

function inPackage(ev: Evaluator, file: FileState, row: SymbolRow, name: NameNumber): DeclaredSymbol[] {
  const scope = file.scopeDeclaring(row);
  const own = scope < 0 ? NO_PACKAGE : ev.packages.packageOf(file, scope);
  if (own < 0) return [];
  const out: DeclaredSymbol[] = [];
  for (const entry of packageEntries(ev, own, name)) {
    const symbol = entry.file.facts.bindings.symbol[entry.binding] ?? NONE;
    if (symbol !== NONE && entry.file.isContainer(symbol)) out.push({ file: entry.file, row: symbol });
  }
  return out;
}

/** Node that stands for a container symbol: that of its first declaration. */
export function canonicalNode(ev: Evaluator, file: FileState, row: SymbolRow): NodeHandle {
  if (!file.rules.openTypes) {
    const merged = mergedInto(file, row);
    if (!file.hasGlobalNames || !isMerging(file, row) || !file.isGlobal(row)) return file.symbolNodes[merged] ?? NO_NODE;
    const first = withGlobals(ev, file, row).find(part => isMerging(part.file, part.row));
    return first === undefined ? (file.symbolNodes[merged] ?? NO_NODE) : (first.file.symbolNodes[first.row] ?? NO_NODE);
  }
  const first = declarationsAcross(ev, file, row)[0];
  return first === undefined ? (file.symbolNodes[row] ?? NO_NODE) : (first.file.symbolNodes[first.row] ?? NO_NODE);
}

/** Members of the name that are declared outside the body of a type (`node`). */
export function outsideMembers(ev: Evaluator, node: NodeHandle, name: NameNumber): readonly OutsideEntry[] {
  const entries = ev.packages.outside(name);
  ev.dependencies.consult(ev.dependencies.bearers(name));
  if (entries.length === 0) return entries;
  const near = entries.length > MANY ? namedFor(ev, node, name) : entries;
  const own = near.filter(entry => isReceiver(ev, entry, entry.file.facts.symbols.receiver[entry.row] ?? NONE, node));
  return own.length < 2 ? own : preferred(ev, own);
}

/** The same by the name of the type: where a name has more bearers, receivers spelled by another name of the type are left aside. */
const MANY = 40;

function namedFor(ev: Evaluator, node: NodeHandle, name: NameNumber): readonly OutsideEntry[] {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return [];
  const type = file.name(file.facts.symbols.name[ev.project.rowOf(node)] ?? NO_TEXT);
  ev.dependencies.consult(ev.dependencies.bearers(type));
  return ev.packages.outsideOf(type).filter(entry => entry.file.name(entry.file.facts.symbols.name[entry.row] ?? NO_TEXT) === name);
}

/** All members that are declared outside the body of a type. */
export function outsideMembersOf(ev: Evaluator, file: FileState, row: SymbolRow): readonly OutsideEntry[] {
  const name = file.name(file.facts.symbols.name[row] ?? NO_TEXT);
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const entries = ev.packages.outsideOf(name);
  const node = canonicalNode(ev, file, row);
  return entries.filter(entry => isReceiver(ev, entry, entry.file.facts.symbols.receiver[entry.row] ?? NONE, node));
}

/** Heritage rows outside the declaration of a type that give it bases. */
export function outsideHeritage(ev: Evaluator, file: FileState, row: SymbolRow): readonly OutsideEntry<HeritageRow>[] {
  if (file.isModular && file.rules.merging === undefined) return [];
  const name = file.name(file.facts.symbols.name[row] ?? NO_TEXT);
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const node = canonicalNode(ev, file, row);
  return ev.packages.outsideHeritage(name).filter(entry => isReceiver(ev, entry, entry.file.facts.heritage.receiver[entry.row] ?? NONE, node));
}

function isReceiver(ev: Evaluator, entry: { readonly file: FileState }, receiver: ExpressionRow, node: NodeHandle): boolean {
  const { values } = ev;
  return values.members(ev.typeOf(entry.file, receiver)).some(value => values.kindOf(value) === VALUE.instance && values.node(value) === node);
}

/** Members of the name declared for a value that is no instance of a project type (`fun String.shout()`). */
export function outsideMembersOfValue(ev: Evaluator, value: Value, name: NameNumber): readonly OutsideEntry[] {
  const { values } = ev;
  ev.dependencies.consult(ev.dependencies.bearers(name));
  const entries = ev.packages.outside(name);
  if (entries.length === 0) return entries;
  return entries.filter(({ file, row }) => {
    const accepts = ev.hooks(file).accepts;
    return values
      .members(ev.typeOf(file, file.facts.symbols.receiver[row] ?? NONE))
      .some(wanted => accepts?.(ev, wanted, value) ?? (values.kindOf(wanted) === VALUE.builtin && values.name(wanted) === values.subject(value)));
  });
}
