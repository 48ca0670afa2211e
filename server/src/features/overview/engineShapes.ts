import { z } from 'zod';
import { indexProgressShape, languageShape, object, optional, relationShape, shape, unresolvedCountsShape, unset, watcherStateShape } from '../shared/shape';

export const languageHealthShape = shape(() =>
  object({
    language: languageShape(),
    files: z.number(),
    symbols: z.number(),
    lines: z.number(),
    nodes: z.number(),
    errorNodes: z.number(),
  }),
);

/** Why a file or folder was indexed around. */
const PROBLEM_CODES = [
  'unreadable',
  'too_large',
  'binary',
  'invalid_utf8',
  'vanished',
  'symlink_outside',
  'symlink_cycle',
  'bad_pattern',
  'parse_failed',
  'parse_timeout',
  'syntax_errors',
] as const;

/** A file or folder that was indexed around, with the reason. */
export const fileProblemShape = shape(() =>
  object({
    path: z.string(),
    code: z.enum(PROBLEM_CODES),
    message: z.string(),
  }),
);

/** A precise index (SCIP) and what of it holds: the files it describes, by whether they still read as they did. */
export const preciseIndexHealthShape = shape(() =>
  object({
    path: z.string(),
    /** What made the index, with its version. */
    tool: z.string(),
    /** Files whose references end where the index says. */
    covered: z.number(),
    /** Files that changed since; they are resolved by Lattice's own rules. */
    stale: z.number(),
    /** Described, but no files of the index. */
    unknown: z.number(),
    /** Some of the stale files, at most 20. */
    staleFiles: z.array(z.string()),
    /** Why it could not be read. */
    problem: optional(z.string()),
  }),
);

/** What search holds of the files, and where its vectors come from. */
export const searchHealthShape = shape(() =>
  object({
    /** Files whose content is searched, of all. */
    words: object({
      done: z.number(),
      total: z.number(),
    }),
    /** Whether the past commits of files up to HEAD are searched: not yet, or not because git cannot tell them. Owners before this version do not say. */
    history: optional(z.enum(['current', 'pending', 'unreadable'])),
    vectors: object({
      state: z.enum(['off', 'waiting', 'training', 'embedding', 'ready', 'failed']),
      /** `workspace`, or kind, host and model of a service. */
      embedder: z.string(),
      dimension: z.number(),
      /** Documents of the index, and how many of them have their vector. */
      documents: z.number(),
      done: z.number(),
      /** Processor time of the last training, beside the main loop. */
      cpuMs: z.number(),
      packBytes: z.number(),
      /** Why it is off, failed, or by other means than asked for. */
      problem: optional(z.string()),
    }),
  }),
);

/** State of the machinery, beside what the graph itself can tell. */
export const engineHealthShape = shape(() =>
  object({
    progress: indexProgressShape(),
    watcherState: watcherStateShape(),
    pendingFiles: z.number(),
    languages: z.array(languageHealthShape()),
    /** At most 200; `problemCounts` counts all. */
    problems: z.array(fileProblemShape()),
    problemCounts: z.partialRecord(z.enum(PROBLEM_CODES), z.number()),
    skipped: object({
      ignored: z.number(),
      generated: z.number(),
      minified: z.number(),
    }),
    /** Precise indexes that were found or asked for; owners before this version have none. */
    precise: optional(z.array(preciseIndexHealthShape())),
    /** Owners before this version have none. */
    search: optional(searchHealthShape()),
    latestTxId: z.string(),
    latestTxTimestamp: z.number(),
    txCount: z.number(),
    /** Earlier states that are kept beside the commits of Git; owners before this version do not say. */
    history: optional(
      object({
        /** Since when all states are kept, in epoch milliseconds; 0 where none is. */
        horizon: z.number(),
        bytes: z.number(),
        transactions: z.number(),
        /** Epoch milliseconds; 0 before the first compaction. */
        compactedAt: z.number(),
      }),
    ),
    /** Newest last, at most 10. */
    recentEvents: z.array(
      object({
        at: z.number(),
        kind: z.string(),
        files: z.number(),
        txId: optional(z.string()),
      }),
    ),
    storeBytes: object({
      journal: z.number(),
      view: z.number(),
      packs: z.number(),
    }),
    /** What was found damaged and set aside since the data folder was made; newest last. */
    recovered: z.array(z.string()),
    /** The last full index and what it parsed. */
    lastIndex: unset(
      object({
        /** Until graph, lexical index and packs were on disk. */
        durationMs: z.number(),
        filesParsed: z.number(),
        filesFromCache: z.number(),
        /** From there until content and history of the files were searchable and on disk too; absent as long as they are not. */
        backgroundMs: optional(z.number()),
      }),
    ),
    dataFolder: z.string(),
    role: z.enum(['owner', 'guest']),
    ownerPid: z.number(),
    engineVersion: z.string(),
  }),
);

export const languageTallyShape = shape(() =>
  object({
    language: z.union([languageShape(), z.literal('other')]),
    files: z.number(),
    symbols: z.number(),
    sites: unresolvedCountsShape(),
  }),
);

export const relationTallyShape = shape(() =>
  object({
    relation: relationShape(),
    /** Confidence of at least `FACT_CONFIDENCE`, and below it. */
    facts: z.number(),
    maybes: z.number(),
  }),
);
