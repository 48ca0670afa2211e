import type { CancellationToken } from '../base/cancellation';
import type { WorkspacePath } from '../base/path';
import type { ServiceSettings } from '../model/settings';
import type { ServiceModel } from '../services/model';
import type { Place } from '../services/surface';

/** The services of the files, and what they would be if the unsaved text of a window were saved. */
export interface UnsavedModel {
  readonly saved: ServiceModel;
  readonly typed: ServiceModel;
  /** Files whose text is not saved, each with the first line that differs. */
  readonly edits: readonly Place[];
  /** The line of unsaved text in which a line of the saved file stands now, or the one that took its place. 1-based. */
  lineOf(path: WorkspacePath, line: number): number;
}

/** What a workspace knows of its services. For an editor window, its unsaved text counts. */
export interface ServicesPort {
  /** The settings `lattice.services.*`. */
  readonly settings: ServiceSettings;
  /**
   * The model of what the index holds now, brought up to date first; undefined when the layer is switched off.
   * `anew` reads every file again, `interfaces` (JSON by name of a service) is merged over what code shows from then on. A failure is a model without content that says so in its problems.
   */
  model(token: CancellationToken, how?: { readonly anew?: boolean; readonly interfaces?: string }): Promise<ServiceModel | undefined>;
  /** The model as it was made last, without waiting. */
  readonly current: ServiceModel | undefined;
  /** The model as the unsaved text of the asking window makes it, and the one that files make. Undefined where nothing is unsaved, and for agents. */
  unsaved?(token: CancellationToken): Promise<UnsavedModel | undefined>;
  /** When the last model was made, in milliseconds since the epoch, and how long that took. */
  readonly built: { readonly at: number; readonly durationMs: number } | undefined;
}
