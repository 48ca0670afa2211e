/**
 * Places the blocks of an overview in rows, users above what they use, in the width that there is; and leads lines through the gaps between
 * the blocks of a row and between rows, so that none crosses a block. After Sugiyama, Tagawa and Toda 1981. Deterministic; in pixels.
 */
import type { Block, BlockLink, Level } from './blockTree';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Upper left corner and size, from the upper left corner of the whole. */
export interface Place extends Size {
  readonly x: number;
  readonly y: number;
}

interface Row {
  readonly ids: readonly string[];
  readonly top: number;
  readonly bottom: number;
}

/** A level with the places of what is in it. */
export interface PlacedLevel {
  readonly level: Level;
  readonly rows: readonly Row[];
  /** Left and right end of what lines may use. */
  readonly left: number;
  readonly right: number;
  /** Names of layers where they begin. */
  readonly bands: readonly { readonly layer: number; readonly y: number; readonly bottom: number }[];
}

export interface BlockPlaces {
  readonly places: ReadonlyMap<string, Place>;
  readonly levels: readonly PlacedLevel[];
  readonly size: Size;
}

export interface LayoutOptions {
  readonly width: number;
  /** The picture is fitted to it where the blocks stay legible. */
  readonly height: number;
  /** What a block needs for its text. */
  leastSize(block: Block): Size;
}

/** Between neighbors of a row, between rows, and beside the outermost blocks: lines run there. */
const GAP = 28;
const SIDE = 22;
const ROW_GAP = 32;
const PER_LINE = 1.6;
const MAX_FOR_LINES = 44;
const FRAME_TOP = 32;
const FRAME_PAD = 6;
/** Above the first row of a layer, for its name. */
const BAND_TITLE = 20;

/** Pixels of the area of the largest block, in steps. */
const AREAS = [60_000, 44_000, 32_000, 22_000] as const;
const ASPECT = 3.2;
/** Higher than this a block only grows in width. */
const MAX_HEIGHT = 110;

/** The largest scale of blocks at which the picture fits; else the smallest, and the reader scrolls. */
export function placeBlocks(root: Level, options: LayoutOptions): BlockPlaces {
  let placed: BlockPlaces | undefined;
  for (const area of AREAS) {
    placed = new BlockLayout(root, options, area).placed();
    if (placed.size.height <= options.height) return placed;
  }
  return placed ?? { places: new Map(), levels: [], size: { width: 0, height: 0 } };
}

class BlockLayout {
  readonly #places = new Map<string, Place>();
  readonly #levels: PlacedLevel[] = [];
  readonly #perLine: number;

  constructor(
    private readonly root: Level,
    private readonly options: LayoutOptions,
    area: number,
  ) {
    this.#perLine = area / Math.max(1, ...leaves(root).map(block => block.lines));
  }

  placed(): BlockPlaces {
    const { bring, ...size } = this.#level(this.root, this.options.width);
    bring(Math.max(0, (this.options.width - size.width) / 2), 0);
    return { places: this.#places, levels: this.#levels, size: { width: Math.max(this.options.width, size.width), height: size.height } };
  }

  /** Size of a level, and what puts it somewhere. */
  #level(level: Level, width: number): Size & { readonly bring: (x: number, y: number) => void } {
    const inner = width - 2 * SIDE;
    const sizes = new Map<string, Size & { readonly bring?: (x: number, y: number) => void }>();
    for (const block of level.blocks) sizes.set(block.id, this.#size(block, inner));
    const widthOf = (id: string): number => sizes.get(id)?.width ?? 0;
    const main = level.links.filter(link => link.isMain);
    const rows = rowsOf(level, main, widthOf, inner);
    const used = Math.max(0, ...rows.map(row => rowWidth(row.ids, widthOf)));
    const xs = balanced(
      rows.map(row => row.ids),
      main,
      widthOf,
      used,
    );
    const passing = passingCounts(
      rows.map(row => row.ids),
      main,
    );
    const tops: Row[] = [];
    const bands: { layer: number; y: number; bottom: number }[] = [];
    let y = 4;
    for (const [place, row] of rows.entries()) {
      if (row.layer !== undefined && row.layer !== rows[place - 1]?.layer) {
        bands.push({ layer: row.layer, y, bottom: y });
        y += BAND_TITLE;
      }
      const height = Math.max(...row.ids.map(id => sizes.get(id)?.height ?? 0));
      tops.push({ ids: row.ids, top: y, bottom: y + height });
      const band = bands.at(-1);
      if (band !== undefined && row.layer === band.layer) band.bottom = y + height;
      y += height + (place === rows.length - 1 ? 10 : ROW_GAP + Math.min(MAX_FOR_LINES, (passing[place] ?? 0) * PER_LINE));
    }
    const bring = (left: number, top: number): void => {
      for (const row of tops)
        for (const id of row.ids) {
          const size = sizes.get(id);
          if (size === undefined) continue;
          const at = {
            x: left + SIDE + (xs.get(id) ?? 0),
            y: top + row.top + (row.bottom - row.top - size.height) / 2,
            width: size.width,
            height: size.height,
          };
          this.#places.set(id, at);
          size.bring?.(at.x, at.y);
        }
      this.#levels.push({
        level,
        rows: tops.map(row => ({ ids: row.ids, top: top + row.top, bottom: top + row.bottom })),
        left,
        right: left + used + 2 * SIDE,
        bands: bands.map(band => ({ layer: band.layer, y: top + band.y, bottom: top + band.bottom })),
      });
    };
    return { width: used + 2 * SIDE, height: y, bring };
  }

  #size(block: Block, most: number): Size & { readonly bring?: (x: number, y: number) => void } {
    const least = this.options.leastSize(block);
    if (block.frame !== undefined) {
      const inner = this.#level(block.frame.level, most - 2 * FRAME_PAD);
      const width = Math.max(least.width, inner.width + 2 * FRAME_PAD);
      const height = inner.height + FRAME_TOP + FRAME_PAD;
      return { width, height, bring: (x, y) => inner.bring(x + (width - inner.width) / 2, y + FRAME_TOP) };
    }
    const area = block.lines * this.#perLine;
    const height = Math.round(Math.max(least.height, Math.min(MAX_HEIGHT, Math.sqrt(area / ASPECT))));
    // What the text needs more in one direction is not taken from the other.
    return { width: Math.min(most, Math.round(Math.max(least.width, area / height))), height };
  }
}

function leaves(level: Level): Block[] {
  return level.blocks.flatMap(block => (block.frame === undefined ? [block] : leaves(block.frame.level)));
}

function rowWidth(ids: readonly string[], widthOf: (id: string) => number): number {
  return ids.reduce((sum, id) => sum + widthOf(id), 0) + Math.max(0, ids.length - 1) * GAP;
}

interface RankedRow {
  readonly ids: readonly string[];
  readonly layer: number | undefined;
}

/** Rows by layer, then by steps from those that nothing uses; those without lines last. Rows that are too wide are broken. */
function rowsOf(level: Level, main: readonly BlockLink[], widthOf: (id: string) => number, width: number): RankedRow[] {
  const forward = main.filter(link => !link.isCycle);
  const ids = level.blocks.map(block => block.id);
  const linked = new Set(main.flatMap(({ source, target }) => [source, target]));
  const layerOf = new Map(level.blocks.map(block => [block.id, block.layer]));
  const hasLayers = level.blocks.some(block => block.layer !== undefined);
  const bands = hasLayers
    ? [...new Set(level.blocks.map(block => block.layer))].sort((a, b) => (a ?? Number.MAX_VALUE) - (b ?? Number.MAX_VALUE))
    : [undefined];
  const rows: RankedRow[] = [];
  for (const band of bands) {
    const own = ids.filter(id => !hasLayers || layerOf.get(id) === band);
    const inBand = new Set(own);
    const ranks = ranked(
      own.filter(id => linked.has(id)),
      forward.filter(({ source, target }) => inBand.has(source) && inBand.has(target)),
    );
    const alone = own.filter(id => !linked.has(id));
    for (const ids of [...ranks, ...(alone.length > 0 ? [alone] : [])]) rows.push({ ids, layer: band });
  }
  const sorted = inFewCrossings(rows, main);
  return sorted.flatMap(row => broken(row.ids, widthOf, width).map(ids => ({ ids, layer: row.layer })));
}

/** By longest way from those that nothing uses; what nothing uses stands right above what it uses. */
function ranked(ids: readonly string[], links: readonly BlockLink[]): string[][] {
  const rank = new Map(ids.map(id => [id, 0]));
  for (let round = 0, isChanged = true; isChanged && round <= ids.length; round++) {
    isChanged = false;
    for (const { source, target } of links) {
      const wanted = (rank.get(source) ?? 0) + 1;
      if ((rank.get(target) ?? 0) >= wanted) continue;
      rank.set(target, wanted);
      isChanged = true;
    }
  }
  for (const id of ids) {
    const below = links.filter(link => link.source === id).map(link => rank.get(link.target) ?? 0);
    if (!links.some(link => link.target === id) && below.length > 0) rank.set(id, Math.min(...below) - 1);
  }
  const rows: string[][] = [];
  for (const id of ids) (rows[rank.get(id) ?? 0] ??= []).push(id);
  return rows.filter(row => row !== undefined);
}

/** Orders rows by the mean place of their neighbors, down and up a few times; what is alike stays in the order of the scene. */
function inFewCrossings(rows: readonly RankedRow[], links: readonly BlockLink[]): RankedRow[] {
  const ordered = rows.map(row => ({ ...row, ids: [...row.ids] }));
  const place = new Map<string, number>();
  const first = new Map(rows.flatMap(({ ids }) => ids.map((id, at) => [id, at] as const)));
  const note = (ids: readonly string[]): void => {
    for (const [at, id] of ids.entries()) place.set(id, (at + 0.5) / ids.length);
  };
  for (const row of ordered) note(row.ids);
  const neighbors = new Map<string, string[]>();
  for (const { source, target } of links) {
    neighbors.set(source, [...(neighbors.get(source) ?? []), target]);
    neighbors.set(target, [...(neighbors.get(target) ?? []), source]);
  }
  for (let round = 0; round < 6; round++) {
    for (const row of round % 2 === 0 ? ordered : ordered.toReversed()) {
      const mean = new Map(
        row.ids.map(id => {
          const around = neighbors.get(id) ?? [];
          const sum = around.reduce((all, other) => all + (place.get(other) ?? 0.5), 0);
          return [id, around.length === 0 ? (place.get(id) ?? 0.5) : sum / around.length];
        }),
      );
      row.ids.sort((a, b) => (mean.get(a) ?? 0) - (mean.get(b) ?? 0) || (first.get(a) ?? 0) - (first.get(b) ?? 0));
      note(row.ids);
    }
  }
  return ordered;
}

/** A row in as many as the width asks for, of about the same width each. */
function broken(ids: readonly string[], widthOf: (id: string) => number, width: number): string[][] {
  const all = rowWidth(ids, widthOf);
  const parts = Math.max(1, Math.ceil(all / Math.max(1, width)));
  const aim = Math.min(width, all / parts + GAP);
  const rows: string[][] = [[]];
  for (const id of ids) {
    const row = rows.at(-1) ?? [];
    const isFull = row.length > 0 && (rowWidth([...row, id], widthOf) > width || (rows.length < parts && rowWidth(row, widthOf) >= aim - widthOf(id) / 2));
    if (isFull) rows.push([id]);
    else row.push(id);
  }
  return rows.filter(row => row.length > 0);
}

/** Left ends of blocks: each as near to the middle of its neighbors as the others of its row let it. */
function balanced(
  rows: readonly (readonly string[])[],
  links: readonly BlockLink[],
  widthOf: (id: string) => number,
  width: number,
): ReadonlyMap<string, number> {
  const xs = new Map<string, number>();
  for (const ids of rows) {
    let x = (width - rowWidth(ids, widthOf)) / 2;
    for (const id of ids) {
      xs.set(id, x);
      x += widthOf(id) + GAP;
    }
  }
  const middle = (id: string): number => (xs.get(id) ?? 0) + widthOf(id) / 2;
  for (let round = 0; round < 4; round++) {
    for (const ids of round % 2 === 0 ? rows : rows.toReversed()) {
      const wanted = ids.map(id => {
        const around = links.flatMap(link => (link.source === id ? [link.target] : link.target === id ? [link.source] : []));
        const mean = around.reduce((sum, other) => sum + middle(other), 0) / Math.max(1, around.length);
        return around.length === 0 ? (xs.get(id) ?? 0) : mean - widthOf(id) / 2;
      });
      settle(ids, wanted, widthOf, width, xs);
    }
  }
  return xs;
}

/** Keeps blocks of a row apart and inside: pushed to the right where they overlap, then back from the right end. */
function settle(ids: readonly string[], wanted: readonly number[], widthOf: (id: string) => number, width: number, xs: Map<string, number>): void {
  let least = 0;
  const placed = ids.map((id, at) => {
    const x = Math.max(least, wanted[at] ?? 0);
    least = x + widthOf(id) + GAP;
    return x;
  });
  let most = width;
  for (let at = ids.length - 1; at >= 0; at--) {
    const id = ids[at] ?? '';
    const x = Math.max(0, Math.min(placed[at] ?? 0, most - widthOf(id)));
    xs.set(id, Math.round(x));
    most = x - GAP;
  }
}

/** How many lines run between each row and the next. */
function passingCounts(rows: readonly (readonly string[])[], links: readonly BlockLink[]): number[] {
  const rowOf = new Map(rows.flatMap((ids, place) => ids.map(id => [id, place] as const)));
  return rows.map(
    (_, place) =>
      links.filter(({ source, target }) => {
        const [a, b] = [rowOf.get(source) ?? 0, rowOf.get(target) ?? 0];
        return Math.min(a, b) <= place && Math.max(a, b) > place;
      }).length,
  );
}
