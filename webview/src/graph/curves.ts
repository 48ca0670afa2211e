import type { DrawnNode } from './drawing';

export interface Point {
  readonly x: number;
  readonly y: number;
}

interface Curve {
  readonly start: Point;
  readonly end: Point;
  readonly bends: readonly [Point, Point];
}

/** Lines of drawings in columns leave and reach nodes at their sides and swing gently between. */
export function curveOf(source: DrawnNode, target: DrawnNode): Curve {
  const isSameColumn = Math.abs(target.position.x - source.position.x) < (source.width + target.width) / 2;
  const toTheRight = isSameColumn || target.position.x > source.position.x;
  const reachesRight = isSameColumn ? true : !toTheRight;
  const start = { x: source.position.x + ((toTheRight ? 1 : -1) * source.width) / 2, y: source.position.y };
  const end = { x: target.position.x + ((reachesRight ? 1 : -1) * target.width) / 2, y: target.position.y };
  const pull = isSameColumn ? 46 : Math.max(24, Math.abs(end.x - start.x) * 0.42);
  return {
    start,
    end,
    bends: [
      { x: start.x + (toTheRight ? pull : -pull), y: start.y },
      { x: end.x + (reachesRight ? pull : -pull), y: end.y },
    ],
  };
}

/**
 * Between boxes lines leave at the side that faces the other one, and arrive at the side that faces where they come from.
 * Between boxes of one row they pass over what stands between.
 */
export function archOf(source: DrawnNode, target: DrawnNode): Curve {
  const [dx, dy] = [target.position.x - source.position.x, target.position.y - source.position.y];
  const between = Math.abs(dy) - (source.height + target.height) / 2;
  const beside = Math.abs(dx) - (source.width + target.width) / 2;
  if (beside > 0 && beside >= between && (between >= MIN_ROOM_BETWEEN || beside < MAX_BESIDE)) return curveOf(source, target);
  const leaning = (node: DrawnNode, sign: 1 | -1): number => node.position.x + sign * Math.max(-node.width * 0.32, Math.min(node.width * 0.32, dx * 0.2));
  const down = between < MIN_ROOM_BETWEEN ? -1 : Math.sign(dy);
  const start = { x: leaning(source, 1), y: source.position.y + (down * source.height) / 2 };
  const arrival = between < MIN_ROOM_BETWEEN ? -1 : -down;
  const end = { x: leaning(target, -1), y: target.position.y + (arrival * target.height) / 2 };
  const pull = between < MIN_ROOM_BETWEEN ? Math.min(70, 14 + Math.abs(dx) * 0.12) : Math.max(12, between * 0.45);
  return {
    start,
    end,
    bends: [
      { x: start.x, y: start.y + down * pull },
      { x: end.x, y: end.y + arrival * pull },
    ],
  };
}

/** Boxes with less room than this between their rows stand in one row. */
const MIN_ROOM_BETWEEN = 8;
/** Boxes of one row that are further apart have others between them. */
const MAX_BESIDE = 90;
