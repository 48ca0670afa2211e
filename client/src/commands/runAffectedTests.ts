import { type CancellationToken, type Progress, ProgressLocation, type Uri, window, workspace } from 'vscode';
import type { RunReport } from '../../../server/protocol/features';
import { refusedFor } from '../../../server/protocol/refusals';
import type { AnswerDto, DataOf, ToolInput } from '../../../server/protocol/requests';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { showInformation, showWarning } from '../messages';
import { Refusal, refusalText } from '../refusal';
import { indexedFolders, setting } from '../settings';
import type { ImpactItem } from '../views/impact';
import type { MarkdownDocuments } from '../views/markdownDocuments';
import { approveBeforeRun, offerTestSetting } from './approveTestCommand';
import { missingRunner, notInstalled } from './missingRunner';
import { batchesOf, outcomeOfRuns } from './testRuns';

export interface RunTestsParts {
  readonly server: LatticeServer;
  readonly documents: MarkdownDocuments;
}

type Answer = AnswerDto<DataOf<'test_run'>>;

/** The most files that one run takes. */
export const MAX_RUN_FILES = 50;
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
  const tests = await testsToRun(server, folder, group?.items);
  const progress = { location: ProgressLocation.Notification, title: 'Running affected tests...', cancellable: true };
  const answers = await window.withProgress(progress, (told, token) => runInTurn(server, tests, folder, { told, token }));
  const [only] = answers;
  if (answers.length > 1) await tellOutcomes(documents, answers);
  else if (only !== undefined) await tellOutcome(documents, only);
}

/** What is to run of each file that some framework runs: the file itself for a row of a view, else its cases that uncommitted changes reach. */
async function testsToRun(server: LatticeServer, folder: Uri, items: readonly ImpactItem[] = []): Promise<ReadonlyMap<string, readonly string[]>> {
  const paths = [...new Set(items.map(item => item.path))];
  const rows =
    paths.length > 0
      ? (await server.ask('categorizeTests', { paths }, folder)).tests.map(({ file, framework }) => ({ id: file, file, framework }))
      : (await server.ask('selectTests', { maxTests: MAX_TESTS }, folder)).tests;
  const tests = new Map<string, string[]>();
  for (const { file, framework, id } of rows) if (framework !== 'unknown') tests.set(file, [...(tests.get(file) ?? []), id]);
  if (tests.size > 0) return tests;
  throw new Refusal(rows.length > 0 ? 'The affected tests are not of a supported framework.' : 'There are no tests to run.');
}

const MAX_TESTS = 1_000_000;

/**
 * Tests of several frameworks or folders, and of more files than one run takes, are several runs, one after the other. Ends early where the user does not
 * allow one, or stops it.
 */
async function runInTurn(
  server: LatticeServer,
  tests: ReadonlyMap<string, readonly string[]>,
  folder: Uri,
  { told, token }: { readonly told: Progress<{ readonly message: string }>; readonly token: CancellationToken },
): Promise<readonly Answer[]> {
  const waiting = batchesOf([...tests.keys()], MAX_RUN_FILES);
  const answers: Answer[] = [];
  for (let files = waiting.shift(); files !== undefined && !token.isCancellationRequested; files = waiting.shift()) {
    const total = answers.length + 1 + waiting.length;
    if (total > 1) told.report({ message: `${answers.length + 1} of ${total}` });
    const asked = files.flatMap(file => tests.get(file) ?? file);
    const answer = await approvedRun(server, { tests: asked }, folder, token);
    if (answer === undefined) break;
    const several = answer.envelope.ok ? undefined : refusedFor('severalCommands', answer.envelope.data);
    if (several === undefined) answers.push(answer);
    else waiting.unshift(...several.tests);
  }
  return answers;
}

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
