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
