import { InvariantViolated } from '../../base/result';
import { HEAP_DATA, HEAP_FLAGS, INLINE_FLAGS, type ProductionTables, type RuntimeMemory, SUBTREE_BYTES } from './heapLayout';
import { EXTRA, MISSING, NAMED, type SyntaxTable } from './syntaxTable';
import type { TableBuffers } from './tableBuffers';

/** Deepest nesting, hidden nodes included, that a frame stack starts with. */
const FRAMES = 256;
/** Int32 slots per frame: address of the next child, children left, structural index, production row, position, node, field of hidden ancestors. */
const SLOTS = 7;

const ERROR_SYMBOL = 65535;

/** Reads a finished tree straight out of the runtime's memory, without a call into WebAssembly. */
export class HeapFlattener {
  #frames: Int32Array = new Int32Array(FRAMES * SLOTS);

  constructor(
    private readonly memory: RuntimeMemory,
    private readonly tables: ProductionTables,
  ) {}

  /** `address` is that of the `TSTree`. Iterative: nesting costs memory, not stack. */
  flatten(address: number, text: string, buffers: TableBuffers): SyntaxTable {
    const words = this.memory.HEAPU32;
    const halves = this.memory.HEAPU16;
    const { width, alias, field, publicSymbol, named } = this.tables;
    const rootIsInline = ((words[address >> 2] as number) & INLINE_FLAGS.inline) !== 0;
    const rootData = rootIsInline ? 0 : (words[address >> 2] as number);
    const rootChildren = rootIsInline ? 0 : (words[(rootData + HEAP_DATA.childCount) >> 2] as number);
    const nodes = 1 + (rootChildren === 0 ? 0 : (words[(rootData + HEAP_DATA.visibleDescendantCount) >> 2] as number));
    const table = buffers.reserve(nodes, text);
    const { kind, field: fields, start: starts, end: ends, parent: parents, next: nexts, flags: flagColumn } = table;
    let count = 0;
    let depth = 0;
    let frames: Int32Array = this.#frames;

    // State of the frame being read: the children of one subtree, visible (it is node `owner`) or hidden (its children belong to `owner`).
    let child = address;
    let left = 1;
    let structural = 0;
    let row = 0;
    // The root's own padding comes first; within a frame the first child starts where its parent does.
    let position = 0;
    let owner = -1;
    let outerField = 0;
    let isFirst = false;

    for (;;) {
      if (left === 0) {
        if (depth === 0) break;
        depth--;
        const finished = owner;
        const base = depth * SLOTS;
        child = frames[base] as number;
        left = frames[base + 1] as number;
        structural = frames[base + 2] as number;
        row = frames[base + 3] as number;
        position = frames[base + 4] as number;
        owner = frames[base + 5] as number;
        outerField = frames[base + 6] as number;
        isFirst = false;
        if (finished !== owner) nexts[finished] = count;
        continue;
      }
      const low = words[child >> 2] as number;
      let symbol: number;
      let size: number;
      let visible: boolean;
      let bits: number;
      let data = 0;
      let children = 0;
      if ((low & INLINE_FLAGS.inline) !== 0) {
        const high = words[(child >> 2) + 1] as number;
        symbol = (low >>> 8) & 255;
        if (!isFirst) position += (high >>> 16) & 255;
        size = high >>> 24;
        visible = (low & INLINE_FLAGS.visible) !== 0;
        bits =
          ((low & INLINE_FLAGS.named) !== 0 ? NAMED : 0) | ((low & INLINE_FLAGS.missing) !== 0 ? MISSING : 0) | ((low & INLINE_FLAGS.extra) !== 0 ? EXTRA : 0);
      } else {
        data = low;
        const flags = halves[(data + HEAP_DATA.flags) >> 1] as number;
        symbol = halves[(data + HEAP_DATA.symbol) >> 1] as number;
        if (!isFirst) position += words[(data + HEAP_DATA.paddingBytes) >> 2] as number;
        size = words[(data + HEAP_DATA.sizeBytes) >> 2] as number;
        visible = (flags & HEAP_FLAGS.visible) !== 0;
        bits =
          ((flags & HEAP_FLAGS.named) !== 0 ? NAMED : 0) | ((flags & HEAP_FLAGS.missing) !== 0 ? MISSING : 0) | ((flags & HEAP_FLAGS.extra) !== 0 ? EXTRA : 0);
        children = words[(data + HEAP_DATA.childCount) >> 2] as number;
      }
      isFirst = false;
      child += SUBTREE_BYTES;
      left--;
      let own = 0;
      if ((bits & EXTRA) === 0) {
        own = outerField;
        if (row !== 0 && structural < width) {
          const index = row + structural;
          const renamed = alias[index] as number;
          if (renamed !== 0) {
            symbol = renamed;
            visible = true;
            bits = (bits & ~NAMED) | (named[renamed] !== 0 ? NAMED : 0);
          }
          const direct = field[index] as number;
          if (direct !== 0) own = direct;
        }
        structural++;
      }
      const begin = position;
      position += size;
      let node = owner;
      if (visible || owner < 0) {
        if (count === nodes) throw new InvariantViolated('the tree holds more nodes than its root says');
        node = count++;
        kind[node] = symbol === ERROR_SYMBOL ? symbol : (publicSymbol[symbol] as number);
        fields[node] = own;
        starts[node] = begin >> 1;
        ends[node] = position >> 1;
        parents[node] = owner;
        flagColumn[node] = bits;
        if (children === 0) {
          nexts[node] = count;
          continue;
        }
      } else if (children === 0 || (words[(data + HEAP_DATA.visibleChildCount) >> 2] as number) === 0) continue;
      const base = depth * SLOTS;
      if (base + SLOTS > frames.length) frames = this.#grow();
      depth++;
      frames[base] = child;
      frames[base + 1] = left;
      frames[base + 2] = structural;
      frames[base + 3] = row;
      frames[base + 4] = position;
      frames[base + 5] = owner;
      frames[base + 6] = outerField;
      child = data - children * SUBTREE_BYTES;
      left = children;
      structural = 0;
      row = (halves[(data + HEAP_DATA.productionId) >> 1] as number) * width;
      position = begin;
      outerField = node === owner ? own : 0;
      owner = node;
      isFirst = true;
    }
    table.count = count;
    return table;
  }

  #grow(): Int32Array {
    const larger = new Int32Array(this.#frames.length * 2);
    larger.set(this.#frames);
    this.#frames = larger;
    return larger;
  }
}
