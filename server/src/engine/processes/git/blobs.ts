import { type Failure, ok, type Result } from '../../../base/result';
import type { GitRepository } from './repository';

/** Contents by name; those that are not there are left out. */
export async function blobsOf(git: GitRepository, names: readonly string[]): Promise<Result<ReadonlyMap<string, Uint8Array>, Failure>> {
  const found = await git.objects(names);
  if (!found.ok) return found;
  const blobs = new Map<string, Uint8Array>();
  for (const [name, { bytes, kind }] of found.value) if (kind === 'blob') blobs.set(name, bytes);
  return ok(blobs);
}
