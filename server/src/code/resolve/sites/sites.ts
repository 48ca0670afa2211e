/**
 * Turns what the evaluator says into the sites of one file: calls, instantiations, types, decorators, reads, imports, heritage, overrides, tests.
 * A site without candidates is counted for its owner as external or unresolved.
 */

import { type SourceName, sourceCode } from '../../../model/evidence';
import { NONE, OPERATORS, operatorCode, REFERENCE_KINDS, type ReferenceKind } from '../../../model/facts';
import { symbolKindCode } from '../../../model/nodes';
import { type Relation, relationCode } from '../../../model/relations';
import type { FileResolution } from '../../../model/resolution';
import { bodyOf } from '../dependencies';
import { classesMade } from '../evaluate/calls';
import { aliasOf, importedSymbols, memberSymbols, namedSymbols } from '../evaluate/declarations';
import type { Arguments, Evaluator } from '../evaluate/evaluator';
import { superclassOf } from '../evaluate/hierarchy';
import { BESIDE_WHOLE } from '../evaluate/imports';
import { findMember } from '../evaluate/members';
import { argumentsOf, calleesOf, operands } from '../evaluate/operands';
import { findName } from '../evaluate/packages/names';
import { selectedOverload } from '../evaluate/packages/overloads';
import type { FileState } from '../fileState';
import type { Guesses } from '../guesses';
import type { PreciseFile } from '../precise/preciseFile';
import { writeOtherReads, writePrecise } from '../precise/preciseSites';
import { NOTHING, VALUE } from '../values';
import { writeHeritage } from './heritageSites';
import { writeImports } from './importSites';
import type { SiteContext } from './siteContext';
import { type Candidate, SiteWriter } from './siteWriter';
import { isInTest, writeTests } from './testSites';
import { TYPE_VALUES, VARIABLE_RELATIONS } from './variableRelations';

/** Confidence that a class known only as `type[X]` is X itself and not a subclass. */
const ANY_SUBCLASS = 0.4;

/** Confidence that a function which a variable or a field was seen to hold is the one called through it, where variables vary. */
const HELD_BY_VARIABLE = 0.45;

type Outcome = 'resolved' | 'external' | 'unresolved' | 'ignored';

interface Site {
  readonly expression: number;
  readonly from: number;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

const HANDLERS: Readonly<Record<ReferenceKind, (context: SiteContext, site: Site) => Outcome>> = {
  call: callSite,
  new: newSite,
  type: (context, site) => typeSite(context, site, 'USES_TYPE'),
  decorator: decoratorSite,
  raise: (context, site) => classSite(context, site, 'RAISES'),
  catch: (context, site) => typeSite(context, site, 'CATCHES'),
  read: readSite,
  write: (context, site) => variableSite(context, site, 'ASSIGNS_TO'),
  assertType: (context, site) => typeSite(context, site, 'ASSERTS_TYPE'),
  enter: (context, site) => classSite(context, site, 'USES_CONTEXT_MANAGER'),
  jsx: jsxSite,
};

const HANDLERS_BY_CODE = REFERENCE_KINDS.map(kind => HANDLERS[kind]);

/** Resolves every site of a file; what `precise` knows of it goes before our own rules. */
export function resolveSites(ev: Evaluator, file: FileState, guesses: Guesses, precise?: PreciseFile): FileResolution {
  const { references, symbols } = file.facts;
  const context: SiteContext = {
    ev,
    file,
    guesses,
    writer: new SiteWriter(node => ev.project.idText(node)),
    unresolved: new Int32Array(symbols.count + 1),
    external: new Int32Array(symbols.count + 1),
    precise,
  };
  const moduleUnit = ev.dependencies.unit(file.id, -1);
  ev.inBody(moduleUnit, () => writeImports(context));
  const { dependencies } = ev;
  const before = dependencies.current;
  for (let row = 0; row < references.count; row++) {
    const owner = references.owner[row] ?? NONE;
    dependencies.current = bodyOf(ev.unitOfSymbol(file, owner));
    const outcome = writePrecise(context, row, owner) ?? siteOf(context, row, owner);
    if (outcome === 'resolved' || outcome === 'ignored') continue;
    const counted = owner === NONE ? symbols.count : owner;
    const counts = outcome === 'unresolved' ? context.unresolved : context.external;
    counts[counted] = (counts[counted] ?? 0) + 1;
  }
  dependencies.current = before;
  writeHeritage(context);
  writeOtherReads(context);
  return {
    path: file.path,
    file: file.fileNode,
    symbolNodes: file.symbolNodes,
    sites: context.writer.finish(),
    unresolved: context.unresolved,
    external: context.external,
  };
}

function siteOf(context: SiteContext, row: number, owner: number): Outcome {
  const { file } = context;
  const { references } = file.facts;
  const handler = HANDLERS_BY_CODE[references.kind[row] ?? 0] ?? readSite;
  const expression = references.expression[row] ?? NONE;
  const site: Site = {
    expression,
    from: owner === NONE ? file.fileNode : (file.symbolNodes[owner] ?? file.fileNode),
    line: references.line[row] ?? 0,
    column: references.column[row] ?? 0,
    length: file.text(references.name[row] ?? 0).length,
  };
  if (file.isInDefault(expression, operands)) defaultSite(context, site);
  return handler(context, site);
}

/** A target with what it is reached by. */
interface Target {
  readonly node: number;
  readonly relation: Relation;
  /** Upper bound of the confidence, where the kind of value sets one. */
  readonly atMost?: number;
}

/** What a set of values says about where a call goes. */
interface Reached {
  readonly targets: readonly Target[];
  readonly isExternal: boolean;
  readonly isOpen: boolean;
  readonly isWeak: boolean;
}

function reach(ev: Evaluator, set: number, pick: (value: number) => Target | 'external' | 'open' | undefined): Reached {
  const targets: Target[] = [];
  let isExternal = false;
  let isOpen = false;
  let isWeak = false;
  for (const value of ev.values.members(set)) {
    if (ev.values.kindOf(value) === VALUE.weak) {
      isWeak = true;
      continue;
    }
    const picked = pick(value);
    if (picked === 'external') isExternal = true;
    else if (picked === 'open') isOpen = true;
    else if (picked !== undefined && (targets.length === 0 || !targets.some(target => target.node === picked.node && target.relation === picked.relation)))
      targets.push(picked);
  }
  return { targets, isExternal, isOpen, isWeak };
}

/** Name of the method that calling an instance calls, -1 where there is none. */
function callNameOf(ev: Evaluator, instance: number): number {
  const name = ev.project.ownerOf(ev.values.a(instance))?.rules.callName;
  return name === undefined ? -1 : ev.nameOf(name);
}

function callTarget(ev: Evaluator, value: number, args?: Arguments): Target | 'external' | 'open' | undefined {
  const { values } = ev;
  switch (values.kindOf(value)) {
    case VALUE.function:
      return { node: definedNode(ev, values.a(value)), relation: 'CALLS' };
    case VALUE.class:
      return {
        node: values.a(value),
        relation: ev.project.ownerOf(values.a(value))?.rules.callsConvert === true ? 'USES_TYPE' : 'INSTANTIATES',
        ...(values.b(value) === 2 ? { atMost: ANY_SUBCLASS } : {}),
      };
    case VALUE.instance: {
      const name = callNameOf(ev, value);
      const hit = name < 0 ? undefined : findMember(ev, values.a(value), name)[0];
      return hit === undefined ? 'open' : { node: definedNode(ev, hit.file.symbolNodes[hit.row] ?? 0), relation: 'CALLS' };
    }
    case VALUE.super:
      return superConstructor(ev, value, args);
    case VALUE.builtin:
    case VALUE.builtinClass:
    case VALUE.external:
      return 'external';
    case VALUE.builtinMethod:
      return values.a(value) === 1 ? callTarget(ev, values.c(value)) : 'external';
    case VALUE.functionType:
      return declaredFunction(ev, value);
    case VALUE.lambda:
      return undefined;
    case VALUE.module:
      return values.b(value) === BESIDE_WHOLE ? undefined : 'open';
    default:
      return 'open';
  }
}

/** Node of the definition behind a declaration. */
function definedNode(ev: Evaluator, node: number): number {
  const owner = ev.project.ownerOf(node);
  return owner === undefined ? node : (ev.hooks(owner).definition?.(ev, node) ?? node);
}

/** A method written inside an object type has a symbol; a plain function type has none. */
function declaredFunction(ev: Evaluator, value: number): Target | 'open' {
  const file = ev.project.file(ev.values.a(value));
  const spelled = file === undefined || ev.values.c(value) === 1 ? NONE : (file.facts.expressions.b[ev.values.b(value)] ?? NONE);
  const symbol = file === undefined || spelled < 0 ? NONE : (file.facts.functions.symbol[spelled] ?? NONE);
  return file === undefined || symbol === NONE ? 'open' : { node: file.symbolNodes[symbol] ?? 0, relation: 'CALLS' };
}

/** `super(…)`: the constructor of the nearest base that has one, else the base itself. */
function superConstructor(ev: Evaluator, value: number, args?: Arguments): Target | 'external' | 'open' {
  const { values } = ev;
  const node = values.a(value);
  const rules = ev.project.ownerOf(node)?.rules;
  if (rules === undefined) return 'external';
  if (rules.functionalInterfaces === true) return baseConstructor(ev, node, rules.constructorName, args);
  const constructor = findMember(ev, node, ev.nameOf(rules.constructorName), 1)[0];
  const base = ev.hierarchy(node)[1];
  if (base === undefined) return 'external';
  if (constructor !== undefined) return { node: constructor.file.symbolNodes[constructor.row] ?? base.node, relation: 'CALLS' };
  return { node: base.node, relation: 'CALLS' };
}

/** The same where interfaces are among the bases: the constructor of the one class extended, chosen by its arguments. */
function baseConstructor(ev: Evaluator, node: number, constructorName: string, args: Arguments | undefined): Target | 'external' {
  const base = superclassOf(ev, node);
  if (base < 0) return 'external';
  const own = ev.project.ownerOf(base);
  const row = own?.membersNamed(ev.project.rowOf(base), ev.nameOf(constructorName))[0];
  if (own === undefined || row === undefined) return { node: base, relation: 'CALLS' };
  const first = ev.values.value(VALUE.function, own.symbolNodes[row] ?? base, 0, ev.values.value(VALUE.instance, base));
  return { node: ev.values.a(args === undefined ? first : selectedOverload(ev, first, args)), relation: 'CALLS' };
}

/** A call; where what is called is kept in a variable or a field and is not known, at least the reading of that is. */
function callSite(context: SiteContext, site: Site): Outcome {
  const { ev, file } = context;
  const callee = file.facts.expressions.a[site.expression] ?? NONE;
  const set = calleesOf(ev, file, ev.valueOf(file, callee));
  const args = argumentsOf(file, site.expression);
  const mayVary = file.rules.variablesVary === true && !namesFunction(ev, file, callee);
  const reached = reach(ev, set, value => {
    const target = callTarget(ev, ev.values.kindOf(value) === VALUE.function ? selectedOverload(ev, value, args) : value, args);
    return mayVary && typeof target === 'object' && target.relation === 'CALLS' ? { ...target, atMost: HELD_BY_VARIABLE } : target;
  });
  if (reached.targets.length === 0 && OPERATOR.test(file.text(file.facts.expressions.text[callee] ?? 0))) return 'ignored';
  const outcome = write(context, site, callee, reached, set);
  if (outcome !== 'resolved') readCallee(context, site, callee, outcome);
  return outcome;
}

/** What is known to come from outside is looked up by plain names only: members of outside types are most of the calls of a file. */
function readCallee(context: SiteContext, site: Site, callee: number, outcome: Outcome): void {
  const isName = OPERATORS[context.file.facts.expressions.operator[callee] ?? 0] === 'name';
  if (isName || outcome === 'unresolved') variableSite(context, { ...site, expression: callee }, undefined);
}

/** False for a callee that is a variable or a field: what it holds when it is called may be another function than those seen. */
function namesFunction(ev: Evaluator, file: FileState, callee: number): boolean {
  const { expressions } = file.facts;
  const operator = OPERATORS[expressions.operator[callee] ?? 0];
  if (operator === 'index' || operator === 'generic') return namesFunction(ev, file, expressions.a[callee] ?? NONE);
  const symbols = symbolsNamed(ev, file, callee);
  if (symbols.some(symbol => (symbol.file.facts.symbols.function[symbol.row] ?? NONE) !== NONE)) return true;
  return operator === 'member' && symbols.length === 0;
}

/** Operators are written as calls of what a type may declare for them. */
const OPERATOR = /^operator\W/;

/** What is initialised before a constructor's body is a field or a base. */
function isField(ev: Evaluator, file: FileState, callee: number): boolean {
  if (callee < 0 || OPERATORS[file.facts.expressions.operator[callee] ?? 0] !== 'name') return false;
  return symbolsNamed(ev, file, callee).some(symbol => symbol.file.facts.symbols.kind[symbol.row] === symbolKindCode.field);
}

/** Variables of an enumeration are declared like objects and are none. */
function isEnumeration(ev: Evaluator, node: number): boolean {
  return ev.project.ownerOf(node)?.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.enum;
}

function newSite(context: SiteContext, site: Site): Outcome {
  const { ev, file } = context;
  const callee = file.facts.expressions.a[site.expression] ?? NONE;
  if (file.rules.pointers === true && isField(ev, file, callee)) return variableSite(context, { ...site, expression: callee }, 'ASSIGNS_TO');
  const set = classesMade(ev, file, callee);
  const reached = reach(ev, set, value => {
    const target = callTarget(ev, value);
    if (typeof target === 'object' && file.rules.pointers === true && isEnumeration(ev, target.node)) return undefined;
    return typeof target === 'object' ? { ...target, relation: 'INSTANTIATES' } : target;
  });
  const outcome = write(context, site, callee, reached, set);
  if (outcome !== 'resolved') readCallee(context, site, callee, outcome);
  return outcome;
}

function jsxSite(context: SiteContext, site: Site): Outcome {
  const { ev, file } = context;
  const set = ev.valueOf(file, site.expression);
  return write(
    context,
    site,
    site.expression,
    reach(ev, set, value => callTarget(ev, value)),
    set,
  );
}

/** Writes a call-like site and says what became of it. */
function write(context: SiteContext, site: Site, callee: number, reached: Reached, set: number): Outcome {
  const { ev, file, writer, guesses } = context;
  if (reached.targets.length === 0) {
    if (reached.isOpen || set === NOTHING) {
      const guessed = set === NOTHING ? [] : guesses.forCallee(ev, file, callee);
      writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, guessed);
      return guesses.mayBeOfProject(ev, file, callee) ? 'unresolved' : 'external';
    }
    return reached.isExternal || reached.isWeak ? 'external' : 'ignored';
  }
  const source = evidenceOf(context, callee);
  const base = confidenceOf(source, reached);
  const candidates = share(reached.targets, base, source, reached.isWeak);
  for (const relation of ['CALLS', 'INSTANTIATES', 'USES_TYPE'] as const) {
    const own = candidates.filter((_, index) => reached.targets[index]?.relation === relation);
    const implementations = relation === 'CALLS' && own.length === 1 ? guesses.implementationsOf(ev, own[0]?.node ?? -1, 1 - base) : [];
    writer.add(relationCode[relation], site.from, site.line, site.column, site.length, [...own, ...implementations]);
    if (file.isTest || isInTest(file, ev.project.rowOf(site.from), site.from)) writeTests(context, site, own);
  }
  return 'resolved';
}

function share(targets: readonly Target[], base: number, source: SourceName, isWeak = false): Candidate[] {
  const each = targets.length === 1 ? base : Math.min(isWeak ? base / targets.length : base, 1 / targets.length);
  return targets.map(target => ({ node: target.node, confidence: Math.min(each, target.atMost ?? 1), source: sourceCode[source] }));
}

function confidenceOf(source: SourceName, reached: Reached): number {
  const sure = source === 'type' ? 0.9 : 0.95;
  if (reached.isWeak) return 0.6;
  return reached.isOpen ? 0.7 : sure;
}

/** How a callee is known: by an import, by scope, or by the type of a receiver. */
function evidenceOf(context: SiteContext, callee: number): SourceName {
  const { ev, file } = context;
  const { expressions, bindings } = file.facts;
  if (OPERATORS[expressions.operator[callee] ?? 0] !== 'name') return 'type';
  if (!file.isModular) return 'scope';
  const found = ev.lookup(file, expressions.a[callee] ?? NONE, file.name(expressions.text[callee] ?? 0));
  if (found === NONE) return 'import';
  return (bindings.import[found] ?? NONE) !== NONE ? 'import' : 'scope';
}

/** Types used: every class-like symbol that the type names. */
function typeSite(context: SiteContext, site: Site, relation: Relation): Outcome {
  const { ev, file, writer } = context;
  const alias = aliasOf(ev, file, site.expression);
  if (alias !== undefined) {
    writer.add(relationCode[relation], site.from, site.line, site.column, site.length, [
      { node: alias.file.symbolNodes[alias.row] ?? 0, confidence: 0.95, source: sourceCode.scope },
    ]);
    return 'resolved';
  }
  const set = ev.typeOf(file, site.expression);
  const reached = reach(ev, set, value => {
    const kind = ev.values.kindOf(value);
    if (kind === VALUE.instance || kind === VALUE.class) return { node: ev.values.a(value), relation };
    if (kind === VALUE.external) return externalTarget(ev, value, relation);
    if (kind === VALUE.unknown) return 'open';
    return kind === VALUE.builtin || kind === VALUE.builtinClass ? 'external' : undefined;
  });
  return writePlain(context, site, relation, reached, evidenceOf(context, site.expression));
}

function externalTarget(ev: Evaluator, value: number, relation: Relation): Target | 'external' {
  const name = ev.values.a(value);
  return name === 0 ? 'external' : { node: ev.project.externalNode(ev.project.names.text(name)), relation };
}

/** Errors raised and managers entered: the class of the value. */
function classSite(context: SiteContext, site: Site, relation: Relation): Outcome {
  const { ev, file } = context;
  const set = ev.valueOf(file, site.expression);
  const reached = reach(ev, set, value => {
    const kind = ev.values.kindOf(value);
    if (kind === VALUE.instance || kind === VALUE.class) return { node: ev.values.a(value), relation };
    if (kind === VALUE.external) return externalTarget(ev, value, relation);
    if (kind === VALUE.unknown) return 'open';
    return kind === VALUE.builtin || kind === VALUE.builtinClass ? 'external' : undefined;
  });
  return writePlain(context, site, relation, reached, 'type');
}

function writePlain(context: SiteContext, site: Site, relation: Relation, reached: Reached, source: SourceName): Outcome {
  if (reached.targets.length === 0) return reached.isOpen ? 'unresolved' : reached.isExternal ? 'external' : 'ignored';
  context.writer.add(relationCode[relation], site.from, site.line, site.column, site.length, share(reached.targets, confidenceOf(source, reached), source));
  return 'resolved';
}

/** The decorator points at what it decorates. */
function decoratorSite(context: SiteContext, site: Site): Outcome {
  const { ev, file, writer } = context;
  const { expressions } = file.facts;
  const isCall = OPERATORS[expressions.operator[site.expression] ?? 0] === 'call';
  const named = isCall ? (expressions.a[site.expression] ?? NONE) : site.expression;
  const set = ev.valueOf(file, named);
  const reached = reach(ev, set, value => {
    if (ev.values.kindOf(value) === VALUE.external) return externalTarget(ev, value, 'DECORATES');
    const target = callTarget(ev, value);
    return typeof target === 'object' ? { node: target.node, relation: 'DECORATES' } : target;
  });
  const source = evidenceOf(context, named);
  for (const candidate of share(reached.targets, confidenceOf(source, reached), source)) {
    writer.add(relationCode.DECORATES, candidate.node, site.line, site.column, site.length, [{ ...candidate, node: site.from }]);
  }
  if (reached.targets.length > 0) return 'resolved';
  return reached.isOpen ? 'unresolved' : reached.isExternal ? 'external' : 'ignored';
}

/** A name or property read: variables, constants, fields, getters, functions passed on. */
function readSite(context: SiteContext, site: Site): Outcome {
  return variableSite(context, site, undefined);
}

/** What the default value of a parameter names. */
function defaultSite(context: SiteContext, site: Site): void {
  const { ev, file, writer } = context;
  const { expressions } = file.facts;
  const operator = expressions.operator[site.expression];
  const isCall = operator === operatorCode.call || operator === operatorCode.new;
  const named = isCall ? (expressions.a[site.expression] ?? NONE) : site.expression;
  const nodes = new Set(symbolsNamed(ev, file, named).map(symbol => definedNode(ev, symbol.file.symbolNodes[symbol.row] ?? 0)));
  nodes.delete(site.from);
  const targets = [...nodes].map(node => ({ node, relation: 'USES_DEFAULT' as const }));
  writer.add(relationCode.USES_DEFAULT, site.from, site.line, site.column, site.length, share(targets, 0.95, evidenceOf(context, named)));
}

function variableSite(context: SiteContext, site: Site, forced: Relation | undefined): Outcome {
  const { ev, file, writer } = context;
  const symbols = symbolsNamed(ev, file, site.expression);
  const byRelation = new Map<Relation, Target[]>();
  for (const { file: owner, row } of symbols) {
    const kind = owner.facts.symbols.kind[row] ?? 0;
    const relation: Relation | undefined =
      forced ?? VARIABLE_RELATIONS.get(kind) ?? (file.rules.openObjects === true && TYPE_VALUES.has(kind) ? 'USES_TYPE' : undefined);
    if (relation === undefined || (forced !== undefined && !VARIABLE_RELATIONS.has(kind))) continue;
    const node = definedNode(ev, owner.symbolNodes[row] ?? 0);
    if (node === site.from) continue;
    const list = byRelation.get(relation) ?? [];
    if (!list.some(target => target.node === node)) list.push({ node, relation });
    byRelation.set(relation, list);
  }
  if (byRelation.size === 0) return 'ignored';
  const source = evidenceOf(context, site.expression);
  for (const [relation, targets] of byRelation) {
    writer.add(relationCode[relation], site.from, site.line, site.column, site.length, share(targets, source === 'type' ? 0.9 : 0.95, source));
  }
  return 'resolved';
}

interface SymbolRef {
  readonly file: FileState;
  readonly row: number;
}

/** Declared symbols that a name or property expression means, before their values. */
function symbolsNamed(ev: Evaluator, file: FileState, row: number): readonly SymbolRef[] {
  if (row < 0) return [];
  const { expressions, bindings } = file.facts;
  const operator = OPERATORS[expressions.operator[row] ?? 0];
  const name = file.name(expressions.text[row] ?? 0);
  if (operator === 'name' && !file.isModular) return namedSymbols(ev, file, findName(ev, file, expressions.a[row] ?? NONE, name).found).slice(0, 4);
  if (operator === 'name') {
    const out: SymbolRef[] = [];
    const first = ev.lookup(file, expressions.a[row] ?? NONE, name);
    for (let binding = first; binding !== NONE; binding = file.nextBinding(binding)) {
      const symbol = bindings.symbol[binding] ?? NONE;
      if (symbol !== NONE) out.push({ file, row: symbol });
      else if ((bindings.import[binding] ?? NONE) !== NONE) out.push(...importedSymbols(ev, file, bindings.import[binding] ?? NONE));
    }
    return out.slice(0, 4);
  }
  if (operator !== 'member') return [];
  const out: SymbolRef[] = [];
  for (const value of ev.values.members(ev.valueOf(file, expressions.a[row] ?? NONE))) {
    out.push(...memberSymbols(ev, value, name, 0, file));
  }
  return out.slice(0, 4);
}
