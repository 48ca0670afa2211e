/** Thrown when Lattice itself is wrong; never for bad input. */
export class InvariantViolated extends Error {
  constructor(message: string) {
    super(`Lattice is in a state that should be impossible: ${message}`);
    this.name = 'InvariantViolated';
  }
}

/** Throws `InvariantViolated` when the condition does not hold: a mistake of ours, never of a user. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (condition === false || condition === null || condition === undefined) throw new InvariantViolated(message);
}

/** Marks a branch that the types rule out. */
export function assertNever(value: never): never {
  throw new InvariantViolated(`unexpected value ${String(value)}`);
}
