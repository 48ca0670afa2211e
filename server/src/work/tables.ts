/**
 * Door of the work room: features, tasks, their sections and dependencies.
 *
 * Does not know: the code graph (code is named by path), knowledge, tools, the editor.
 * Invariants: dependencies have no cycle; a transition is decided against a view that holds all earlier writes.
 */
import type { Migration, RecordKind } from '../model/records';

/** Numbers 20 to 29 belong to this room. */
export const WORK_MIGRATIONS: readonly Migration[] = [];

export const WORK_KINDS: readonly RecordKind[] = [];
