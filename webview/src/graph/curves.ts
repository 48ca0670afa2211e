import type { DrawnEdge, DrawnNode } from './drawing';

/** How Cytoscape describes a line with two bends: where they stand along the line between the ends, and how far beside it. */
interface Curve {
  readonly from: string;
  readonly to: string;
  readonly weights: readonly number[];
  readonly distances: readonly number[];
}

/** Lines of drawings in columns leave and reach nodes at their sides and swing gently between; others are straight. */
export function curveOf(edge: DrawnEdge, nodes: ReadonlyMap<string, DrawnNode>): Curve | undefined {
  if (!edge.classes.includes('sideways')) return undefined;
  const source = nodes.get(edge.source);
  const target = nodes.get(edge.target);
  if (source === undefined || target === undefined) return undefined;
  const isSameColumn = Math.abs(target.position.x - source.position.x) < (source.width + target.width) / 2;
  const toTheRight = isSameColumn || target.position.x > source.position.x;
  const reachesRight = isSameColumn ? true : !toTheRight;
  const start = { x: source.position.x + ((toTheRight ? 1 : -1) * source.width) / 2, y: source.position.y };
  const end = { x: target.position.x + ((reachesRight ? 1 : -1) * target.width) / 2, y: target.position.y };
  const pull = isSameColumn ? 46 : Math.max(24, Math.abs(end.x - start.x) * 0.42);
  const bends = [
    { x: start.x + (toTheRight ? pull : -pull), y: start.y },
    { x: end.x + (reachesRight ? pull : -pull), y: end.y },
  ];
  return { from: toTheRight ? '50% 0%' : '-50% 0%', to: reachesRight ? '50% 0%' : '-50% 0%', ...relativeTo(start, end, bends) };
}

interface Point {
  readonly x: number;
  readonly y: number;
}

function relativeTo(start: Point, end: Point, bends: readonly Point[]): Pick<Curve, 'weights' | 'distances'> {
  const dx = end.x - start.x;
  const dy = end.y - start.y;
  const length = Math.max(1, Math.hypot(dx, dy));
  return {
    weights: bends.map(({ x, y }) => ((x - start.x) * dx + (y - start.y) * dy) / (length * length)),
    distances: bends.map(({ x, y }) => ((y - start.y) * dx - (x - start.x) * dy) / length),
  };
}
