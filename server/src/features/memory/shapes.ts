import { z } from 'zod';
import { CLAIM_ENDINGS, CLAIM_TYPES, EPISODE_OUTCOMES, EPISODE_TYPES, PATTERN_KINDS } from '../../memory/entities';
import { anchorStatesShape } from '../knowledge/anchors';
import { object, optional, type Shaped, shape } from '../shared/shape';

export const memoryScoresShape = shape(() => object({ similarity: z.number(), recency: z.number(), proximity: z.number() }));

/** An episode as it is read, or a learning under the type `LEARNING`. Times are ISO-8601. */
export const memoryRowShape = shape(() =>
  object({
    id: z.string(),
    type: z.enum([...EPISODE_TYPES, 'LEARNING']),
    content: z.string(),
    agentId: z.string(),
    sessionId: optional(z.string()),
    taskId: optional(z.string()),
    outcome: optional(z.enum(EPISODE_OUTCOMES)),
    timestamp: z.string(),
    /** As they are called now. */
    entities: z.array(z.string()),
    /** By entity: what it was called then, where that is another name. */
    renamedFrom: optional(z.record(z.string(), z.string())),
    metadata: optional(z.record(z.string(), z.unknown())),
    /** What became of the code that it names since; absent when nothing was known of it. */
    anchors: optional(anchorStatesShape()),
    sensitive: optional(z.literal(true)),
    /** Not written by anybody: concluded from episodes. */
    derived: optional(z.literal(true)),
    prevEpisodeId: optional(z.string()),
    /** Of learnings: what kind of pattern, how sure (0 to 1), and whether its code has changed or was renamed since. */
    kind: optional(z.enum(PATTERN_KINDS)),
    confidence: optional(z.number()),
    staleCode: optional(z.boolean()),
    score: optional(z.number()),
    scores: optional(memoryScoresShape()),
  }),
);
export type MemoryRow = Shaped<typeof memoryRowShape>;

/** A claim as it is read. Times are ISO-8601. */
export const claimRowShape = shape(() =>
  object({
    id: z.string(),
    agentId: z.string(),
    sessionId: z.string(),
    claimType: z.enum(CLAIM_TYPES),
    targetId: z.string(),
    intent: z.string(),
    taskId: optional(z.string()),
    validFrom: z.string(),
    validTo: z.string().nullable(),
    targetVersionSHA: z.string(),
    invalidationReason: z.enum(CLAIM_ENDINGS).nullable(),
  }),
);
export type ClaimRow = Shaped<typeof claimRowShape>;
