/** A request that cannot be carried out for a reason the user can act on; shown as it is, without the log. */
export class Refusal extends Error {}
