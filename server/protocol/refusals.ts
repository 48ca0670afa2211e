/**
 * Why something was refused, where a door does more than tell it: `data.reason` of a failure, with what else that door needs beside it.
 * Readers look at this; the message is for people and may read otherwise tomorrow.
 */
export interface RefusalData {
  /** The folder is in no git repository. */
  readonly noGit: { readonly reason: 'noGit' };
  /** The user has not allowed the command that would run the tests. */
  readonly commandNotApproved: { readonly reason: 'commandNotApproved'; readonly command: readonly string[] };
  /** The tests cannot be one run; the commands as a person would type them, and the files of tests that each runs, by place. */
  readonly severalCommands: { readonly reason: 'severalCommands'; readonly commands: readonly string[]; readonly tests: readonly (readonly string[])[] };
  /** The program that runs the tests could not be started; `missing` when there is none of that name, `note` when it is known why. */
  readonly notStarted: { readonly reason: 'notStarted'; readonly program: string; readonly missing: boolean; readonly note?: string };
}

export type RefusalReason = keyof RefusalData;

/** The data of a failure, when it was refused for this reason. */
export function refusedFor<Reason extends RefusalReason>(reason: Reason, data: unknown): RefusalData[Reason] | undefined {
  return typeof data === 'object' && data !== null && 'reason' in data && data.reason === reason ? (data as RefusalData[Reason]) : undefined;
}
