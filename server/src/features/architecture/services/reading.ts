import type { CancellationToken } from '../../../base/cancellation';
import { err, ok, type Result } from '../../../base/result';
import type { ServiceModel } from '../../../services/model';
import type { Snapshot, Stamp, Workspace } from '../../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../../shared/failure';

export interface ServicesRead {
  /** Undefined while the layer is switched off. */
  readonly model: ServiceModel | undefined;
  readonly snapshot: Snapshot;
  readonly stamp: Stamp;
}

/** The model of the services, of the newest index, with a snapshot that holds its layer. */
export async function readServices(
  workspace: Workspace,
  token: CancellationToken,
  how: { readonly anew?: boolean; readonly interfaces?: string; readonly touching?: readonly string[] } = {},
): Promise<Result<ServicesRead, FeatureFailure>> {
  const first = await workspace.snapshot((how.touching ?? []).slice(0, 50), token);
  if (!first.ok) return err(fromEngine(first.error));
  const model = await workspace.services?.model(token, how);
  const snapshot = workspace.current() ?? first.value;
  return ok({ model, snapshot, stamp: snapshot.stamp });
}

/** Names that are spelled almost so. */
export function similarNames(name: string, known: readonly string[]): readonly string[] {
  const plain = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(name);
  return known.filter(one => plain(one).includes(wanted) || wanted.includes(plain(one)) || plain(one).slice(0, 3) === wanted.slice(0, 3)).slice(0, 5);
}
