import { type ExpressionRow, HERITAGE_KINDS, type HeritageRow, NONE, type SymbolRow } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { symbolKindCode } from '../../../model/nodes';
import type { FileState } from '../fileState';
import type { NameNumber } from '../numbers';
import { NO_ARGUMENTS, type TypeArguments, VALUE, type Value, type ValueSet } from '../values';
import type { ClassLink, Evaluator } from './evaluator';
import { classSubstitution, instancesOf, type Substitution, substitute } from './generics';
import { mayAddToOutside } from './packages/globals';
import { declarationsAcross, outsideHeritage } from './packages/openTypes';

const EXTENDS = HERITAGE_KINDS.indexOf('extends');
const MIXIN = HERITAGE_KINDS.indexOf('mixin');
const MAX_LINEARIZED = 40;

/** The class and its bases, in the order in which the language searches them. Cycles are cut. */
export function linkClasses(ev: Evaluator, file: FileState, row: SymbolRow, node: NodeHandle): readonly ClassLink[] {
  const lists: ClassLink[][] = [];
  let open = mayAddToOutside(file, row);
  for (const base of basesOf(ev, file, row)) {
    if (base === undefined) {
      open = true;
      continue;
    }
    const substitution = classSubstitution(ev, base.node, base.args);
    const links = ev.hierarchy(base.node).map(link => ({
      node: link.node,
      open: link.open,
      args: link.node === base.node ? base.args : substituteArgs(ev, link.args, substitution),
    }));
    if (links.some(link => link.open)) open = true;
    lists.push(links);
  }
  const own: ClassLink = { node, args: NO_ARGUMENTS, open };
  const rest = file.rules.baseOrder === 'c3' ? mergeC3(lists) : concatenated(lists);
  return [own, ...rest.filter(link => link.node !== node)].slice(0, MAX_LINEARIZED);
}

function substituteArgs(ev: Evaluator, args: TypeArguments, substitution: Substitution): TypeArguments {
  if (args === 0 || substitution.size === 0) return args;
  return ev.values.argsOf(ev.values.argList(args).map(set => substitute(ev, set, substitution)));
}

/** Node of the class that a class extends (interfaces it implements aside), or -1 when that is none of the project. */
export function superclassOf(ev: Evaluator, node: NodeHandle): NodeHandle {
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NO_NODE;
  const lines = file.heritageOf(ev.project.rowOf(node));
  const extended = lines.find(line => file.facts.heritage.kind[line] === EXTENDS);
  for (const line of extended === undefined ? lines : [extended]) {
    const base = ev.values.members(baseTypes(ev, file, file.facts.heritage.expression[line] ?? NONE)).find(value => ev.values.kindOf(value) === VALUE.instance);
    if (base !== undefined && (extended !== undefined || isClass(ev, ev.values.node(base)))) return ev.values.node(base);
  }
  return NO_NODE;
}

function isClass(ev: Evaluator, node: NodeHandle): boolean {
  return ev.project.ownerOf(node)?.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.class;
}

interface Base {
  readonly node: NodeHandle;
  readonly args: TypeArguments;
}

/** Direct bases in order; `undefined` for one that is outside the project or unknown. */
export function basesOf(ev: Evaluator, file: FileState, row: SymbolRow): (Base | undefined)[] {
  const bases: (Base | undefined)[] = [];
  for (const { at, line } of heritageAcross(ev, file, row)) {
    const { heritage } = at.facts;
    const expression = heritage.expression[line] ?? NONE;
    const found = baseTypes(ev, at, expression);
    let known = false;
    for (const value of inOrder(ev, ev.values.members(found))) {
      const kind = ev.values.kindOf(value);
      if (kind === VALUE.instance || kind === VALUE.namespace) {
        bases.push({ node: ev.values.node(value), args: ev.values.argsId(value) });
        known = true;
      } else if (kind === VALUE.function) {
        bases.push({ node: ev.values.node(value), args: NO_ARGUMENTS });
        known = true;
      } else if (kind === VALUE.objectType) known = true;
      else if (kind === VALUE.builtin && isPlain(ev, ev.values.name(value))) known = true;
    }
    if (!known && (heritage.kind[line] !== MIXIN || at.rules.looseMixins !== true)) bases.push(undefined);
  }
  return bases;
}

/** Alternatives by where they are declared: their numbers tell only which was met first, and an edit may have met them otherwise than a first index. */
function inOrder(ev: Evaluator, values: readonly Value[]): readonly Value[] {
  if (values.length < 2) return values;
  const place = (value: Value): string => {
    const kind = ev.values.kindOf(value);
    if (kind !== VALUE.instance && kind !== VALUE.namespace && kind !== VALUE.function) return '';
    const node = ev.values.node(value);
    return `${ev.project.ownerOf(node)?.path ?? ''}\n${String(ev.project.rowOf(node)).padStart(8, '0')}`;
  };
  return values
    .map(value => ({ value, at: place(value) }))
    .sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : left.value - right.value))
    .map(({ value }) => value);
}

/** Heritage rows of all declarations of a type, its own first, with their files. */
function heritageAcross(ev: Evaluator, file: FileState, row: SymbolRow): { readonly at: FileState; readonly line: HeritageRow }[] {
  const own = file.heritageOf(row).map(line => ({ at: file, line }));
  for (const declaration of declarationsAcross(ev, file, row)) {
    if (declaration.file === file && declaration.row === row) continue;
    for (const line of declaration.file.heritageOf(declaration.row)) own.push({ at: declaration.file, line });
  }
  for (const entry of outsideHeritage(ev, file, row)) own.push({ at: entry.file, line: entry.row });
  return own;
}

/** Types that a heritage clause names: spelled as a type, else instances of the class that the expression gives. */
export function baseTypes(ev: Evaluator, file: FileState, expression: ExpressionRow): ValueSet {
  const spelled = ev.typeOf(file, expression);
  const isKnown = ev.values.members(spelled).some(value => ev.values.kindOf(value) !== VALUE.unknown);
  return isKnown ? spelled : ev.values.union(spelled, instancesOf(ev, ev.valueOf(file, expression)));
}

/** True for a built-in type that, as a base, brings no members worth a doubt. */
function isPlain(ev: Evaluator, type: NameNumber): boolean {
  const { plainBases, family } = ev.project.rulesOfBuiltin(type);
  return plainBases?.has(ev.project.names.text(type).slice(family.length + 1)) === true;
}

function concatenated(lists: readonly (readonly ClassLink[])[]): ClassLink[] {
  const seen = new Set<NodeHandle>();
  const out: ClassLink[] = [];
  for (const list of lists) {
    for (const link of list) {
      if (seen.has(link.node)) continue;
      seen.add(link.node);
      out.push(link);
    }
  }
  return out;
}

/** C3 linearization; falls back to depth first where the hierarchy has none. */
function mergeC3(lists: readonly (readonly ClassLink[])[]): ClassLink[] {
  const pending = [...lists.map(list => [...list]), lists.flatMap(list => list.slice(0, 1))].filter(list => list.length > 0);
  const out: ClassLink[] = [];
  while (pending.some(list => list.length > 0)) {
    const next = pending.find(list => list.length > 0 && !pending.some(other => other.slice(1).some(link => link.node === list[0]?.node)))?.[0];
    if (next === undefined) return concatenated(lists);
    out.push(next);
    for (const list of pending) if (list[0]?.node === next.node) list.shift();
  }
  return out;
}

/** Built-in types that a type extends or implements, with their type arguments. */
export function builtinBases(ev: Evaluator, value: Value): readonly Value[] {
  const { values } = ev;
  const out: Value[] = [];
  for (const link of ev.hierarchy(values.node(value))) {
    const file = ev.project.ownerOf(link.node);
    if (file === undefined) continue;
    const args = link.node === values.node(value) ? values.argsId(value) : link.args;
    for (const line of file.heritageOf(ev.project.rowOf(link.node))) {
      const spelled = baseTypes(ev, file, file.facts.heritage.expression[line] ?? NONE);
      if (!values.members(spelled).some(base => values.kindOf(base) === VALUE.builtin)) continue;
      let given = substitute(ev, spelled, classSubstitution(ev, link.node, args));
      if (link.node !== values.node(value)) given = substitute(ev, given, classSubstitution(ev, values.node(value), values.argsId(value)));
      for (const base of values.members(given)) if (values.kindOf(base) === VALUE.builtin) out.push(base);
    }
  }
  return out;
}
