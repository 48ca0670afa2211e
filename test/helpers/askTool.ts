import { expect } from 'vitest';
import type { ToolInput, ToolName } from '../../server/protocol/requests';
import { type CancellationToken, neverCancelled } from '../../server/src/base/cancellation';
import { TOOLS } from '../../server/src/tools/catalogue';
import { type Invocation, type Invoked, invoke } from '../../server/src/tools/invoke';
import type { Workspace } from '../../server/src/workspace/snapshot';

/** Who calls a tool, beside what is called. */
export type Asking = Omit<Invocation, 'name' | 'input'>;

/** Calls a tool as a door does, in the spelling of its schema. */
export function askTool<Name extends ToolName>(workspace: Workspace, name: Name, input: ToolInput<Name>, asking: Asking): Promise<Invoked> {
  return askNamedTool(workspace, { name, input, ...asking });
}

/** The same for any name and input, also those that no tool has. Holds the data of the answer against the shape that the tool promises, where it promises one. */
export async function askNamedTool(workspace: Workspace, invocation: Invocation, token: CancellationToken = neverCancelled): Promise<Invoked> {
  const answer = await invoke(TOOLS, workspace, invocation, token);
  const shape = TOOLS.find(({ name }) => name === invocation.name)?.answer;
  if (answer.envelope.ok && shape !== undefined) {
    expect(shape().safeParse(answer.envelope.data).error?.issues ?? [], `the data of ${invocation.name}`).toEqual([]);
  }
  return answer;
}
