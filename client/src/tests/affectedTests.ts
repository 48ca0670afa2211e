import {
  type CancellationToken,
  commands,
  type DebugConfiguration,
  type DebugSession,
  type Disposable,
  debug,
  extensions,
  Location,
  type LogOutputChannel,
  Position,
  Range,
  Selection,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  type TestRunProfile,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  type Uri,
  Uri as Uris,
  type WorkspaceFolder,
  window,
  workspace,
} from 'vscode';
import type { NodesParams, SelectedTest, TestFailure } from '../../../server/protocol/features';
import { refusedFor } from '../../../server/protocol/refusals';
import { symbolAt } from '../../../server/protocol/requests';
import { shownText } from '../../../server/protocol/shownText';
import { uriOf } from '../answers';
import { missingRunner } from '../commands/missingRunner';
import type { Target } from '../commands/symbolSearch';
import { targetOf } from '../commands/target';
import { folderUriFor, type LatticeServer } from '../languageClient/latticeServer';
import { showInformation } from '../messages';
import { nameOf } from '../names';
import { Refusal } from '../refusal';
import { indexedFolders } from '../settings';
import { callTestRun, MAX_RUN_MINUTES } from './callTestRun';
import { debuggerOf, debugPlan } from './debugTests';
import { batchesOf, type Outcome, outcomesOf } from './outcomes';
import { REASON_WORDS } from './reasonWords';
import { suggestedExtension, type TestExtension, testExtension } from './testExtensions';

/** What stands behind an item that is a test or a file of tests. */
interface Known {
  readonly folder: Uri;
  readonly id: string;
  readonly file: string;
  readonly framework: string;
  readonly names: readonly string[];
}

type TestRow = Pick<SelectedTest, 'id' | 'file' | 'framework' | 'reason'>;

/** Tests by their ids, with the folder that they are in. */
interface TestGroup {
  readonly folder: Uri;
  readonly items: readonly { readonly id: string }[];
}

/** The tests of a row of a view, with which its commands are called. */
export function testGroupOf(row: unknown): TestGroup | undefined {
  return typeof row === 'object' && row !== null && 'items' in row && 'folder' in row && row.items !== undefined ? (row as TestGroup) : undefined;
}

const MAX_NODES = 500;
/** The most files that one run takes. */
const MAX_RUN_FILES = 50;
const AFFECTED_TESTS = 'Affected tests';
const TEST_DEPTH = 3;
const MAX_TESTS = 1_000_000;

/**
 * The affected tests in the Test Explorer: files and cases that uncommitted changes reach, as far as somebody has looked. They are run by commands that the
 * user has approved, and debugged by the test extension of the language, or by the command that runs them under a debugger of the editor.
 */
export class AffectedTests implements Disposable {
  private readonly controller: TestController = tests.createTestController('lattice.affectedTests', 'Affected Tests');
  private readonly runProfile: TestRunProfile;
  private readonly known = new WeakMap<TestItem, Known>();
  private readonly subscriptions: Disposable[];
  /** What was asked for last beside what is affected: it stays, so that it can be run and debugged again from its results. */
  private reached: { readonly folder: string; readonly rows: readonly TestRow[] } | undefined;
  private isShown = false;
  private asking: Promise<void> | undefined;

  constructor(
    private readonly server: LatticeServer,
    private readonly log: LogOutputChannel,
  ) {
    this.controller.resolveHandler = item => (item === undefined ? this.look() : undefined);
    this.controller.refreshHandler = () => this.refresh();
    this.runProfile = this.controller.createRunProfile('Run', TestRunProfileKind.Run, (request, token) => this.run(request, token), true);
    this.controller.createRunProfile('Debug', TestRunProfileKind.Debug, (request, token) => this.debug(request, token), true);
    this.subscriptions = [server.onRevision(() => this.isShown && this.refresh().catch((error: unknown) => this.log.warn(`affected tests: ${String(error)}`)))];
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.controller.dispose();
  }

  /** Runs the tests that reach the symbol at a line of the editor's gutter, at the cursor, or of a row. */
  async runTestsThatReach(argument: unknown): Promise<void> {
    const target = (await this.targetInGutter(argument)) ?? (await targetOf(this.server, argument, 'Select a symbol to run the tests of'));
    if (target === undefined) return;
    const { directTests, transitiveTests } = await this.server.ask('impact', { target: target.id, limit: MAX_TESTS, maxDepth: TEST_DEPTH }, target.folder);
    const ids = [...directTests, ...transitiveTests].map(row => row.id);
    if (ids.length === 0) throw new Refusal(`No tests reach ${target.name} within ${TEST_DEPTH} steps.`);
    await this.runNamed(target.folder, ids, { name: `Tests that reach ${target.name}`, none: `The tests that reach ${target.name}` });
  }

  /** Runs the tests of a row, else those that what is not committed affects. */
  async runAffected(group: TestGroup | undefined): Promise<void> {
    const folder = group?.folder ?? folderUriFor(window.activeTextEditor?.document.uri) ?? indexedFolders()[0]?.uri;
    if (folder === undefined) throw new Refusal('Open a folder first.');
    const tests = group?.items ?? (await this.server.ask('selectTests', { maxTests: MAX_TESTS }, folder)).tests;
    if (tests.length === 0) throw new Refusal('There are no tests to run.');
    const ids = tests.map(({ id }) => id);
    await this.runNamed(folder, [...new Set(ids)], { name: AFFECTED_TESTS, none: 'The affected tests' });
  }

  /** Shows and runs tests by their ids: files and cases. `none` is what cannot be run where no framework has any of them. */
  private async runNamed(folder: Uri, ids: readonly string[], { name, none }: { readonly name: string; readonly none: string }): Promise<void> {
    const { tests: categorized } = await this.server.ask('categorizeTests', { paths: [...new Set(ids.map(id => id.split('::')[0] ?? id))] }, folder);
    const frameworks = new Map(categorized.map(row => [row.file, row.framework] as const));
    // Nothing runs a file of no framework, and a run that names it fails as a whole.
    const rows = ids.flatMap((id): TestRow[] => {
      const [file = id] = id.split('::');
      const framework = frameworks.get(file);
      return framework === undefined || framework === 'unknown' ? [] : [{ id, file, framework }];
    });
    if (rows.length === 0) throw new Refusal(`${none} are not of a supported framework.`);
    this.reached = { folder: folder.toString(), rows };
    const items = await this.itemsOf(folder, rows);
    for (const item of items) this.controller.items.add(item);
    await this.run(new TestRunRequest(items, undefined, this.runProfile), undefined, { name, isShown: true });
  }

  private async targetInGutter(argument: unknown): Promise<Target | undefined> {
    const place = argument as { readonly lineNumber?: number; readonly uri?: Uri } | undefined;
    if (typeof place?.lineNumber !== 'number' || !(place.uri instanceof Uris)) return undefined;
    const folder = folderUriFor(place.uri);
    const line = place.lineNumber - 1;
    const document = workspace.textDocuments.find(each => each.uri.toString() === place.uri?.toString());
    const character = document?.lineAt(line).firstNonWhitespaceCharacterIndex ?? 0;
    const found = folder === undefined ? null : await this.server.request(symbolAt, { uri: place.uri.toString(), line, character });
    if (folder === undefined || found === null) throw new Refusal('There is no function or class at this line.');
    return { id: found.id, name: found.name, folder };
  }

  private async look(): Promise<void> {
    this.isShown = true;
    await this.server.whenIndexed();
    await this.refresh();
  }

  /** One question at a time: the last one has seen what came meanwhile. */
  private refresh(): Promise<void> {
    this.asking ??= this.ask().finally(() => {
      this.asking = undefined;
    });
    return this.asking;
  }

  private async ask(): Promise<void> {
    const items = await Promise.all(
      indexedFolders().map(async ({ uri }) => {
        const affected = await this.server.ask('selectTests', { maxTests: MAX_TESTS }, uri).catch((error: unknown) => {
          // Without Git there are no uncommitted changes to speak of.
          if (error instanceof Refusal) return { tests: [] };
          throw error;
        });
        const reached = this.reached?.folder === uri.toString() ? this.reached.rows : [];
        const rows = new Map<string, TestRow>([...affected.tests, ...reached].map(row => [row.id, row]));
        return this.itemsOf(uri, [...rows.values()]);
      }),
    );
    this.controller.items.replace(items.flat());
  }

  /** An item for each file, with its cases below it. */
  private async itemsOf(folder: Uri, rows: readonly TestRow[]): Promise<TestItem[]> {
    const question: NodesParams = { ids: rows.slice(0, MAX_NODES).map(row => row.id) };
    const places = new Map((await this.server.ask('nodesById', question, folder)).nodes.map(node => [node.id, node]));
    const files = new Map<string, TestItem>();
    for (const { file, framework, id, reason } of rows) {
      const uri = uriOf(folder, file);
      const parent = files.get(file) ?? this.controller.createTestItem(`${folder.toString()} ${file}`, shownText(nameOf(file)), uri);
      parent.description = shownText(file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : '');
      files.set(file, parent);
      if (!this.known.has(parent)) this.known.set(parent, { folder, id: file, file, framework, names: [] });
      const note = reason === undefined ? '' : REASON_WORDS[reason];
      if (id === file) {
        if (note !== '') parent.description = [parent.description, note].filter(text => text !== '').join(' · ');
        continue;
      }
      const names = id.split('::').slice(1);
      const item = this.controller.createTestItem(`${folder.toString()} ${id}`, shownText(names.join(' › ')), uri);
      const place = places.get(id);
      // Where the extension of the language has this test, the gutter is its own.
      if (place !== undefined && extensionFor(framework) === undefined) item.range = lineOf(place.nameLine);
      if (note !== '') item.description = note;
      this.known.set(item, { folder, id, file, framework, names });
      parent.children.add(item);
    }
    return [...files.values()];
  }

  private async run(request: TestRunRequest, token: CancellationToken | undefined, { isShown = false, name = AFFECTED_TESTS } = {}): Promise<void> {
    const items = this.leavesOf(request);
    const run = this.controller.createTestRun(request, name);
    for (const item of items) run.enqueued(item);
    try {
      // The most recent run is this one: the editor hears of both in this order.
      if (isShown) await commands.executeCommand('testing.showMostRecentOutput');
      for (const group of this.groups(items)) {
        if (token?.isCancellationRequested === true) break;
        await this.runGroup(run, group, token ?? run.token);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      run.appendOutput(`${message}\r\n`);
      for (const item of items) run.errored(item, new TestMessage(message));
      if (!(error instanceof Refusal)) this.log.error(error instanceof Error ? error : message);
    } finally {
      run.end();
    }
  }

  private async runGroup(run: TestRun, items: readonly TestItem[], token: CancellationToken): Promise<void> {
    const asked = items.flatMap(item => this.known.get(item) ?? []);
    const [first] = asked;
    if (first === undefined) return;
    for (const item of items) run.started(item);
    const answer = await callTestRun(this.server, { tests: asked.map(test => test.id) }, first.folder, token).catch(async (error: unknown) => {
      const several = error instanceof Refusal ? refusedFor('severalCommands', error.data) : undefined;
      if (several === undefined) throw error;
      for (const files of several.tests)
        await this.runGroup(
          run,
          items.filter(item => files.includes(this.known.get(item)?.file ?? '')),
          token,
        );
      return 'apart' as const;
    });
    if (answer === 'apart') return;
    if (answer === undefined) {
      for (const item of items) run.skipped(item);
      return;
    }
    const { command = [], outputTail = '', status } = answer;
    const missing = status === 'error' ? missingRunner(command, outputTail) : undefined;
    run.appendOutput(`> ${command.join(' ')}\r\n\r\n${outputTail.replace(/\r?\n/g, '\r\n')}\r\n`);
    const known = items.flatMap(item => {
      const test = this.known.get(item);
      return test === undefined ? [] : [{ item, test }];
    });
    const outcomes = outcomesOf(
      answer,
      known.map(({ test }) => test),
    );
    for (const [at, { item }] of known.entries()) {
      const outcome: Outcome = outcomes[at] ?? { state: 'unknown' };
      if (outcome.state === 'passed') run.passed(item);
      else if (outcome.state === 'skipped') run.skipped(item);
      else if (outcome.state === 'failed')
        run.failed(
          item,
          outcome.failures.map(failure => messageOf(item, failure, outcome.failures.length > 1)),
        );
      else
        run.errored(
          item,
          new TestMessage(
            status === 'timeout'
              ? `The run took longer than ${MAX_RUN_MINUTES} minutes and was stopped.`
              : (missing ?? 'The run ended without a result for this test.'),
          ),
        );
    }
  }

  /** One run for each folder and framework, and as many files as it takes. */
  private groups(items: readonly TestItem[]): TestItem[][] {
    return this.grouped(items, ({ folder, framework }) => `${folder.toString()} ${framework}`).flatMap(group =>
      batchesOf(
        this.grouped(group, ({ file }) => file),
        MAX_RUN_FILES,
      ).map(files => files.flat()),
    );
  }

  private grouped(items: readonly TestItem[], keyOf: (test: Known) => string): TestItem[][] {
    const groups = new Map<string, TestItem[]>();
    for (const item of items) {
      const test = this.known.get(item);
      if (test === undefined) continue;
      const key = keyOf(test);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [item]);
      else group.push(item);
    }
    return [...groups.values()];
  }

  /** Cases, and files of which no case is known. */
  private leavesOf({ exclude = [], include }: TestRunRequest): TestItem[] {
    const leaves: TestItem[] = [];
    const visit = (item: TestItem): void => {
      if (exclude.includes(item)) return;
      if (item.children.size === 0) leaves.push(item);
      else item.children.forEach(visit);
    };
    if (include === undefined) this.controller.items.forEach(visit);
    else include.forEach(visit);
    return leaves;
  }

  /** The extension of the language is asked at the line of the test; where there is none, the command that runs the tests is started under a debugger. */
  private async debug(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const [items = []] = this.groups(this.leavesOf(request));
    const [item] = items;
    const test = item === undefined ? undefined : this.known.get(item);
    if (item?.uri === undefined || test === undefined) return;
    if (extensionFor(test.framework) === undefined) return this.debugCommand(request, items, test, token);
    const [node] = (await this.server.ask('nodesById', { ids: [test.id] }, test.folder)).nodes;
    const at = lineOf(node?.nameLine ?? 1).start;
    await window.showTextDocument(item.uri, { selection: new Selection(at, at) });
    await commands.executeCommand(test.names.length === 0 ? 'testing.debugCurrentFile' : 'testing.debugAtCursor');
  }

  private async debugCommand(request: TestRunRequest, items: readonly TestItem[], { folder, framework }: Known, token: CancellationToken): Promise<void> {
    const own = debuggerOf(framework);
    if (own === undefined || !hasDebugger(own.type)) return offerExtension(own?.extension ?? suggestedExtension(framework));
    const asked = items.flatMap(item => this.known.get(item)?.id ?? []);
    const answer = await callTestRun(this.server, { tests: asked, dryRun: true }, folder, token);
    if (answer === undefined) return;
    const cwd = Uris.joinPath(folder, answer.folder ?? '').fsPath;
    const name = items.length === 1 ? (items[0]?.label ?? '') : `${items.length} tests`;
    const run = this.controller.createTestRun(request, name);
    try {
      const exitCode = await debugged(workspace.getWorkspaceFolder(folder), { name, ...debugPlan(own, { command: answer.command ?? [], cwd }) }, run);
      // Where the debugger does not tell how the tests ended, they keep the results that they have.
      if (exitCode === 0) for (const item of items) run.passed(item);
      else if (exitCode === TESTS_FAILED && items.length === 1)
        for (const item of items) run.failed(item, new TestMessage('The test failed while it was debugged.'));
    } finally {
      run.end();
    }
  }
}

/** What programs that run tests end with where one of them fails. */
const TESTS_FAILED = 1;

/**
 * Starts a debugger and waits until its session, and with it those of processes that it follows, has ended.
 * Returns the exit code of the program, `undefined` from debuggers that do not tell it.
 */
async function debugged(folder: WorkspaceFolder | undefined, configuration: DebugConfiguration, testRun: TestRun): Promise<number | undefined> {
  let exitCode: number | undefined;
  const tracker = debug.registerDebugAdapterTrackerFactory(configuration.type, {
    createDebugAdapterTracker: session =>
      session.parentSession !== undefined || session.name !== configuration.name
        ? undefined
        : {
            onDidSendMessage: (message: { readonly event?: string; readonly body?: { readonly exitCode?: number } }) => {
              if (message.event === 'exited') exitCode = message.body?.exitCode;
            },
          },
  });
  let own: DebugSession | undefined;
  const started = debug.onDidStartDebugSession(session => {
    if (session.parentSession === undefined && session.name === configuration.name) own ??= session;
  });
  let ends: Disposable | undefined;
  const ended = new Promise<void>(resolve => {
    ends = debug.onDidTerminateDebugSession(session => {
      if (session.id === own?.id) resolve();
    });
  });
  try {
    if (await debug.startDebugging(folder, configuration, { testRun })) await ended;
    return exitCode;
  } finally {
    tracker.dispose();
    started.dispose();
    ends?.dispose();
  }
}

function hasDebugger(type: string): boolean {
  return extensions.all.some(({ packageJSON }) => {
    const { contributes } = packageJSON as { readonly contributes?: { readonly debuggers?: readonly { readonly type?: string }[] } };
    return contributes?.debuggers?.some(each => each.type === type) === true;
  });
}

function extensionFor(framework: string): TestExtension | undefined {
  return testExtension(framework, {
    has: id => extensions.getExtension(id) !== undefined,
    isOn: key => workspace.getConfiguration().get<boolean>(key) === true,
  });
}

async function offerExtension(suggested: TestExtension | undefined): Promise<void> {
  if (suggested === undefined) throw new Refusal('Debugging these tests is not supported. Run them instead.');
  const setting = suggested.setting === undefined || extensions.getExtension(suggested.id) === undefined ? '' : ` and turn on "${suggested.setting}"`;
  const choice = await showInformation(`To debug these tests, install the extension ${suggested.name}${setting}.`, 'Show Extension');
  if (choice !== undefined) await commands.executeCommand('extension.open', suggested.id);
}

function lineOf(line: number): Range {
  const at = new Position(Math.max(0, line - 1), 0);
  return new Range(at, at);
}

/** Where a test fails with several rows of parameters, each message begins with its row. */
function messageOf(item: TestItem, { line, message, test }: TestFailure, isOneOfSeveral: boolean): TestMessage {
  const row = isOneOfSeveral ? (/\[.*\]$/s.exec(test)?.[0] ?? '') : '';
  const testMessage = new TestMessage([row, message === '' ? 'The test failed.' : message].filter(text => text !== '').join(' '));
  if (item.uri !== undefined && line !== undefined) testMessage.location = new Location(item.uri, lineOf(line));
  return testMessage;
}
