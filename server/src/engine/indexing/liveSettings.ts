import type { WorkspaceSettings } from '../../model/settings';

/** The settings of a checkout as they are now. */
export class LiveSettings {
  #current: WorkspaceSettings;

  constructor(
    initial: WorkspaceSettings,
    /** Added to those of the settings, whatever a client sets; in gitignore syntax. */
    private readonly ownIgnorePatterns: readonly string[],
  ) {
    this.#current = initial;
  }

  get current(): WorkspaceSettings {
    return this.#current;
  }

  /** Those that files are looked for with. */
  get forIndexing(): WorkspaceSettings {
    return { ...this.#current, ignorePatterns: [...this.#current.ignorePatterns, ...this.ownIgnorePatterns] };
  }

  /** Whether something differs now. */
  change(settings: Partial<WorkspaceSettings>): boolean {
    const next = { ...this.#current, ...settings };
    if (JSON.stringify(next) === JSON.stringify(this.#current)) return false;
    this.#current = next;
    return true;
  }
}
