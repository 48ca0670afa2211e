import { type Failure, ok, type Result } from '../../../base/result';
import type { GitRepository } from './repository';

/** Contents by name in one run of git; those that are not there are left out. */
export async function blobsOf(git: GitRepository, names: readonly string[]): Promise<Result<ReadonlyMap<string, Uint8Array>, Failure>> {
  const output = await git.ask('contents', [], `${names.join('\n')}\n`);
  return output.ok ? ok(blobsIn(output.value)) : output;
}

/** Reads the output of `git cat-file --batch`. Each content has a buffer of its own. */
function blobsIn(output: Buffer): ReadonlyMap<string, Uint8Array> {
  const blobs = new Map<string, Uint8Array>();
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    if (end < 0) break;
    const [name = '', kind = '', size = ''] = output.toString('utf8', at, end).split(' ');
    at = end + 1;
    if (kind === 'missing') continue;
    const length = Number(size);
    if (kind === 'blob') blobs.set(name, new Uint8Array(output.subarray(at, at + length)));
    at += length + 1;
  }
  return blobs;
}
