import { type CancellationToken, throwIfCancelled } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { Workspace } from '../../../workspace/snapshot';

/** Characters of texts that are kept, all files together; what is more is read again. */
const MAX_KEPT = 48_000_000;
const AT_ONCE = 32;

/** Texts of files for one question that looks at the same ones again and again. */
export class ReadTexts {
  readonly #texts = new Map<WorkspacePath, string | undefined>();
  #left: number;

  /** `maxKept`: characters; 0 for who reads each file once. */
  constructor(
    private readonly workspace: Workspace,
    maxKept = MAX_KEPT,
  ) {
    this.#left = maxKept;
  }

  /** In the order asked for; files that cannot be read are left out. Throws `Cancelled`. */
  async *of(paths: readonly WorkspacePath[], token: CancellationToken): AsyncGenerator<readonly [path: WorkspacePath, text: string]> {
    for (let at = 0; at < paths.length; at += AT_ONCE) {
      throwIfCancelled(token);
      const some = paths.slice(at, at + AT_ONCE);
      const texts = await Promise.all(some.map(path => this.#textOf(path)));
      for (const [row, text] of texts.entries()) if (text !== undefined) yield [some[row] ?? '', text];
    }
  }

  async #textOf(path: WorkspacePath): Promise<string | undefined> {
    if (this.#texts.has(path)) return this.#texts.get(path);
    const read = await this.workspace.readText(path);
    const text = read.ok ? read.value : undefined;
    this.#left -= text?.length ?? 0;
    if (this.#left >= 0) this.#texts.set(path, text);
    return text;
  }
}
