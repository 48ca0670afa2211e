import type { NodeHandle } from '../../model/ids';

/** Which community each node is in. */
export interface Membership {
  /** Number of the community by handle, -1 for dead nodes. Positive 31-bit numbers that say nothing by themselves and stay the same for the same core. */
  readonly of: Int32Array;
  /** Revision whose links were clustered. In the private view of unsaved text, nodes that are new there joined their neighbors. */
  readonly revision: number;
}

/** A community in words. Everything follows from its members and their links. No two of a graph have the same label. */
export interface Community {
  readonly id: number;
  readonly label: string;
  /** One or two sentences. */
  readonly summary: string;
  readonly memberCount: number;
  /** Handle of its most central member. */
  readonly centralNode: NodeHandle;
}
