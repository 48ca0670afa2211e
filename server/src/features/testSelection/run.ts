import { z } from 'zod';
import type { RefusalData } from '../../../protocol/refusals';
import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import type { GraphView } from '../../code/graph/graphView';
import { type Hint, phrase, toolRef } from '../../model/hints';
import { headOf } from '../../model/ids';
import type { Workspace } from '../../workspace/snapshot';
import type { TestPolicy, TestProcessResult } from '../../workspace/testRunner';
import { type FeatureFailure, fromEngine, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import type { Stamped } from '../shared/fresh';
import { noParams } from '../shared/params';
import { object, shape } from '../shared/shape';
import { workspacePath } from '../shared/spelling';
import { caseNames, commandsFor, type TestCommand } from './commands';

import { frameworkRow, type NamedCase, type UsedFramework } from './frameworks';
import { type TestFile, testFilesOf } from './inventory';
import { countsIn, failuresIn, type SkippedTest, skippedIn, type TestFailure } from './outcome';
import { ReadTexts } from './reach/readTexts';
import { selectTests } from './select';

/** `tests`, or `affected`. */
export interface RunParams {
  /** Files or ids of tests, at most 50 files. Ids of cases run those cases alone, where the framework can. */
  readonly tests?: readonly string[];
  /** The tests that `selectTests` gives for what is not committed. */
  readonly affected?: boolean;
  readonly timeoutMs?: number;
  readonly dryRun?: boolean;
}

/** Outcome of a run of tests; the output is cut at its beginning. */
export interface RunAnswer {
  readonly status: 'passed' | 'failed' | 'timeout' | 'error' | 'dry_run';
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures: readonly TestFailure[];
  /** Those that the report names; absent when there are none. */
  readonly skippedTests?: readonly SkippedTest[];
  readonly durationMs: number;
  readonly command: readonly string[];
  /** Folder that it runs in. */
  readonly folder: WorkspacePath;
  /** Further files with affected tests, which are more than one run takes. */
  readonly notRun?: number;
  /** Test files that it runs. */
  readonly files: readonly WorkspacePath[];
  /** The last 8 KB of what was printed. */
  readonly outputTail: string;
}

const MAX_FILES = 50;
const TAIL = 8192;
const DEFAULT_TIMEOUT_MS = 120_000;

/** What is wrong with a request to run tests, whatever the workspace holds. */
export function runProblem({
  affected,
  tests = [],
}: {
  readonly affected?: boolean | undefined;
  readonly tests?: readonly string[] | undefined;
}): FeatureFailure | undefined {
  return (affected === true) === tests.length > 0 ? invalid('tests', 'Specify either tests or affected.') : undefined;
}

/** Runs tests by commands that the user allowed. Refuses with `FORBIDDEN` what was not. */
export async function runTests(workspace: Workspace, params: RunParams, token: CancellationToken): Promise<Result<Stamped<RunAnswer>, FeatureFailure>> {
  const problem = runProblem(params);
  if (problem !== undefined) return err(problem);
  const policy = workspace.tests.policy();
  if (!policy.allowRun)
    return forbidden(
      'Running tests is disabled.',
      phrase`The user can enable it with the setting lattice.tests.allowRun. Use ${toolRef('test_select')} to get the commands.`,
    );
  if (!policy.trusted) return forbidden('Tests cannot run, because this workspace is not trusted.', 'The user can trust it in the editor.');
  const wanted = await idsByFile(workspace, params, token);
  if (!wanted.ok) return wanted;
  const paths = [...wanted.value.keys()].slice(0, MAX_FILES);
  const snapshot = await workspace.snapshot(paths, token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, stamp } = snapshot.value;
  const files = await testFiles(workspace, graph, paths, { chosen: params.affected !== true }, token);
  if (!files.ok) return files;
  const command = commandOf(files.value, policy, file => casesOf(graph, wanted.value.get(file.path) ?? []));
  if (!command.ok) return command;
  const { base, folder, framework } = command.value;
  // Who asked for some tests wants to know what became of each.
  const naming = params.dryRun === true || params.affected === true ? [] : (frameworkRow(framework)?.namesTests ?? []);
  const argv = [...base, ...naming, ...command.value.argv.slice(base.length)];
  const more = wanted.value.size - MAX_FILES;
  const plan = { command: argv, folder, files: files.value.map(({ path }) => path), ...(more > 0 ? { notRun: more } : {}) };
  const nothing = { passed: 0, failed: 0, skipped: 0, failures: [], durationMs: 0, outputTail: '' };
  if (params.dryRun === true) return ok({ status: 'dry_run', ...nothing, ...plan, stamp });
  if (!policy.approved.some(known => isSame(known, base))) {
    return forbidden(
      `The command ${JSON.stringify(base)} is not approved.`,
      'The user can approve it once in the editor with "Lattice: Approve Test Command".',
      { reason: 'commandNotApproved', command: base } satisfies RefusalData['commandNotApproved'],
    );
  }
  const timeoutMs = params.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const ran = await workspace.tests.run({ argv, folder, timeoutMs, environment: frameworkRow(framework)?.environment }, token);
  if (!ran.ok) {
    const missing = ran.error.code === 'NO_PROGRAM';
    if (!missing && ran.error.code !== 'NOT_STARTED') return err(fromEngine(ran.error));
    const note = await environmentNote(workspace, framework, folder);
    const data: RefusalData['notStarted'] = { reason: 'notStarted', program: argv[0] ?? '', missing, ...(note === undefined ? {} : { note }) };
    return err({
      code: 'UNAVAILABLE',
      message: ran.error.message,
      hint: note ?? 'Install what the tests need, or set another command with lattice.tests.commands.',
      data,
    });
  }
  const report = reportOf(framework, ran.value);
  const note = report.status === 'error' ? await environmentNote(workspace, framework, folder) : undefined;
  return ok({ ...report, ...(note === undefined ? {} : { outputTail: `${report.outputTail.trimEnd()}\n\n${note}\n` }), ...plan, stamp });
}

/** Why a run may lack what the project has installed. */
async function environmentNote(workspace: Workspace, framework: string, folder: WorkspacePath): Promise<string | undefined> {
  const environment = frameworkRow(framework)?.environment;
  const path = environment === undefined ? undefined : await workspace.tests.ignoredEnvironment?.(folder, environment);
  if (path === undefined) return undefined;
  return `${path} is a symbolic link that leads out of the workspace, so its programs are not used. Activate that environment before you start the editor or the server, or set another command with lattice.tests.commands.`;
}

/** What a run that was started came to. */
function reportOf(framework: string, { durationMs, exit, output, timedOut }: TestProcessResult): Omit<RunAnswer, 'command' | 'folder' | 'files'> {
  const counts = countsIn(framework, output);
  const failures = failuresIn(framework, output);
  const skippedTests = skippedIn(framework, output);
  const status = timedOut ? 'timeout' : exit === 0 ? 'passed' : counts.failed > 0 || failures.length > 0 ? 'failed' : 'error';
  const named = skippedTests.length === 0 ? {} : { skippedTests };
  return { status, ...counts, failures, ...named, durationMs, outputTail: output.slice(-TAIL) };
}

const testCommandsShape = shape(() => object({ commands: z.array(object({ command: z.array(z.string()), approved: z.boolean() })) }));

/** The commands that tests of this workspace would be run by, with whether they are approved. */
export async function testCommands(
  workspace: Workspace,
  _params: object,
  token: CancellationToken,
): Promise<Result<{ readonly commands: readonly { readonly command: readonly string[]; readonly approved: boolean }[] }, FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const policy = workspace.tests.policy();
  const files = await testFilesOf(new ReadTexts(workspace), snapshot.value.graph, token);
  const bases = new Map(commandsFor(files, baseFor(policy)).map(({ base }) => [JSON.stringify(base), base]));
  return ok({ commands: [...bases.values()].map(command => ({ command, approved: policy.approved.some(known => isSame(known, command)) })) });
}

function forbidden(message: string, hint: Hint, data?: Readonly<Record<string, unknown>>): Result<never, FeatureFailure> {
  return err({ code: 'FORBIDDEN', message, hint, ...(data === undefined ? {} : { data }) });
}

/** What is to run of each file: ids of its cases, or its own. */
async function idsByFile(
  workspace: Workspace,
  { affected, tests }: RunParams,
  token: CancellationToken,
): Promise<Result<ReadonlyMap<WorkspacePath, readonly string[]>, FeatureFailure>> {
  if (affected === true) {
    const selected = await selectTests(workspace, {}, token);
    if (!selected.ok) return selected;
    const byFile = new Map<WorkspacePath, string[]>();
    for (const { file, id } of selected.value.tests) byFile.set(file, [...(byFile.get(file) ?? []), id]);
    return ok(byFile);
  }
  const paths = new Map<WorkspacePath, string[]>();
  for (const test of tests ?? []) {
    if (test.trim().startsWith('-')) return forbidden(`${test} is not a valid test, because it starts with '-'.`, 'Use paths or IDs of tests.');
    const path = workspacePath(workspace, headOf(test.trim().replace(/^(?:file|symbol)::/, '')).replace(/#.*$/, ''));
    if (!path.ok) return path;
    if (path.value.startsWith('-')) return forbidden(`${test} is not a valid test, because it starts with '-'.`, 'Use paths or IDs of tests.');
    const id = test.trim().replace(/^(?:file|symbol)::/, '');
    paths.set(path.value, [...(paths.get(path.value) ?? []), id]);
  }
  return paths.size <= MAX_FILES ? ok(paths) : err(invalid('tests', `These are ${paths.size} files. At most ${MAX_FILES} can run at once.`));
}

/** The cases that ids of one file name; none where one is the file, a group, or no case of the graph: then the whole file is run. */
function casesOf(graph: GraphView, ids: readonly string[]): readonly Omit<NamedCase, 'path'>[] {
  const cases: Omit<NamedCase, 'path'>[] = [];
  for (const id of new Set(ids)) {
    const node = graph.find(id);
    if (node === undefined || graph.node(node).nodeType !== 'symbol' || graph.kindOf(node) === 'class' || !graph.runsAsTest(node)) return [];
    cases.push(...caseNames(graph, node));
  }
  return cases;
}

async function testFiles(
  workspace: Workspace,
  graph: GraphView,
  paths: readonly WorkspacePath[],
  // Of those that the user did not choose, what no framework runs is left out.
  { chosen }: { readonly chosen: boolean },
  token: CancellationToken,
): Promise<Result<readonly TestFile[], FeatureFailure>> {
  const known = new Map((await testFilesOf(new ReadTexts(workspace), graph, token)).map(file => [file.path, file]));
  const files: TestFile[] = [];
  for (const path of paths) {
    const file = known.get(path);
    if (file?.used === undefined) {
      if (!chosen) continue;
      return err({
        code: 'NOT_FOUND',
        message: `${path} is not a test of a supported framework.`,
        hint: phrase`Use ${toolRef('test_categorize')} to list the tests.`,
        data: { suggestions: [] },
      });
    }
    if (!(await workspace.tests.isInside(path))) return forbidden(`${path} is outside the workspace.`, 'Use paths of tests in the workspace.');
    if (path.split('/').some(name => name.startsWith('-'))) return forbidden(`${path} could be mistaken for an option.`, 'Rename the file.');
    files.push(file);
  }
  return files.length > 0
    ? ok(files)
    : err({
        code: 'NOT_FOUND',
        message: 'There are no tests to run.',
        hint: phrase`Use ${toolRef('test_select')} to see which tests a change needs.`,
        data: { suggestions: [] },
      });
}

function commandOf(
  files: readonly TestFile[],
  policy: TestPolicy,
  casesIn: (file: TestFile) => readonly Omit<NamedCase, 'path'>[],
): Result<TestCommand, FeatureFailure> {
  const commands = commandsFor(files, baseFor(policy), casesIn);
  const [first] = commands;
  if (first === undefined)
    return forbidden(`There is no command to run tests with ${files[0]?.framework}.`, 'The user can add one with the setting lattice.tests.commands.');
  if (commands.length > 1) {
    const texts = commands.map(each => each.text);
    const tests = commands.map(each => each.files);
    const several = invalid('tests', `These tests need ${texts.length} commands: ${texts.join('; ')}.`, 'Run the tests of each command separately.');
    return err({ ...several, data: { ...several.data, reason: 'severalCommands', commands: texts, tests } satisfies RefusalData['severalCommands'] });
  }
  return ok(first);
}

/** A command of the user that names the framework, else the built-in one. */
function baseFor({ commands }: TestPolicy): (used: UsedFramework) => readonly string[] | undefined {
  return ({ row }) => commands.find(argv => argv.some(word => word === row.id || (row.id === 'maven' && word === 'mvn'))) ?? row.command;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((word, at) => word === b[at]);
}

export const testCommandsFeature = feature({
  name: 'testCommands',
  about: 'Test commands of the workspace, and whether each is approved.',
  params: noParams,
  answer: testCommandsShape,
  run: testCommands,
});
