/** The parts of the text of an answer: who writes it and who shows it otherwise agree here, so that nobody recognizes a line by its words. */
import type { Stamp } from './features';
import { shownText } from './shownText';

/** What of an envelope the text says beside the rows. */
interface Told {
  readonly summary: string;
  readonly hint?: string;
  readonly stamp?: Stamp;
  readonly data?: object;
}

/** Where the next page begins, what to do next, which files have changed since, what the answer was computed from. */
export interface ClosingLine {
  readonly kind: 'more' | 'hint' | 'stale' | 'stamp';
  readonly text: string;
}

export interface AnswerParts {
  readonly summary: string;
  /** Lines of what was found. */
  readonly rows: readonly string[];
  readonly closing: readonly ClosingLine[];
}

/** `rev 12 · a1b2c3d4e5f6 · 3 files pending · 2 unresolved`. */
export function stampText(stamp: Stamp): string {
  const parts = [stamp.asOf === undefined ? `rev ${stamp.revision}` : `as of ${new Date(stamp.asOf).toISOString().slice(0, 16).replace('T', ' ')}`];
  if (stamp.head !== '') parts.push(stamp.head);
  if (stamp.pendingFiles > 0) parts.push(`${stamp.pendingFiles} ${stamp.pendingFiles === 1 ? 'file' : 'files'} pending`);
  if ((stamp.unresolved ?? 0) > 0) parts.push(`${stamp.unresolved} unresolved`);
  if ((stamp.unsavedFiles ?? 0) > 0) parts.push(`${stamp.unsavedFiles} unsaved`);
  if ((stamp.staleFiles ?? 0) > 0) parts.push(`${stamp.staleFiles} stale`);
  if ((stamp.missingFiles ?? 0) > 0) parts.push(`content of ${stamp.missingFiles} ${stamp.missingFiles === 1 ? 'file' : 'files'} not in this clone`);
  if ((stamp.degraded ?? []).length > 0) parts.push(`${stamp.degraded?.join(', ')} not ready`);
  return parts.join(' · ');
}

/** `nextCursor` of a page that is not the last. */
export function cursorOf({ data }: Pick<Told, 'data'>): string | undefined {
  return data !== undefined && 'nextCursor' in data && typeof data.nextCursor === 'string' ? data.nextCursor : undefined;
}

/** The lines that the text of an answer ends with, each without a line break in it. */
export function closingLines(envelope: Told): readonly ClosingLine[] {
  const { hint, stamp } = envelope;
  const cursor = cursorOf(envelope);
  const changed = stamp?.stale ?? [];
  return [
    ...(cursor === undefined ? [] : [{ kind: 'more', text: `More: cursor=${shownText(cursor)}` } as const]),
    ...(hint === undefined ? [] : [{ kind: 'hint', text: shownText(hint) } as const]),
    ...(changed.length === 0
      ? []
      : [{ kind: 'stale', text: `Changed since indexed, so lines about them may be out of date: ${changed.map(shownText).join(', ')}` } as const]),
    ...(stamp === undefined ? [] : [{ kind: 'stamp', text: `[${stampText(stamp)}]` } as const]),
  ];
}

/** Takes apart the text of an answer that was carried out: its envelope says how many lines stand before and after the rows. */
export function partsOf({ envelope, text }: { readonly envelope: Told; readonly text: string }): AnswerParts {
  const [summary = '', ...lines] = text.split('\n');
  const kinds = closingLines(envelope).map(({ kind }) => kind);
  const end = Math.max(0, lines.length - kinds.length);
  return { summary, rows: lines.slice(0, end), closing: kinds.map((kind, at) => ({ kind, text: lines[end + at] ?? '' })) };
}
