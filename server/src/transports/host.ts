import type { CancellationToken } from '../base/cancellation';
import type { Failure, Result } from '../base/result';
import type { Hint } from '../model/hints';
import type { WorkspaceSettings } from '../model/settings';
import type { Gateway, ToolAnswer } from '../session/gateway';

/**
 * Door of `transports`: the command line, MCP and the language server, three ways in to the same workspaces.
 *
 * Knows: the `Gateway`, the catalogue of tools as rows, and what this port gives.
 * Does not know: engines, stores, graphs, or whether this process owns a workspace or is a guest.
 * Invariants: a transport converts and forwards; what an answer says is decided below, so that every door says the same.
 */
export interface TransportHost {
  readonly version: string;
  /** Absolute path of the folder that holds the bundles. */
  readonly bundleFolder: string;
  /** In a fixed order, the same in every process of this version. */
  readonly tools: readonly ToolRow[];
  /** Reads `core`, `agent`, `full`, `admin`, names of tools, or several of these separated by commas. `VALIDATION_ERROR` names what is unknown. */
  selectTools(spec: string): Result<readonly ToolRow[], Failure>;
  /** The answer to a call that is wrong whatever the workspace holds, so that nobody indexes only to be told; `undefined` when only the workspace can tell. */
  refusalOf(name: string, input: Readonly<Record<string, unknown>>): ToolAnswer | undefined;
  /** Returns quickly; the first index runs on behind. `NOT_FOUND`, `FORBIDDEN` or `UNAVAILABLE`. Await `close()` of what it gives before leaving. */
  open(request: OpenRequest): Promise<Result<Gateway, Failure>>;
  readonly data: DataAdministration;
}

export interface OpenRequest {
  /** A folder in any spelling; the checkout is its real path. */
  readonly root: string;
  /** False for one-shot commands: they wait until disk and graph agree, hand over and leave. */
  readonly longLived: boolean;
  /** Where news of changed files comes from, if this process becomes the owner: nowhere, the file system, or `gateway.notifyFiles`. */
  readonly watch: 'none' | 'files' | 'editor';
  readonly settings?: Partial<WorkspaceSettings>;
}

/** A tool as its clients see it; derived from `defineTool`. */
export interface ToolRow {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema 2020-12 without `$ref`. */
  readonly inputSchema: JsonObjectSchema;
  readonly outputSchema: JsonObjectSchema;
  readonly annotations: Readonly<Record<string, boolean | string>>;
}

/** JSON schema of a tool's input or output. */
export interface JsonObjectSchema extends Readonly<Record<string, unknown>> {
  readonly properties?: Readonly<Record<string, JsonProperty>>;
  readonly required?: readonly string[];
}

/** The part of JSON Schema that the command line reads to derive flags. */
export interface JsonProperty extends Readonly<Record<string, unknown>> {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly items?: JsonProperty;
  readonly anyOf?: readonly JsonProperty[];
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Looks after the data folder without opening a workspace. */
export interface DataAdministration {
  /** Absolute path of the per-user data folder. */
  readonly folder: string;
  inspect(root: string, repair: boolean, token: CancellationToken): Promise<readonly Finding[]>;
  vanished(token: CancellationToken): Promise<readonly VanishedCheckout[]>;
  drop(folder: string): Promise<Result<void, Failure>>;
  /** Deletes the index of a checkout; with `all` also the journal, and with it what people and agents wrote. Answers what was deleted. */
  reset(root: string, all: boolean): Promise<Result<readonly string[], Failure>>;
}

/** What `lattice doctor` says of one thing. */
export interface Finding {
  readonly level: 'ok' | 'warning' | 'error';
  readonly subject: string;
  readonly message: string;
  /** What the user can do about it. */
  readonly advice?: Hint;
}

export interface VanishedCheckout {
  readonly root: string;
  /** Absolute path below the data folder. */
  readonly folder: string;
  readonly sizeBytes: number;
}
