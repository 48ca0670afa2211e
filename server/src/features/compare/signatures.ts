import type { GraphNode } from '../../code/graph/graphView';
import type { LanguageId } from '../../model/languages';

/** Languages whose callers never name a parameter. */
const BY_POSITION: ReadonlySet<LanguageId | undefined> = new Set<LanguageId>(['typescript', 'tsx', 'javascript', 'vue', 'svelte']);

/** Whether whoever calls the older signature can go on calling the newer one: it says the same, or takes more at its end that may be left out. */
export function isCompatible(was: GraphNode, is: GraphNode): boolean {
  const before = partsOf(was);
  const after = partsOf(is);
  if (before === undefined || after === undefined) return was.signature.replaceAll(/\s+/g, ' ').trim() === is.signature.replaceAll(/\s+/g, ' ').trim();
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
function partsOf({ language, signature }: GraphNode): Parts | undefined {
  const text = signature.replaceAll(/\s+/g, ' ');
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
    if (parameter !== '') parameters.push(BY_POSITION.has(language) ? withoutName(parameter) : parameter);
    from = at + 1;
    if (depth === 0)
      return {
        parameters,
        tail: text
          .slice(at + 1)
          .replace(/[\s:{;]*$/, '')
          .trim(),
      };
  }
  return undefined;
}

/** `a?: number` as `?: number`, `b = 1` as `= 1`. */
function withoutName(parameter: string): string {
  return parameter.replace(/^(?:(?:public|private|protected|readonly)\s+)*(?:\.\.\.)?[\w$]+/, rest => (rest.includes('...') ? '...' : ''));
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
