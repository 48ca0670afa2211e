import { type CancellationToken, type Progress, ProgressLocation, type Uri, window, workspace } from 'vscode';
import type { RunReport } from '../../../server/protocol/features';
import { type RefusalData, refusedFor } from '../../../server/protocol/refusals';
import type { AnswerDto, DataOf, ToolInput } from '../../../server/protocol/requests';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal, refusalText } from '../refusal';
import { indexedFolders, setting } from '../settings';
import type { ImpactItem } from '../views/impact';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { approveBeforeRun, offerTestSetting } from './approveTestCommand';
import { missingRunner, notInstalled } from './missingRunner';
import { outcomeOfRuns } from './outcomeOfRuns';

export interface RunTestsParts {
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
}

type Answer = AnswerDto<DataOf<'test_run'>>;

/** The most that one run takes. */
const MAX_FILES = 50;
/** As long as a run may take: who waits for it can stop it, and a first run may have to compile everything. */
export const MAX_RUN_MINUTES = 10;

/** Runs the tests of a row of the Impact view, else those that what is not committed affects. Only what the user allowed is started; the server decides. */
export async function runAffectedTests(parts: RunTestsParts, argument: unknown): Promise<void> {
  const { server, documents } = parts;
  if (!workspace.isTrusted) throw new Refusal('Running tests executes code from this workspace. Trust the workspace first.');
  if (!setting<boolean>('lattice.tests.allowRun')) return offerTestSetting();
  const group = argument as { readonly items?: readonly ImpactItem[]; readonly folder?: Uri } | undefined;
  const folder = group?.folder ?? folderUriFor(window.activeTextEditor?.document.uri) ?? indexedFolders()[0]?.uri;
  if (folder === undefined) throw new Refusal('Open a folder first.');
  const files = [...new Set((group?.items ?? []).map(item => item.path))].slice(0, MAX_FILES);
  const input = files.length > 0 ? { tests: files } : { affected: true };
  const progress = { location: ProgressLocation.Notification, title: 'Running affected tests...', cancellable: true };
  const answer = await window.withProgress(progress, (_, token) => approvedRun(server, input, folder, token));
  if (answer === undefined) return;
  const several = answer.envelope.ok ? undefined : refusedFor('severalCommands', answer.envelope.data);
  if (several === undefined) return tellOutcome(documents, answer);
  const answers = await window.withProgress(progress, (told, token) => runInTurn(server, several, folder, { told, token }));
  if (answers.length > 0) await tellOutcomes(documents, answers);
}

/** Tests of several frameworks or folders are several runs, one after the other. Ends early where the user does not allow one, or stops it. */
async function runInTurn(
  server: LatticeServer,
  { commands, tests }: RefusalData['severalCommands'],
  folder: Uri,
  { told, token }: { readonly told: Progress<{ readonly message: string }>; readonly token: CancellationToken },
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const [at, files] of tests.entries()) {
    if (token.isCancellationRequested) break;
    told.report({ message: `${at + 1} of ${tests.length}: ${shortened(commands[at] ?? '')}` });
    const answer = await approvedRun(server, { tests: files }, folder, token);
    if (answer === undefined) break;
    answers.push(answer);
  }
  return answers;
}

/** As much of a command as a notification has room for. */
function shortened(command: string): string {
  return command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN - 3)}...` : command;
}

const MAX_SHOWN = 60;

/** Runs tests for a view that shows each of them. `undefined` when the user does not allow it; throws a `Refusal` when nothing could be run. */
export async function callTestRun(server: LatticeServer, input: ToolInput<'test_run'>, folder: Uri, token: CancellationToken): Promise<RunReport | undefined> {
  if (!workspace.isTrusted) throw new Refusal('Running tests executes code from this workspace. Trust the workspace first.');
  if (!setting<boolean>('lattice.tests.allowRun')) {
    // A run that waits for a message, which goes by itself after some seconds, would never end.
    void offerTestSetting();
    return undefined;
  }
  const answer = await approvedRun(server, input, folder, token);
  if (answer === undefined) return undefined;
  const { data, ok } = answer.envelope;
  if (ok) return data;
  const failed = refusedFor('notStarted', data);
  throw new Refusal(failed?.missing === true ? notInstalled(failed.program) : refusalText(answer.envelope), data);
}

/** Asks once for the command when it is not approved yet, and goes on with what was asked for then; `undefined` when it is not. */
async function approvedRun(server: LatticeServer, input: ToolInput<'test_run'>, folder: Uri, token: CancellationToken): Promise<Answer | undefined> {
  const answer = await server.callTool('test_run', { timeoutMs: MAX_RUN_MINUTES * 60_000, ...input, profile: 'debug' }, { uri: folder.toString() }, token);
  if (answer.envelope.ok || refusedFor('commandNotApproved', answer.envelope.data) === undefined) return answer;
  // The settings of the server follow those of the editor.
  if (!(await approveBeforeRun(server))) return undefined;
  return approvedRun(server, input, folder, token);
}

async function tellOutcome(documents: MarkdownDocuments, { envelope, text }: Answer): Promise<void> {
  if (!envelope.ok) {
    const failed = refusedFor('notStarted', envelope.data);
    throw new Refusal(failed?.missing === true ? notInstalled(failed.program) : refusalText(envelope));
  }
  const { command = [], outputTail = '', status } = envelope.data ?? {};
  const problem = (status === 'error' ? missingRunner(command, outputTail) : undefined) ?? envelope.summary;
  const show = status !== 'passed' ? showWarning : showInformation;
  const choice = await show(problem, 'Show Output');
  if (choice !== undefined) await documents.show('Affected Tests', `# ${problem}\n\n${fenced(text)}`);
}

async function tellOutcomes(documents: MarkdownDocuments, answers: readonly Answer[]): Promise<void> {
  const { isPassed, parts, summary, title } = outcomeOfRuns(answers);
  const choice = await (isPassed ? showInformation : showWarning)(summary, 'Show Output');
  if (choice !== undefined)
    await documents.show('Affected Tests', `# ${title}\n\n${parts.map(part => `## ${part.title}\n\n${fenced(part.text)}`).join('\n\n')}`);
}

function fenced(text: string): string {
  const fence = text.includes('```') ? '~~~~' : '```';
  return `${fence}text\n${text}\n${fence}`;
}
