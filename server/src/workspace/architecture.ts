import type { WorkspacePath } from '../base/path';
import type { Failure, Result } from '../base/result';
import type { PatternSettings } from '../model/settings';

/** What architecture checks need from outside the graph. */
export interface ArchitecturePort {
  /** Text of a file that the user keeps in the workspace's `.lattice` folder, unsaved or from disk; `undefined` when there is none. `FORBIDDEN` elsewhere. */
  readText(path: WorkspacePath): Promise<Result<string | undefined, Failure>>;
  /** The day, as `2026-12-31`, in UTC. */
  today(): string;
  thresholds(): PatternSettings;
}
