import { pathToFileURL } from 'node:url';
import { EXIT } from '../../exitCodes';
import type { Command } from '../command';
import { AS_OF_FLAG } from '../flags';
import { writeReport } from '../report';

export const reportCommand: Command = {
  name: 'report',
  summary: 'Create a self-contained HTML report with an interactive graph.',
  when: 'To get an overview of a workspace, or to share one with someone who does not use Lattice.',
  returns: 'Path of the report.',
  examples: ['lattice report', 'lattice report --out report.html'],
  flags: [{ name: 'out', kind: 'string', value: 'FILE', help: 'Path of the report.', fallback: 'reports/ in the data folder' }, AS_OF_FLAG],
  positionals: [],
  run: context =>
    context.withIndex(async gateway => {
      const written = await writeReport(context, gateway, context.text('out'));
      if (!written.ok) return context.fail(EXIT.workspaceFailed, written.error.code, written.error.message);
      const { path } = written.value;
      if (context.options.json) await context.printJson({ ok: true, path, url: pathToFileURL(path).href });
      else await context.line(path);
      return EXIT.ok;
    }),
};
