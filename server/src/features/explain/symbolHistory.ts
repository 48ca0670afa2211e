import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { episodesAbout } from '../../memory/moves';
import type { PastChanges } from '../../workspace/pastChanges';
import type { Workspace } from '../../workspace/snapshot';
import { object, optional, type Shaped, shape } from '../shared/shape';

/** A version of a symbol: what a commit made of it. */
export const pastVersionShape = shape(() =>
  object({
    commit: z.string(),
    /** Epoch milliseconds. */
    validFrom: z.number(),
    /** When the next one came; absent for the version of today. */
    validTo: optional(z.number()),
    subject: z.string(),
    /** As git tells it now; absent where it cannot. */
    author: optional(z.string()),
    /** Files that the commit changed: one of many says little of each. */
    files: z.number(),
  }),
);

/** A version as the index recorded it, whether or not it was committed. Half-open in time. */
export const recordedVersionShape = shape(() =>
  object({
    versionId: z.string(),
    txId: z.string(),
    /** Epoch milliseconds. */
    validFrom: z.number(),
    /** Absent for the current version. */
    validTo: optional(z.number()),
    createdAt: z.number(),
    supersedes: optional(z.string()),
    renamedFrom: optional(z.string()),
    agentId: optional(z.string()),
  }),
);

/** A version of an edge that starts at the symbol, as the index recorded it. Half-open in time; without `validFrom` it was there before anything was recorded. */
export const recordedEdgeShape = shape(() =>
  object({
    relation: z.string(),
    target: z.string(),
    /** Epoch milliseconds. */
    validFrom: optional(z.number()),
    /** Absent for an edge of the current code. */
    validTo: optional(z.number()),
    txId: optional(z.string()),
    endedTxId: optional(z.string()),
  }),
);

/** A decision about a symbol, or an edit of it, that an agent or a person recorded. */
export const historyEpisodeShape = shape(() =>
  object({
    id: z.string(),
    type: z.enum(['DECISION', 'EDIT']),
    /** Epoch milliseconds. */
    at: z.number(),
    title: z.string(),
    agentId: z.string(),
  }),
);
export type HistoryEpisode = Shaped<typeof historyEpisodeShape>;

export const symbolHistoryShape = shape(() =>
  object({
    /** Newest first; the first few of `total`. */
    versions: z.array(pastVersionShape()),
    total: z.number(),
    /** Commits that were looked at, back from HEAD; the symbol may be older. */
    commits: z.number(),
  }),
);
export type SymbolHistory = Shaped<typeof symbolHistoryShape>;

/** Which commits changed a symbol or a file; `undefined` where past commits are not known (yet). */
export async function historyOf(
  workspace: Workspace,
  graph: GraphView,
  node: NodeHandle,
  limit: number,
  token: CancellationToken,
): Promise<SymbolHistory | undefined> {
  const changes = workspace.pastChanges?.();
  if (changes === undefined) return undefined;
  const places = [...changes.of(graph.idOf(node))];
  const shown = places.slice(0, limit);
  const hashes = shown.flatMap(place => changes.commits[place]?.hash ?? []);
  const authors = hashes.length === 0 ? undefined : await workspace.authorsOf?.(hashes, token);
  const versions = shown.flatMap((place, at): SymbolHistory['versions'][number][] => {
    const commit = changes.commits[place];
    if (commit === undefined) return [];
    const next = at === 0 ? undefined : changes.commits[shown[at - 1] ?? -1];
    const author = authors?.get(commit.hash);
    return [
      {
        commit: commit.hash,
        validFrom: commit.time * 1000,
        ...(next === undefined ? {} : { validTo: next.time * 1000 }),
        subject: commit.subject,
        ...(author === undefined ? {} : { author }),
        files: commit.files,
      },
    ];
  });
  return { versions, total: places.length, commits: changes.commits.length };
}

/** Decisions about a node or its file and edits of them, newest first. */
export function historyEpisodes({ records }: Pick<Workspace, 'records'>, graph: GraphView, node: NodeHandle, limit: number): HistoryEpisode[] {
  const { id, path } = graph.node(node);
  const episodes = episodesAbout(records, [...new Set([id, path])], { types: ['DECISION', 'EDIT'] }, limit, name => graph.find(name) !== undefined);
  return episodes.map(({ agentId, content, id: episode, metadata, timestamp, type }) => ({
    id: episode,
    type: type === 'DECISION' ? 'DECISION' : 'EDIT',
    at: timestamp,
    title: typeof metadata['title'] === 'string' && metadata['title'] !== '' ? metadata['title'] : (content.split('\n', 1)[0] ?? ''),
    agentId,
  }));
}

const YEAR_MS = 365 * 24 * 3_600_000;
const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['year', YEAR_MS],
  ['month', 30 * 24 * 3_600_000],
  ['week', 7 * 24 * 3_600_000],
  ['day', 24 * 3_600_000],
  ['hour', 3_600_000],
];

/** `Changed 3 weeks ago, 7 times this year` for a symbol that past commits changed; `undefined` where none is known. `now` in epoch milliseconds. */
export function lastChangeOf(changes: PastChanges | undefined, graph: GraphView, node: NodeHandle, now: number): string | undefined {
  if (changes === undefined || graph.fileNodeOf(node) === node) return undefined;
  const places = [...changes.of(graph.idOf(node))];
  const last = changes.commits[places[0] ?? -1];
  if (last === undefined) return undefined;
  const recent = places.filter(place => now - (changes.commits[place]?.time ?? 0) * 1000 < YEAR_MS).length;
  const times = recent < 2 ? '' : `, ${recent} times in the last year`;
  return `Changed ${ago(now - last.time * 1000)}${times}`;
}

function ago(ms: number): string {
  for (const [name, length] of UNITS) {
    const number = Math.floor(ms / length);
    if (number >= 1) return `${number} ${name}${number === 1 ? '' : 's'} ago`;
  }
  return 'just now';
}
