import { expect } from 'vitest';
import { type CancellationToken, neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { type Invocation, type Invoked, invoke } from '../../server/src/tools/invoke';
import type { Workspace } from '../../server/src/workspace/snapshot';

/** Calls a tool as a door does, and holds the data of its answer against the shape that it promises, where it promises one. */
export async function askTool(workspace: Workspace, invocation: Invocation, token: CancellationToken = neverCancelled): Promise<Invoked> {
  const answer = await invoke(TOOLS, workspace, invocation, token);
  const shape = TOOLS.find(({ name }) => name === invocation.name)?.answer;
  if (answer.envelope.ok && shape !== undefined) {
    expect(shape().safeParse(answer.envelope.data).error?.issues ?? [], `the data of ${invocation.name}`).toEqual([]);
  }
  return answer;
}
