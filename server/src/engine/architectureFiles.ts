import { normalize, relativeTo, type WorkspacePath } from '../base/path';
import type { Clock } from '../base/ports';
import { err, ok } from '../base/result';
import { absoluteOf, decodeText, type FileHost, isMissing } from '../code/files/host';
import type { PatternSettings } from '../model/settings';
import type { ArchitecturePort } from '../workspace/architecture';

export interface ArchitectureFilesOptions {
  readonly root: string;
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
  readonly clock: Clock;
  readonly unsavedText: (path: WorkspacePath) => string | undefined;
  readonly thresholds: () => PatternSettings;
}

const FOLDER = '.lattice/';
/** A longer rule file is a mistake. */
const MAX_BYTES = 4 << 20;

/** Reads what the user keeps in `.lattice`; links that lead out of the workspace are refused. */
export function architectureFiles({ caseInsensitive, clock, host, root, thresholds, unsavedText }: ArchitectureFilesOptions): ArchitecturePort {
  return {
    async readText(path) {
      const clean = normalize(path);
      if (clean?.startsWith(FOLDER) !== true) return err({ code: 'FORBIDDEN', message: `${path} is not in ${FOLDER}.` });
      const unsaved = unsavedText(clean);
      if (unsaved !== undefined) return ok(unsaved);
      try {
        const real = await host.realPath(absoluteOf(root, clean));
        if (relativeTo(root, real, caseInsensitive) === undefined)
          return err({ code: 'FORBIDDEN', message: `${path} is a link to a path outside the workspace.` });
        return ok(decodeText(await host.read(real, MAX_BYTES)));
      } catch (error) {
        if (isMissing(error)) return ok(undefined);
        return err({ code: 'UNAVAILABLE', message: `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}` });
      }
    },
    today: () => new Date(clock.now()).toISOString().slice(0, 10),
    thresholds,
  };
}
