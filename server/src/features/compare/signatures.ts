import type { GraphNode } from '../../code/graph/graphView';
import { type SignatureRules, traitsOf } from '../../model/languages';

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
  const start = text.indexOf('(');
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
    if (depth === 0) {
      const rule = rulesOf(node).parameters;
      const tail = text.slice(at + 1).replace(/[\s:{;]*$/, '');
      return { parameters: rule === undefined ? parameters : PARAMETERS[rule](parameters), tail: resultOf(node, tail.trim()) };
    }
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
  if (!parameters.some(isNamed)) return parameters;
  const types: string[] = [];
  let type = '';
  for (const parameter of parameters.toReversed()) {
    if (isNamed(parameter)) type = parameter.slice(parameter.indexOf(' ') + 1);
    types.unshift(type);
  }
  return types;
}

/** Results with names, `(value string, ok bool)`, are `string, bool`. */
function resultOf(node: GraphNode, tail: string): string {
  const rule = rulesOf(node).result;
  if (rule === 'unbound') return '';
  if (rule !== 'named' || !tail.startsWith('(')) return tail;
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
