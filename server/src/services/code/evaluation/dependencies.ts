/** What a result depends on: it is valid until more is known about one of these owners. */
export interface DependencySet {
  /** Functions and classes about which more may become known. */
  readonly owners: object[];
  /** It was cut off, or had an effect: it is computed again in each round. */
  isTransient: boolean;
  /** Round in which it was last found to be valid. */
  round: number;
}

/** With more owners than these, a result is computed again in each round. */
const MAX_OWNERS = 24;

/** Tracks what results depend on, so that a round only repeats those that may change. */
export abstract class DependencyTracking {
  /** Last round in which more became known about an owner. */
  readonly #changed = new Map<object, number>();
  #round = 1;
  #current: DependencySet | undefined;

  /** Runs `act` and returns what it depends on. */
  track(act: () => void): DependencySet {
    const outer = this.#current;
    const own: DependencySet = { owners: [], isTransient: false, round: this.#round };
    this.#current = own;
    act();
    this.#current = outer;
    this.dependOnAll(own);
    return own;
  }

  /** Whether a result would be the same if it was computed again. */
  isValid(dependencies: DependencySet): boolean {
    if (dependencies.round === this.#round) return true;
    if (dependencies.isTransient || dependencies.owners.some(owner => (this.#changed.get(owner) ?? 0) >= dependencies.round)) return false;
    dependencies.round = this.#round;
    return true;
  }

  protected dependOnAll({ isTransient, owners }: DependencySet): void {
    if (this.#current === undefined) return;
    if (isTransient) this.#current.isTransient = true;
    else for (const owner of owners) this.dependOn(owner);
  }

  /** The current result depends on what is known about a function or class. */
  protected dependOn(owner: object): void {
    const current = this.#current;
    if (current === undefined || current.isTransient || current.owners.includes(owner)) return;
    if (current.owners.length < MAX_OWNERS) current.owners.push(owner);
    else current.isTransient = true;
  }

  /** The current result is only valid now. */
  markTransient(): void {
    if (this.#current !== undefined) this.#current.isTransient = true;
  }

  /** More became known about a function or class. */
  protected changed(owner: object): void {
    this.#changed.set(owner, this.#round);
  }

  protected nextRound(): void {
    this.#round++;
  }
}
