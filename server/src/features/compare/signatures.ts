import type { GraphNode } from '../../code/graph/graphView';
import type { LanguageId } from '../../model/languages';

/** What parameters are to callers, in languages where their names or their types are nothing to them. */
const BY_POSITION: Readonly<Partial<Record<LanguageId, (parameters: readonly string[]) => readonly string[]>>> = {
  typescript: withoutNames,
  tsx: withoutNames,
  javascript: withoutNames,
  vue: withoutNames,
  svelte: withoutNames,
  rust: withoutNames,
  go: typesOfGo,
  python: withoutAnnotations,
  java: parameters => parameters.map(parameter => parameter.replace(/^final\s+/, '').replace(/\s+\w+$/, '')),
};

/** Whether whoever calls the older signature can go on calling the newer one: it says the same, or takes more at its end that may be left out. */
export function isCompatible(was: GraphNode, is: GraphNode): boolean {
  const before = partsOf(was);
  const after = partsOf(is);
  if (before === undefined || after === undefined) return plain(was) === plain(is);
  if (before.tail !== after.tail) return false;
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
      const told = node.language === undefined ? undefined : BY_POSITION[node.language];
      const tail = text.slice(at + 1).replace(/[\s:{;]*$/, '');
      return { parameters: told?.(parameters) ?? parameters, tail: resultOf(node, tail.trim()) };
    }
  }
  return undefined;
}

/** A signature on one line; of a value of Python without its annotation, in Go without its receiver, and with one word for the empty interface, which has two. */
function plain({ language, signature }: GraphNode): string {
  const text = signature.replaceAll(/\s+/g, ' ').trim();
  if (language === 'python' && !text.includes('(')) return text.replace(/:\s.*$/, '');
  if (language !== 'go') return text;
  return text.replace(/^func \([^)]*\) /, 'func ').replaceAll(/\binterface ?\{ ?\}/g, 'any');
}

/** `a?: number` as `?: number`, `b = 1` as `= 1`. */
function withoutNames(parameters: readonly string[]): readonly string[] {
  const name = /^(?:(?:public|private|protected|readonly|mut)\s+)*(?:\.\.\.)?[\w$]+/;
  return parameters.map(parameter => parameter.replace(name, rest => (rest.includes('...') ? '...' : '')));
}

const GO_TYPE_WORDS = /^(?:chan|func|map|struct|interface)\b/;

/** `a, b int` as two `int`; types without names as they are. */
function typesOfGo(parameters: readonly string[]): readonly string[] {
  const isNamed = (parameter: string): boolean => /^\w+ \S/.test(parameter) && !GO_TYPE_WORDS.test(parameter);
  if (!parameters.some(isNamed)) return parameters;
  const types: string[] = [];
  let type = '';
  for (const parameter of parameters.toReversed()) {
    if (isNamed(parameter)) type = parameter.slice(parameter.indexOf(' ') + 1);
    types.unshift(type);
  }
  return types;
}

/** Results of Go may have names: `(value string, ok bool)` is `string, bool`. Annotations of Python bind nobody. */
function resultOf(node: GraphNode, tail: string): string {
  if (node.language === 'python') return '';
  if (node.language !== 'go' || !tail.startsWith('(')) return tail;
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
