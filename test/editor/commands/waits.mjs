/** The longest that a check waits for an effect, in milliseconds. */
export const WAIT_MS = 30_000;
/** The longest that one press waits for what it opens before it is tried again, in milliseconds. */
export const PRESS_MS = 4000;
