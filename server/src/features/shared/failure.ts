import type { Failure } from '../../base/result';
import { type Hint, type HintPart, hintForAgents, paramRef, phrase, toolRef } from '../../model/hints';
import { headOf, type StableId } from '../../model/ids';
import { kindOfPrefix } from '../../model/kinds';

/** Why a feature cannot answer. `code` is one of the tools' error codes; `hint` is one concrete next action. */
export interface FeatureFailure extends Failure {
  readonly code:
    | 'VALIDATION_ERROR'
    | 'NOT_FOUND'
    | 'FORBIDDEN'
    | 'READ_ONLY'
    | 'NOT_READY'
    | 'CONFLICT'
    | 'INVARIANT_VIOLATION'
    | 'HISTORY_PRUNED'
    | 'UNAVAILABLE'
    | 'TIMEOUT'
    | 'INTERNAL';
  readonly hint: Hint;
  /** The message where it mentions parameters, for doors that call them something else. */
  readonly messageParts?: readonly HintPart[];
  readonly data?: Readonly<Record<string, unknown>>;
}

const CODES: ReadonlySet<string> = new Set(['VALIDATION_ERROR', 'NOT_FOUND', 'FORBIDDEN', 'NOT_READY', 'CONFLICT', 'UNAVAILABLE', 'TIMEOUT', 'INTERNAL']);

const HINTS: Readonly<Record<string, Hint>> = {
  NOT_READY: phrase`Use ${toolRef('graph_health')} to see the progress.`,
  FORBIDDEN: 'Use a path in the workspace.',
  UNAVAILABLE: 'Try again in a few seconds.',
};

/** A failure of the engine in a feature's words. */
export function fromEngine(failure: Failure): FeatureFailure {
  const code = (CODES.has(failure.code) ? failure.code : 'INTERNAL') as FeatureFailure['code'];
  return { code, message: failure.message, hint: HINTS[code] ?? phrase`Run ${toolRef('graph_health')} to see the state of the index.` };
}

/** A failure to keep a record, in a feature's words. */
export function fromStore(failure: Failure): FeatureFailure {
  const [code, hint] = STORE_FAILURES[failure.code] ?? (['INTERNAL', 'Run lattice doctor to check the data folder.'] as const);
  return { code, message: failure.message, hint };
}

const STORE_FAILURES: Readonly<Record<string, readonly [FeatureFailure['code'], string]>> = {
  STORE_DISK_FULL: ['UNAVAILABLE', 'Nothing was changed. Free some disk space, then try again.'],
  STORE_READ_ONLY: ['READ_ONLY', 'Nothing was changed. Make the data folder writable, or set LATTICE_HOME to another folder, then try again.'],
  STORE_CLOSED: ['UNAVAILABLE', 'Try again. Another process is taking over.'],
  STORE_IO: ['UNAVAILABLE', 'Nothing was changed. Try again. If it fails again, run lattice doctor.'],
  ALREADY_WRITTEN: ['CONFLICT', 'Read the current state. It includes the change.'],
  UNAVAILABLE: ['UNAVAILABLE', 'Try again in a few seconds.'],
};

/** A parameter that cannot be used, with what to do instead. */
export function invalid(field: string, told: Hint, hint: Hint = phrase`Call again with a valid ${paramRef(field)}.`): FeatureFailure {
  const message = hintForAgents(told);
  return {
    code: 'VALIDATION_ERROR',
    message,
    ...(typeof told === 'string' ? {} : { messageParts: told }),
    hint,
    data: { field, issues: [{ field, message }] },
  };
}

/** What was asked cannot be answered for a past state. */
export function presentOnly(name: string): FeatureFailure {
  return invalid('asOf', phrase`${name} does not support ${paramRef('asOf')}.`, phrase`Omit ${paramRef('asOf')}.`);
}

/** Nothing has that name; with ids that were perhaps meant. */
export function notFound(what: string, suggestions: readonly StableId[]): FeatureFailure {
  return {
    code: 'NOT_FOUND',
    message: `${what} was not found in this workspace.`,
    hint:
      suggestions.length > 0
        ? phrase`Try ${suggestions[0] ?? ''}, or ${toolRef('search_code')} with different keywords.`
        : (findingOf(what) ?? phrase`Try ${toolRef('search_code')} with different keywords.`),
    data: { suggestions },
  };
}

/** How to find what an ID above the code (`tx::…`) should have named. */
function findingOf(id: string): Hint | undefined {
  const kind = kindOfPrefix(headOf(id));
  return kind === undefined
    ? undefined
    : phrase`List the existing ones: ${toolRef('graph_query', { query: `MATCH (n:${kind}) RETURN n.id, n.name LIMIT 20` })}.`;
}

/** A path that leads out of the workspace. */
export function outside(path: string, workspaceName: string): FeatureFailure {
  return {
    code: 'FORBIDDEN',
    message: `${path} is outside the workspace ${workspaceName}.`,
    hint: 'Use a path in the workspace. To use another folder, start the server with it (lattice mcp --root FOLDER), or start a separate server (--workspace FOLDER).',
  };
}
