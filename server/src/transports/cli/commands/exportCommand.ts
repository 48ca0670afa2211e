import { shownJson, shownText } from '../../../../protocol/shownText';
import type { Failure, Result } from '../../../base/result';
import type { Answer, ParamsOf } from '../../../features/catalogue/catalogue';
import type { ExportRow } from '../../../features/query/exportGraph';
import { FACT_CONFIDENCE } from '../../../model/evidence';
import type { Gateway } from '../../../session/gateway';
import { askFeature } from '../../asking';
import { EXIT, type ExitCode } from '../../exitCodes';
import type { Command, CommandContext } from '../command';
import { AS_OF_FLAG } from '../flags';

/** Rows asked for at a time; keeps both sides' memory flat whatever the size of the graph. */
const PAGE_ROWS = 5000;

/** How a format opens, writes each row, and ends. */
interface Format {
  readonly head: string;
  row(row: ExportRow, first: boolean): string;
  readonly tail: string;
}

const FORMATS: Readonly<Record<string, Format>> = {
  jsonl: { head: '', row: row => `${shownJson(JSON.stringify(row))}\n`, tail: '' },
  json: { head: '[\n', row: (row, first) => `${first ? '' : ',\n'}${shownJson(JSON.stringify(row))}`, tail: '\n]\n' },
  dot: {
    head: 'digraph lattice {\n  rankdir=LR;\n  node [shape=box, fontname="sans-serif"];\n',
    row: row =>
      row.type === 'node'
        ? `  ${quote(row.id)} [label=${quote(row.name)}];\n`
        : `  ${quote(row.source)} -> ${quote(row.target)} [label=${quote(row.relation)}${row.confidence < FACT_CONFIDENCE ? ', style=dashed' : ''}];\n`,
    tail: '}\n',
  },
};

export const exportCommand: Command = {
  name: 'export',
  summary: 'Export the graph to stdout.',
  when: 'To process the graph with other tools, or to draw it.',
  returns: 'jsonl: one object per line, {"type":"node",…} or {"type":"edge",…}. json: one array. dot: a Graphviz graph.',
  examples: [
    'lattice export --format jsonl --min-confidence 0.5 > graph.jsonl',
    'lattice export --format dot | dot -Tsvg > graph.svg',
    'lattice export --as-of v1.0 > before.jsonl',
  ],
  flags: [
    { name: 'format', kind: 'string', value: Object.keys(FORMATS).join('|'), choices: Object.keys(FORMATS), help: 'Output format.', fallback: 'jsonl' },
    { name: 'min-confidence', kind: 'number', value: 'N', help: 'Omit edges with a lower confidence, 0 to 1.', fallback: '0' },
    AS_OF_FLAG,
  ],
  positionals: [],
  run: async context => {
    const minConfidence = context.number('min-confidence') ?? 0;
    if (minConfidence < 0 || minConfidence > 1) return context.fail(EXIT.usage, 'USAGE', '--min-confidence must be between 0 and 1.');
    const format = FORMATS[context.text('format') ?? 'jsonl'];
    if (format === undefined) return context.fail(EXIT.usage, 'USAGE', 'Unknown format.');
    return context.withIndex(gateway => stream(context, gateway, format, minConfidence));
  },
};

async function stream(context: CommandContext, gateway: Gateway, format: Format, minConfidence: number): Promise<ExitCode> {
  let offset: number | undefined = 0;
  let first = true;
  do {
    const params: ParamsOf<'exportGraph'> = { minConfidence, limit: PAGE_ROWS, offset };
    const answer: Result<Answer<'exportGraph'>, Failure> = await askFeature(
      gateway,
      'exportGraph',
      params,
      context.options.caller,
      context.token,
      context.ofThePast,
    );
    if (!answer.ok) return context.refused(answer.error);
    const page = answer.value;
    let text = offset === 0 ? format.head : '';
    for (const row of page.rows) {
      text += format.row(row, first);
      first = false;
    }
    await context.out(text);
    offset = page.nextOffset;
  } while (offset !== undefined);
  await context.out(format.tail);
  return EXIT.ok;
}

function quote(value: string): string {
  return `"${shownText(value).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
