import { figure } from '../../../server/protocol/figures';
import { type Impact, type ImpactItem, type ImpactList, sentence } from './impact';

const TITLES = { changed: 'Changed', dependents: 'Dependents', tests: 'Tests', maybe: 'Possible Dependents', together: 'Usually Changes With' } as const;
const LISTS = Object.keys(TITLES) as readonly ImpactList[];

/** An impact as Markdown lists, grouped by file. */
export function impactMarkdown(impact: Impact): string {
  const sections = LISTS.filter(list => impact[list].length > 0).map(list =>
    [`## ${TITLES[list]}`, '', ...byFile(impact[list]), ...more(impact.unlisted[list])].join('\n'),
  );
  return [`# Impact of ${plain(impact.target.name)}`, '', plain(sentence(impact.summary)), '', sections.join('\n\n'), ''].join('\n');
}

/** The same as data. */
export function impactJson({ target, summary, risk, counts, ...lists }: Impact): string {
  const rows = (items: readonly ImpactItem[]) =>
    items.map(({ id, kind, path, line, depth, how, certainty, via }) => ({ id, kind, path, line, depth, how, certainty, via }));
  const data = Object.fromEntries(LISTS.map(list => [list, rows(lists[list])]));
  return `${JSON.stringify({ target: target.id === '' ? target.name : target.id, summary, risk, counts, ...data }, undefined, 2)}\n`;
}

function more(unlisted: number): string[] {
  return unlisted === 0 ? [] : [`- and ${figure(unlisted)} more, further away`];
}

function byFile(items: readonly ImpactItem[]): string[] {
  const files = [...new Set(items.map(item => item.path))];
  return files.flatMap(path => [`- ${plain(path)}`, ...items.filter(item => item.path === path && item.kind !== 'file').map(line)]);
}

function line(item: ImpactItem): string {
  const certainty = item.certainty === '' ? '' : `, possible (${item.certainty})`;
  return `  - \`${item.name}\` ${plain(item.how)}, line ${item.line}${certainty}`;
}

/** Text of the workspace must not become Markdown. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>|#]/g, '\\$&');
}
