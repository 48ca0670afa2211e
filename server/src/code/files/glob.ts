import { type PathTest, readGlob } from '../../base/globs';

/** A glob of the editor's `files.exclude` and `search.exclude`, anchored at the workspace root; it matches files and folders, and `x/**` matches `x` too. */
export function excludeGlob(glob: string, caseInsensitive: boolean): PathTest {
  const pattern = glob
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '')
    .replace(/\/+$/, '');
  return readGlob(pattern, { caseInsensitive });
}
