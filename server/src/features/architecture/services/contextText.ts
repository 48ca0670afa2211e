import type { SchemaField } from '../../../services/serviceFile';
import type { ServiceContext } from './contextParts';

/** Characters of a token, as answers are measured. */
const CHARACTERS = 4;
const MARKER = '[... truncated ...]';

interface Row {
  readonly lines: readonly string[];
  /** Left out before whole rows are. */
  readonly detail?: string;
}

interface Section {
  /** 1 is kept longest. */
  readonly priority: number;
  readonly head: readonly string[];
  readonly rows: readonly Row[];
  /** Tokens that it is cut to when not everything fits. */
  readonly cap: number;
}

/** Soft caps are shares of the budget. */
const SHARES = [0, 0.05, 0.3, 0.2, 0.15, 0.1, 0.1, 0.1] as const;

/**
 * The context of a service as Markdown within a budget of tokens, which holds with the marker of a cut. Sections without content are left out;
 * what does not fit is cut from the least important section upwards: first the lines of fields, then rows down to the section's share, then sections.
 */
export function contextText(context: Omit<ServiceContext, 'text'>, budgetTokens: number): string {
  const limit = budgetTokens * CHARACTERS;
  const title = `## Graph RAG Context: ${oneLine(context.service)}`;
  const sections = sectionsOf(context, budgetTokens);
  const all = [title, ...sections.map(section => textOf(section, true))].join('\n\n');
  if (all.length <= limit) return all;
  const bare = [title, ...sections.map(section => textOf(section, false))].join('\n\n');
  if (bare.length <= limit) return bare;
  return fitted(title, sections, limit);
}

function fitted(title: string, sections: readonly Section[], limit: number): string {
  const cut = [...sections];
  const length = (): number => [title, ...cut.map(section => textOf(section, false))].join('\n\n').length;
  for (let at = cut.length - 1; at >= 0 && length() > limit; at--) {
    const section = cut[at];
    if (section !== undefined) cut[at] = { ...section, rows: capped(section) };
  }
  if (length() <= limit) return [title, ...cut.map(section => textOf(section, false))].join('\n\n');
  let text = title;
  for (const section of cut) {
    const next = `${text}\n\n${textOf(section, false)}`;
    if (next.length <= limit) {
      text = next;
      continue;
    }
    const room = limit - MARKER.length - 1;
    return room <= 0 ? next.slice(0, limit) : `${lastWholeLine(next.slice(0, room))}\n${MARKER}`;
  }
  return text;
}

function lastWholeLine(text: string): string {
  const end = text.lastIndexOf('\n');
  return end <= 0 ? text : text.slice(0, end).trimEnd();
}

/** Rows that fit the cap, at least one. */
function capped({ cap, head, rows }: Section): readonly Row[] {
  let left = cap * CHARACTERS - head.join('\n').length;
  let count = 0;
  for (const row of rows) {
    left -= row.lines.join('\n').length + 1;
    if (left < 0) break;
    count++;
  }
  return rows.slice(0, Math.max(1, count));
}

function textOf({ head, rows }: Section, withDetails: boolean): string {
  return [...head, ...rows.flatMap(({ detail, lines }) => (withDetails && detail !== undefined ? [...lines, detail] : lines))].join('\n');
}

function sectionsOf(context: Omit<ServiceContext, 'text'>, budgetTokens: number): readonly Section[] {
  const section = (priority: number, head: readonly string[], rows: readonly Row[]): Section[] =>
    rows.length === 0 ? [] : [{ priority, head, rows, cap: Math.floor((SHARES[priority] ?? 0) * budgetTokens) }];
  const { consumed, consumedEvents, dependedOnBy, dependsOn, owned, provided, published, referenced } = context;
  return [
    ...section(
      1,
      ['### Service Dependencies'],
      [{ lines: [`- **Depends on**: ${names(dependsOn)}`] }, { lines: [`- **Depended on by**: ${names(dependedOnBy)}`] }],
    ),
    ...section(
      2,
      ['### APIs This Service Must Consume', '| Method | Path | Provider Service |', '|---|---|---|'],
      consumed.map(({ fields, method, path, provider }) => ({ lines: [row(method, path, provider)], ...detail(fields) })),
    ),
    ...section(
      3,
      ['### Domain Entities Referenced (from other services)'],
      referenced.map(({ fields, name, owner }) => ({ lines: [`#### ${oneLine(name)} (owned by ${oneLine(owner)})`, ...fields.map(fieldLine)] })),
    ),
    ...section(
      4,
      ['### APIs This Service Provides', '| Method | Path | Handler |', '|---|---|---|'],
      provided.map(({ handler, method, path }) => ({ lines: [row(method, path, handler)] })),
    ),
    ...section(
      5,
      ['### Events Published', '| Event Name | Channel |', '|---|---|'],
      published.map(({ channel, fields, name }) => ({ lines: [row(name, channel)], ...detail(fields) })),
    ),
    ...section(
      5,
      ['### Events Consumed', '| Event Name | Publisher |', '|---|---|'],
      consumedEvents.map(({ fields, name, publisher }) => ({ lines: [row(name, publisher)], ...detail(fields) })),
    ),
    ...section(
      6,
      ['### Domain Entities Owned'],
      owned.map(({ fields, name }) => ({ lines: [`#### ${oneLine(name)}`, ...fields.map(fieldLine)] })),
    ),
    ...section(
      7,
      ['### Cross-Service Integration Notes'],
      notesOf(context).map(note => ({ lines: [`- ${note}`] })),
    ),
  ];
}

/** What somebody who writes against others should know: how they authenticate, what events must carry, who else listens. */
function notesOf({ consumed, published }: Omit<ServiceContext, 'text'>): readonly string[] {
  const secured = consumed
    .filter(({ security }) => security.length > 0)
    .map(({ method, path, provider, security }) => `\`${method} ${oneLine(path)}\` of ${oneLine(provider)} requires ${security.map(oneLine).join(', ')}.`);
  const required = published.flatMap(({ fields, name }) => {
    const needed = fields.filter(field => field.required).map(field => oneLine(field.name));
    return needed.length === 0 ? [] : [`The payload of \`${oneLine(name)}\` requires ${needed.join(', ')}.`];
  });
  const heard = published
    .filter(({ consumers }) => consumers.length > 0)
    .map(({ consumers, name }) => `\`${oneLine(name)}\` is consumed by ${consumers.map(oneLine).join(', ')}.`);
  return [...secured, ...required, ...heard];
}

function detail(fields: readonly SchemaField[]): { readonly detail?: string } {
  return fields.length === 0
    ? {}
    : { detail: `  ${fields.map(({ name, required, type }) => `${oneLine(name)}: ${oneLine(type)}${required ? '*' : ''}`).join(', ')}` };
}

function fieldLine({ name, required, type }: SchemaField): string {
  return `- ${oneLine(name)}: ${oneLine(type)}${required ? ' (required)' : ''}`;
}

function row(...cells: readonly string[]): string {
  return `| ${cells.map(cell => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

function names(list: readonly string[]): string {
  return list.length === 0 ? 'none' : list.map(oneLine).join(', ');
}

/** Names come from files of others: none may begin a line or a heading of its own. */
function oneLine(text: string): string {
  return text
    .replace(/[\s\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .replaceAll('<!--', '<!- -')
    .replaceAll('-->', '- ->');
}
