import type { ToolInput } from '../../../../protocol/requests';
import { shownValue } from '../../../../protocol/shownText';
import type { Gateway } from '../../../session/gateway';
import type { EngineHealth } from '../../../workspace/snapshot';
import { newIdempotencyKey } from '../../callers';
import { EXIT, type ExitCode } from '../../exitCodes';
import { within } from '../../waiting';
import type { Command, CommandContext } from '../command';
import { historyText } from '../historyText';
import { bytes, clipStart, count, padEnd, padStart, percent, plural, problemText, seconds } from '../terminal';

/** How long `status` lets a start finish before it reports what there is, in milliseconds. */
const MAX_START_MS = 3000;

export const statusCommand: Command = {
  name: 'status',
  summary: 'Show what is indexed and whether it is up to date.',
  when: 'To check whether answers are up to date.',
  returns: 'State, files and symbols per language, skipped files, size on disk, and the process that owns the index.',
  examples: ['lattice status', 'lattice status --json'],
  flags: [],
  positionals: [],
  run: context =>
    context.withWorkspace(async gateway => {
      await within(gateway.ready(context.token), MAX_START_MS);
      const health = await gateway.health();
      const stamp = await stampOf(context, gateway);
      if (context.options.json) await context.printJson({ ok: health.progress.phase !== 'failed', root: gateway.root, stamp, health });
      else await print(context, gateway, shownValue(health), stamp);
      return statusExit(health);
    }),
};

interface StampLike {
  readonly revision: number;
  readonly head: string;
}

function statusExit(health: EngineHealth): ExitCode {
  return health.progress.phase === 'failed' ? EXIT.workspaceFailed : EXIT.ok;
}

/** `undefined` as long as there is no index that answers. */
async function stampOf(context: CommandContext, gateway: Gateway): Promise<StampLike | undefined> {
  const answer = await gateway.callTool(
    { name: 'graph_health', input: {} satisfies ToolInput<'graph_health'>, caller: context.options.caller, idempotencyKey: newIdempotencyKey() },
    context.token,
  );
  return answer.envelope.stamp;
}

async function print(context: CommandContext, gateway: Gateway, health: EngineHealth, stamp: StampLike | undefined): Promise<void> {
  const { paint } = context;
  const row = (label: string, text: string): Promise<void> => context.line(`  ${paint('dim', label.padEnd(11))} ${text}`);
  await context.line(paint('bold', gateway.root));
  // Before the first index there is a revision of nothing.
  const isFirst = stamp === undefined || stamp.revision === 0;
  await row('state', describeState(context, health, !isFirst));
  if (!isFirst) await row('revision', `${count(stamp.revision)}${stamp.head === '' ? '' : ` at commit ${stamp.head}`}`);
  await row('pending', describePending(health));
  await row('owner', health.role === 'owner' ? 'this command' : `process ${health.ownerPid}, Lattice ${health.engineVersion}`);
  if (health.lastIndex !== undefined) {
    const { durationMs, filesParsed, filesFromCache } = health.lastIndex;
    await row(
      'last index',
      `${seconds(durationMs)}, ${filesParsed + filesFromCache === 0 ? 'no changes' : `${count(filesParsed)} parsed, ${count(filesFromCache)} unchanged`}`,
    );
  }
  const { journal, view, packs } = health.storeBytes;
  await row('on disk', `${bytes(journal + view + packs)} in ${health.dataFolder}`);
  if (health.history !== undefined) await row('history', historyText(health.history));
  await printLanguages(context, health);
  await printPrecise(context, health);
  await printSkipped(context, health);
  await printProblems(context, health);
}

async function printPrecise(context: CommandContext, { precise = [] }: EngineHealth): Promise<void> {
  const { paint } = context;
  for (const { path, problem, covered, stale, unknown } of precise) {
    const parts = [plural(covered, 'file covered', 'files covered'), `${count(stale)} changed since`, `${count(unknown)} not found`];
    await context.line(`\n  ${paint('dim', 'precise index')} ${path}: ${problem === undefined ? parts.join(', ') : paint('yellow', problem)}`);
  }
}

/** What is not in the graph on purpose, so that nobody looks for it in vain. */
async function printSkipped(context: CommandContext, { skipped }: EngineHealth): Promise<void> {
  const parts = [
    skipped.generated > 0 ? `${count(skipped.generated)} generated` : '',
    skipped.minified > 0 ? `${count(skipped.minified)} minified` : '',
  ].filter(part => part !== '');
  if (parts.length > 0)
    await context.line(`\n  ${context.paint('dim', 'without symbols')}: ${parts.join(', ')} ${skipped.generated + skipped.minified === 1 ? 'file' : 'files'}`);
}

function describeState(context: CommandContext, health: EngineHealth, answers: boolean): string {
  const { phase, done, total, problem } = health.progress;
  if (phase === 'ready') return context.paint('green', `ready (watcher: ${health.watcherState.replace('_', ' ')})`);
  if (phase === 'failed') return context.paint('red', `failed: ${problem ?? 'unknown reason'}`);
  const work = `${phase}${total > 0 ? `, ${count(done)} of ${count(total)}` : ''}`;
  const state = answers ? `answering from the previous index while checking for changes (${work})` : work;
  return context.paint('yellow', `${state}. Run \`lattice index\` to wait until it is done.`);
}

/** That nothing is pending is known only once the folder has been compared. */
function describePending({ pendingFiles, progress }: EngineHealth): string {
  if (pendingFiles > 0) return plural(pendingFiles, 'changed file');
  if (progress.phase === 'failed') return 'unknown, since the index failed';
  return progress.phase === 'ready' ? 'none, the index is up to date' : 'not known until the folder has been compared';
}

async function printLanguages(context: CommandContext, health: EngineHealth): Promise<void> {
  if (health.languages.length === 0) return;
  const { paint } = context;
  const header = `  ${padEnd('language', 14)}${padStart('files', 9)}${padStart('symbols', 11)}${padStart('lines', 12)}${padStart('syntax errors', 15)}`;
  await context.line(`\n${paint('dim', header)}`);
  for (const language of health.languages) {
    const errors = language.nodes === 0 ? 0 : language.errorNodes / language.nodes;
    const share = padStart(errors === 0 ? '–' : percent(errors), 15);
    const numbers = `${padStart(count(language.files), 9)}${padStart(count(language.symbols), 11)}${padStart(count(language.lines), 12)}`;
    await context.line(`  ${padEnd(language.language, 14)}${numbers}${errors > 0.01 ? paint('yellow', share) : share}`);
  }
}

async function printProblems(context: CommandContext, health: EngineHealth): Promise<void> {
  const { paint } = context;
  for (const text of health.recovered) await context.line(`\n  ${paint('yellow', 'Recovered')}: ${text}`);
  const counts = Object.entries(health.problemCounts);
  if (counts.length === 0) return;
  await context.line(`\n  ${paint('yellow', 'Skipped or incomplete')}: ${counts.map(([code, number]) => `${problemText(code, number)}`).join(', ')}`);
  for (const problem of health.problems.slice(0, 10)) await context.line(`    ${clipStart(problem.path, 60)}: ${problem.message}`);
  const more = counts.reduce((sum, [, number]) => sum + number, 0) - Math.min(10, health.problems.length);
  if (more > 0) await context.line(paint('dim', `    and ${plural(more, 'more', 'more')}. Use --json to list up to 200.`));
}
