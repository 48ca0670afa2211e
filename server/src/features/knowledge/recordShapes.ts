import { z } from 'zod';
import { object, shape } from '../shared/shape';

/** Never changes and is never removed, except with its parent. */
export const changelogEntryShape = shape(() =>
  object({
    /** `changelog::{uuid}`. */
    id: z.string(),
    parentType: z.enum(['molecule', 'atom']),
    /** Of the atom or molecule. */
    parentId: z.string(),
    taskId: z.string(),
    summary: z.string(),
    createdAt: z.string(),
  }),
);

/** How one version of an atom or molecule came about. */
export const knowledgeVersionShape = shape(() =>
  object({
    version: z.number(),
    /** Of a first version, the fields that say something. */
    changedFields: z.array(z.string()),
    taskId: z.string(),
    /** `null`: nobody by name, or before versions were kept. */
    agentId: z.string().nullable(),
    txId: z.string().nullable(),
    /** ISO-8601. */
    at: z.string(),
  }),
);

export const deletedEntityShape = shape(() =>
  object({
    id: z.string(),
    entityType: z.enum(['molecule', 'atom']),
    name: z.string(),
    /** Its last one. */
    version: z.number(),
    deletedAt: z.string(),
  }),
);

/** Something about a file that a person has to put right. */
export const syncProblemShape = shape(() =>
  object({
    /** Workspace path. */
    path: z.string(),
    /** 1-based; 1 when it is about the whole file. */
    line: z.number(),
    message: z.string(),
    /** What to do about it. */
    fix: z.string(),
    /** An error keeps the file out of an import; a warning does not. */
    severity: z.enum(['error', 'warning']),
  }),
);

export const syncConflictShape = shape(() =>
  object({
    id: z.string(),
    kind: z.enum(['molecule', 'atom']),
    name: z.string(),
    reason: z.enum(['both_changed', 'file_gone', 'row_gone']),
    /** Empty when one side is gone. */
    fields: z.array(z.enum(['name', 'moleculeId', 'paths', 'related', 'knowledge'])),
    /** Workspace path of the file, if there is one. */
    path: z.string().nullable(),
  }),
);
