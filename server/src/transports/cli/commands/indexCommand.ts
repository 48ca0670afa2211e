import { z } from 'zod';
import type { Gateway } from '../../../session/gateway';
import { newIdempotencyKey } from '../../callers';
import { EXIT, type ExitCode } from '../../exitCodes';
import { untilTransaction } from '../../waiting';
import type { Command, CommandContext } from '../command';
import { exitOf } from '../command';
import { count, plural, seconds } from '../terminal';

export const indexCommand: Command = {
  name: 'index',
  summary: 'Bring the index of the workspace up to date and wait until it is on disk.',
  when: 'Before the first question, in scripts, and when answers must not depend on timing.',
  returns: 'Files, symbols and edges; exits 0 only when graph, search index and packs are on disk.',
  examples: ['lattice index', 'lattice index ~/work/shop --json', 'lattice index --full'],
  flags: [{ name: 'full', kind: 'boolean', help: 'Read every file again, also those that have not changed.' }],
  positionals: [{ name: 'DIR', required: false, many: false, help: 'The folder; the same as --workspace DIR.' }],
  run: context => context.withIndex(gateway => finish(context, gateway)),
};

async function finish(context: CommandContext, gateway: Gateway): Promise<ExitCode> {
  if (context.flag('full')) {
    const failed = await rebuild(context, gateway);
    if (failed !== undefined) return failed;
  }
  const health = await gateway.health();
  const { problem } = health.progress;
  if (problem !== undefined) return context.fail(EXIT.workspaceFailed, 'UNAVAILABLE', `The index is not on disk. ${problem}`, 'Run `lattice doctor`.');
  const asked = await gateway.query('indexStatus', {}, context.options.caller, context.token);
  const { stamp, files, nodes, edges } = readStatus(asked.ok ? asked.value : {});
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
  await context.line(paint('dim', `  ${describeWork(summary)}, ${seconds(summary.durationMs)}; data in ${summary.dataFolder}`));
  const problems = Object.values(health.problemCounts).reduce((sum, number) => sum + number, 0);
  if (problems > 0) await context.line(`  ${paint('yellow', plural(problems, 'file'))} indexed around; see \`lattice status\``);
  return EXIT.ok;
}

async function rebuild(context: CommandContext, gateway: Gateway): Promise<ExitCode | undefined> {
  const answer = await gateway.callTool(
    { name: 'graph_rebuild', input: { mode: 'full', profile: 'debug' }, caller: context.options.caller, idempotencyKey: newIdempotencyKey() },
    context.token,
  );
  const { envelope } = answer;
  if (!envelope.ok) return context.fail(exitOf(envelope), envelope.errorCode ?? 'INTERNAL', envelope.summary, envelope.hint);
  const txId = envelope.data?.['txId'];
  if (typeof txId === 'string') await untilTransaction(gateway, txId, context.token);
  return undefined;
}

function describeWork({ filesParsed, filesFromCache }: { readonly filesParsed: number; readonly filesFromCache: number }): string {
  return filesParsed + filesFromCache === 0 ? 'Nothing had changed' : `${count(filesParsed)} parsed, ${count(filesFromCache)} unchanged`;
}

const statusAnswer = z.object({
  stamp: z.object({ revision: z.number(), head: z.string() }).default({ revision: 0, head: '' }),
  files: z.number().default(0),
  nodes: z.number().default(0),
  edges: z.number().default(0),
});

/** Answer of the feature `indexStatus`, checked because the owner may be of another version. */
function readStatus(answer: unknown): z.infer<typeof statusAnswer> {
  const read = statusAnswer.safeParse(answer);
  return read.success ? read.data : statusAnswer.parse({});
}
