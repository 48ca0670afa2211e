import type { GraphNode } from '../../../code/graph/graphView';
import { traitsOf } from '../../../model/languages';
import { KIND_GROUPS } from '../../../model/nodes';

/** Words of a declaration that say nothing to who uses it; who may is told apart from that. */
const MODIFIERS =
  /(?<![\w$@.])(?:public|private|protected|internal|static|final|abstract|synchronized|native|default|strictfp|async|virtual|override|sealed|partial|unsafe|new|readonly|volatile|transient|inline|constexpr|consteval|extern|explicit|friend|register|typename|mutable|open|lateinit)(?![\w$])|\[\[.*?\]\]|@[\w.]+/g;

const TYPES: ReadonlySet<string> = new Set(KIND_GROUPS.CLASS);
const ACCESS = /^(?:(?:public|private|protected|virtual)\s+)+/;

/** A declaration without its modifiers. */
export function withoutModifiers(text: string): string {
  return text.replaceAll(MODIFIERS, ' ').replaceAll(/\s+/g, ' ').trim();
}

/**
 * Whether who uses what `was` declares (a type, a field, a variable) can use what `is` declares. `inherited`: names of all types that the newer one has above it;
 * a type may get further bases, and one that has the old ones.
 */
export function isUsableAs(was: GraphNode, is: GraphNode, inherited: () => ReadonlySet<string>): boolean {
  if (traitsOf(is.language).signatures?.modifiers !== 'free') return false;
  if (!TYPES.has(is.kind ?? '')) return isStatic(was) === isStatic(is) && isSameValue(was, is);
  if (!/\babstract\b/.test(was.signature) && /\babstract\b/.test(is.signature)) return false;
  const [before, after] = [declarationOf(was), declarationOf(is)];
  if (before.head !== after.head) return false;
  const missing = before.bases.filter(base => !after.bases.some(other => isSameBase(base, other)));
  return missing.every(base => inherited().has(nameOf(base)));
}

function isSameValue(was: GraphNode, is: GraphNode): boolean {
  const [before, after] = [plainly(was), plainly(is)];
  const isUntyped = traitsOf(is.language).signatures?.untyped === 'any' && before.startsWith('$');
  return before === (isUntyped ? after.replace(/^[?\w|\\]+\s+/, '') : after);
}

function plainly({ language, signature }: GraphNode): string {
  const rewrites = traitsOf(language).signatures?.rewrites ?? [];
  return withoutModifiers(rewrites.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), signature));
}

function isStatic({ signature }: GraphNode): boolean {
  return /\bstatic\b/.test(signature);
}

/** `class Shop<T>` and what it extends or implements. */
function declarationOf(node: GraphNode): { readonly head: string; readonly bases: readonly string[] } {
  const text = plainly(node).replace(/\s*\{.*$/, '');
  const at = text.search(/\b(?:extends|implements)\b|(?<!:):(?!:)/);
  if (at < 0) return { head: text, bases: [] };
  // Bounds of type parameters (`class Shop<T extends Item>`) stand before what the class extends.
  const end = depthAt(text, at) === 0 ? at : firstOutside(text, at);
  const bases = end < 0 ? [] : partsOf(text.slice(end).replaceAll(/\b(?:extends|implements)\b|^\s*:/g, ','));
  return { head: (end < 0 ? text : text.slice(0, end)).trim(), bases };
}

function firstOutside(text: string, from: number): number {
  for (const { index } of text.matchAll(/\b(?:extends|implements)\b|(?<!:):(?!:)/g)) if (index >= from && depthAt(text, index) === 0) return index;
  return -1;
}

function depthAt(text: string, at: number): number {
  const signs = text.slice(0, at).match(/[<>([\])]/g) ?? [];
  return signs.reduce((depth, sign) => depth + ('<(['.includes(sign) ? 1 : -1), 0);
}

function partsOf(list: string): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const { index } of [...list.matchAll(/,/g), { index: list.length }]) {
    if (depthAt(list.slice(from), index - from) !== 0) continue;
    const part = list.slice(from, index).trim().replace(ACCESS, '');
    if (part !== '') parts.push(part);
    from = index + 1;
  }
  return parts;
}

/** Without its arguments a type stands for whatever they are. */
function isSameBase(was: string, is: string): boolean {
  return was === is || (nameOf(was) === nameOf(is) && (!was.includes('<') || !is.includes('<')));
}

function nameOf(base: string): string {
  return /(\w+)\s*(?:[<(].*)?$/s.exec(base.replace(/\s*where\b.*$/, ''))?.[1] ?? base;
}
