import type { ToolInput } from '../../../../protocol/requests';
import { orCancelled } from '../../../base/cancellation';
import type { Gateway } from '../../../session/gateway';
import { askFeature } from '../../asking';
import { newIdempotencyKey } from '../../callers';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { Command, CommandContext } from '../command';
import { count, plural, seconds } from '../terminal';

export const indexCommand: Command = {
  name: 'index',
  summary: 'Update the index of the workspace and wait until it is saved.',
  when: 'In scripts, before the first query.',
  returns: 'Number of files, symbols and edges, and the time taken. Exits with 0 only if everything is saved. An interrupted run resumes where it stopped.',
  examples: ['lattice index', 'lattice index ../shop --json', 'lattice index --full'],
  flags: [{ name: 'full', kind: 'boolean', help: 'Parse all files again, including files that have not changed.' }],
  positionals: [{ name: 'DIR', required: false, many: false, help: 'Folder to use. Same as --workspace DIR.' }],
  run: context => context.withIndex(gateway => finish(context, gateway)),
};

/** A shorter time in the background was for nothing to do. */
const WORTH_TELLING_MS = 10;

async function finish(context: CommandContext, gateway: Gateway): Promise<ExitCode> {
  // An owner compared the folder when it started; one that was there before may not have seen the newest changes.
  const isGuest = (await gateway.health()).role === 'guest';
  const failed = context.flag('full') ? await rebuild(context, gateway) : isGuest ? await catchUp(context, gateway) : undefined;
  if (failed !== undefined) return failed;
  const health = await gateway.health();
  const { problem } = health.progress;
  if (problem !== undefined) return context.fail(EXIT.workspaceFailed, 'UNAVAILABLE', `The index could not be saved. ${problem}`, 'Run `lattice doctor`.');
  const asked = await askFeature(gateway, 'indexStatus', {}, context.options.caller, context.token);
  const { stamp = { revision: 0, head: '' }, files, nodes, edges } = asked.ok ? asked.value : { files: 0, nodes: 0, edges: 0 };
  const summary = {
    ok: true,
    root: gateway.root,
    revision: stamp.revision,
    head: stamp.head,
    files,
    symbols: health.languages.reduce((sum, language) => sum + language.symbols, 0),
    nodes,
    edges,
    durationMs: Math.round(health.lastIndex?.durationMs ?? 0),
    backgroundMs: Math.round(health.lastIndex?.backgroundMs ?? 0),
    filesParsed: health.lastIndex?.filesParsed ?? 0,
    filesFromCache: health.lastIndex?.filesFromCache ?? 0,
    problems: health.problemCounts,
    dataFolder: health.dataFolder,
  };
  if (context.options.json) {
    await context.printJson(summary);
    return EXIT.ok;
  }
  const { paint } = context;
  await context.line(`${paint('green', '✓')} ${paint('bold', `Indexed ${gateway.root}`)}`);
  await context.line(`  ${plural(summary.files, 'file')}, ${plural(summary.symbols, 'symbol')}, ${plural(summary.edges, 'edge')}`);
  await context.line(paint('dim', `  ${describeWork(summary)}; data in ${summary.dataFolder}`));
  await context.line(paint('dim', `  ${describeTimes(summary)}`));
  const problems = Object.values(health.problemCounts).reduce((sum, number) => sum + number, 0);
  if (problems > 0) await context.line(`  ${paint('yellow', plural(problems, 'file'))} skipped or incomplete. Run \`lattice status\` for details.`);
  return EXIT.ok;
}

async function rebuild(context: CommandContext, gateway: Gateway): Promise<ExitCode | undefined> {
  const answer = await gateway.callTool(
    {
      name: 'graph_rebuild',
      input: { mode: 'full', profile: 'debug' } satisfies ToolInput<'graph_rebuild'>,
      caller: context.options.caller,
      idempotencyKey: newIdempotencyKey(),
    },
    context.token,
  );
  const { envelope } = answer;
  if (!envelope.ok) return context.failed(envelope);
  const txId = envelope.data?.['txId'];
  if (typeof txId === 'string') {
    const ended = await orCancelled(askFeature(gateway, 'rebuildEnd', { txId }, context.options.caller, context.token), context.token);
    if (!ended.ok) return context.fail(EXIT.workspaceFailed, ended.error.code, ended.error.message, 'Run the command again.');
  }
  // Contents and history of what was read again.
  await orCancelled(gateway.ready(context.token), context.token);
  return undefined;
}

async function catchUp(context: CommandContext, gateway: Gateway): Promise<ExitCode | undefined> {
  const ended = await orCancelled(askFeature(gateway, 'catchUp', {}, context.options.caller, context.token), context.token);
  if (!ended.ok) return context.fail(EXIT.workspaceFailed, ended.error.code, ended.error.message, 'Run the command again.');
  await orCancelled(gateway.ready(context.token), context.token);
  return undefined;
}

function describeWork({ filesParsed, filesFromCache }: { readonly filesParsed: number; readonly filesFromCache: number }): string {
  return filesParsed + filesFromCache === 0 ? 'No changes' : `${count(filesParsed)} parsed, ${count(filesFromCache)} unchanged`;
}

function describeTimes({ backgroundMs, durationMs }: { readonly backgroundMs: number; readonly durationMs: number }): string {
  const words = backgroundMs < WORTH_TELLING_MS ? '' : `, plus ${seconds(backgroundMs)} for file contents and Git history`;
  return `Indexed in ${seconds(durationMs)}${words}`;
}
