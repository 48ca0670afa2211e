/** Depth of a walk: keeps broken or generated code from overflowing the stack. */
export class Nesting {
  #depth = 0;

  /** `most`: levels that are followed; what is deeper is left out. */
  constructor(private readonly most = 500) {}

  /** One level deeper, and `ascend` when done; false, and nothing to undo, where the nesting is too deep to follow. */
  descend(): boolean {
    if (this.#depth >= this.most) return false;
    this.#depth++;
    return true;
  }

  ascend(): void {
    this.#depth--;
  }

  /** Runs `visit` one level deeper; gives `otherwise` where the nesting is too deep to follow. */
  nested<T>(otherwise: T, visit: () => T): T {
    if (!this.descend()) return otherwise;
    const answer = visit();
    this.ascend();
    return answer;
  }
}
