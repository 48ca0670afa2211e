import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { filesIn } from '../../memory/contracts';
import type { EpisodeOutcome, EpisodeType, Metadata } from '../../memory/entities';
import { addEpisode, type EpisodeAdded } from '../../memory/episodes';
import { type Reflected, reflect } from '../../memory/reflection';
import { MemoryView } from '../../memory/view';
import type { Author } from '../../model/records';
import { WorkView } from '../../work/view';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from '../shared/failure';
import { changeMemory, currentCodeAt, entityId } from './writing';

export interface RememberParams {
  readonly type: EpisodeType;
  readonly content: string;
  readonly entities?: readonly string[];
  readonly taskId?: string;
  readonly outcome?: EpisodeOutcome;
  readonly metadata?: Metadata;
  readonly sensitive?: boolean;
}

/** Records an episode. The files that it names are compared with the disk first: what an agent has just edited is in the index with its EDIT. */
export async function remember(
  workspace: Workspace,
  author: Author,
  params: RememberParams,
  token: CancellationToken,
): Promise<Result<EpisodeAdded, FeatureFailure>> {
  const { outcome, sensitive, taskId, type } = params;
  const metadata = spelled(workspace, params.metadata ?? {});
  const entities = (params.entities ?? []).map(spelling => entityId(workspace, spelling));
  const code = await currentCodeAt(workspace, [...entities, ...filesIn(type, metadata)], token);
  const request = {
    type,
    content: params.content,
    entities,
    metadata,
    ...(outcome === undefined ? {} : { outcome }),
    ...(sensitive === undefined ? {} : { sensitive }),
    ...(taskId === undefined ? {} : { taskId: taskIdOf(workspace, taskId) }),
  };
  return changeMemory(workspace, author, (records, who) => addEpisode(records, who, request, code));
}

/** Paths in metadata as the index spells them. */
function spelled(workspace: Workspace, metadata: Metadata): Metadata {
  const path = (value: unknown): unknown => (typeof value === 'string' ? entityId(workspace, value) : value);
  return Object.fromEntries(
    Object.entries(metadata).map(([key, value]) => {
      if (key === 'file') return [key, path(value)];
      return [key, (key === 'affectedFiles' || key === 'testFiles') && Array.isArray(value) ? value.map(path) : value];
    }),
  );
}

/** A task by either spelling; one that does not exist (here) is kept as it was given. */
export function taskIdOf({ records }: Pick<Workspace, 'records'>, given: string): string {
  return new WorkView(records).container(given, 'task')?.id ?? given.trim();
}

/** Distils episodes into a reflection and learnings. */
export async function reflectOn(
  workspace: Workspace,
  author: Author,
  params: { readonly taskId?: string; readonly agentId?: string; readonly limit: number },
  token: CancellationToken,
): Promise<Result<Reflected, FeatureFailure>> {
  const { agentId, limit } = params;
  const taskId = params.taskId === undefined ? undefined : taskIdOf(workspace, params.taskId);
  const named = new MemoryView(workspace.records).episodes({ agentId, taskId }, limit).flatMap(({ entities }) => entities);
  const { hashOf } = await currentCodeAt(workspace, named, token);
  return changeMemory(workspace, author, (records, who) => ok(reflect(records, who, { taskId, agentId, limit }, hashOf)));
}
