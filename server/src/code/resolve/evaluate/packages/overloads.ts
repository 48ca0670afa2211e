import { MODULE_SCOPE, NO_TEXT, NONE } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import type { FileState } from '../../fileState';
import { NOTHING, VALUE, type Value, type ValueSet } from '../../values';
import { elementsOf } from '../containers';
import type { Arguments, DeclaredSymbol, Evaluator } from '../evaluator';
import { ownerNode } from '../generics';
import { findMember } from '../members';
import { functionRowOf, isContextuallyTyped } from '../operands';
import { packageEntries } from './packages';

/** Scores of one argument against one parameter. */
const CERTAIN = 3;
const LIKELY = 1;

/**
 * The overload that a call means: by number of arguments, then by how well their types fit, first declared wins a draw.
 * A function that is not overloaded, or whose language has no overloads, is itself.
 */
export function selectedOverload(ev: Evaluator, value: Value, args: Arguments): Value {
  const { values } = ev;
  const file = ev.project.ownerOf(values.node(value));
  if (file?.rules.overloads !== true) return value;
  const all = overloadsOf(ev, value, args.file);
  if (isOfRoot(ev, value, all, args)) return values.external(ev.nameOf(file.text(file.facts.symbols.name[ev.project.rowOf(values.node(value))] ?? NO_TEXT)));
  if (all.length < 2) return value;
  let best: DeclaredSymbol | undefined;
  let bestScore = -1;
  for (const candidate of all) {
    const score = scoreOf(ev, candidate, args);
    if (score > bestScore) {
      best = candidate;
      bestScore = score;
    }
  }
  return best === undefined ? value : values.functionOf(best.file.symbolNodes[best.row] ?? values.node(value), values.receiver(value));
}

/** True where a static method of the type that all derive from is meant, since none of the type's own takes so many arguments. */
function isOfRoot(ev: Evaluator, value: Value, all: readonly DeclaredSymbol[], args: Arguments): boolean {
  const node = ev.values.node(value);
  const file = ev.project.ownerOf(node);
  const name = file?.facts.symbols.name[ev.project.rowOf(node)] ?? NO_TEXT;
  if (file?.rules.rootStatics?.has(file.text(name)) !== true || all.length === 0) return false;
  return all.every(symbol => scoreOfCounts(symbol, args, isVariadicFunction(symbol)) < 0);
}

function isVariadicFunction({ file, row }: DeclaredSymbol): boolean {
  return ((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.variadic) !== 0;
}

/** Functions of the same name that the receiver has (own ones first, then inherited), or that stand in the same package. */
function overloadsOf(ev: Evaluator, value: Value, from: FileState): readonly DeclaredSymbol[] {
  const { values } = ev;
  const node = values.node(value);
  const file = ev.project.ownerOf(node);
  if (file === undefined) return [];
  const row = ev.project.rowOf(node);
  const { symbols, bindings } = file.facts;
  const name = file.name(symbols.name[row] ?? NO_TEXT);
  const isFunction = (symbol: DeclaredSymbol): boolean => functionRowOf(symbol.file, symbol.row) !== NONE;
  const receiver = values.receiver(value);
  const parent = symbols.parent[row] ?? NONE;
  if (receiver >= 0 && (values.kindOf(receiver) === VALUE.instance || values.kindOf(receiver) === VALUE.class)) {
    const out: DeclaredSymbol[] = [];
    const links = ev.hierarchy(values.node(receiver));
    const isConstructor = ev.project.names.text(name) === file.rules.constructorName;
    const from = links.findIndex(link => link.node === ownerNode(ev, value));
    for (let skip = Math.max(0, from); skip < links.length; skip++) {
      const hits = findMember(ev, values.node(receiver), name, skip);
      for (const hit of hits) if (isFunction(hit) && !out.some(known => known.row === hit.row && known.file === hit.file)) out.push(hit);
      const at = links.findIndex(link => link.node === hits[0]?.owner);
      if (at < 0 || isConstructor) break;
      skip = at;
    }
    return out;
  }
  if (parent !== NONE)
    return file
      .membersNamed(parent, name)
      .map(sibling => ({ file, row: sibling }))
      .filter(isFunction);
  const first = file.firstBinding(MODULE_SCOPE, name);
  const scope = first === NONE ? MODULE_SCOPE : (bindings.scope[first] ?? MODULE_SCOPE);
  const own = ev.packages.packageOf(file, scope);
  if (own < 0)
    return file
      .membersNamed(NONE, name)
      .map(sibling => ({ file, row: sibling }))
      .filter(isFunction);
  const entries = packageEntries(ev, own, name);
  return (ev.hooks(from).select?.(ev, from, entries) ?? entries)
    .map(entry => ({ file: entry.file, row: entry.file.facts.bindings.symbol[entry.binding] ?? NONE }))
    .filter(symbol => symbol.row !== NONE && isFunction(symbol) && containerOf(symbol) === containerOf({ file, row }));
}

/** Type that a function declared outside of one belongs to, '' for none: extensions of different types are no overloads. */
function containerOf({ file, row }: DeclaredSymbol): string {
  return file.text(file.facts.symbols.container[row] ?? NO_TEXT);
}

/** How well the numbers of arguments and type arguments fit; -1: they do not. */
function scoreOfCounts(candidate: DeclaredSymbol, args: Arguments, isVariadic: boolean): number {
  const { functions, bindings, lists } = candidate.file.facts;
  const functionRow = functionRowOf(candidate.file, candidate.row);
  const start = functions.parameterStart[functionRow] ?? 0;
  const count = functions.parameterCount[functionRow] ?? 0;
  const given = args.rows.length;
  let needed = 0;
  for (let i = 0; i < count - (isVariadic ? 1 : 0); i++) {
    const parameter = lists[start + i] ?? NONE;
    if (parameter === NONE || (bindings.value[parameter] ?? NONE) === NONE) needed = i + 1;
  }
  if (given < needed || (given > count && !isVariadic)) return -1;
  const open = candidate.file.typeParametersOf(functions.scope[functionRow] ?? NONE).length;
  const written = args.file.genericArguments(args.row).length;
  if (written > open) return -1;
  return (isVariadic ? 1 : 2) - (written === open ? 0 : 0.1 * open);
}

/** How well arguments fit; -1: they do not. */
export function scoreOf(ev: Evaluator, candidate: DeclaredSymbol, args: Arguments): number {
  const { functions, bindings, lists } = candidate.file.facts;
  const functionRow = functionRowOf(candidate.file, candidate.row);
  const start = functions.parameterStart[functionRow] ?? 0;
  const count = functions.parameterCount[functionRow] ?? 0;
  const isVariadic = isVariadicFunction(candidate);
  const given = args.rows.length;
  let score = scoreOfCounts(candidate, args, isVariadic);
  if (score < 0) return -1;
  for (let i = 0; i < given; i++) {
    const parameter = lists[start + Math.min(i, count - 1)] ?? NONE;
    const type = parameter === NONE ? NONE : (bindings.type[parameter] ?? NONE);
    if (type === NONE) continue;
    const wanted = ev.typeOf(candidate.file, type);
    const argument = args.rows[i] ?? NONE;
    if (isContextuallyTyped(args.file, argument)) continue;
    const value = ev.valueOf(args.file, argument);
    let fit = fitOf(ev, candidate.file, wanted, value);
    if (fit < 0 && isVariadic && i >= count - 1) fit = fitOf(ev, candidate.file, elementsOf(ev, wanted), value);
    if (fit < 0) return isVariadic && i >= count - 1 ? 0.25 : 0;
    score += Math.max(0, fit);
  }
  return score;
}

/** Fit of a value to a parameter type: certain, likely, open (0) or impossible (-1). */
function fitOf(ev: Evaluator, file: FileState, type: ValueSet, value: ValueSet): number {
  const { values } = ev;
  let best = -1;
  if (type === NOTHING || value === NOTHING) return 0;
  const hooks = ev.hooks(file);
  for (const wanted of values.members(type)) {
    for (const given of values.members(value)) best = Math.max(best, hooks.fit?.(ev, wanted, given) ?? fitOfValues(ev, wanted, given));
  }
  return best;
}

function fitOfValues(ev: Evaluator, wanted: Value, given: Value): number {
  const { values } = ev;
  const wantedKind = values.kindOf(wanted);
  const givenKind = values.kindOf(given);
  if (OPEN.has(wantedKind) || OPEN.has(givenKind)) return 0;
  if (FUNCTIONS.has(givenKind)) return wantedKind === VALUE.functionType ? CERTAIN : wantedKind === VALUE.builtin ? -1 : LIKELY;
  if (givenKind === VALUE.external) return wantedKind === VALUE.external && values.name(wanted) === values.name(given) ? CERTAIN : 0;
  if (wantedKind === VALUE.instance && givenKind === VALUE.instance) return fitOfInstances(ev, wanted, given);
  if (wantedKind === VALUE.builtin && isTop(ev, wanted)) return 0;
  if (givenKind === VALUE.builtin && isNull(ev, given)) return wantedKind === VALUE.builtin ? 0 : LIKELY;
  if (wantedKind === VALUE.builtin && givenKind === VALUE.builtin) return values.name(wanted) === values.name(given) ? CERTAIN : -1;
  return wantedKind === VALUE.external ? 0 : -1;
}

const OPEN: ReadonlySet<number> = new Set([VALUE.unknown, VALUE.weak, VALUE.typeParameter]);
const FUNCTIONS: ReadonlySet<number> = new Set([VALUE.lambda, VALUE.function, VALUE.functionType]);

function fitOfInstances(ev: Evaluator, wanted: Value, given: Value): number {
  const at = ev.hierarchy(ev.values.node(given)).findIndex(link => link.node === ev.values.node(wanted));
  return at === 0 ? CERTAIN + LIKELY : at > 0 ? CERTAIN : -1;
}

function isNull(ev: Evaluator, value: Value): boolean {
  return /\.(?:null|nil|None|nullptr)$/.test(ev.project.names.text(ev.values.name(value)));
}

/** Types that everything is. */
function isTop(ev: Evaluator, value: Value): boolean {
  return /\.(?:Object|Any|object|dynamic|mixed|any)$/.test(ev.project.names.text(ev.values.name(value)));
}
