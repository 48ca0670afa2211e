/** Sites that call: plain calls, `new`, elements of JSX. What is found is called, made or converted to; what is not leaves the reading of the callee. */

import { confidenceOf, MAX_CONFIDENCE, sourceCode } from '../../../model/evidence';
import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, OPERATORS, type Operator } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { symbolKindCode } from '../../../model/nodes';
import { relationCode } from '../../../model/relations';
import { classesMade, ownMaker } from '../evaluate/calls';
import { symbolsNamed } from '../evaluate/declared/symbols';
import type { Evaluator } from '../evaluate/evaluator';
import { argumentsOf, calleesOf } from '../evaluate/operands';
import { selectedOverload } from '../evaluate/packages/overloads';
import type { FileState } from '../fileState';
import { NOTHING, SELF, UNKNOWN_VALUE, VALUE, type Value, type ValueSet } from '../values';
import { callTarget } from './callTargets';
import { writeConstructors } from './constructorSites';
import { likelyMethod, methodsOfHeirs, methodsOfPossibleTypes } from './likelyTypes';
import { candidate, candidatesOf, certainty, evidenceOf, type Outcome, type Reached, reach, type Site } from './reached';
import type { SiteContext } from './siteContext';
import type { Candidate } from './siteWriter';
import { isInTest, writeTests } from './testSites';
import { FIELDS } from './variableRelations';
import { variableSite } from './variableSites';

/** A call; where what is called is kept in a variable or a field and is not known, at least the reading of that is. */
export function callSite(context: SiteContext, site: Site): Outcome {
  const { ev, file } = context;
  const callee = operandOf.callee(file.facts.expressions, site.expression);
  const set = calleesOf(ev, file, ev.valueOf(file, callee));
  const args = argumentsOf(file, site.expression);
  const mayVary = file.rules.variablesVary === true && !namesFunction(ev, file, callee);
  const reached = reach(ev, set, value => {
    const target = callTarget(ev, ev.values.kindOf(value) === VALUE.function ? selectedOverload(ev, value, args) : value, args);
    return mayVary && typeof target === 'object' && target.relation === 'CALLS' ? { ...target, atMost: MAX_CONFIDENCE.heldByVariable } : target;
  });
  if (reached.targets.length === 0 && OPERATOR.test(file.text(file.facts.expressions.text[callee] ?? NO_TEXT))) return 'ignored';
  const outcome = write(context, site, callee, reached.targets.length > 1 ? { ...reached, areElements: isElement(ev, file, callee) } : reached, set);
  if (outcome !== 'resolved') readCallee(context, site, callee, outcome);
  // A call through a field reads it, whatever it holds.
  else if (file.rules.openObjects === true && operatorOf(file, callee) === 'member') variableSite(context, { ...site, expression: callee }, undefined, FIELDS);
  return outcome;
}

/** True for a name that stands for all that a container holds, one after the other: the variable of a loop, or a parameter of a function that is handed the elements. */
function isElement(ev: Evaluator, file: FileState, callee: ExpressionRow): boolean {
  const { expressions, bindings, lists } = file.facts;
  if (operatorOf(file, callee) !== 'name' || !file.isModular) return false;
  const row = ev.lookup(file, operandOf.scope(expressions, callee), file.name(expressions.text[callee] ?? NO_TEXT));
  if (row === NONE || file.nextBinding(row) !== NONE) return false;
  const value = bindings.value[row] ?? NONE;
  if (value !== NONE) return operatorOf(file, value) === 'iterate';
  const taker = bindings.function[row] ?? NONE;
  const call = taker === NONE || bindings.position[row] !== 0 ? NONE : file.parentOf(file.expressionOfFunction(taker));
  if (call === NONE || operatorOf(file, call) !== 'call' || lists[expressions.listStart[call] ?? 0] !== file.expressionOfFunction(taker)) return false;
  const method = operandOf.callee(expressions, call);
  const holders = operatorOf(file, method) === 'member' ? ev.valueOf(file, operandOf.receiver(expressions, method)) : NOTHING;
  return (
    holders !== NOTHING && ev.values.members(holders).every(holder => ev.values.kindOf(holder) === VALUE.builtin || ev.values.kindOf(holder) === VALUE.weak)
  );
}

/** What is known to come from outside is looked up by plain names only: members of outside types are most of the calls of a file. */
function readCallee(context: SiteContext, site: Site, callee: ExpressionRow, outcome: Outcome): void {
  if (operatorOf(context.file, callee) === 'name' || outcome === 'unresolved') variableSite(context, { ...site, expression: callee }, undefined);
}

function operatorOf({ facts }: FileState, row: ExpressionRow): Operator | undefined {
  return OPERATORS[facts.expressions.operator[row] ?? 0];
}

/** False for a callee that is a variable or a field: what it holds when it is called may be another function than those seen. */
function namesFunction(ev: Evaluator, file: FileState, callee: ExpressionRow): boolean {
  const { expressions } = file.facts;
  const operator = OPERATORS[expressions.operator[callee] ?? 0];
  if (operator === 'index' || operator === 'generic') return namesFunction(ev, file, operandOf.inner(expressions, callee));
  const symbols = symbolsNamed(ev, file, callee);
  if (symbols.some(symbol => (symbol.file.facts.symbols.function[symbol.row] ?? NONE) !== NONE)) return true;
  return operator === 'member' && symbols.length === 0;
}

/** Operators are written as calls of what a type may declare for them. */
const OPERATOR = /^(?:operator\W|\[\]=?$)/;

/** What is initialized before a constructor's body is a field or a base. */
function isField(ev: Evaluator, file: FileState, callee: ExpressionRow): boolean {
  if (callee < 0 || OPERATORS[file.facts.expressions.operator[callee] ?? 0] !== 'name') return false;
  return symbolsNamed(ev, file, callee).some(symbol => symbol.file.facts.symbols.kind[symbol.row] === symbolKindCode.field);
}

/** Variables of an enumeration are declared like objects and are none. */
function isEnumeration(ev: Evaluator, node: NodeHandle): boolean {
  return ev.project.ownerOf(node)?.facts.symbols.kind[ev.project.rowOf(node)] === symbolKindCode.enum;
}

export function newSite(context: SiteContext, site: Site): Outcome {
  const { ev, file } = context;
  const callee = operandOf.callee(file.facts.expressions, site.expression);
  if (file.rules.pointers === true && isField(ev, file, callee)) return variableSite(context, { ...site, expression: callee }, 'ASSIGNS_TO');
  const set = classesMade(ev, file, callee);
  const reached = reach(ev, set, value => {
    const maker = isMade(ev, value) ? UNKNOWN_VALUE : ownMaker(ev, value);
    if (maker !== UNKNOWN_VALUE) return { node: ev.values.node(maker), relation: 'CALLS' };
    if (file.rules.makerName !== undefined && ev.values.kindOf(value) === VALUE.instance) return 'open';
    const target = callTarget(ev, value);
    if (typeof target === 'object' && file.rules.pointers === true && isEnumeration(ev, target.node)) return undefined;
    return typeof target === 'object' ? { ...target, relation: 'INSTANTIATES' } : target;
  });
  const outcome = write(context, site, callee, reached, set);
  if (outcome !== 'resolved') readCallee(context, site, callee, outcome);
  else writeMakers(context, site, set);
  return outcome;
}

/** True for a class; a module has no instances. */
function isMade(ev: Evaluator, value: Value): boolean {
  const node = ev.values.kindOf(value) === VALUE.class ? ev.values.node(value) : NO_NODE;
  return node !== NO_NODE && ev.project.ownerOf(node)?.facts.symbols.kind[ev.project.rowOf(node)] !== symbolKindCode.module;
}

/** What else runs where a class is made: its own `new`, and what its heirs run in place of it. */
function writeMakers(context: SiteContext, site: Site, set: ValueSet): void {
  const { ev, file, writer } = context;
  for (const value of ev.values.members(set)) {
    const maker = isMade(ev, value) ? ownMaker(ev, value) : UNKNOWN_VALUE;
    if (maker === UNKNOWN_VALUE || ev.values.node(maker) === site.from) continue;
    const made = candidate(ev.values.node(maker), 'type');
    writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, [made]);
    if (file.isTest || isInTest(file, ev.project.rowOf(site.from), site.from)) writeTests(context, site, [made]);
  }
  writeHeirsMade(context, site, set);
}

/** A class that makes an instance of itself makes one of the heir that runs the method. */
function writeHeirsMade(context: SiteContext, site: Site, set: ValueSet): void {
  const { ev, file, guesses, writer } = context;
  const own = ev.values.members(set).find(value => ev.values.kindOf(value) === VALUE.class && ev.values.mark(value) === SELF);
  if (own === undefined || file.rules.dynamic !== true) return;
  const heirs = guesses.heirsWith(ev, file, ev.values.node(own), ev.nameOf(file.rules.constructorName));
  const candidates = heirs.map(({ type }) => ({ node: type, confidence: confidenceOf('dispatch'), source: sourceCode.dispatch }));
  writer.add(relationCode.INSTANTIATES, site.from, site.line, site.column, site.length, candidates);
  writeConstructors(context, site, candidates, argumentsOf(file, site.expression));
}

export function jsxSite(context: SiteContext, site: Site): Outcome {
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

/** Calls of what is another name for a method run that method. */
function writeAliased({ ev, writer }: SiteContext, site: Site, candidates: readonly Candidate[]): void {
  for (const { node, confidence, source } of candidates) {
    const owner = ev.project.ownerOf(node);
    const aliased = owner === undefined ? undefined : ev.hooks(owner).aliased?.(ev, node);
    if (aliased !== undefined && aliased !== node)
      writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, [{ node: aliased, confidence, source }]);
  }
}

/** Writes what a call without a known target most likely or possibly reaches. */
function writeGuess(context: SiteContext, site: Site, callee: ExpressionRow, reached: Reached, set: ValueSet): Outcome {
  const { ev, file, writer, guesses } = context;
  const isUnknown = reached.isOpen || set === NOTHING;
  const namesake = isUnknown ? guesses.assignedToNamesake(ev, file, callee) : undefined;
  const likely =
    namesake !== undefined && namesake !== site.from
      ? [{ node: namesake, confidence: MAX_CONFIDENCE.namesake, source: sourceCode.heuristic }]
      : likelyMethod(ev, guesses, file, callee);
  if (likely.length > 0) {
    writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, likely);
    return 'resolved';
  }
  const ofHeirs = set === NOTHING ? methodsOfHeirs(ev, guesses, file, callee) : [];
  if (ofHeirs.length > 0) {
    writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, ofHeirs);
    return 'unresolved';
  }
  if (!isUnknown) return reached.isExternal || reached.isWeak ? 'external' : 'ignored';
  const named = set === NOTHING ? [] : guesses.forCallee(ev, file, callee);
  const guessed = named.length > 0 ? named : methodsOfPossibleTypes(ev, guesses, file, callee, site.from);
  writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, guessed);
  return guesses.mayBeOfProject(ev, file, callee) ? 'unresolved' : 'external';
}

/** A call of `super`, of a class, or on a new instance runs the very method that it names. */
function isBound(ev: Evaluator, file: FileState, callee: ExpressionRow): boolean {
  const { expressions } = file.facts;
  const operator = callee < 0 ? undefined : OPERATORS[expressions.operator[callee] ?? 0];
  if (operator !== 'member') return operator === 'super';
  const receiver = operandOf.receiver(expressions, callee);
  const made = receiver < 0 ? undefined : OPERATORS[expressions.operator[receiver] ?? 0];
  if (made === undefined || made === 'new') return true;
  const isOf = (row: ExpressionRow, test: (value: Value) => boolean): boolean => ev.values.members(ev.valueOf(file, row)).some(test);
  const isClass = (value: Value): boolean => ev.values.kindOf(value) === VALUE.class && ev.values.mark(value) === 0;
  if (made === 'call') return isOf(operandOf.callee(expressions, receiver), isClass);
  return isOf(receiver, value => isClass(value) || ev.values.kindOf(value) === VALUE.super);
}

/** What only the project's own calls say of a receiver leaves it open which others it gets. */
function writeOthers({ ev, file, writer, guesses }: SiteContext, site: Site, callee: ExpressionRow, known: readonly Candidate[]): void {
  const others = methodsOfPossibleTypes(ev, guesses, file, callee, site.from).filter(({ node }) => known.every(candidate => candidate.node !== node));
  writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, others);
}

/** Writes a call-like site and says what became of it. */
function write(context: SiteContext, site: Site, callee: ExpressionRow, reached: Reached, set: ValueSet): Outcome {
  const { ev, file, writer, guesses } = context;
  if (reached.targets.length === 0) return writeGuess(context, site, callee, reached, set);
  const source = evidenceOf(context, callee, reached.targets);
  const rest = 1 - certainty(source, reached);
  const candidates = candidatesOf(reached, source);
  for (const relation of ['CALLS', 'INSTANTIATES', 'USES_TYPE'] as const) {
    const own = candidates.filter((_, index) => reached.targets[index]?.relation === relation);
    const implementations =
      relation === 'CALLS' && own.length === 1 ? guesses.implementationsOf(ev, own[0]?.node ?? NO_NODE, rest, !isBound(ev, file, callee)) : [];
    writer.add(relationCode[relation], site.from, site.line, site.column, site.length, [...own, ...implementations]);
    if (relation === 'CALLS' && reached.isWeak) writeOthers(context, site, callee, own);
    if (relation === 'CALLS') writeAliased(context, site, own);
    if (file.isTest || isInTest(file, ev.project.rowOf(site.from), site.from)) writeTests(context, site, own);
    if (relation === 'INSTANTIATES') writeConstructors(context, site, own, argumentsOf(file, site.expression));
  }
  return 'resolved';
}
