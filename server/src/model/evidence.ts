/**
 * How an edge is known, and how sure that makes it. A row's position is its code in stored columns: append only.
 * `confidence` is that of a single candidate; `open` where the site may mean something unknown as well, `weak` where a chain led to it that is
 * likely, not certain. Measured against compilers (docs/accuracy.md).
 */
export const SOURCES = [
  { name: 'syntax', confidence: 1, open: 1, weak: 1 },
  { name: 'scip', confidence: 1, open: 1, weak: 1 },
  { name: 'human', confidence: 1, open: 1, weak: 1 },
  { name: 'import', confidence: 0.95, open: 0.85, weak: 0.6 },
  { name: 'scope', confidence: 0.95, open: 0.85, weak: 0.6 },
  { name: 'type', confidence: 0.9, open: 0.85, weak: 0.6 },
  { name: 'heuristic', confidence: 0.4, open: 0.4, weak: 0.4 },
  { name: 'derived', confidence: 1, open: 1, weak: 1 },
  /** A method that implements or overrides the one that is called, and may run in its place. */
  { name: 'dispatch', confidence: 0.3, open: 0.3, weak: 0.3 },
] as const;

/** Most that a candidate is worth for what it is, however it is known. */
export const MAX_CONFIDENCE = {
  /** A member of one of several types that a receiver may have. */
  alternativeType: 0.6,
  /** A method of one of the types that an object of unknown type may have, by what is done with it. */
  onPossibleType: 0.25,
  /** A method of whose name only the beginning is known. */
  likeNamed: 0.3,
  /** A class known only as a type of classes (`type[X]`): X itself and not a subclass. */
  anySubclass: 0.4,
  /** A function that a variable or field was seen to hold, where variables vary. */
  heldByVariable: 0.45,
  /** A base given as a parameter (a mixin): the class that its type names. */
  anyOfType: 0.45,
  /** A dependency that only a comment names. */
  inComment: 0.45,
  /** The one function of a name that was assigned to a variable called like the receiver. */
  namesake: 0.6,
  /** The only type that has all members which the file takes from something of unknown type. */
  likelyType: 0.55,
  /** The same where others may have declared a type for it that is not seen. */
  possibleType: 0.45,
} as const;

/** How sure what is read of services is, by what shows it. */
export const SERVICE_CONFIDENCE = {
  /** A contract declares it, or a person gave it. */
  declared: 1,
  /** A route that code writes out: an annotation, a row of a routing table, a method of a router that is mounted. */
  writtenRoute: 0.95,
  /** A route whose path or method is joined from several places: classes of views, predicates, methods of resources. */
  joinedRoute: 0.9,
  /** A route that follows from the conventions of a framework. */
  conventionalRoute: 0.85,
  /** A route of a router that no code mounts. */
  unmountedRoute: 0.8,
  /** A request to a host that code names, itself or by a variable. */
  request: 0.9,
  /** A request of which only the path is known. */
  requestWithoutHost: 0.7,
  /** An event that is published or consumed under a name that code gives. */
  event: 0.9,
  /** An event that is called after the type of its message. */
  eventOfType: 0.85,
  /** A server or client of remote procedures, or the method that answers one. */
  procedure: 0.9,
  /** A data store that code connects to. */
  store: 0.9,

  /** A gateway or proxy that forwards to a service. */
  proxied: 0.95,
  /** A request to the address of a service: at least. */
  addressed: 0.9,
  /** A request that a gateway forwards to a service, and the request to the gateway. */
  throughGateway: 0.85,
  toGateway: 0.8,
  /** A request to an unknown host that fits endpoints of one service only. */
  onlyFittingEndpoint: 0.7,
  /** A client of remote procedures that a service answers: at least. */
  procedureCall: 0.85,
  /** The address of a service in the deployment of another one; and where the code of that names the variable. */
  configured: 0.6,
  configuredAndNamed: 0.8,
  /** Code of a service that another one imports. */
  imported: 0.9,
} as const;

/** Of a learning: grows with the episodes that show it. */
export const LEARNING_CONFIDENCE = { first: 0.55, perEpisode: 0.05, atMost: 0.95 } as const;

/** How sure it is that a test runs a change, where no reference says so. */
export const TEST_CONFIDENCE = {
  /** It is called like the file that changed. */
  sameStem: 0.6,
  /** It ran the change according to a coverage report that is older than the code: other lines may have run. */
  staleCoverage: 0.5,
} as const;

/** Of a row that stands for several links, where only matters whether one of them is a fact; and of what a question starts at. */
export const SHOWN_CONFIDENCE = { certain: 1, possible: 0.5 } as const;

/** How a link was found: the name of a row of `SOURCES`. */
export type SourceName = (typeof SOURCES)[number]['name'];

/** Code of each source in columns: its position in `SOURCES`. */
export const sourceCode: Readonly<Record<SourceName, number>> = Object.freeze(
  Object.fromEntries(SOURCES.map((row, code) => [row.name, code])) as Record<SourceName, number>,
);

/** Confidence of a single candidate that a source names. */
export function confidenceOf(source: SourceName): number {
  return SOURCES[sourceCode[source]]?.confidence ?? 0;
}

/** From this confidence on an edge is a *fact*; below it is a *maybe*. */
export const FACT_CONFIDENCE = 0.8;

/** Confidence is stored in one byte: `Math.round(confidence * 200)`. */
export function encodeConfidence(confidence: number): number {
  return Math.max(0, Math.min(200, Math.round(confidence * 200)));
}

/** Confidence from 0 to 1, from the byte that columns store. */
export function decodeConfidence(byte: number): number {
  return byte / 200;
}
