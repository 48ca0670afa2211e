import type { CancellationToken } from '../base/cancellation';
import type { Failure, Result } from '../base/result';
import type { ErrorCode } from '../tools/envelope';
import type { Workspace } from '../workspace/snapshot';
import type { ToolAnswer, ToolCall } from './gateway';

/** What an owner does with a question once it has the workspace: the catalogues of tools and features, as the session sees them. */
export interface Answering {
  callTool(workspace: Workspace, call: ToolCall, token: CancellationToken): Promise<ToolAnswer>;
  query(workspace: Workspace, feature: string, params: unknown, token: CancellationToken): Promise<Result<unknown, Failure>>;
  /** True for tools whose effect must not happen twice. */
  changes(tool: string): boolean;
}

/** An answer that no tool gave: the machinery between the asker and the tool failed. */
export function failedAnswer(errorCode: ErrorCode, summary: string, hint: string): ToolAnswer {
  const tokens = Math.ceil((summary.length + hint.length) / 4);
  return { envelope: { ok: false, summary, profile: 'compact', _tokenEstimate: tokens, hint, errorCode }, text: `${summary}\n${hint}` };
}
