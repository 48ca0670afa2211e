import type { GraphView } from '../../code/graph/graphView';
import type { CodeAnchor, Episode, Learning } from '../../memory/entities';
import { codeNamed, type Move, movesOf } from '../../memory/moves';
import { memoryDrafts } from '../../memory/tables';
import { MemoryView } from '../../memory/view';
import { headOf, SEPARATOR, type StableId } from '../../model/ids';
import type { Author, Records } from '../../model/records';
import type { Workspace } from '../../workspace/snapshot';
import { changeMemory } from './writing';

/** What code is called in a graph that was named at a time (epoch milliseconds). */
export type PlaceOf = (id: StableId, since: number) => StableId;

export function placesIn(graph: GraphView | undefined, records: Records): PlaceOf {
  const moves = movesOf(records);
  if (graph === undefined || moves.isEmpty) return id => id;
  return (id, since) => moves.placeOf(id, since, name => isThere(graph, name));
}

export function isThere(graph: GraphView, id: StableId): boolean {
  const node = graph.find(id);
  return node !== undefined && graph.isLive(node);
}

export function timeOf(of: Episode | Learning): number {
  return 'timestamp' in of ? of.timestamp : of.extractedAt;
}

/** Code that memory names and that is not in a graph under any name, as an earlier graph calls it. */
export function removedSince(before: GraphView, graph: GraphView, records: Records): readonly StableId[] {
  const [then, now] = [placesIn(before, records), placesIn(graph, records)];
  const gone = codeNamed(records).filter(id => !isThere(graph, now(id, 0)));
  return [...new Set(gone.map(id => then(id, 0)))].filter(id => isThere(before, id));
}

/** What memory names that is not in a graph under any name, with the content that it had. */
export function anchorsOfRemovedCode(graph: GraphView, records: Records): readonly CodeAnchor[] {
  const placeOf = placesIn(graph, records);
  const view = new MemoryView(records);
  const all = [...view.episodes({ sensitive: true }, Number.MAX_SAFE_INTEGER), ...view.learnings()];
  return all.flatMap(of => of.anchors.map(({ hash, ref }) => ({ ref: placeOf(ref, timeOf(of)), hash }))).filter(({ ref }) => !isThere(graph, ref));
}

/** Keeps what code that memory names is called now. A file that took its symbols along is one move. */
export async function noteMoves(workspace: Pick<Workspace, 'records'>, renames: ReadonlyMap<StableId, StableId>): Promise<readonly Move[]> {
  const { records } = workspace;
  const moves = wholeMoves(renames, records.now());
  if (moves.length === 0) return [];
  const noted = await changeMemory(workspace, NOBODY, () => ({
    ok: true,
    value: { records: moves.map(move => memoryDrafts.moved(records.projectId, move)), result: moves },
  }));
  return noted.ok ? noted.value : [];
}

const NOBODY: Author = { agentId: undefined, sessionId: undefined, key: undefined };

/** Without those that follow from the move of what holds them. */
function wholeMoves(renames: ReadonlyMap<StableId, StableId>, at: number): readonly Move[] {
  return [...renames].flatMap(([from, to]) => {
    const holder = [...renames].find(([held]) => from.startsWith(`${held}${SEPARATOR}`));
    return holder !== undefined && to === `${holder[1]}${from.slice(holder[0].length)}` ? [] : [{ from, to, at }];
  });
}

/**
 * Where code that memory names went while nobody looked: the only file or symbol of that name with the content that it had then.
 * A file that was edited as well is where its symbols are.
 */
export function foundByContent(graph: GraphView, anchors: readonly CodeAnchor[]): ReadonlyMap<StableId, StableId> {
  const wanted = new Map<string, StableId>();
  for (const { hash, ref } of anchors) if (hash !== '') wanted.set(keyOf(ref, hash), ref);
  const found = new Map<StableId, StableId | undefined>();
  for (const node of wanted.size === 0 ? [] : graph.nodes()) {
    const { contentHash, id } = graph.node(node);
    const ref = contentHash === '' ? undefined : wanted.get(keyOf(id, contentHash));
    if (ref !== undefined) found.set(ref, found.has(ref) ? undefined : id);
  }
  const renames = new Map([...found].flatMap(([from, to]) => (to === undefined ? [] : [[from, to] as const])));
  for (const { ref } of anchors) {
    const file = headOf(ref);
    const homes = new Set([...renames].flatMap(([from, to]) => (headOf(from) === file && from !== file ? [headOf(to)] : [])));
    const [home] = homes;
    if (!renames.has(file) && !isThere(graph, file) && homes.size === 1 && home !== undefined) renames.set(file, home);
  }
  return renames;
}

/** A symbol keeps its name when it moves; a file need not. */
function keyOf(id: StableId, hash: string): string {
  return id.includes(SEPARATOR) ? `${id.slice(id.lastIndexOf(SEPARATOR))} ${hash}` : hash;
}
