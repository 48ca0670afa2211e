import { pathToFileURL } from 'node:url';
import { EXIT } from '../../exitCodes';
import type { Command } from '../command';
import { writeReport } from '../report';

export const reportCommand: Command = {
  name: 'report',
  summary: 'Write a self-contained HTML report with an interactive graph.',
  when: 'To look at a workspace, or to show it to someone who has no Lattice.',
  returns: 'The path of the page. It lies in the data folder unless --out is given.',
  examples: ['lattice report', 'lattice report --out report.html'],
  flags: [{ name: 'out', kind: 'string', value: 'FILE', help: 'Where to write the page.', fallback: 'reports/ in the data folder' }],
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
