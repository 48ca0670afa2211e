import type { GraphNode } from '../../../code/graph/graphView';
import { type ParameterNames, type SignatureRules, traitsOf } from '../../../model/languages';
import { isUsableAs, withoutModifiers } from './declarations';

/** What parameters are to callers, in languages where their names or their types are nothing to them. */
const PARAMETERS: Readonly<Record<NonNullable<SignatureRules['parameters']>, (parameters: readonly string[]) => readonly string[]>> = {
  unnamed: withoutNames,
  grouped: typesOfGroups,
  typeFirst: parameters => parameters.map(parameter => parameter.replace(/^final\s+/, '').replace(/\s+\w+$/, '')),
  unannotated: withoutAnnotations,
};

/** Whether callers of the older signature can call the newer one without changes: it says the same, or takes more at its end that may be left out. */
export function isCompatible(was: GraphNode, is: GraphNode, inherited: () => ReadonlySet<string> = () => new Set()): boolean {
  // Where types bind nobody, neither does another name of one.
  if (is.kind === 'type' && rulesOf(is).parameters === 'unannotated') return true;
  const before = partsOf(was);
  const after = partsOf(is);
  if (before === undefined || after === undefined) return plain(was) === plain(is) || isUsableAs(was, is, inherited);
  return accepts(before, after, rulesOf(is));
}

function accepts(before: Parts, after: Parts, { result, untyped }: SignatureRules): boolean {
  const isInferred = result === 'inferred' && (before.tail === '' || after.tail === '');
  if (before.tail !== after.tail && !isInferred && !isThrowingLess(before.tail, after.tail)) return false;
  // Where nothing was given, nobody takes anything.
  if (before.result !== after.result && before.result !== 'void') return false;
  const kept = before.parameters.every((parameter, at) =>
    isKept(parameter, untyped === 'any' ? withoutAddedType(parameter, after.parameters[at]) : after.parameters[at]),
  );
  return kept && after.parameters.slice(before.parameters.length).every(isOptional);
}

/** Who is ready for what the older one throws is ready for less. */
function isThrowingLess(before: string, after: string): boolean {
  const [rest, thrown] = thrownIn(before);
  const [restNow, thrownNow] = thrownIn(after);
  return rest === restNow && thrownNow.every(type => thrown.includes(type));
}

function thrownIn(tail: string): readonly [rest: string, thrown: readonly string[]] {
  const clause = /\bthrows (?<types>[\w., ]+)$/.exec(tail);
  return clause === null ? [tail, []] : [tail.slice(0, clause.index).trim(), (clause.groups?.['types'] ?? '').split(',').map(type => type.trim())];
}

/**
 * Parameters of the older signature that have another name in their place in the newer one, where callers can otherwise call that one without changes: only who
 * gives one by its name has to. Empty where more differs, or nothing does.
 */
export function renamedParameters(was: GraphNode, is: GraphNode): readonly string[] {
  const rules = rulesOf(is);
  const { names } = rules;
  const [before, after] = [partsOf(was), partsOf(is)];
  if (names === undefined || before === undefined || after === undefined) return [];
  const renamed: string[] = [];
  const parameters = after.parameters.map((parameter, at) => {
    const [old, fresh] = [nameIn(before.parameters[at] ?? '', names), nameIn(parameter, names)];
    if (old === undefined || fresh === undefined || old.name === fresh.name) return parameter;
    renamed.push(old.name);
    return `${parameter.slice(0, fresh.start)}${old.name}${parameter.slice(fresh.end)}`;
  });
  // What stands in another place now was not renamed.
  const isElsewhere = after.parameters.some(parameter => renamed.includes(nameIn(parameter, names)?.name ?? ''));
  return !isElsewhere && accepts(before, { ...after, parameters }, rules) ? renamed : [];
}

/** Whether the text of a call gives one of these parameters by its name, or may do so (`**options`). */
export function mayName(call: string, parameters: readonly string[], language: GraphNode['language']): boolean {
  const sign = traitsOf(language).signatures?.names?.sign;
  if (sign === undefined) return false;
  return new RegExp(`(?<![\\w$.])(?:${parameters.join('|')})\\s*${sign}(?![${sign}>])|\\*\\*|\\.\\.\\.`).test(call);
}

function nameIn(parameter: string, { pattern }: ParameterNames): { readonly name: string; readonly start: number; readonly end: number } | undefined {
  const match = pattern.exec(parameter);
  const [name, place] = [match?.[1], match?.indices?.[1]];
  return name === undefined || place === undefined ? undefined : { name, start: place[0], end: place[1] };
}

interface Parts {
  readonly parameters: readonly string[];
  /** What stands behind the parameters: the type of the result. */
  readonly tail: string;
  /** The type of the result where it stands before the name, else `''`. */
  readonly result: string;
}

/** `List<T>` of `public static List<T> of`, `''` of a constructor. */
function resultBefore(head: string): string {
  const type = withoutModifiers(head).replace(/(?:[\w~]+(?:<[^<>]*>)?(?:::|\.))*~?[\w@]+$/, '');
  return type
    .replaceAll(/\s*([*&<>,])\s*/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Parameters of a signature; `undefined` for what has none. What else stands before them (name, modifiers) says nothing to callers. */
function partsOf(node: GraphNode): Parts | undefined {
  const text = plain(node);
  const inner = splitAt(text, text.indexOf('('));
  if (inner === undefined) return undefined;
  const rule = rulesOf(node).parameters;
  const result = rulesOf(node).result === 'first' ? resultBefore(text.slice(0, text.indexOf('('))) : '';
  const tail = text.slice(inner.end).replace(/[\s:{;]*$/, '');
  return { parameters: rule === undefined ? inner.parameters : PARAMETERS[rule](inner.parameters), tail: resultOf(node, tail.trim()), result };
}

/** What stands between a parenthesis and the one that closes it, and the place behind that. */
function splitAt(text: string, start: number): { readonly parameters: readonly string[]; readonly end: number } | undefined {
  if (start < 0) return undefined;
  const parameters: string[] = [];
  let depth = 0;
  let from = start + 1;
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? '';
    if ('([{<'.includes(sign)) depth++;
    else if (')]}'.includes(sign) || (sign === '>' && text[at - 1] !== '=' && text[at - 1] !== '-')) depth--;
    else if (sign !== ',' || depth !== 1) continue;
    if (depth > 1 || (depth === 1 && sign !== ',')) continue;
    const parameter = text.slice(from, at).trim();
    if (parameter !== '') parameters.push(parameter);
    from = at + 1;
    if (depth === 0) return { parameters, end: at + 1 };
  }
  return undefined;
}

function rulesOf({ language }: GraphNode): SignatureRules {
  return traitsOf(language).signatures ?? {};
}

/** A signature on one line, in the one way that its language's rewrites leave. */
function plain(node: GraphNode): string {
  const text = node.signature.replaceAll(/\s+/g, ' ').trim();
  return (rulesOf(node).rewrites ?? []).reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), text);
}

/** `a?: number` as `?: number`, `b = 1` as `= 1`. */
function withoutNames(parameters: readonly string[]): readonly string[] {
  const name = /^(?:(?:public|private|protected|readonly|mut)\s+)*(?:\.\.\.)?[\w$]+/;
  return parameters.map(parameter => parameter.replace(name, rest => (rest.includes('...') ? '...' : '')));
}

const TYPE_WORDS = /^(?:chan|func|map|struct|interface)\b/;

/** `a, b int` as two `int`; types without names as they are. */
function typesOfGroups(parameters: readonly string[]): readonly string[] {
  const isNamed = (parameter: string): boolean => /^\w+ \S/.test(parameter) && !TYPE_WORDS.test(parameter);
  if (!parameters.some(isNamed)) return parameters.map(withoutInnerNames);
  const types: string[] = [];
  let type = '';
  for (const parameter of parameters.toReversed()) {
    if (isNamed(parameter)) type = parameter.slice(parameter.indexOf(' ') + 1);
    types.unshift(type);
  }
  return types.map(withoutInnerNames);
}

/** The same for types of functions in a type: `func(key string) error` as `func(string) error`. */
function withoutInnerNames(type: string): string {
  const start = type.search(/\bfunc ?\(/);
  if (start < 0) return type;
  const inner = splitAt(type, type.indexOf('(', start));
  return inner === undefined ? type : `${type.slice(0, start)}func(${typesOfGroups(inner.parameters).join(', ')})${withoutInnerNames(type.slice(inner.end))}`;
}

/** Results with names, `(value string, ok bool)`, are `string, bool`. */
function resultOf(node: GraphNode, tail: string): string {
  const rule = rulesOf(node).result;
  if (rule === 'unbound') return '';
  if (rule !== 'named') return tail;
  if (!tail.startsWith('(')) return withoutInnerNames(tail);
  return partsOf({ ...node, signature: `f${tail}` })?.parameters.join(', ') ?? tail;
}

/** `a: int = 1` as `a=`; whatever else is given by name goes last. */
function withoutAnnotations(parameters: readonly string[]): readonly string[] {
  const plainly = parameters.map(parameter => `${/^[*\w]+/.exec(parameter)?.[0] ?? parameter}${parameter.includes('=') ? '=' : ''}`);
  return plainly.filter(parameter => !parameter.startsWith('**'));
}

/** `$a` for `int $a`, where it was `$a`. */
function withoutAddedType(was: string, is: string | undefined): string | undefined {
  return /^&?(?:\.\.\.)?\$/.test(was) ? is?.replace(/^[?\w|\\]+\s+/, '') : is;
}

function isKept(was: string, is: string | undefined): boolean {
  return is !== undefined && (was === is || (isOptional(is) && typeOf(was) === typeOf(is)));
}

function typeOf(parameter: string): string {
  return parameter.replace(/\s*=.*$/, '').replace(/^\s*\?/, '');
}

/** It has a default, is marked, or takes whatever else is given. */
function isOptional(parameter: string): boolean {
  return /^(?:\?|[\w$]+\?)|(?<![=<>!])=(?!>)|^\s*(?:\.\.\.|\*)/.test(parameter);
}
