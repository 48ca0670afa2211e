import { archOf, curveOf, type Point } from './curves';
import type { Drawing, DrawnEdge, DrawnNode } from './drawing';

/** Where the line of an edge runs: from border to border, with two bends when it is curved. */
export interface EdgeLine {
  readonly edge: DrawnEdge;
  readonly start: Point;
  readonly end: Point;
  readonly bends?: readonly [Point, Point];
  /** What it stays inside of. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Lines of a drawing, for nodes that stand where `placeOf` says. */
export function linesOf(drawing: Drawing, placeOf: (node: DrawnNode) => Point = node => node.position): EdgeLine[] {
  const nodes = new Map(drawing.nodes.map(node => [node.id, { ...node, position: placeOf(node) }]));
  return drawing.edges.flatMap(edge => {
    const [source, target] = [nodes.get(edge.source), nodes.get(edge.target)];
    if (source === undefined || target === undefined || source === target) return [];
    return [lineOf(edge, source, target)];
  });
}

function lineOf(edge: DrawnEdge, source: DrawnNode, target: DrawnNode): EdgeLine {
  const curve = edge.classes.includes('sideways') ? curveOf(source, target) : edge.classes.includes('arched') ? archOf(source, target) : undefined;
  const { start, end, bends } = curve ?? {
    start: borderTowards(source, target.position),
    end: borderTowards(target, source.position),
    bends: undefined,
  };
  const points = [start, end, ...(bends ?? [])];
  const xs = points.map(point => point.x);
  const ys = points.map(point => point.y);
  const box = { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
  return { edge, start, end, ...box, ...(bends === undefined ? {} : { bends }) };
}

/** Where a line from the middle of a box to another point leaves the box. */
function borderTowards({ position, width, height }: DrawnNode, { x, y }: Point): Point {
  const [dx, dy] = [x - position.x, y - position.y];
  if (dx === 0 && dy === 0) return position;
  const share = Math.min(width / 2 / Math.max(1e-6, Math.abs(dx)), height / 2 / Math.max(1e-6, Math.abs(dy)));
  return { x: position.x + dx * share, y: position.y + dy * share };
}
