/** Sites that read and write: variables, constants, fields, getters, functions passed on. */
import { operandOf, prefixIn } from '../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type SymbolRow } from '../../../model/facts';
import { NO_NODE } from '../../../model/ids';
import { MODIFIERS } from '../../../model/nodes';
import { type Relation, relationCode } from '../../../model/relations';
import { symbolsNamed } from '../evaluate/declared/symbols';
import type { DeclaredSymbol, Evaluator } from '../evaluate/evaluator';
import { findMember, isMethodHit } from '../evaluate/members';
import { globalEntries } from '../evaluate/packages/globals';
import { implicitMembers, operatorMethods } from '../evaluate/packages/operators';
import type { FileState } from '../fileState';
import { NOTHING, VALUE, type ValueSet } from '../values';
import { definedNode } from './callTargets';
import { likelyMembers } from './likelyTypes';
import { evidenceOf, type Outcome, type Reached, type Site, type Target, writeReached } from './reached';
import type { SiteContext } from './siteContext';
import { BEFORE_DOT, readRelation, TYPE_VALUES, VARIABLE_RELATIONS } from './variableRelations';

/** A name or property read: variables, constants, fields, getters, functions passed on. */
export function readSite(context: SiteContext, site: Site): Outcome {
  const { expressions } = context.file.facts;
  const prefix =
    expressions.operator[site.expression] === operatorCode.member ? prefixIn(context.file.text(expressions.text[site.expression] ?? NO_TEXT)) : undefined;
  if (prefix !== undefined) return writeMethodsLike(context, site, prefix);
  const outcome = variableSite(context, site, undefined);
  if (outcome !== 'ignored') return outcome;
  writePossibleAccessors(context, site);
  return standInSite(context, site, context.file.rules.memberStandIns?.read);
}

/** A name or property that is assigned to. */
export function writeSite(context: SiteContext, site: Site): Outcome {
  const outcome = variableSite(context, site, 'ASSIGNS_TO');
  return outcome === 'ignored' ? standInSite(context, site, context.file.rules.memberStandIns?.write) : outcome;
}

/** A member that no type declares: the method of the receiver's type that answers for such members. */
function standInSite(context: SiteContext, site: Site, method: string | undefined): Outcome {
  const { ev, file } = context;
  const { expressions } = file.facts;
  if (method === undefined || expressions.operator[site.expression] !== operatorCode.member) return 'ignored';
  const member = file.name(expressions.text[site.expression] ?? NO_TEXT);
  const targets: Target[] = [];
  for (const value of ev.values.members(ev.valueOf(file, operandOf.receiver(expressions, site.expression)))) {
    if (ev.values.kindOf(value) !== VALUE.instance || findMember(ev, ev.values.node(value), member).length > 0) continue;
    const hit = findMember(ev, ev.values.node(value), ev.nameOf(method))[0];
    const node = hit?.file.symbolNodes[hit.row] ?? NO_NODE;
    if (node !== NO_NODE && node !== site.from && !targets.some(target => target.node === node)) targets.push({ node, relation: 'CALLS' });
  }
  if (targets.length === 0) return 'ignored';
  writeReached(context, site, 'CALLS', found(targets), 'type');
  return 'resolved';
}

/** A member of an object that is known by the beginning of its name: it may be any method of such a name, most of which are called right after. */
function writeMethodsLike({ ev, file, guesses, writer }: SiteContext, site: Site, prefix: string): Outcome {
  const { values } = ev;
  const receiver = operandOf.receiver(file.facts.expressions, site.expression);
  const types = values.members(ev.valueOf(file, receiver)).flatMap(value => {
    const kind = values.kindOf(value);
    return kind === VALUE.instance || kind === VALUE.class ? [values.node(value)] : [];
  });
  const candidates = types.length === 0 ? [] : guesses.methodsLike(ev, file, prefix, new Set(types)).filter(({ node }) => node !== site.from);
  writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, candidates);
  return candidates.length === 0 ? 'ignored' : 'resolved';
}

/** What stands before a dot: a variable or constant is read, a type is used, of a function only the member counts. */
export function dataSite(context: SiteContext, site: Site): Outcome {
  return variableSite(context, site, undefined, BEFORE_DOT);
}

/** What stands before `::`: a type is used. */
export function qualifierSite(context: SiteContext, site: Site): Outcome {
  return variableSite(context, site, undefined, TYPE_VALUES);
}

/** Syntax that runs a method of objects of project types without naming it: the `member` that it runs, or an `operation`. */
export function implicitSite(context: SiteContext, site: Site): Outcome {
  const { ev, file } = context;
  const { expressions } = file.facts;
  const isOperation = expressions.operator[site.expression] === operatorCode.operation;
  const receivers = ev.valueOf(file, operandOf.receiver(expressions, site.expression));
  const found = isOperation ? operatorMethods(ev, file, site.expression) : membersRun(ev, file, site.expression, receivers);
  const method = isOperation ? '' : file.text(expressions.text[site.expression] ?? NO_TEXT);
  const { implicitSetters, readsImplicitly } = file.rules;
  const relation = implicitSetters?.has(method) === true ? 'ASSIGNS_TO' : readsImplicitly === true ? 'READS_FROM' : 'CALLS';
  const targets: Target[] = [];
  for (const { file: owner, row } of found) {
    const target = { node: owner.symbolNodes[row] ?? NO_NODE, relation: isMethodHit({ file: owner, row }) ? relation : 'READS_FROM' } as const;
    if (!targets.some(({ node }) => node === target.node)) targets.push(target);
  }
  const [first] = targets;
  if (first === undefined) return 'ignored';
  const isWeak = ev.values.members(receivers).some(value => ev.values.kindOf(value) === VALUE.weak);
  writeReached(context, site, first.relation, { targets, isExternal: false, isOpen: false, isWeak }, 'type');
  return 'resolved';
}

/** Members that a `member` row names, of all that its receiver may be. Where members have no overloads, the last declaration counts, else those that others see. */
function membersRun(ev: Evaluator, file: FileState, member: ExpressionRow, receivers: ValueSet): readonly DeclaredSymbol[] {
  const { rules } = file;
  const name = file.name(file.facts.expressions.text[member] ?? NO_TEXT);
  const isOne = rules.overloads !== true && rules.implementsTraits !== true;
  return ev.values.members(receivers).flatMap(value => {
    const found = implicitMembers(ev, rules, value, name).filter(symbol => isMethodHit(symbol) || isProperty(symbol));
    const open = found.filter(symbol => ((symbol.file.facts.symbols.modifiers[symbol.row] ?? 0) & MODIFIERS.private) === 0);
    return isOne ? found.slice(-1) : open.length > 0 ? open : found;
  });
}

/** What is read without a call and runs code. */
function isProperty({ file, row }: DeclaredSymbol): boolean {
  return ((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.property) !== 0;
}

/** A keyword of a call that names a field. `member` of a call: what the call makes is given the field. `member` of a class: the field is read. */
export function keywordSite(context: SiteContext, site: Site): Outcome {
  const { ev, file } = context;
  const { values } = ev;
  const { expressions } = file.facts;
  const owner = operandOf.receiver(expressions, site.expression);
  const isMade = expressions.operator[owner] === operatorCode.call;
  const name = file.name(expressions.text[site.expression] ?? NO_TEXT);
  const relation = isMade ? 'ASSIGNS_TO' : 'READS_FROM';
  const targets: Target[] = [];
  for (const value of values.members(ev.valueOf(file, isMade ? operandOf.callee(expressions, owner) : owner))) {
    if (values.kindOf(value) !== VALUE.class || values.mark(value) !== 0 || ev.hooks(file).namesFields?.(ev, values.node(value)) !== true) continue;
    const hit = findMember(ev, values.node(value), name).at(-1);
    const node = hit === undefined || isMethodHit(hit) ? NO_NODE : (hit.file.symbolNodes[hit.row] ?? NO_NODE);
    if (node !== NO_NODE && node !== site.from && !targets.some(target => target.node === node)) targets.push({ node, relation });
  }
  if (targets.length === 0) return 'ignored';
  const callee = isMade ? operandOf.callee(expressions, owner) : owner;
  writeReached(context, site, relation, { targets, isExternal: false, isOpen: false, isWeak: false }, evidenceOf(context, callee, targets));
  return 'resolved';
}

/** Reading a member of something unknown may run the accessors that a call of it would be thought to mean. */
function writePossibleAccessors({ ev, file, guesses, writer }: SiteContext, site: Site): void {
  const { expressions } = file.facts;
  if (expressions.operator[site.expression] !== operatorCode.member) return;
  const accessors = guesses.accessorsNamed(ev, file, file.name(expressions.text[site.expression] ?? NO_TEXT));
  if (accessors.size === 0 || isOfHost(ev, file, site.expression) || !isUnknown(ev, ev.valueOf(file, site.expression))) return;
  const candidates = likelyMembers(ev, guesses, file, site.expression).filter(({ node }) => accessors.has(node) && node !== site.from);
  writer.add(relationCode.READS_FROM, site.from, site.line, site.column, site.length, candidates);
}

/** True for a member of a name that neither the file nor another one declares: an object of the host has no accessors of the project. */
function isOfHost(ev: Evaluator, file: FileState, member: ExpressionRow): boolean {
  const { expressions } = file.facts;
  if (!file.isModular) return false;
  let root = member;
  while (root >= 0 && expressions.operator[root] === operatorCode.member) root = operandOf.receiver(expressions, root);
  if (root < 0 || expressions.operator[root] !== operatorCode.name || operandOf.exact(expressions, root) >= 0) return false;
  const scope = operandOf.scope(expressions, root);
  const name = file.name(expressions.text[root] ?? NO_TEXT);
  return ev.lookup(file, scope, name) === NONE && globalEntries(ev, file, scope, name).length === 0;
}

function isUnknown({ values }: Evaluator, set: ValueSet): boolean {
  return set === NOTHING || values.members(set).some(value => values.kindOf(value) === VALUE.unknown);
}

/** What the default value of a parameter names. */
export function defaultSite(context: SiteContext, site: Site): void {
  const { ev, file } = context;
  const { expressions } = file.facts;
  const operator = expressions.operator[site.expression];
  const isCall = operator === operatorCode.call || operator === operatorCode.new;
  const named = isCall ? operandOf.callee(expressions, site.expression) : site.expression;
  const nodes = new Set(symbolsNamed(ev, file, named).map(symbol => definedNode(ev, symbol.file.symbolNodes[symbol.row] ?? NO_NODE)));
  nodes.delete(site.from);
  const targets = [...nodes].map(node => ({ node, relation: 'USES_DEFAULT' as const }));
  writeReached(context, site, 'USES_DEFAULT', found(targets), evidenceOf(context, named, targets));
}

/** `among`: kinds of symbols that count; all unless given. */
export function variableSite(context: SiteContext, site: Site, forced: Relation | undefined, among?: ReadonlySet<number>): Outcome {
  const { ev, file } = context;
  const symbols = accessed(meant(file, symbolsNamed(ev, file, site.expression)), forced);
  const byRelation = new Map<Relation, Target[]>();
  const isWeak = isOfGivenObject(ev, file, site.expression, symbols);
  for (const { file: owner, row } of symbols) {
    const kind = owner.facts.symbols.kind[row] ?? 0;
    if (among?.has(kind) === false) continue;
    const relation = forced ?? readRelation(kind);
    if (relation === undefined || (forced !== undefined && !VARIABLE_RELATIONS.has(kind))) continue;
    const node = definedNode(ev, owner.symbolNodes[row] ?? NO_NODE);
    if (node === site.from || (forced === 'ASSIGNS_TO' && owner === file && definesFunction(file, row, site.expression))) continue;
    const list = byRelation.get(relation) ?? [];
    if (!list.some(target => target.node === node)) list.push({ node, relation });
    byRelation.set(relation, list);
  }
  if (byRelation.size === 0) return 'ignored';
  const source = evidenceOf(context, site.expression, [...byRelation.values()].flat());
  for (const [relation, targets] of byRelation) writeReached(context, site, relation, { ...found(targets), isWeak }, source);
  return 'resolved';
}

/** True for members of plain objects that only the project's own calls say a receiver may be: a test's stand-in is one of many. */
function isOfGivenObject(ev: Evaluator, file: FileState, row: ExpressionRow, symbols: readonly DeclaredSymbol[]): boolean {
  const { expressions } = file.facts;
  if (file.rules.openObjects !== true || symbols.length === 0 || expressions.operator[row] !== operatorCode.member) return false;
  const isOfType = symbols.some(symbol => symbol.file.isContainer(symbol.file.facts.symbols.parent[symbol.row] ?? NONE));
  return !isOfType && ev.values.members(ev.valueOf(file, operandOf.receiver(expressions, row))).some(value => ev.values.kindOf(value) === VALUE.weak);
}

/** True for the left side of `object.name = function …` that declares the function. */
function definesFunction(file: FileState, symbol: SymbolRow, member: ExpressionRow): boolean {
  const { assignments, expressions, symbols } = file.facts;
  if ((symbols.function[symbol] ?? NONE) === NONE || expressions.operator[member] !== operatorCode.member) return false;
  const name = expressions.text[member];
  return file.assignmentsTo(symbol).some(row => assignments.name[row] === name && assignments.target[row] === operandOf.receiver(expressions, member));
}

/** Where methods and what holds values may share a name, the latter is what a name without a call means. */
function meant({ rules }: FileState, symbols: readonly DeclaredSymbol[]): readonly DeclaredSymbol[] {
  if (rules.separateMembers !== true || symbols.length < 2) return symbols;
  const values = symbols.filter(symbol => !isMethodHit(symbol));
  return values.length > 0 ? values : symbols;
}

/** Where the accessors of a property are declared one by one: the setter for what is assigned, the getter for what is read. */
function accessed(symbols: readonly DeclaredSymbol[], forced: Relation | undefined): readonly DeclaredSymbol[] {
  if (symbols.length < 2) return symbols;
  const setters = symbols.filter(isSetter);
  if (setters.length === 0 || setters.length === symbols.length) return symbols;
  return forced === 'ASSIGNS_TO' ? setters.slice(0, 1) : symbols.filter(symbol => !isSetter(symbol));
}

function isSetter({ file, row }: DeclaredSymbol): boolean {
  return ((file.facts.symbols.modifiers[row] ?? 0) & MODIFIERS.setter) !== 0;
}

/** Declarations that are known, without a doubt about others. */
function found(targets: readonly Target[]): Reached {
  return { targets, isExternal: false, isOpen: false, isWeak: false };
}
