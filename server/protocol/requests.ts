import type { Stamp, ToolAnswers, ToolInputs } from './features';
import type { NotificationMethod, RequestMethod } from './method';

interface EnvelopeDto {
  readonly summary: string;
  readonly profile: string;
  readonly _tokenEstimate: number;
  readonly stamp?: Stamp;
  readonly hint?: string;
  /** Present when the hint mentions tools or parameters, which only who calls tools can use. */
  readonly hintParts?: readonly unknown[];
}

/** The answer of a call that was carried out. */
export interface DoneDto<Data extends object = ToolData> {
  readonly envelope: EnvelopeDto & { readonly ok: true; readonly data?: Data; readonly errorCode?: undefined };
  /** Rendering for reading; `answerParts.ts` tells its parts. */
  readonly text: string;
}

/** The answer of a call that was refused; `refusals.ts` says what is read of its data. */
export interface RefusedDto {
  readonly envelope: EnvelopeDto & { readonly ok: false; readonly data?: ToolData; readonly errorCode?: string };
  readonly text: string;
}

/** Plain data; the meaning of the fields is that of `tools/envelope`. */
export type AnswerDto<Data extends object = ToolData> = DoneDto<Data> | RefusedDto;

/** The data of a tool that the editor only passes on, by key. */
export type ToolData = Readonly<Record<string, unknown>>;

/** The data of a tool's answers as far as the editor reads them. */
export type DataOf<Name extends string> = Name extends keyof ToolAnswers ? ToolAnswers[Name] : ToolData;

export type ToolName = keyof ToolInputs;

/** What a tool is given: its own parameters, and those that every tool takes. */
export type ToolInput<Name extends ToolName> = ToolInputs[Name] & {
  readonly profile?: 'compact' | 'balanced' | 'debug' | undefined;
  /** Token limit, overrides the profile. */
  readonly maxTokens?: number | undefined;
  /** `nextCursor` of the page before. */
  readonly cursor?: string | undefined;
  /** A commit, tag, branch, time or transaction: the code as it was. */
  readonly asOf?: string | undefined;
  /** Who asks, where the door does not know. */
  readonly agentId?: string | undefined;
  readonly sessionId?: string | undefined;
  /** Project that is meant; others are refused. */
  readonly projectId?: string | undefined;
};

export interface CallToolParams {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** URI of a document or folder that says which workspace folder is meant; the first folder when absent. */
  readonly uri?: string;
}

/** Runs a tool of the catalogue in the workspace folder of `uri`. */
export const callTool: RequestMethod<CallToolParams, AnswerDto> = { method: 'lattice/callTool' };

export interface QueryParams {
  readonly feature: string;
  readonly params: unknown;
  readonly uri?: string;
}

/** Runs a feature of the catalogue; rejects with a readable message when it fails. */
export const query: RequestMethod<QueryParams, unknown> = { method: 'lattice/query' };

/** The comparison of a state (where the branch began when absent) with the current code as a comment on a pull request. */
export const diffMarkdownOf: RequestMethod<{ readonly uri?: string; readonly from?: string }, { readonly markdown: string }> = {
  method: 'lattice/diffMarkdown',
};

export interface SymbolAtParams {
  readonly uri: string;
  /** 0-based, UTF-16. */
  readonly line: number;
  readonly character: number;
}

/** Id of the symbol used or declared at a place, or null. */
export const symbolAt: RequestMethod<SymbolAtParams, { readonly id: string; readonly name: string } | null> = { method: 'lattice/symbolAt' };

/** What the index of a folder is busy with, for people. */
const BUSY_PHASES: Readonly<Record<string, string>> = {
  starting: 'starting',
  scanning: 'finding files',
  parsing: 'reading files',
  resolving: 'connecting symbols',
  saving: 'saving',
};

/** `reading files, 68 of 4,203` */
export function progressText({ phase, done, total }: Pick<FolderStatus, 'phase' | 'done' | 'total'>): string {
  const text = BUSY_PHASES[phase] ?? phase;
  return total > 0 ? `${text}, ${done.toLocaleString('en')} of ${total.toLocaleString('en')}` : text;
}

/** How far the index of a workspace folder is, and who owns it. `done` and `total` count files of the phase. */
export interface FolderStatus {
  readonly folder: string;
  readonly uri: string;
  readonly phase: 'starting' | 'scanning' | 'parsing' | 'resolving' | 'saving' | 'ready' | 'failed';
  readonly done: number;
  readonly total: number;
  readonly problem?: string;
  /** What goes on behind an index that is ready, in words. */
  readonly background?: string;
  readonly revision: number;
  readonly role: 'owner' | 'guest';
  /** What the newest revision holds; absent before the first. */
  readonly counts?: { readonly files: number; readonly symbols: number };
}

/** Sent at most ten times a second while anything changes. */
export const statusChanged: NotificationMethod<{ readonly folders: readonly FolderStatus[] }> = { method: 'lattice/statusChanged' };

/** Sent after each new revision. `uris` are the changed documents, at most 500; `more` says that there were others. */
export const revisionPublished: NotificationMethod<{
  readonly folder: string;
  readonly revision: number;
  readonly uris: readonly string[];
  readonly more: boolean;
}> = {
  method: 'lattice/revisionPublished',
};

/** Sent after each write to what people and agents keep: `areas` are `knowledge`, `work`; `uri` is the workspace folder. */
export const recordsChanged: NotificationMethod<{ readonly uri: string; readonly areas: readonly string[] }> = { method: 'lattice/recordsChanged' };

/** Health report as Markdown and as data, of every folder. */
export const health: RequestMethod<Record<string, never>, { readonly markdown: string; readonly folders: readonly unknown[] }> = { method: 'lattice/health' };

/** How other programs start Lattice. */
export interface LauncherDto {
  /** What an MCP client starts: an absolute path or a name found on PATH, and its arguments, without `mcp` arguments of the caller's own. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Line for the shell that runs the agent hook. */
  readonly hook: string;
}

/** How other programs start Lattice's MCP server and its agent hook: names the launchers in the data folder, which are written (or refreshed) first. */
export const launcher: RequestMethod<Record<string, never>, LauncherDto> = { method: 'lattice/launcher' };

/** Languages (IDs of the editor) that no other extension serves, by what it would serve. */
export interface LanguagesWithoutProvider {
  readonly calls: readonly string[];
  readonly types: readonly string[];
  readonly symbols: readonly string[];
  readonly hovers: readonly string[];
}

/**
 * Client to server: languages (editor ids) for which nobody else gives call hierarchy, type hierarchy, workspace symbols, or hovers.
 * Sent after start, when extensions come and go, and before a question that it bears on. Settings that are `auto` heed it.
 */
export const languagesWithoutProvider: NotificationMethod<LanguagesWithoutProvider> = { method: 'lattice/languagesWithoutProvider' };
