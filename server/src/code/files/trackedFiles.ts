import type { WorkspacePath } from '../../base/path';
import type { GitPlace } from './git';
import { parseGitIndex } from './gitIndex';
import type { FileHost } from './host';

export interface TrackedIn {
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
  /** Characters of a workspace path that lie above the repository. */
  readonly strip: number;
  /** Where the opened root lies below the top of the checkout. */
  readonly above: string;
}

/**
 * The files that git tracks in one repository. They belong to it whatever its ignore files say: those speak of untracked files only.
 * Git's index is read once, when it is first asked for; where it cannot be read, nothing counts as tracked.
 */
export class TrackedFiles {
  #paths: Promise<ReadonlySet<string>> | undefined;

  constructor(
    private readonly place: GitPlace,
    private readonly options: TrackedIn,
  ) {}

  /** True for a tracked file, and for a folder that holds one. */
  async has(path: WorkspacePath): Promise<boolean> {
    const { above, strip } = this.options;
    this.#paths ??= this.#read();
    return (await this.#paths).has(this.#folded(above === '' ? path.slice(strip) : `${above}/${path}`));
  }

  async #read(): Promise<ReadonlySet<string>> {
    const paths = new Set<string>();
    const bytes = await this.options.host.read(`${this.place.gitDir}/index`).catch(() => undefined);
    for (const path of (bytes === undefined ? undefined : parseGitIndex(bytes))?.paths ?? []) {
      let at = this.#folded(path);
      // Folders that are known have known folders above them.
      while (at !== '' && !paths.has(at)) {
        paths.add(at);
        at = at.slice(0, Math.max(0, at.lastIndexOf('/')));
      }
    }
    return paths;
  }

  #folded(path: string): string {
    return this.options.caseInsensitive ? path.toLowerCase() : path;
  }
}
