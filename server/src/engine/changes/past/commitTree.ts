import type { WorkspacePath } from '../../../base/path';
import { err, type Failure, ok, type Result } from '../../../base/result';
import { decodeText } from '../../../code/files/host';
import { blobsOf } from '../../processes/git/blobs';
import type { GitRepository } from '../../processes/git/repository';

/** A file of a commit. */
export interface TreeFile {
  readonly path: WorkspacePath;
  /** `link`: its content is the target. */
  readonly kind: 'file' | 'link';
  /** Name of the content in git's object store. */
  readonly blob: string;
  readonly sizeBytes: number;
}

/** Files of a commit below a folder of the checkout (`''` for all), with paths from there. Submodules are left out: their files are not in this repository. */
export async function treeOf(git: GitRepository, commit: string, folder: string): Promise<Result<readonly TreeFile[], Failure>> {
  const output = await git.ask('tree', [commit, ...(folder === '' ? [] : ['--', folder])]);
  if (output.ok) return ok(treeIn(output.value.toString('utf8'), folder));
  if (output.error.code !== 'GIT') return output;
  const message = `git cannot list the files of ${commit.slice(0, 12)}: ${output.error.message}`;
  return err({ code: 'UNAVAILABLE', message });
}

/** Larger files are not shown. */
const MAX_BYTES = 16 << 20;

/** The text of one file of a commit; `undefined` where there is none. `folder` as above. */
export async function textIn(git: GitRepository, commit: string, folder: string, path: WorkspacePath): Promise<Result<string | undefined, Failure>> {
  const listed = await git.ask('tree', [commit, '--', folder === '' ? path : `${folder}/${path}`]);
  if (!listed.ok) return listed;
  const [file] = treeIn(listed.value.toString('utf8'), folder).filter(each => each.path === path);
  if (file === undefined) return ok(undefined);
  if (file.sizeBytes > MAX_BYTES) return err({ code: 'UNAVAILABLE', message: `${path} is too large to be shown.` });
  const blobs = await blobsOf(git, [file.blob]);
  if (!blobs.ok) return blobs;
  const bytes = blobs.value.get(file.blob);
  return bytes === undefined
    ? err({ code: 'UNAVAILABLE', message: `The content of ${path} at ${commit.slice(0, 12)} is not in this repository.` })
    : ok(decodeText(bytes));
}

/** Contents of some files of a commit by path; those that are not there, or not in the repository, are left out. `folder` as above. */
export async function contentsIn(
  git: GitRepository,
  commit: string,
  folder: string,
  paths: readonly WorkspacePath[],
): Promise<Result<ReadonlyMap<WorkspacePath, Uint8Array>, Failure>> {
  const files = await treeOf(git, commit, folder);
  if (!files.ok) return files;
  const asked = new Set(paths);
  const found = files.value.filter(({ path }) => asked.has(path));
  const blobs = await blobsOf(
    git,
    found.map(({ blob }) => blob),
  );
  if (!blobs.ok) return blobs;
  return ok(
    new Map(
      found.flatMap(({ blob, path }): (readonly [WorkspacePath, Uint8Array])[] => {
        const bytes = blobs.value.get(blob);
        return bytes === undefined ? [] : [[path, bytes]];
      }),
    ),
  );
}

/** `BAD`: the content is not in the repository (a partial clone). */
const ENTRY = /^(?<mode>\d{6}) blob (?<blob>[0-9a-f]+) +(?<size>\d+|BAD)\t(?<path>.+)$/s;

/** Reads the output of `git ls-tree -r -z -l --full-tree`. */
export function treeIn(output: string, folder: string): TreeFile[] {
  const strip = folder === '' ? '' : `${folder}/`;
  return output.split('\0').flatMap((line): TreeFile[] => {
    const { blob = '', mode = '', path = '', size = '' } = ENTRY.exec(line)?.groups ?? {};
    if (path === '' || !path.startsWith(strip)) return [];
    return [{ path: path.slice(strip.length), kind: mode === '120000' ? 'link' : 'file', blob, sizeBytes: Number(size) || 0 }];
  });
}
