/**
 * Door of the knowledge room: what the code cannot say. Atoms own glob patterns and hold the knowledge of an area, molecules group atoms, the changelog
 * tells how both evolved.
 *
 * Does not know: the code graph (code is named by stable id), files, tools, the editor.
 * Invariants: matching happens when asked, nothing is stored per file; every write is decided against a view that holds all earlier ones.
 */
import type { Migration, RecordKind } from '../model/records';

/** Numbers 10 to 19 belong to this room. */
export const KNOWLEDGE_MIGRATIONS: readonly Migration[] = [];

export const KNOWLEDGE_KINDS: readonly RecordKind[] = [];
