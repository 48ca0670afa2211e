import type { z } from 'zod';
import type { CancellationToken } from '../base/cancellation';
import type { Result } from '../base/result';
import type { Shape, Shaped } from '../features/shared/shape';
import type { Hint, HintPart } from '../model/hints';
import type { Stamp, Workspace } from '../workspace/snapshot';
import type { ErrorCode, Profile } from './envelope';

/** What calling a tool can do; the MCP annotations follow from it. */
export const EFFECTS = {
  read: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  update: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  write: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  destroy: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  execute: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true },
} as const;
export type Effect = keyof typeof EFFECTS;

/** `required` fields are never dropped, only shortened from their low-ranked end; undeclared fields count as `low`. */
export type Priority = 'required' | 'high' | 'medium' | 'low';

export interface FieldRule {
  readonly key: string;
  readonly priority: Priority;
  readonly description: string;
  /** A list that is shortened for fields of high priority: it is cut down to this many items before one of them is left out. */
  readonly keeps?: number;
}

export interface ToolContext {
  readonly workspace: Workspace;
  readonly profile: Profile;
  /** Hard limit of this answer in tokens: the profile's, or the caller's `maxTokens` when that is given. */
  readonly maxTokens: number;
  /** Set when the caller asks for the next page: the tool answers with its page list alone, from this item on. */
  readonly cursor: { readonly offset: number } | undefined;
  readonly agentId: string | undefined;
  /** The call itself says who asks, where `agentId` may be what the door knows. */
  readonly namesAgent: boolean;
  readonly sessionId: string;
  /** Key of the call's writes: the same call, tried again, writes once. */
  readonly idempotencyKey: string | undefined;
  /** A person has enabled the tools for administration where this call comes from. */
  readonly isAdmin: boolean;
  /** The call names its agent, and comes from where agents work: what it is given to work on may be claimed for it. */
  readonly mayClaim: boolean;
}

/** The list of an answer that goes on beyond it. `offset` is the rank of its first item, `total` counts all items; the first `count` items of the list are ranked, others may follow. */
export interface Page {
  readonly key: string;
  readonly offset: number;
  readonly total: number;
  readonly count: number;
  /** The items stand inside the rows of the list and were made to fit already: `count` of them are shown. */
  readonly isNested?: boolean;
}

/** The data of an answer by key; most of it is only read by agents. */
export type ToolData = Readonly<Record<string, unknown>>;

export interface ToolSuccess<Data extends ToolData = ToolData> {
  /** 1–3 sentences, answer first. */
  readonly summary: string;
  readonly data: Data;
  readonly hint?: Hint;
  /** What the answer was computed from, with the unresolved references at the symbols asked about. */
  readonly stamp: Stamp;
  readonly page?: Page;
  /** Fields without content are told too, where others leave them out. */
  readonly keepsEmpty?: boolean;
}

export interface ToolFailure {
  readonly code: ErrorCode;
  readonly message: string;
  /** One concrete next action. */
  readonly hint: Hint;
  /** The message where it mentions parameters. */
  readonly messageParts?: readonly HintPart[];
  readonly data?: Readonly<Record<string, unknown>>;
}

type AnswerShape = Shape<z.ZodType<ToolData>>;

/** One agent-facing tool, defined once; MCP, VS Code, CLI help and the docs are derived from it. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Answer extends AnswerShape = AnswerShape> {
  readonly name: string;
  readonly title: string;
  /** What it does, when to use it (and when not), what comes back. */
  readonly description: string;
  readonly group: 'core' | 'search' | 'graph' | 'knowledge' | 'work' | 'memory' | 'architecture' | 'tests' | 'admin';
  readonly effect: Effect;
  readonly defaultProfile: Profile;
  readonly input: Input;
  readonly fields: readonly FieldRule[];
  /**
   * What a program reads of the data of an answer: the editor gets its types from this shape. Fields that are not `required` may be missing, because they
   * are left out where they are empty or do not fit.
   */
  readonly answer?: Answer;
  /** Other spellings of parameters, beside the camelCase and snake_case twins that every parameter has. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Parameters of a tool that this one is mistaken for, with the sentence that names it. */
  readonly foreign?: Readonly<Record<string, Hint>>;
  /** Takes `cursor` and gives `data.nextCursor`. */
  readonly paged?: boolean;
  /** What is wrong with an input whatever the workspace holds: told before anything is opened or indexed. */
  check?(input: z.output<Input>): ToolFailure | undefined;
  /** Budget where it differs from the profile's. */
  budgetTokens?(profile: Profile, input: z.output<Input>): number;
  handle(context: ToolContext, input: z.output<Input>, token: CancellationToken): Promise<Result<ToolSuccess<Shaped<Answer>>, ToolFailure>>;
  /** Rows of the answer for reading: compact lines such as `path:line kind name`. The summary and the stamp are added around it. */
  render(data: ToolData, input: z.output<Input>): string;
}

export function defineTool<Input extends z.ZodObject, Answer extends AnswerShape = AnswerShape>(tool: Tool<Input, Answer>): Tool<Input, Answer> {
  return tool;
}
