import type { RefusalData } from '../../../protocol/refusals';
import type { CancellationToken } from '../../base/cancellation';
import { err, type Result } from '../../base/result';
import { paramRef, phrase } from '../../model/hints';
import { KINDS } from '../../model/kinds';
import type { ChangeSet, VersionFailure } from '../../workspace/changes';
import type { Workspace } from '../../workspace/snapshot';
import type { FeatureFailure } from './failure';

/** What changed since a version, or why nobody can tell. */
export async function changesOf(workspace: Workspace, since: string, token: CancellationToken): Promise<Result<ChangeSet, FeatureFailure>> {
  const changes = await workspace.changes(since === '' ? undefined : since, token);
  if (changes.ok) return changes;
  return err(fromVersions(changes.error, 'since'));
}

/** Why a version cannot be told, in words of the parameter that named it. */
export function fromVersions({ code, hint, horizon, message }: VersionFailure, field: string): FeatureFailure {
  const data = { field, issues: [{ field, message }] };
  if (code === 'NOT_FOUND' || code === 'VALIDATION_ERROR') return { code, message, hint: hint ?? phrase`Call again with a valid ${paramRef(field)}.`, data };
  if (code === 'HISTORY_PRUNED') return { code, message, hint: hint ?? phrase`Omit ${paramRef(field)}.`, data: { ...data, horizon } };
  const noGit: RefusalData['noGit'] = { reason: 'noGit' };
  const other =
    field === 'since' ? phrase`Use ${paramRef('files')} for changed files, or ${paramRef('target')} for a symbol.` : phrase`Omit ${paramRef(field)}.`;
  return { code: 'UNAVAILABLE', message, hint: other, ...(code === 'NO_GIT' ? { data: noGit } : {}) };
}

/** How ids of nodes in the layer of the services begin. */
const SERVICE_IDS = KINDS.filter(({ layer }) => layer === 'services').map(({ prefix }) => `${prefix}::`);

/** Whether a question names a service, endpoint, event or the like by its id. */
export function namesServices(params: Readonly<Record<string, unknown>>): boolean {
  return Object.values(params)
    .flat()
    .some(value => typeof value === 'string' && SERVICE_IDS.some(prefix => value.startsWith(prefix)));
}

export interface PastQuestion {
  /** The parameter that named the state; `asOf` when absent. */
  readonly field?: string;
  readonly withServices?: boolean;
}

/** The workspace as it was, or why nobody can tell. */
export async function workspaceAsOf(
  workspace: Workspace,
  asOf: string,
  token: CancellationToken,
  { field = 'asOf', withServices = false }: PastQuestion = {},
): Promise<Result<Workspace, FeatureFailure>> {
  if (workspace.asOf === undefined)
    return err({
      code: 'UNAVAILABLE',
      message: 'Past states of this workspace are not available.',
      hint: phrase`Omit ${paramRef(field)} for the current state.`,
    });
  const past = await workspace.asOf(asOf, token, { withServices });
  return past.ok ? past : err(fromVersions(past.error, field));
}
