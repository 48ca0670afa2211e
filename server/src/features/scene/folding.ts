import { dirname, type WorkspacePath } from '../../base/path';
import { compareText } from '../../base/text';

/** Something that lies in a file, and how much it weighs. */
export interface WeightedItem {
  readonly path: WorkspacePath;
  readonly weight: number;
}

export interface Fold<Item extends WeightedItem> {
  /** A folder, or a file when it holds nothing else; `''` for the workspace. */
  readonly path: WorkspacePath;
  readonly items: readonly Item[];
  readonly weight: number;
  /** Some other parts of the folder stand beside it. */
  readonly isRest?: true;
}

/** Heaviest first, then by path. */
export function byWeight<Row extends WeightedItem>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => b.weight - a.weight || compareText(a.path, b.path));
}

/** Items by their file, the heaviest file first, its items in their order. */
export function byFile<Item extends WeightedItem>(items: readonly Item[]): Fold<Item>[] {
  return byWeight([...grouped(items, item => item.path)].map(([path, own]) => foldOf(path, own)));
}

/**
 * Items by folder, in at most `most` parts: the heaviest part is divided into its folders and files as long as there is room. Of a folder that holds
 * more than half of all and has too many parts, the heaviest parts stand for themselves, the others as the rest of it.
 * A folder that holds nothing but one folder is passed over. Heaviest first, rests last.
 */
export function folded<Item extends WeightedItem>(items: readonly Item[], most: number, root: WorkspacePath = ''): Fold<Item>[] {
  let folds: Fold<Item>[] = items.length === 0 ? [] : [passedOver(foldOf(root, items))];
  const all = items.reduce((sum, item) => sum + item.weight, 0);
  const whole = new Set<Fold<Item>>();
  for (;;) {
    const next = byWeight(folds).find(fold => !whole.has(fold));
    if (next === undefined) return [...byWeight(folds.filter(fold => fold.isRest !== true)), ...byWeight(folds.filter(fold => fold.isRest === true))];
    const room = most - (folds.length - 1);
    const parts = byWeight(partsOf(next));
    const others = folds.filter(fold => fold !== next);
    if (parts.length < 2 || next.isRest === true) whole.add(next);
    else if (parts.length <= room) folds = [...others, ...parts];
    else if (room > 2 && next.weight > all / 2) {
      const rest = parts.slice(room - 1).flatMap(part => part.items);
      folds = [...others, ...parts.slice(0, room - 1), { ...foldOf(next.path, rest), isRest: true }];
    } else whole.add(next);
  }
}

function foldOf<Item extends WeightedItem>(path: WorkspacePath, items: readonly Item[]): Fold<Item> {
  return { path, items, weight: items.reduce((sum, item) => sum + item.weight, 0) };
}

/** Folders and files directly in a fold. */
function partsOf<Item extends WeightedItem>({ path, items }: Fold<Item>): Fold<Item>[] {
  if (items.every(item => item.path === path)) return [];
  return [...grouped(items, item => stepTo(path, item.path))].map(([part, own]) => passedOver(foldOf(part, own)));
}

/** The part of a folder that a file lies in. */
function stepTo(folder: WorkspacePath, file: WorkspacePath): WorkspacePath {
  const start = folder === '' ? 0 : folder.length + 1;
  const end = file.indexOf('/', start);
  return end < 0 ? file : file.slice(0, end);
}

/** The innermost folder (or the file) that holds all of a fold. */
function passedOver<Item extends WeightedItem>(fold: Fold<Item>): Fold<Item> {
  const [first] = fold.items;
  if (first === undefined) return fold;
  if (fold.items.every(item => item.path === first.path)) return { ...fold, path: first.path };
  let path = dirname(first.path);
  while (path !== '' && path.length > fold.path.length && !fold.items.every(item => item.path.startsWith(`${path}/`))) path = dirname(path);
  return { ...fold, path };
}

/** Items by key, in the order in which keys first come. */
export function grouped<Item>(items: readonly Item[], keyOf: (item: Item) => string): ReadonlyMap<string, Item[]> {
  const groups = new Map<string, Item[]>();
  for (const item of items) {
    const own = groups.get(keyOf(item));
    if (own === undefined) groups.set(keyOf(item), [item]);
    else own.push(item);
  }
  return groups;
}
