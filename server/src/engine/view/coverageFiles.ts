import { relativeTo, type WorkspacePath } from '../../base/path';
import type { Clock } from '../../base/ports';
import { absoluteOf, decodeText, type FileHost, isMissing } from '../../code/files/host';
import type { CoverageFile, CoveragePort } from '../../workspace/coverage';

export interface CoverageFilesOptions {
  readonly root: string;
  readonly host: Pick<FileHost, 'read' | 'realPath' | 'stat'>;
  readonly caseInsensitive: boolean;
  readonly clock: Clock;
}

/** Where coverage tools write by default, or as their manuals tell people to. */
const PLACES: readonly WorkspacePath[] = [
  'coverage.json',
  'coverage.xml',
  'coverage.lcov',
  'lcov.info',
  'coverage/lcov.info',
  'coverage/coverage-final.json',
  'coverage/cobertura-coverage.xml',
  'coverage.out',
  'cover.out',
  'target/site/jacoco/jacoco.xml',
  'build/reports/jacoco/test/jacocoTestReport.xml',
];
/** A larger report is left out, and said to be. */
const MAX_BYTES = 16 << 20;

/** Reads coverage reports of the workspace; links that lead out of it are refused. */
export function coverageFiles({ caseInsensitive, clock, host, root }: CoverageFilesOptions): CoveragePort {
  const known = new Map<WorkspacePath, { readonly size: number; readonly file: CoverageFile }>();
  const readOne = async (path: WorkspacePath): Promise<CoverageFile | string | undefined> => {
    try {
      const real = await host.realPath(absoluteOf(root, path));
      if (relativeTo(root, real, caseInsensitive) === undefined) return `${path} is a link to a path outside the workspace.`;
      const { mtimeMs, sizeBytes } = await host.stat(real);
      if (sizeBytes > MAX_BYTES) return `${path} is larger than ${MAX_BYTES >> 20} MB.`;
      const before = known.get(path);
      if (before?.file.modifiedAt === mtimeMs && before.size === sizeBytes) return before.file;
      const file = { path, text: decodeText(await host.read(real, MAX_BYTES)), modifiedAt: mtimeMs };
      known.set(path, { size: sizeBytes, file });
      return file;
    } catch (error) {
      return isMissing(error) ? undefined : `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    }
  };
  return {
    async reports() {
      const read = await Promise.all(PLACES.map(readOne));
      const files = read.filter(each => typeof each === 'object').sort((a, b) => b.modifiedAt - a.modifiedAt);
      return { files, problems: read.filter(each => typeof each === 'string') };
    },
    async modifiedAt(path) {
      try {
        return (await host.stat(absoluteOf(root, path))).mtimeMs;
      } catch {
        return undefined;
      }
    },
    now: () => clock.now(),
  };
}
