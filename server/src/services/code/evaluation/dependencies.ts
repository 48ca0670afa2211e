/** What a finding rests on of what is learned: it holds until one of these things is known better. */
export interface Rests {
  /** Functions and classes of which more may become known. */
  readonly on: object[];
  /** It was cut off, or had an effect: it is found anew in each round. */
  isPassing: boolean;
  /** Round in which it was last found to hold. */
  round: number;
}

/** More things than these are not compared: what rests on them is found anew. */
const MAX_RESTS = 24;

/** Follows what findings rest on, so that a round repeats only what may come out differently. */
export abstract class Dependencies {
  /** Rounds in which more became known of something, the last one each. */
  readonly #changed = new Map<object, number>();
  #round = 1;
  #rests: Rests | undefined;

  /** Does something, and tells what it rests on. */
  resting(act: () => void): Rests {
    const outer = this.#rests;
    const own: Rests = { on: [], isPassing: false, round: this.#round };
    this.#rests = own;
    act();
    this.#rests = outer;
    this.restOn(own);
    return own;
  }

  /** Whether something would come out as it did. */
  holds(rests: Rests): boolean {
    if (rests.round === this.#round) return true;
    if (rests.isPassing || rests.on.some(owner => (this.#changed.get(owner) ?? 0) >= rests.round)) return false;
    rests.round = this.#round;
    return true;
  }

  protected restOn({ isPassing, on }: Rests): void {
    if (this.#rests === undefined) return;
    if (isPassing) this.#rests.isPassing = true;
    else for (const owner of on) this.depend(owner);
  }

  /** What is being found rests on what is known of a function or a class. */
  protected depend(owner: object): void {
    const rests = this.#rests;
    if (rests === undefined || rests.isPassing || rests.on.includes(owner)) return;
    if (rests.on.length < MAX_RESTS) rests.on.push(owner);
    else rests.isPassing = true;
  }

  /** What is being found holds for this time only. */
  pass(): void {
    if (this.#rests !== undefined) this.#rests.isPassing = true;
  }

  /** More is known of a function or a class. */
  protected changed(owner: object): void {
    this.#changed.set(owner, this.#round);
  }

  protected nextRound(): void {
    this.#round++;
  }
}
