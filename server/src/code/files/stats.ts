import type { WorkspacePath } from '../../base/path';
import { absoluteOf, type FileHost, faultCode, isMissing } from './host';

/** Enough of a file's metadata to tell that it changed without reading it. */
export interface FileSignature {
  readonly sizeBytes: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/** `gone`: not there, or no longer a file; `unknown`: there but not to be asked (`fault`). */
export type StatOutcome =
  | { readonly state: 'there'; readonly signature: FileSignature }
  | { readonly state: 'gone' }
  | { readonly state: 'unknown'; readonly fault: string };

/** Current signatures of files of one root, in the order asked. Meant for at most some dozens of paths; never rejects. */
export async function statFiles(root: string, paths: readonly WorkspacePath[], host: FileHost): Promise<readonly StatOutcome[]> {
  return Promise.all(
    paths.map(async (path): Promise<StatOutcome> => {
      try {
        const { kind, sizeBytes, mtimeMs, inode } = await host.stat(absoluteOf(root, path));
        return kind === 'file' ? { state: 'there', signature: { sizeBytes, mtimeMs, inode } } : { state: 'gone' };
      } catch (error) {
        return isMissing(error) ? { state: 'gone' } : { state: 'unknown', fault: faultCode(error) };
      }
    }),
  );
}

/** A file replaced by another of equal size and time differs in its inode, where there is one. */
export function isSameSignature(a: FileSignature, b: FileSignature): boolean {
  return a.sizeBytes === b.sizeBytes && a.mtimeMs === b.mtimeMs && (a.inode === b.inode || a.inode === 0 || b.inode === 0);
}
