import type { ColumnOf } from '../../base/branded';
import type { ExpressionRow, ImportRow } from '../../model/facts';
import { type DependencyKey, dependencyKey, type FileNumber, fileNumber, type NameNumber, NO_FILE, NO_KEY, nameNumber } from './numbers';
import { hashPair, PairTable } from './tables/pairTable';

/**
 * Who consulted what as plain data, for a process that takes over resolutions instead of making them. Keys are in the order of their numbers;
 * what `left` and `right` are says the kind. Keys of kind 0 are steps between others that nobody names from outside.
 */
export interface DependencyColumns {
  readonly kinds: Uint8Array;
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly files: Int32Array;
  /** Paths that were asked for; `left` of a path is a place in it. */
  readonly asked: readonly string[];
  readonly from: ColumnOf<DependencyKey>;
  readonly to: ColumnOf<DependencyKey>;
}

/** Keys or edges taken over between two checks of the clock. */
const PER_STEP = 5_000;

/** Edges that move to a table of twice the size with each edge that is added. */
const MOVED_AT_ONCE = 4;

const KINDS = { step: 0, unit: 1, member: 2, path: 3, bearers: 4 } as const;

/** Names from here on stand for import rows. */
const IMPORT_ROWS = 4_000_000;

/**
 * Who consulted what, so that an update touches only what may have changed.
 *
 * A key stands for something a result may rest on: a unit of a file (a top-level name, or a member of a top-level container), the existence of a path,
 * the bearers of a member name. Units come in pairs: the even number is the unit as others see it, the odd one
 * (`bodyOf`) its body, which only its own file's sites rest on. Edges run from consumer to key. They are only added: an edge too many costs
 * a re-resolution, never a wrong answer.
 */
export class Dependencies {
  #count = 0;
  /** By file, then name. */
  readonly #units = new PairTable<FileNumber, NameNumber, DependencyKey>();
  /** By container, then name. */
  readonly #members = new PairTable<DependencyKey, NameNumber, DependencyKey>();
  /** By receiver, then name. */
  readonly #memberQueries = new PairTable<number, NameNumber, DependencyKey>();
  /** By file, then expression. */
  readonly #rows = new PairTable<FileNumber, ExpressionRow, DependencyKey>();
  /** By folder, then specifier. */
  readonly #requests = new PairTable<number, NameNumber, DependencyKey>();
  readonly #paths = new Map<string, DependencyKey>();
  readonly #bearers = new Map<NameNumber, DependencyKey>();
  /** File of each key that is a unit, `-1` for others; by key >> 1. */
  #fileOf: FileNumber[] = [];
  #heads = new Int32Array(2048).fill(-1);
  #from = keyColumn(4096);
  #to = keyColumn(4096);
  #next = new Int32Array(4096);
  #edges = 0;
  /** Open addressing over edges: number plus one, 0 for free. */
  #table = new Int32Array(8192);
  /** The table before this one, as long as not all of its edges have moved: millions of them would block other work if they moved at once. */
  #before: Int32Array | undefined;
  /** Edges below this are in `#table`, as are all that were added since it was made. */
  #moved = 0;
  /** Edges that `#before` holds. */
  #toMove = 0;
  /** By key: who consulted it last. Most consultations repeat the one before. */
  #last = new Int32Array(2048).fill(-1);

  /** What is being computed; consultations are noted for it. `-1`: nobody. */
  current = NO_KEY;

  /** Unit of a name at the top of a file; name -1 is module level. */
  unit(file: FileNumber, name: NameNumber): DependencyKey {
    return this.#paired(this.#units, file, name, file);
  }

  /** Unit of a member of a top-level container. */
  member(container: DependencyKey, name: NameNumber, file: FileNumber): DependencyKey {
    return this.#paired(this.#members, container, name, file);
  }

  /** Unit of an import row of a file: carries where it leads. */
  importRow(file: FileNumber, row: ImportRow): DependencyKey {
    return this.unit(file, nameNumber(IMPORT_ROWS + row));
  }

  path(path: string): DependencyKey {
    return this.#keyed(this.#paths, path);
  }

  /** Key of a path that somebody asked for. */
  knownPath(path: string): DependencyKey | undefined {
    return this.#paths.get(path);
  }

  /** Key of a module asked for from some folder. */
  request(scope: number, specifier: NameNumber): DependencyKey {
    return this.#paired(this.#requests, scope, specifier, NO_FILE);
  }

  /** Key of a property asked of a plain class or its instances; `receiver` tells them apart. */
  memberQuery(receiver: number, name: NameNumber): DependencyKey {
    return this.#paired(this.#memberQueries, receiver, name, NO_FILE);
  }

  /** Key of an expression that code outside its file asks for: it must not rest on what else that code asks for. */
  row(file: FileNumber, row: ExpressionRow): DependencyKey {
    return this.#paired(this.#rows, file, row, file);
  }

  /** File that a key is of, `-1` for one of none. */
  fileOf(key: DependencyKey): FileNumber {
    return this.#fileOf[key >> 1] ?? NO_FILE;
  }

  bearers(name: NameNumber): DependencyKey {
    return this.#keyed(this.#bearers, name);
  }

  consult(key: DependencyKey): void {
    if (key !== this.current && this.current >= 0) this.#add(this.current, key);
  }

  /** Files whose sites rest on any of the keys, directly or through others. */
  dependents(keys: Iterable<DependencyKey>): Set<FileNumber> {
    const seen = new Set<DependencyKey>(keys);
    const queue = [...seen];
    const files = new Set<FileNumber>();
    for (let key = queue.pop(); key !== undefined; key = queue.pop()) {
      if ((key & 1) === 1) {
        const file = this.#fileOf[key >> 1] ?? NO_FILE;
        if (file >= 0) files.add(file);
      }
      for (let edge = this.#heads[key] ?? -1; edge >= 0; edge = this.#next[edge] ?? -1) {
        const consumer = this.#from[edge] ?? NO_KEY;
        if (seen.has(consumer)) continue;
        seen.add(consumer);
        queue.push(consumer);
      }
    }
    return files;
  }

  toColumns(): DependencyColumns {
    const count = this.#count >> 1;
    const kinds = new Uint8Array(count);
    const left = new Int32Array(count);
    const right = new Int32Array(count);
    const note = (kind: number, key: DependencyKey, first: number, second: number): void => {
      kinds[key >> 1] = kind;
      left[key >> 1] = first;
      right[key >> 1] = second;
    };
    this.#units.each((file, name, key) => note(KINDS.unit, key, file, name));
    this.#members.each((container, name, key) => note(KINDS.member, key, container, name));
    const asked = [...this.#paths.keys()];
    asked.forEach((path, at) => {
      note(KINDS.path, this.#paths.get(path) ?? NO_KEY, at, 0);
    });
    for (const [name, key] of this.#bearers) note(KINDS.bearers, key, name, 0);
    return { kinds, left, right, asked, files: Int32Array.from(this.#fileOf), from: this.#from.slice(0, this.#edges), to: this.#to.slice(0, this.#edges) };
  }

  /** Adds what `toColumns` gave in another process; both functions turn a number of that process into one of this. */
  *adopt(columns: DependencyColumns, nameOf: (name: NameNumber) => NameNumber, fileOf: (file: FileNumber) => FileNumber): Generator<void, void> {
    const { asked, files, from, kinds, left, right, to } = columns;
    this.clear(from.length);
    const keys = keyColumn(kinds.length);
    const named = (name: number): NameNumber => (name < 0 || name >= IMPORT_ROWS ? nameNumber(name) : nameOf(nameNumber(name)));
    const owner = (file: FileNumber): FileNumber => (file < 0 ? file : fileOf(file));
    const keyAt = (at: number): DependencyKey => {
      const first = left[at] ?? 0;
      switch (kinds[at]) {
        case KINDS.unit:
          return this.unit(fileOf(fileNumber(first)), named(right[at] ?? 0));
        case KINDS.member:
          return this.member(keys[first >> 1] ?? NO_KEY, named(right[at] ?? 0), owner(fileNumber(files[at] ?? -1)));
        case KINDS.path:
          return this.path(asked[first] ?? '');
        case KINDS.bearers:
          return this.bearers(named(first));
        default:
          return this.#allocate(owner(fileNumber(files[at] ?? -1)));
      }
    };
    for (let at = 0; at < kinds.length; at++) {
      keys[at] = keyAt(at);
      if (at % PER_STEP === 0) yield;
    }
    const moved = (key: number): DependencyKey => dependencyKey((keys[key >> 1] ?? 0) | (key & 1));
    for (let edge = 0; edge < from.length; edge++) {
      this.#add(moved(from[edge] ?? 0), moved(to[edge] ?? 0));
      if (edge % PER_STEP === 0) yield;
    }
  }

  /** Forgets all edges; `expected` is about how many will be noted. */
  clear(expected: number): void {
    this.#edges = 0;
    this.#heads.fill(-1);
    this.#last.fill(-1);
    let size = this.#from.length;
    while (size < expected) size *= 2;
    if (size > this.#from.length) {
      this.#from = keyColumn(size);
      this.#to = keyColumn(size);
      this.#next = new Int32Array(size);
      this.#table = new Int32Array(size * 2);
    } else this.#table.fill(0);
    this.#before = undefined;
  }

  #keyed<Key>(map: Map<Key, DependencyKey>, key: Key): DependencyKey {
    const known = map.get(key);
    if (known !== undefined) return known;
    const id = this.#allocate(NO_FILE);
    map.set(key, id);
    return id;
  }

  #paired<First extends number, Second extends number>(
    table: PairTable<First, Second, DependencyKey>,
    first: First,
    second: Second,
    file: FileNumber,
  ): DependencyKey {
    const known = table.get(first, second);
    if (known >= 0) return known;
    const id = this.#allocate(file);
    table.set(first, second, id);
    return id;
  }

  #allocate(file: FileNumber): DependencyKey {
    const id = dependencyKey(this.#count);
    this.#count += 2;
    this.#fileOf.push(file);
    if (this.#count > this.#heads.length) {
      this.#last = grown(this.#last, this.#heads.length * 2, -1);
      this.#heads = grown(this.#heads, this.#heads.length * 2, -1);
    }
    return id;
  }

  #add(from: DependencyKey, to: DependencyKey): void {
    if (this.#last[to] === from) return;
    this.#last[to] = from;
    const slot = this.#slotOf(this.#table, from, to);
    if (slot < 0) return;
    if (this.#before !== undefined) {
      if (this.#slotOf(this.#before, from, to) < 0) return;
      this.#moveSome();
      // What has moved may have taken the slot.
      this.#note(this.#slotOf(this.#table, from, to), from, to);
    } else this.#note(slot, from, to);
  }

  /** The free slot for an edge, or -1 where the table holds it. */
  #slotOf(table: Int32Array, from: DependencyKey, to: DependencyKey): number {
    const mask = table.length - 1;
    let slot = hashPair(from, to) & mask;
    for (let edge = table[slot] ?? 0; edge !== 0; edge = table[slot] ?? 0) {
      if (this.#from[edge - 1] === from && this.#to[edge - 1] === to) return -1;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #note(slot: number, from: DependencyKey, to: DependencyKey): void {
    if (this.#edges === this.#from.length) this.#grow();
    const edge = this.#edges++;
    this.#from[edge] = from;
    this.#to[edge] = to;
    this.#next[edge] = this.#heads[to] ?? -1;
    this.#heads[to] = edge;
    this.#table[slot] = edge + 1;
    if (this.#edges * 2 > this.#table.length) this.#enlarge();
  }

  #grow(): void {
    const size = this.#from.length * 2;
    this.#from = grown(this.#from, size, 0) as ColumnOf<DependencyKey>;
    this.#to = grown(this.#to, size, 0) as ColumnOf<DependencyKey>;
    this.#next = grown(this.#next, size, 0);
  }

  /** As many edges come in before the next time as there are now: all have moved by then. */
  #enlarge(): void {
    this.#before = this.#table;
    this.#table = new Int32Array(this.#table.length * 2);
    this.#moved = 0;
    this.#toMove = this.#edges;
  }

  #moveSome(): void {
    const end = Math.min(this.#toMove, this.#moved + MOVED_AT_ONCE);
    for (; this.#moved < end; this.#moved++) {
      const slot = this.#slotOf(this.#table, this.#from[this.#moved] ?? NO_KEY, this.#to[this.#moved] ?? NO_KEY);
      this.#table[slot] = this.#moved + 1;
    }
    if (this.#moved === this.#toMove) this.#before = undefined;
  }
}

/** The body of a unit: what its own file's sites rest on. */
export function bodyOf(unit: DependencyKey): DependencyKey {
  return dependencyKey(unit | 1);
}

/** Whether a key is the body of a unit. */
export function isBody(key: DependencyKey): boolean {
  return (key & 1) === 1;
}

function keyColumn(size: number): ColumnOf<DependencyKey> {
  return new Int32Array(size) as ColumnOf<DependencyKey>;
}

function grown(array: Int32Array, size: number, fill: number): Int32Array<ArrayBuffer> {
  const out = new Int32Array(size);
  out.set(array);
  if (fill !== 0) out.fill(fill, array.length);
  return out;
}
