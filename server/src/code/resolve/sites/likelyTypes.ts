/**
 * What a receiver of unknown type most likely is: the one type of the project that has every member which the file takes from things called like it.
 * For languages whose parameters and attributes mostly have no declared type.
 */

import { confidenceOf, MAX_CONFIDENCE, sourceCode } from '../../../model/evidence';
import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { flowsFromCalls } from '../callSites';
import { AS_VALUE, type Evaluator } from '../evaluate/evaluator';
import { findMember, hasOpenBase } from '../evaluate/members';
import { literalType } from '../evaluate/operands';
import type { FileState } from '../fileState';
import { type Guesses, isCommonName } from '../guesses';
import type { NameNumber } from '../numbers';
import { NOTHING, SELF, VALUE } from '../values';
import type { Candidate } from './siteWriter';

/** Weight of a member with a distinctive name; a common name weighs 1. */
const DISTINCTIVE_WEIGHT = 4;
/** Least weight of the members used for a guess. */
const MIN_WEIGHT = 8;
/** The same for members taken from several variables of one name, which may be of several types. */
const MIN_WEIGHT_OF_NAMESAKES = 12;
/** Types that are looked at for one receiver. */
const MAX_TYPES = 40;
/** Fewer members than these say nothing about types of which there may be several. */
const MIN_MEMBERS = 2;
/** Of many types that an object may have, so many are what it is at some time. */
const USED_TYPES = 4;
/** Members looked at for one receiver. */
const MAX_MEMBERS = 40;

/** The method that a call of a member most likely runs, or none. */
export function likelyMethod(ev: Evaluator, guesses: Guesses, file: FileState, callee: ExpressionRow): readonly Candidate[] {
  const { expressions } = file.facts;
  if (!flowsFromCalls(file) || callee < 0 || expressions.operator[callee] !== operatorCode.member) return [];
  const receiver = operandOf.receiver(expressions, callee);
  const name = file.name(expressions.text[callee] ?? NO_TEXT);
  const node = isUntyped(ev, file, receiver) ? methodOfLikelyType(ev, guesses, file, receiver, name) : methodOfHost(ev, guesses, file, callee, receiver);
  if (node === NO_NODE) return [];
  const isTold = membersTell(file) && membersTell(ev.project.ownerOf(node));
  return [{ node, confidence: isTold ? MAX_CONFIDENCE.likelyType : MAX_CONFIDENCE.possibleType, source: sourceCode.heuristic }];
}

/** True for a file in which members say what things are: where types are declared, others may have declared one that is not seen. */
function membersTell(file: FileState | undefined): boolean {
  return file?.rules.membersTell?.(file.facts) === true;
}

/** What a member of something unknown is thought to be: assigned to a variable called like the receiver, a member of the likely type, or one of few of that name. */
export function likelyMembers(ev: Evaluator, guesses: Guesses, file: FileState, member: ExpressionRow): readonly Candidate[] {
  const namesake = guesses.assignedToNamesake(ev, file, member);
  if (namesake !== undefined) return [{ node: namesake, confidence: MAX_CONFIDENCE.namesake, source: sourceCode.heuristic }];
  const likely = likelyMethod(ev, guesses, file, member);
  return likely.length > 0 ? likely : guesses.forCallee(ev, file, member);
}

/**
 * Candidates for a call on an object of which nothing is certain: the methods of the types that it may be meant for, one as much as the other.
 * A type with a method of that name hands the call on (wrappers, middleware, composites): the other types with such a method are what may be wrapped.
 * Elsewhere the types count that have all members which are taken from the object.
 */
export function methodsOfPossibleTypes(ev: Evaluator, guesses: Guesses, file: FileState, callee: ExpressionRow, from: NodeHandle): readonly Candidate[] {
  const { expressions } = file.facts;
  if (!flowsFromCalls(file) || callee < 0 || expressions.operator[callee] !== operatorCode.member || from === NO_NODE) return [];
  const name = file.name(expressions.text[callee] ?? NO_TEXT);
  const receiver = operandOf.receiver(expressions, callee);
  if (!isInformative(ev, name) || !mayBeOfOtherType(ev, file, receiver)) return [];
  const isHandedOn = isOfTypeWith(ev, from, name);
  const used = isHandedOn ? [] : [...file.usedMembers.ofVariable(receiver)].filter(member => isInformative(ev, member));
  if (!isHandedOn && used.length < MIN_MEMBERS) return [];
  const types = guesses.typesWith(ev, file, name);
  if (types.length > MAX_TYPES) return [];
  const possible = types.filter(type => used.every(member => findMember(ev, type, member).length > 0));
  if (isHandedOn && possible.length < 2) return [];
  const nodes = new Set(possible.map(type => methodOf(ev, type, name)).filter(node => node !== NO_NODE));
  const confidence = Math.min(MAX_CONFIDENCE.onPossibleType, USED_TYPES / nodes.size);
  return [...nodes].map(node => ({ node, confidence, source: sourceCode.heuristic }));
}

function isInformative(ev: Evaluator, member: NameNumber): boolean {
  return !UNINFORMATIVE.test(ev.project.names.text(member));
}

/** True for a receiver of which nothing is known, or only what the project's own calls give. */
function mayBeOfOtherType(ev: Evaluator, file: FileState, receiver: ExpressionRow): boolean {
  return isUntyped(ev, file, receiver) || ev.values.members(ev.valueOf(file, receiver)).some(value => ev.values.kindOf(value) === VALUE.weak);
}

/** Methods of the language itself, which everything has. */
const UNINFORMATIVE = /^(?:__|initialize$|constructor$|respond_to|method_missing$)/;

/** True for code in a type, or in a type inside of one, that has a method of that name. */
function isOfTypeWith(ev: Evaluator, from: NodeHandle, name: NameNumber): boolean {
  const owner = ev.project.ownerOf(from);
  if (owner === undefined) return false;
  const { symbols } = owner.facts;
  for (let row = symbols.parent[ev.project.rowOf(from)] ?? NONE; row !== NONE; row = symbols.parent[row] ?? NONE) {
    const type = ev.canonical(owner, row);
    if (type !== NO_NODE && findMember(ev, type, name).length > 0) return true;
  }
  return false;
}

/** True where nothing is known of a receiver but that it may be empty. */
function isUntyped(ev: Evaluator, file: FileState, receiver: ExpressionRow): boolean {
  const { values } = ev;
  const empty = literalType(file, 'null');
  return values.members(ev.valueOf(file, receiver)).every(value => {
    const kind = values.kindOf(value);
    return kind === VALUE.unknown || kind === VALUE.weak || (kind === VALUE.builtin && ev.project.names.text(values.name(value)) === empty);
  });
}

function methodOfLikelyType(ev: Evaluator, guesses: Guesses, file: FileState, receiver: ExpressionRow, name: NameNumber): NodeHandle {
  const own = file.usedMembers.ofVariable(receiver);
  const found = own.size === 0 ? undefined : methodOfTypeWith(ev, guesses, file, own, name, MIN_WEIGHT);
  if (found !== undefined) return found;
  return methodOfTypeWith(ev, guesses, file, file.usedMembers.ofNamesakes(receiver), name, own.size === 0 ? MIN_WEIGHT : MIN_WEIGHT_OF_NAMESAKES) ?? NO_NODE;
}

/** The method of the one type that has all members; undefined where the members are too few to tell. */
function methodOfTypeWith(
  ev: Evaluator,
  guesses: Guesses,
  file: FileState,
  members: ReadonlySet<NameNumber>,
  name: NameNumber,
  enough: number,
): NodeHandle | undefined {
  if (members.size > MAX_MEMBERS || weight(ev, members) < enough) return undefined;
  const types = new Set<NodeHandle>();
  for (const member of members) for (const type of guesses.typesWith(ev, file, member)) types.add(type);
  if (types.size > MAX_TYPES) return undefined;
  const fitting = [...types].filter(type => fits(ev, type, members, enough));
  if (fitting.length === 0) return undefined;
  const top = topmost(ev, fitting);
  return top === NO_NODE ? NO_NODE : methodOf(ev, top, name);
}

function weight(ev: Evaluator, members: Iterable<NameNumber>): number {
  let sum = 0;
  for (const member of members) sum += isCommonName(ev.project.names.text(member)) ? 1 : DISTINCTIVE_WEIGHT;
  return sum;
}

/** True for a type that has the members: all of them, or with a base outside most. */
function fits(ev: Evaluator, type: NodeHandle, members: ReadonlySet<NameNumber>, enough: number): boolean {
  const had: NameNumber[] = [];
  const isOpen = hasOpenBase(ev, type);
  const instance = ev.values.single(ev.values.instance(type));
  for (const member of members) {
    if (findMember(ev, type, member).length > 0) had.push(member);
    else if (!isOpen && ev.memberOf(instance, member, AS_VALUE) === NOTHING) return false;
  }
  return weight(ev, had) >= enough && (members.size - had.length) * 3 <= had.length;
}

/** The type that all others derive from. */
function topmost(ev: Evaluator, types: readonly NodeHandle[]): NodeHandle {
  return types.find(type => types.every(other => ev.hierarchy(other).some(link => link.node === type))) ?? NO_NODE;
}

function methodOf(ev: Evaluator, type: NodeHandle, name: NameNumber): NodeHandle {
  const hit = findMember(ev, type, name)[0];
  return hit === undefined || (hit.file.facts.symbols.function[hit.row] ?? NONE) === NONE ? NO_NODE : (hit.file.symbolNodes[hit.row] ?? NO_NODE);
}

/** What a class calls on itself and does not have is there in its heirs: any of their methods of that name. */
export function methodsOfHeirs(ev: Evaluator, guesses: Guesses, file: FileState, callee: ExpressionRow): readonly Candidate[] {
  const { expressions } = file.facts;
  if (!flowsFromCalls(file) || callee < 0 || expressions.operator[callee] !== operatorCode.member) return [];
  const { values } = ev;
  const name = file.name(expressions.text[callee] ?? NO_TEXT);
  const own = values
    .members(ev.valueOf(file, operandOf.receiver(expressions, callee)))
    .find(value => (values.kindOf(value) === VALUE.instance || values.kindOf(value) === VALUE.class) && values.mark(value) === SELF);
  if (own === undefined || !isInformative(ev, name)) return [];
  const nodes = new Set(guesses.heirsWith(ev, file, values.node(own), name).map(({ member }) => member));
  return [...nodes].map(node => ({ node, confidence: confidenceOf('dispatch'), source: sourceCode.dispatch }));
}

/** What a class takes from itself and does not have is its host's: the only type with a method of that name (mixins). */
function methodOfHost(ev: Evaluator, guesses: Guesses, file: FileState, callee: ExpressionRow, receiver: ExpressionRow): NodeHandle {
  const { values } = ev;
  const isOwn = values.members(ev.valueOf(file, receiver)).every(value => values.kindOf(value) === VALUE.instance && values.mark(value) === SELF);
  const name = file.name(file.facts.expressions.text[callee] ?? NO_TEXT);
  if (!isOwn || ev.valueOf(file, callee) !== NOTHING || isCommonName(ev.project.names.text(name))) return NO_NODE;
  const types = guesses.typesWith(ev, file, name);
  const top = types.length === 0 || types.length > MAX_TYPES ? NO_NODE : topmost(ev, types);
  return top === NO_NODE ? NO_NODE : methodOf(ev, top, name);
}
