import { headOf } from '../model/ids';
import type { Author, RecordDraft, Records } from '../model/records';
import { claimsOfTask, ended } from './claims';
import type { EpisodeOutcome } from './entities';
import { type HashOf, newEpisode } from './episodes';
import { reflect } from './reflection';
import { memoryDrafts } from './tables';
import { MemoryView } from './view';

export interface ClosedTask {
  readonly id: string;
  readonly name: string;
  readonly summary: string;
  readonly outcome: EpisodeOutcome | null;
  /** Why it was closed so; the summary of the task stands in. */
  readonly reason: string | undefined;
}

/** What closing a task sets off beside its status. */
export interface TaskClosing {
  readonly records: readonly RecordDraft[];
  readonly releasedClaims: readonly string[];
  readonly reflectionId: string | null;
  /** What did not succeed; the rest is done all the same. */
  readonly problem?: string;
}

const REFLECTED_ON = 20;

/** Ends the task's claims, reflects on its episodes, and keeps what was decided with it as a DECISION. */
export function closeTask(records: Records, author: Author, task: ClosedTask, hashOf: HashOf): TaskClosing {
  const view = new MemoryView(records);
  const at = records.now();
  const claims = claimsOfTask(view, task.id).map(claim => ended(claim, at, 'task_completed'));
  const drafts: RecordDraft[] = claims.map(memoryDrafts.claim);
  let reflectionId: string | null = null;
  let problem: string | undefined;
  try {
    const reflected = reflect(records, author, { taskId: task.id, limit: REFLECTED_ON }, hashOf);
    drafts.push(...reflected.records);
    reflectionId = reflected.result.reflectionId;
    const { episode } = newEpisode(records, author, decisionOf(view, task), hashOf, reflected.reflection);
    drafts.push(memoryDrafts.episode(episode));
  } catch (error) {
    problem = `The task is closed, but its reflection failed: ${error instanceof Error ? error.message : String(error)}`;
  }
  return { records: drafts, releasedClaims: claims.map(({ id }) => id), reflectionId, ...(problem === undefined ? {} : { problem }) };
}

function decisionOf(view: MemoryView, task: ClosedTask): Parameters<typeof newEpisode>[2] {
  const rationale = [task.reason, task.summary, task.name].find(text => text !== undefined && text.trim() !== '') ?? '';
  const affectedFiles = editedFiles(view, [task.id]).slice(0, 50);
  return {
    type: 'DECISION',
    content: `${task.name}: ${rationale}`.slice(0, 2_000),
    taskId: task.id,
    outcome: task.outcome,
    metadata: { title: task.name, rationale: rationale.slice(0, 2_000), tradeoffs: [], affectedFiles },
  };
}

/** Files that the EDIT episodes of tasks name. */
export function editedFiles(view: MemoryView, taskIds: readonly string[]): readonly string[] {
  const edits = taskIds.flatMap(taskId => view.episodes({ taskId, types: ['EDIT'] }, 1_000));
  return [...new Set(edits.flatMap(({ metadata }) => (typeof metadata['file'] === 'string' ? [headOf(metadata['file'])] : [])))];
}
