import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { traitsOf } from '../../../model/languages';
import { relationCode } from '../../../model/relations';
import { wholeSignature } from './wholeSignature';

/** Names of types that stand for others that stand for others: most in a row. */
const MAX_DEPTH = 4;
const WORD = /[A-Za-z_$][\w$]*/g;
const USES_TYPE = new Uint8Array(256);
USES_TYPE[relationCode.USES_TYPE] = 1;

/** What a name of a type stands for. */
interface Meaning {
  readonly text: string;
  /** It is another type, which is taken and given in place of the one that it stands for, unless it is a part of a third one. */
  readonly isNamed: boolean;
}

/** A signature on one line, whole where the text of its file is at hand, with what the names of types in it stand for in their place: callers need not know the names. */
export function spelledOut(view: GraphView, node: NodeHandle, source: string | undefined): string {
  return spelled(view, node, wholeSignature(view.node(node), source), 0);
}

function spelled(view: GraphView, node: NodeHandle, signature: string, depth: number): string {
  const text = signature.replaceAll(/\s+/g, ' ').trim();
  if (depth >= MAX_DEPTH) return text;
  const meanings = new Map<string, Meaning>();
  // The types of fields may be noted for the type around.
  const parent = view.parentOf(node);
  for (const user of parent === undefined ? [node] : [node, parent]) {
    for (const { target } of view.out(user, undefined, USES_TYPE)) {
      const meaning = view.kindOf(target) === 'type' && target !== node ? meaningOf(view, target, depth + 1) : undefined;
      if (meaning !== undefined) meanings.set(view.node(target).name, meaning);
    }
  }
  return meanings.size === 0 ? text : replaced(text, meanings);
}

/** Of `type Name = text`, `using Name = text`, `typedef text Name`, and of types that are declared as another one where that makes no difference. */
function meaningOf(view: GraphView, type: NodeHandle, depth: number): Meaning | undefined {
  const { language, name } = view.node(type);
  const text = spelled(view, type, view.node(type).signature, depth);
  const word = name.replaceAll('$', String.raw`\$`);
  const alias = new RegExp(`^(?:[\\w ]* )?${word} ?= ?(?<means>.+?);?$`).exec(text) ?? new RegExp(`^typedef (?<means>.+?) ?\\b${word};?$`).exec(text);
  const means = alias?.groups?.['means'];
  if (means !== undefined) return { text: means, isNamed: false };
  const declared = new RegExp(`^(?:type )?${word} (?<means>.+)$`).exec(text)?.groups?.['means'];
  return declared !== undefined && traitsOf(language).signatures?.assignable?.test(declared) === true ? { text: declared, isNamed: true } : undefined;
}

function replaced(text: string, meanings: ReadonlyMap<string, Meaning>): string {
  let out = '';
  let from = 0;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const meaning = meanings.get(word);
    const end = index + word.length;
    // The name of a parameter, or a type with arguments.
    if (meaning === undefined || /^(?:\??:(?!:)|[<(]|\[(?!\]))/.test(text.slice(end))) continue;
    const qualifier = /(?:[\w$]+(?:\.|::))*$/.exec(text.slice(0, index))?.[0] ?? '';
    const before = text.slice(0, index - qualifier.length);
    const isWhole = /(?:^|[\s(,:|&<=])$/.test(before) && !/(?:\bchan|<-) ?$/.test(before);
    if (meaning.isNamed && !(isWhole && !isInFunctionType(before))) continue;
    const isPart = !isWhole || /^ ?[[&|]/.test(text.slice(end)) || /[&|] ?$/.test(before);
    out += `${text.slice(from, before.length)}${isPart && /[&|]|=>/.test(meaning.text) ? `(${meaning.text})` : meaning.text}`;
    from = end;
  }
  return out + text.slice(from);
}

/** Whether a text ends among the parameters of a type of functions (`func(…`). */
function isInFunctionType(text: string): boolean {
  const open: boolean[] = [];
  for (const { 0: sign, index } of text.matchAll(/[()]/g)) {
    if (sign === '(') open.push(/\bfunc$/.test(text.slice(0, index)));
    else open.pop();
  }
  return open.includes(true);
}
