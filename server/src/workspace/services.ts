import type { CancellationToken } from '../base/cancellation';
import type { ServiceSettings } from '../model/settings';
import type { ServiceModel } from '../services/model';

/** What a workspace knows of its services. */
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
  /** When the last model was made, in milliseconds since the epoch, and how long that took. */
  readonly built: { readonly at: number; readonly durationMs: number } | undefined;
}
