import { extname, type WorkspacePath } from '../../../base/path';
import { languageOfExtension } from '../../../model/languages';
import type { FileTable } from '../../indexing/fileTable';
import { versionOf } from '../versions/fileVersion';
import type { ContentAnswer } from './commitParsing';
import type { TreeFile } from './commitTree';

/**
 * What is known of contents of a commit that files of the checkout have today, by their name in git's object store. `checkedOut`: what git calls those that are
 * on the disk as it noted them. Of another size than the blob is what git converts on its way to the disk (line ends, large files kept elsewhere). The same
 * content under another name is left out, because some of what is known of it (generated, of a language) may be known by the name.
 */
export function sameContents(files: readonly TreeFile[], checkedOut: ReadonlyMap<WorkspacePath, string>, table: FileTable): ReadonlyMap<string, ContentAnswer> {
  const found = new Map<string, ContentAnswer>();
  const elsewhere = new Set<string>();
  for (const { blob, path, sizeBytes } of files) {
    const tracked = table.get(path);
    if (checkedOut.get(path) !== blob || tracked === undefined) {
      elsewhere.add(blob);
      continue;
    }
    const { contentHash, isBinary, isGenerated, isMinified } = versionOf(tracked, languageOfExtension(extname(path)) !== undefined);
    if (contentHash !== '' && tracked.record.sizeBytes === sizeBytes) found.set(blob, { contentHash, sizeBytes, isBinary, isGenerated, isMinified });
  }
  for (const blob of elsewhere) found.delete(blob);
  return found;
}
