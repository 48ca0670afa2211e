/** Rows of a small directed graph (after Sugiyama, Tagawa and Toda 1981): ranks, ordering by barycenters. Deterministic. */

export interface LayeredEdge {
  readonly source: string;
  readonly target: string;
}

/** Rows of `ids`, dependants above what they depend on, ordered so that few edges cross. Edges that close a cycle are ignored for ranking. O(rounds × edges). */
export function rankRows(ids: readonly string[], edges: readonly LayeredEdge[]): string[][] {
  const forward = acyclic(ids, edges);
  const rows = byRank(ids, forward);
  for (let round = 0; round < 6; round++) orderRows(rows, forward, round % 2 === 0);
  return rows;
}

function byRank(ids: readonly string[], forward: readonly LayeredEdge[]): string[][] {
  const rank = ranksOf(ids, forward);
  const rows: string[][] = [];
  for (const id of ids) (rows[rank.get(id) ?? 0] ??= []).push(id);
  return rows.map(row => row ?? []);
}

/** Drops the edges that a depth-first walk finds going back to an open node. */
function acyclic(ids: readonly string[], edges: readonly LayeredEdge[]): readonly LayeredEdge[] {
  const out = new Map<string, LayeredEdge[]>();
  for (const edge of edges) if (edge.source !== edge.target) out.set(edge.source, [...(out.get(edge.source) ?? []), edge]);
  const state = new Map<string, 'open' | 'closed'>();
  const kept: LayeredEdge[] = [];
  for (const start of ids) {
    if (state.has(start)) continue;
    const stack: { readonly id: string; next: number }[] = [{ id: start, next: 0 }];
    state.set(start, 'open');
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = out.get(top.id)?.[top.next++];
      if (edge === undefined) {
        state.set(top.id, 'closed');
        stack.pop();
      } else if (state.get(edge.target) !== 'open') {
        kept.push(edge);
        if (!state.has(edge.target)) {
          state.set(edge.target, 'open');
          stack.push({ id: edge.target, next: 0 });
        }
      }
    }
  }
  return kept;
}

function ranksOf(ids: readonly string[], edges: readonly LayeredEdge[]): ReadonlyMap<string, number> {
  const rank = new Map(ids.map(id => [id, 0]));
  for (let round = 0, changed = true; changed && round < ids.length; round++) {
    changed = false;
    for (const { source, target } of edges) {
      const wanted = (rank.get(source) ?? 0) + 1;
      if ((rank.get(target) ?? 0) < wanted) {
        rank.set(target, wanted);
        changed = true;
      }
    }
  }
  return rank;
}

function orderRows(rows: string[][], edges: readonly LayeredEdge[], down: boolean): void {
  const place = new Map<string, number>();
  const note = (row: readonly string[]): void => {
    for (const [index, id] of row.entries()) place.set(id, index / Math.max(1, row.length - 1));
  };
  for (const row of rows) note(row);
  const neighbors = new Map<string, string[]>();
  for (const { source, target } of edges) {
    const [from, to] = down ? [target, source] : [source, target];
    neighbors.set(from, [...(neighbors.get(from) ?? []), to]);
  }
  for (const row of down ? rows : rows.toReversed()) {
    const weight = new Map(
      row.map(id => {
        const around = neighbors.get(id) ?? [];
        const mean = around.reduce((sum, other) => sum + (place.get(other) ?? 0), 0) / Math.max(1, around.length);
        return [id, around.length > 0 ? mean : (place.get(id) ?? 0)];
      }),
    );
    row.sort((a, b) => (weight.get(a) ?? 0) - (weight.get(b) ?? 0) || (a < b ? -1 : 1));
    note(row);
  }
}
