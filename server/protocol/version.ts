/** Number of the owner/guest protocol. An owner speaks this one and the one before. */
export const PROTOCOL_VERSION = 2;
/** Peers with an older version are refused. */
export const OLDEST_PROTOCOL_VERSION = 1;
