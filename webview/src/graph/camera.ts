/** Pixels that stay free around a drawing. */
export const MARGIN = 36;

interface Along {
  /** Ends of the drawing, and the place that is to be seen, in the units of positions. */
  readonly from: number;
  readonly to: number;
  readonly at: number | undefined;
  /** Where that place is to stand, as a share of the room. */
  readonly share: number;
  /** Pixels there are. */
  readonly room: number;
  readonly zoom: number;
}

/** Along one axis: what fits stands in the middle; of the rest as much as there is room for around the place, and no empty room beyond its ends. */
export function panOf({ from, to, at, share, room, zoom }: Along): number {
  const isWhole = (to - from) * zoom <= room - 2 * MARGIN;
  if (isWhole || at === undefined) return room / 2 - ((from + to) / 2) * zoom;
  const [first, last] = [MARGIN - from * zoom, room - MARGIN - to * zoom];
  const wished = Math.max(last, Math.min(first, room * share - at * zoom));
  // What little is missing of the beginning is worth more than the exact place.
  return first - wished < room * NEAR_THE_BEGINNING && first + at * zoom < room - 2 * MARGIN ? first : wished;
}

/** Share of the room. */
const NEAR_THE_BEGINNING = 0.25;
