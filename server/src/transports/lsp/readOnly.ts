import { TOOLS } from '../../tools/catalogue';
import type { Invoked } from '../../tools/invoke';

const RECORDS: readonly string[] = ['knowledge', 'work', 'memory'];

/** Whether a tool writes what people and agents keep. */
export function writesRecords(name: string): boolean {
  return TOOLS.some(tool => tool.name === name && tool.effect !== 'read' && RECORDS.includes(tool.group));
}

/** The answer in a window that does not trust its workspace. */
export function readOnlyAnswer(name: string): Invoked {
  const summary = `${name} is not available, because this workspace is not trusted.`;
  const hint = 'Trust the workspace (Workspaces: Manage Workspace Trust), then try again.';
  const envelope = { ok: false, summary, profile: 'compact', _tokenEstimate: Math.ceil((summary + hint).length / 4), hint, errorCode: 'READ_ONLY' } as const;
  return { envelope, text: `READ_ONLY: ${summary}\n${hint}` };
}
