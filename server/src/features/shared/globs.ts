import { type PathTest, readGlob } from '../../base/globs';
import { lengthFault } from '../../base/patternCost';

const NOTHING: PathTest = { test: () => false };

/**
 * A glob of a configuration: `**`, `*`, `?`, `{a,b}`, `[ab]`, `(a|b)`, `?(a|b)`, `+(a|b)`, `*(a|b)`, `@(a|b)`.
 * One without any of these is a folder or a file, one without a slash a name at any depth. One that is far too long matches nothing.
 */
export function globPattern(glob: string): PathTest {
  if (lengthFault(glob) !== undefined) return NOTHING;
  const clean = glob.replace(/^(?:<rootDir>|\.)\//, '').replace(/^\.$/, '**');
  const isPlain = !/[*?{[]|[+@]\(|\(.*\|.*\)/.test(clean);
  if (isPlain) return readGlob(`${clean.replace(/\/$/, '')}/**`);
  return readGlob(clean.includes('/') || clean === '**' ? clean : `**/${clean}`, { hasGroups: true });
}
