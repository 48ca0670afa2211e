import type { GraphNode } from '../../../code/graph/graphView';
import { type SignatureRules, traitsOf } from '../../../model/languages';

/** What parameters are to callers, in languages where their names or their types are nothing to them. */
const PARAMETERS: Readonly<Record<NonNullable<SignatureRules['parameters']>, (parameters: readonly string[]) => readonly string[]>> = {
  unnamed: withoutNames,
  grouped: typesOfGroups,
  typeFirst: parameters => parameters.map(parameter => parameter.replace(/^final\s+/, '').replace(/\s+\w+$/, '')),
  unannotated: withoutAnnotations,
};

/** Whether callers of the older signature can call the newer one without changes: it says the same, or takes more at its end that may be left out. */
export function isCompatible(was: GraphNode, is: GraphNode): boolean {
  // Where types bind nobody, neither does another name of one.
  if (is.kind === 'type' && rulesOf(is).parameters === 'unannotated') return true;
  const before = partsOf(was);
  const after = partsOf(is);
  if (before === undefined || after === undefined) return plain(was) === plain(is);
  const isInferred = rulesOf(is).result === 'inferred' && (before.tail === '' || after.tail === '');
  if (before.tail !== after.tail && !isInferred) return false;
  const kept = before.parameters.every((parameter, at) => isKept(parameter, after.parameters[at]));
  return kept && after.parameters.slice(before.parameters.length).every(isOptional);
}

interface Parts {
  readonly parameters: readonly string[];
  /** What stands behind the parameters: the type of the result. */
  readonly tail: string;
}

/** Parameters of a signature; `undefined` for what has none. What stands before them (name, modifiers) says nothing to callers. */
function partsOf(node: GraphNode): Parts | undefined {
  const text = plain(node);
  const inner = splitAt(text, text.indexOf('('));
  if (inner === undefined) return undefined;
  const rule = rulesOf(node).parameters;
  const tail = text.slice(inner.end).replace(/[\s:{;]*$/, '');
  return { parameters: rule === undefined ? inner.parameters : PARAMETERS[rule](inner.parameters), tail: resultOf(node, tail.trim()) };
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
