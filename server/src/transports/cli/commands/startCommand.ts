import { pathToFileURL } from 'node:url';
import type { ReportData } from '../../../../protocol/features';
import type { Answer } from '../../../features/catalogue/catalogue';
import type { Gateway } from '../../../session/gateway';
import { askFeature } from '../../asking';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { Command, CommandContext } from '../command';
import { HealthPage } from '../healthPage';
import { writeReport } from '../report';
import { widthOf } from '../terminal';

/** Behind `npm start`: index a folder, show what is in it, say how to go on. Writes nothing into the folder. */
export const startCommand: Command = {
  name: 'start',
  summary: 'Index a folder, print its health and create the HTML report.',
  when: 'To get started. `npm start [-- FOLDER]` runs this command.',
  returns: 'Health of the index, path of the HTML report, and how to set up your editor and agents.',
  examples: ['lattice start', 'lattice start ../shop'],
  flags: [],
  positionals: [{ name: 'DIR', required: false, many: false, help: 'Folder to use. Same as --workspace DIR.' }],
  internal: true,
  run: context => context.withIndex(gateway => show(context, gateway)),
};

async function show(context: CommandContext, gateway: Gateway): Promise<ExitCode> {
  const written = await writeReport(context, gateway, undefined);
  if (!written.ok) return context.fail(EXIT.workspaceFailed, written.error.code, written.error.message);
  const report = written.value.data as ReportData;
  const hottest = report.hotspots[0];
  const impact = hottest === undefined ? undefined : await impactOf(context, gateway, hottest.id);
  if (context.options.json) {
    await context.printJson({ ok: true, reportPath: written.value.path, report: { ...report, graph: undefined }, impact });
    return EXIT.ok;
  }
  const { host, io } = context.options;
  const page = new HealthPage(context.paint, widthOf(io.stdout));
  await context.out(
    page.render({
      root: gateway.root,
      report,
      health: await gateway.health(),
      impact,
      reportUrl: pathToFileURL(written.value.path).href,
      bundleFolder: host.bundleFolder,
    }),
  );
  return EXIT.ok;
}

async function impactOf(context: CommandContext, gateway: Gateway, target: string): Promise<Answer<'impact'> | undefined> {
  const answer = await askFeature(gateway, 'impact', { target }, context.options.caller, context.token);
  return answer.ok ? answer.value : undefined;
}
