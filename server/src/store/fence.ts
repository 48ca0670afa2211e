/**
 * Proof that this process owns the project, looked for on the disk that all processes share, at the moment of every acknowledgement.
 *
 * Each ownership has a *generation*, taken by creating a file that only one process can create (`session/ownerLock`). A successor first publishes its
 * generation, then reads the journal. An owner writes a record, syncs it, and only then looks whether a higher generation is there. So of any record either
 * the successor's generation came after that look, and then the record was on the disk before the successor read; or it came before, and then the look
 * found it and nothing was acknowledged. No clock, no silence of a socket and no age of a file decides anything, and a process that was frozen between any
 * two of these steps finds out before it says a word.
 *
 * What a superseded owner had written and not acknowledged is decided once: the name of every segment says its generation and the number of its first
 * record, and a record counts only while its number is below the first number of every segment of a higher generation (or of the same owner's next
 * segment, after a write that failed). Nobody cuts, renames or overwrites a file that another owner may still have open.
 */
export interface Fence {
  /** Of this ownership; higher than that of every segment that was there when it began. */
  readonly generation: number;
  /** False once another process has taken over, or when the place of the lock is not the one that was taken. Looks at the disk each time. */
  holds(): boolean;
  /** It ended because the place of the lock is not the one that was taken, not because of another process. Absent is the same as false. */
  readonly isGone?: boolean;
  /** Ends this ownership: what was found on the disk is not what this process owns. */
  lose(reason: string): void;
}

/** Another process owns the project by now (`STORE_SUPERSEDED`), or its folder is no longer the one that was opened (`STORE_MOVED`). */
export class NotTheOwner extends Error {
  constructor(
    readonly code: 'STORE_SUPERSEDED' | 'STORE_MOVED',
    message: string,
  ) {
    super(message);
    this.name = 'NotTheOwner';
  }
}

export function superseded(): NotTheOwner {
  return new NotTheOwner('STORE_SUPERSEDED', 'Another process has taken over this project, so the change was not saved. Try again.');
}

export function moved(): NotTheOwner {
  const message =
    'The data folder of this project was removed or replaced while Lattice was running, so the change was not saved. ' +
    'Try again. Lattice restores the folder from memory. To delete data permanently, run lattice reset.';
  return new NotTheOwner('STORE_MOVED', message);
}
