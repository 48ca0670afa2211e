import { z } from 'zod';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { PastChanges } from '../../workspace/pastChanges';
import { kindOf } from '../shared/rows';
import { kindShape, object, type Shaped, shape } from '../shared/shape';
import { isCountedCommit } from './churn';

/** Code that past commits changed together with what is looked at (CO_CHANGES). Evidence, never a dependency. */
export const changesWithShape = shape(() =>
  object({
    id: z.string(),
    kind: kindShape(),
    path: z.string(),
    /** 1-based; 0 for files. */
    line: z.number(),
    /** Commits that changed both. */
    support: z.number(),
    /** Their share of the commits that changed what is looked at. */
    confidence: z.number(),
  }),
);
export type ChangesWith = Shaped<typeof changesWithShape>;

const MIN_SUPPORT = 3;
const MIN_CONFIDENCE = 0.3;
const MAX_ROWS = 10;

/**
 * What usually changes when some nodes do, in other files, most often first: symbols, and files of which no symbol does; where only files are looked at,
 * files alone. Support and confidence as in association rules (Zimmermann et al. 2005, mining version histories to guide software changes).
 */
export function changesWith(changes: PastChanges | undefined, graph: GraphView, changed: ReadonlySet<NodeHandle>, onlyFiles = false): ChangesWith[] {
  if (changes === undefined) return [];
  const places = new Set<number>();
  const files = new Set<NodeHandle | undefined>();
  for (const node of changed) {
    files.add(graph.fileNodeOf(node));
    for (const place of changes.of(graph.idOf(node))) if (isCountedCommit(changes.commits[place])) places.add(place);
  }
  if (places.size < MIN_SUPPORT) return [];
  const among = (ids: Iterable<string>): ChangesWith[] => {
    const rows: ChangesWith[] = [];
    for (const id of ids) {
      let support = 0;
      for (const place of changes.of(id)) if (places.has(place)) support++;
      if (support < MIN_SUPPORT || support < places.size * MIN_CONFIDENCE) continue;
      const node = graph.find(id);
      const file = node === undefined ? undefined : graph.fileNodeOf(node);
      if (node === undefined || file === undefined || files.has(file)) continue;
      const line = node === file ? 0 : graph.node(node).nameLine;
      rows.push({ id, kind: kindOf(graph.node(node)), path: graph.idOf(file), line, support, confidence: Math.round((support / places.size) * 100) / 100 });
    }
    return rows;
  };
  const symbols = onlyFiles ? [] : among(changes.ids);
  const named = new Set(symbols.map(({ path }) => path));
  const rows = [...symbols, ...among(changes.files).filter(({ path }) => !named.has(path))];
  return rows.sort((a, b) => b.support - a.support || compareText(a.id, b.id)).slice(0, MAX_ROWS);
}
