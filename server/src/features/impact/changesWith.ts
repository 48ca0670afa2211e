import { z } from 'zod';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { PastChanges } from '../../workspace/pastChanges';
import { compareText } from '../shared/rows';
import { object, type Shaped, shape } from '../shared/shape';

/** Code that past commits changed together with what is looked at. Evidence, never a dependency. */
export const changesWithShape = shape(() =>
  object({
    id: z.string(),
    path: z.string(),
    /** Commits that changed both. */
    support: z.number(),
    /** Their share of the commits that changed what is looked at. */
    confidence: z.number(),
  }),
);
export type ChangesWith = Shaped<typeof changesWithShape>;

/** A commit of more files (a mass rename, a new style) ties nothing together. */
const MOST_FILES = 25;
const LEAST_SUPPORT = 3;
const LEAST_CONFIDENCE = 0.3;
const MOST_ROWS = 10;

/** Symbols of other files that usually change when some nodes do, most often first. */
export function changesWith(changes: PastChanges | undefined, graph: GraphView, changed: ReadonlySet<NodeHandle>): ChangesWith[] {
  if (changes === undefined) return [];
  const isTelling = (place: number): boolean => (changes.commits[place]?.files ?? 0) <= MOST_FILES;
  const places = new Set<number>();
  const files = new Set<NodeHandle | undefined>();
  for (const node of changed) {
    files.add(graph.fileNodeOf(node));
    for (const place of changes.of(graph.idOf(node))) if (isTelling(place)) places.add(place);
  }
  if (places.size < LEAST_SUPPORT) return [];
  const rows: ChangesWith[] = [];
  for (const id of changes.ids) {
    let support = 0;
    for (const place of changes.of(id)) if (places.has(place)) support++;
    if (support < LEAST_SUPPORT || support < places.size * LEAST_CONFIDENCE) continue;
    const node = graph.find(id);
    const file = node === undefined ? undefined : graph.fileNodeOf(node);
    if (node === undefined || file === undefined || files.has(file)) continue;
    rows.push({ id, path: graph.idOf(file), support, confidence: Math.round((support / places.size) * 100) / 100 });
  }
  return rows.sort((a, b) => b.support - a.support || compareText(a.id, b.id)).slice(0, MOST_ROWS);
}
