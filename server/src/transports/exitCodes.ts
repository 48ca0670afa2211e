/** Exit codes of `lattice`; part of the interface, see README. */
export const EXIT = {
  ok: 0,
  /** The question was understood and the answer is an error, such as a symbol that does not exist. */
  answerIsError: 1,
  /** Unknown command or flag, missing or malformed argument. */
  usage: 2,
  /** The folder cannot be opened, or its index failed. */
  workspaceFailed: 3,
  /** A defect of Lattice. */
  internal: 4,
  /** A limit of `--fail-on` is reached: the risk of `lattice impact`, what `lattice diff` finds, the severity of `lattice arch`. */
  limitReached: 5,
  /** Cancelled with Ctrl-C. */
  interrupted: 130,
  /** Asked to end (SIGTERM). */
  terminated: 143,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
