import { matchLines } from '../../base/text';

/** One text out of two that were changed independently, or `undefined` when they changed the same place differently. */
export function mergeLines(base: string, left: string, right: string): string | undefined {
  if (left === right || right === base) return left;
  if (left === base) return right;
  const [b, l, r] = [linesOf(base), linesOf(left), linesOf(right)];
  const inLeft = new Map(matchLines(b, l));
  const inRight = new Map(matchLines(b, r));
  const merged: string[] = [];
  let [fromB, fromL, fromR] = [0, 0, 0];
  for (let anchor = 0; anchor <= b.length; anchor++) {
    const toL = anchor === b.length ? l.length : inLeft.get(anchor);
    const toR = anchor === b.length ? r.length : inRight.get(anchor);
    if (toL === undefined || toR === undefined) continue;
    const chunk = mergeChunk(b.slice(fromB, anchor), l.slice(fromL, toL), r.slice(fromR, toR));
    if (chunk === undefined) return undefined;
    merged.push(...chunk);
    if (anchor < b.length) merged.push(b[anchor] ?? '');
    [fromB, fromL, fromR] = [anchor + 1, toL + 1, toR + 1];
  }
  return merged.join('\n');
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

function mergeChunk(base: readonly string[], left: readonly string[], right: readonly string[]): readonly string[] | undefined {
  const [b, l, r] = [base.join('\n'), left.join('\n'), right.join('\n')];
  if (same(base, right, b, r)) return left;
  if (same(base, left, b, l)) return right;
  return same(left, right, l, r) ? left : undefined;
}

function same(a: readonly string[], b: readonly string[], aText: string, bText: string): boolean {
  return a.length === b.length && aText === bText;
}

/** Knowledge: what stands before the first append separator, then the appended blocks. */
interface Blocks {
  readonly head: string;
  readonly blocks: readonly Block[];
}

interface Block {
  /** Told apart by separator; of equal separators in one text, by their order. */
  readonly key: string;
  readonly time: string;
  readonly text: string;
}

const SEPARATOR = /^---\[(\d{4}-\d\d-\d\dT[\d:.]+Z) task:[^\]\n]*\]---$/;

/**
 * Knowledge out of two versions of it: by line, and what was appended on either side is kept in order of time.
 * `undefined` for edits that overlap. The texts are canonical.
 */
export function mergeKnowledge(base: string, left: string, right: string): string | undefined {
  if (left === right || right === base) return left;
  if (left === base) return right;
  const [b, l, r] = [blocksOf(base), blocksOf(left), blocksOf(right)];
  const head = mergeLines(b.head, l.head, r.head);
  const blocks = mergeBlocks(b.blocks, l.blocks, r.blocks);
  return head === undefined || blocks === undefined ? undefined : [...(head === '' ? [] : [head]), ...blocks.map(block => block.text)].join('\n\n');
}

function blocksOf(text: string): Blocks {
  const lines = text.split('\n');
  const starts = lines.flatMap((line, index) => (SEPARATOR.test(line) ? [index] : []));
  const head = lines.slice(0, starts[0] ?? lines.length);
  const seen = new Map<string, number>();
  const blocks = starts.map((start, index): Block => {
    const separator = lines[start] ?? '';
    const count = (seen.get(separator) ?? 0) + 1;
    seen.set(separator, count);
    const body = lines.slice(start, starts[index + 1] ?? lines.length).join('\n');
    return { key: `${separator}${count}`, time: SEPARATOR.exec(separator)?.[1] ?? '', text: body.trimEnd() };
  });
  return { head: head.join('\n').trimEnd(), blocks };
}

function mergeBlocks(base: readonly Block[], left: readonly Block[], right: readonly Block[]): readonly Block[] | undefined {
  const [inBase, inLeft, inRight] = [byKey(base), byKey(left), byKey(right)];
  const merged: Block[] = [];
  for (const key of new Set([...base, ...left, ...right].map(block => block.key))) {
    const kept = mergeBlock(inBase.get(key), inLeft.get(key), inRight.get(key));
    if (kept === undefined) return undefined;
    merged.push(...kept);
  }
  return merged.sort(byTime);
}

/** Of one instant in the order of their texts, so that both sides of a merge come to the same. */
function byTime(a: Block, b: Block): number {
  if (a.time !== b.time) return a.time < b.time ? -1 : 1;
  if (a.text === b.text) return 0;
  return a.text < b.text ? -1 : 1;
}

function mergeBlock(base: Block | undefined, left: Block | undefined, right: Block | undefined): readonly Block[] | undefined {
  if (base === undefined) {
    const added = [left, right].filter(block => block !== undefined);
    return added.length === 2 && added[0]?.text === added[1]?.text ? added.slice(0, 1) : added;
  }
  if (left?.text === right?.text || right?.text === base.text) return left === undefined ? [] : [left];
  if (left?.text === base.text) return right === undefined ? [] : [right];
  if (left === undefined || right === undefined) return undefined;
  const text = mergeLines(base.text, left.text, right.text);
  return text === undefined ? undefined : [{ ...base, text }];
}

function byKey(blocks: readonly Block[]): ReadonlyMap<string, Block> {
  return new Map(blocks.map(block => [block.key, block]));
}
