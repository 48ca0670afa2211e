import { FACT_CONFIDENCE } from '../../../server/protocol/certainty';
import type { ExplainAnswer, Neighbor } from '../../../server/protocol/features';
import { certainAndPossible, figure } from '../../../server/protocol/figures';
import { breakable, MAX_UNBROKEN, scrolling } from '../../../server/protocol/pageLinks';
import { containerOf, nameOf, qualifiedName, verbOf } from '../names';
import { docLines, escaped } from './docMarkdown';

/** Address of a line of a file (0 for all of it); `undefined` where nothing can be linked. */
export type LinkTo = (path: string, line: number) => string | undefined;

/** Longer doc comments stand at the end of the page. */
const MAX_DOC_LINES = 12;

/** What a symbol is, as a Markdown page whose places are links. */
export function explainPage(answer: ExplainAnswer, language: string, linkTo: LinkTo): string {
  const { symbol, counts, dependents, dependencies } = answer;
  const lines = answer.doc === '' ? [] : docLines(answer.doc);
  // A manual comes last, so that what is known of the symbol is on the first screen; its first paragraph says what it is.
  const isLong = lines.length > MAX_DOC_LINES;
  const paragraph = lines.indexOf('');
  const beginning = lines.slice(0, paragraph > 0 && paragraph <= MAX_DOC_LINES ? paragraph : MAX_DOC_LINES);
  const sections = [
    heading(answer, linkTo),
    isLong ? quote(beginning) : quote(lines),
    answer.signature === '' ? '' : fenced(answer.signature, language),
    neighbors('Used by', dependents, { total: counts.dependents, certain: counts.dependents - counts.possibleDependents }, () => '', linkTo),
    neighbors('Uses', dependencies, { total: counts.dependencies, certain: counts.dependencies - counts.possibleDependencies }, () => symbol.path, linkTo),
    list(
      'Tests',
      answer.tests.map(test => `${code(nameOf(test))} ${place(test.split('::')[0] ?? '', 0, linkTo)}`),
      counts.tests,
    ),
    list(
      'Members',
      answer.members.map(
        member =>
          `${named(member.name, linkTo(member.path, member.startLine))} ${member.kind.replaceAll('_', ' ')}, ${member.path === symbol.path ? 'line ' : `${escaped(member.path)}:`}${member.startLine}`,
      ),
      answer.members.length,
    ),
    references(answer),
    isLong ? `## Documentation\n\n${quote(lines)}` : '',
  ];
  return sections.filter(section => section !== '').join('\n\n');
}

function heading({ symbol, sentence, doc, modifiers, complexity }: ExplainAnswer, linkTo: LinkTo): string {
  const container = containerOf(symbol.id);
  const kind = [...modifiers.filter(name => name !== 'exported'), symbol.kind.replaceAll('_', ' ')].join(' ');
  const text = symbol.kind === 'file' ? escaped(symbol.path) : `${escaped(symbol.path)}:${symbol.startLine}–${symbol.endLine}`;
  const where = symbol.kind === 'external' ? text : linked(text, linkTo(symbol.path, symbol.kind === 'file' ? 0 : symbol.startLine));
  const facts = [`${kind}${container === '' ? '' : ` of ${code(container)}`}`, where, ...(complexity > 1 ? [`complexity ${complexity}`] : [])];
  // The sentence is usually the beginning of the doc comment.
  const isInDoc = doc.replace(/\s+/g, ' ').includes(sentence.replace(/[.…]+$/, ''));
  return `# ${escaped(symbol.name)}\n\n${facts.join(' · ')}${isInDoc ? '' : `\n\n${escaped(sentence)}`}`;
}

interface Totals {
  readonly total: number;
  readonly certain: number;
}

function neighbors(title: string, rows: readonly Neighbor[], { total, certain }: Totals, fileOf: (row: Neighbor) => string, linkTo: LinkTo): string {
  if (total === 0) return `## ${title}\n\nNone found.`;
  const lines = rows.map(row => {
    const file = fileOf(row) || (row.id.split('::')[0] ?? '');
    const address = row.line > 0 || fileOf(row) === '' ? linkTo(file, row.line) : undefined;
    const certainty = row.confidence < FACT_CONFIDENCE ? ` (possible, ${Math.round(row.confidence * 100)}%)` : '';
    const name = row.id.includes('::') ? qualifiedName(row.id) : row.name;
    return `| ${named(name, address)}<br>${linked(placeText(file, row.line), address)} | ${verbOf(row.rel)}${certainty} |`;
  });
  const more = total > rows.length ? `\n\nand ${figure(total - rows.length)} more.` : '';
  const table = scrolling(`| Symbol | How |\n| --- | --- |\n${lines.join('\n')}`);
  return `## ${title} (${certainAndPossible(certain, total)})\n\n${table}${more}`;
}

/** A file with a line, as a link to it. */
function place(file: string, line: number, linkTo: LinkTo): string {
  return linked(placeText(file, line), linkTo(file, line));
}

function placeText(file: string, line: number): string {
  const text = breakable(file, escaped);
  return line > 0 ? `${text}:${line}` : text;
}

/** A name, as a link where it has a place. The editor's preview gives code in links a ground on which some themes' links cannot be read. */
function named(name: string, address: string | undefined): string {
  if (address !== undefined || name.length > MAX_UNBROKEN) return linked(breakable(name, escaped), address);
  return code(name);
}

function linked(text: string, address: string | undefined): string {
  return address === undefined ? text : `[${text}](${address})`;
}

function list(title: string, rows: readonly string[], total: number): string {
  if (rows.length === 0) return '';
  const more = total > rows.length ? `\n- and ${figure(total - rows.length)} more` : '';
  return `## ${title} (${figure(total)})\n\n${rows.map(row => `- ${row}`).join('\n')}${more}`;
}

/** What the graph does not know is said, never hidden. */
function references({ counts }: ExplainAnswer): string {
  const { unresolved, external } = counts.references;
  const parts = [
    ...(unresolved > 0 ? [unresolved === 1 ? '1 reference could not be resolved' : `${unresolved} references could not be resolved`] : []),
    ...(external > 0 ? [`${external} ${external === 1 ? 'refers' : 'refer'} to code outside the project`] : []),
  ];
  return parts.length === 0 ? '' : `*${parts.join('; ')}.*`;
}

function quote(lines: readonly string[]): string {
  return lines.map(line => `> ${line}`).join('\n');
}

function fenced(text: string, language: string): string {
  const fence = text.includes('```') ? '~~~~' : '```';
  return `${fence}${language}\n${text}\n${fence}`;
}

function code(text: string): string {
  return text.includes('`') ? escaped(text) : `\`${text}\``;
}
