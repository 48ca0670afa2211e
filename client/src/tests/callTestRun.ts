import { type CancellationToken, type Uri, workspace } from 'vscode';
import type { RunReport } from '../../../server/protocol/features';
import { refusedFor } from '../../../server/protocol/refusals';
import type { AnswerDto, DataOf, ToolInput } from '../../../server/protocol/requests';
import { allowTests, approveBeforeRun } from '../commands/approveTestCommand';
import { notInstalled } from '../commands/missingRunner';
import type { LatticeServer } from '../languageClient/latticeServer';
import { Refusal, refusalText } from '../refusal';
import { setting } from '../settings';

type Answer = AnswerDto<DataOf<'test_run'>>;

/** As long as a run may take: who waits for it can stop it, and a first run may have to compile everything. */
export const MAX_RUN_MINUTES = 10;

/** Runs tests by the command that the server knows for them, once the user allows it. `undefined` when not; throws a `Refusal` when nothing could be run. */
export async function callTestRun(server: LatticeServer, input: ToolInput<'test_run'>, folder: Uri, token: CancellationToken): Promise<RunReport | undefined> {
  if (!workspace.isTrusted) throw new Refusal('Running tests executes code from this workspace. Trust the workspace first.');
  if (!setting<boolean>('lattice.tests.allowRun') && !(await allowTests(server))) return undefined;
  const answer = await approvedRun(server, input, folder, token);
  if (answer === undefined) return undefined;
  const { data, ok } = answer.envelope;
  if (ok) return data;
  const failed = refusedFor('notStarted', data);
  throw new Refusal(failed?.missing === true ? notInstalled(failed.program, failed.note) : refusalText(answer.envelope), data);
}

/** Asks once for the command when it is not approved yet, and goes on with what was asked for then; `undefined` when it is not. */
async function approvedRun(server: LatticeServer, input: ToolInput<'test_run'>, folder: Uri, token: CancellationToken): Promise<Answer | undefined> {
  const answer = await server.callTool('test_run', { timeoutMs: MAX_RUN_MINUTES * 60_000, ...input, profile: 'debug' }, { uri: folder.toString() }, token);
  const refused = answer.envelope.ok ? undefined : refusedFor('commandNotApproved', answer.envelope.data);
  if (refused === undefined) return answer;
  // The settings of the server follow those of the editor.
  if (!(await approveBeforeRun(refused.command))) return undefined;
  return approvedRun(server, input, folder, token);
}
