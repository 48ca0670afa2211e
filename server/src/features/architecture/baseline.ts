import type { Violation } from './rules';

/** A violation that was accepted: it is still told, and fails nothing. */
export interface BaselineEntry {
  readonly rule: string;
  readonly from?: string;
  readonly to?: string;
  readonly edge?: string;
  /** Of a cycle: every file, layer or service of the cycle. */
  readonly members?: readonly string[];
}

/** Entries of a baseline file; `undefined` when the text is none. */
export function readBaseline(text: string): readonly BaselineEntry[] | undefined {
  try {
    const read = JSON.parse(text) as { readonly violations?: unknown } | null;
    const rows: unknown = read?.violations;
    if (!Array.isArray(rows)) return undefined;
    return rows.every(isEntry) ? rows : undefined;
  } catch {
    return undefined;
  }
}

function isEntry(row: unknown): row is BaselineEntry {
  return typeof row === 'object' && row !== null && 'rule' in row && typeof row.rule === 'string';
}

/** A baseline file with these entries, in order, one a line. */
export function baselineText(entries: readonly BaselineEntry[]): string {
  const lines = [...new Set(entries.map(entry => JSON.stringify(entry)))].sort();
  return `{\n  "version": 1,\n  "violations": [${lines.length === 0 ? '' : `\n    ${lines.join(',\n    ')}\n  `}]\n}\n`;
}

export function entryOf(violation: Pick<Violation, 'ruleId' | 'from' | 'to' | 'edge' | 'members'>): BaselineEntry {
  const { ruleId: rule, from, to, edge, members } = violation;
  if (members !== undefined) return { rule, members };
  return { rule, from: from.id, ...(to === '' ? {} : { to }), ...(edge === '' ? {} : { edge }) };
}

/** Tells whether a violation is accepted. A cycle is as long as no unit joined it since. */
export function acceptance(entries: readonly BaselineEntry[]): (violation: Violation) => BaselineEntry | undefined {
  const exact = new Map(entries.filter(entry => entry.members === undefined).map(entry => [keyOf(entry), entry]));
  const cycles = entries.filter(entry => entry.members !== undefined);
  return violation => {
    const { members } = violation;
    if (members === undefined) return exact.get(keyOf(entryOf(violation)));
    return cycles.find(cycle => cycle.rule === violation.ruleId && members.every(member => cycle.members?.includes(member) === true));
  };
}

function keyOf({ rule, from = '', to = '', edge = '' }: BaselineEntry): string {
  return JSON.stringify([rule, from, to, edge]);
}
