/** Which community each node is in. */
export interface Membership {
  /** Community by handle, -1 for dead nodes. */
  readonly of: Int32Array;
  /** One more than the highest community. */
  readonly limit: number;
  /** Revision whose links were clustered; nodes that came later joined their neighbours. */
  readonly revision: number;
}

/** A community in words. Everything follows from its members and their links. */
export interface Community {
  readonly id: number;
  readonly label: string;
  /** One or two sentences. */
  readonly summary: string;
  readonly memberCount: number;
  /** Handle of its most central member. */
  readonly centralNode: number;
}
