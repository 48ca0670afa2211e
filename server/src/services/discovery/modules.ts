/** Modules of languages that need a manifest: their code belongs to the module around it, also inside the folder of another one (`ui/package.json` with `ui/serve.go`). */
import { dirname, extname, type WorkspacePath } from '../../base/path';
import { MANIFESTS, type ManifestKind } from '../files/manifests';
import type { ServiceFile } from '../serviceFile';

const KIND_OF: ReadonlyMap<string | undefined, ManifestKind> = new Map((Object.keys(MANIFESTS) as ManifestKind[]).map(kind => [MANIFESTS[kind].builds, kind]));

export class Modules {
  /** Kinds of manifests by folder. */
  readonly #kinds = new Map<WorkspacePath, Set<ManifestKind>>();

  constructor(files: readonly ServiceFile[]) {
    for (const { manifest, path } of files) {
      if (manifest === undefined) continue;
      const folder = dirname(path);
      this.#kinds.set(folder, (this.#kinds.get(folder) ?? new Set()).add(manifest.kind));
    }
  }

  /** The folder of a file; where a module of another language lies between it and its own module, the folder around that. */
  homeOf(path: WorkspacePath): WorkspacePath {
    const kind = KIND_OF.get(extname(path));
    const folder = dirname(path);
    if (kind === undefined) return folder;
    let home = folder;
    for (let at = folder; ; at = dirname(at)) {
      const kinds = this.#kinds.get(at);
      if (kinds?.has(kind) === true) return home;
      if (at === '') return folder;
      if (kinds !== undefined) home = dirname(at);
    }
  }
}
