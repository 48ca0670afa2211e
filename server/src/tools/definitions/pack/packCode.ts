import type { Lines, PackSymbol } from '../../../features/pack/contextPack';
import { type ShorterForm, withoutRepeats } from '../../../features/pack/shorterForms';
import { estimateTokens } from '../../shaping';

/** Share of the room for source that a unit may take with all its inner bodies. */
const WHOLE_SHARE = 0.5;
/** A unit so many times larger than the room that is left is not looked at for what could be left out. */
const MAX_SHORTENED = 4;
/** Share of the room for source that the smallest form of a unit may take, unless it is the first; one that the task names may take more. */
const SMALL_SHARE = 0.1;
const NAMED_SHARE = 0.3;
/** What a unit needs of the first one's score: where it is linked to a unit that is shown, and where it is not. What is linked to the first units needs none: it is what the task is about, or next to it. */
const MIN_SCORE = 0.4;
const MIN_UNLINKED_SCORE = 0.5;
/** What the task itself spells has its place whatever else there is. */
const SPELLED: ReadonlySet<string> = new Set(['named', 'serves']);
/** Members named in the smallest form of a type. */
const MAX_MEMBERS = 30;
/** Units that keep their comments and all their reasons: further ones leave that room to code. */
const FULL_UNITS = 3;
/** Reasons of such a unit, and of a further one. */
const MAX_REASONS = 3;
const FEW_REASONS = 1;

export interface CodeRow {
  readonly file: string;
  readonly startLine: number;
  readonly endLine: number;
  /** Id without the file. */
  readonly symbolName: string;
  readonly why: readonly string[];
  readonly code: string;
  /** The unit is too large here, and `code` is less than its source. */
  readonly truncated?: true;
  /** What is left out of it: `body` is all but the signature, with those of its members or with what its comment says first. */
  readonly omitted?: ShorterForm['omitted'] | 'body';
}

export interface FittedCode {
  readonly rows: readonly CodeRow[];
  /** Symbols that neither have a row nor lie in the source of one, best first. */
  readonly rest: readonly PackSymbol[];
  /** Tokens that the rows take. */
  readonly used: number;
}

/** A unit as it is to stand in the pack, and the bodies in it that do not. */
interface Form {
  readonly row: CodeRow;
  readonly hidden: readonly Lines[];
}

interface Room {
  readonly whole: number;
  readonly left: number;
}

/**
 * Units in order of relevance, each in the longest form that fits into `room` tokens: whole (the first few only; further ones without comments), without comments,
 * without inner bodies, as its signature.
 * What does not fit any more leaves its room to the next; the first is always there. No body stands there twice.
 * Units that little speaks for are left out even where there is room: of those that are far behind the first, hardly any is what a task needs.
 */
export async function fitCode(
  symbols: readonly PackSymbol[],
  room: number,
  shorterOf: (symbol: PackSymbol) => Promise<readonly ShorterForm[]>,
): Promise<FittedCode> {
  const shown: Form[] = [];
  const ids: string[] = [];
  const waiting: PackSymbol[] = [];
  let used = 0;
  for (const symbol of symbols) {
    if (isShown(shown, symbol)) continue;
    const form = isSupported(symbol, ids, symbols[0]?.score ?? 0) ? await formOf(symbol, shown, { whole: room, left: room - used }, shorterOf) : undefined;
    if (form === undefined) {
      waiting.push(symbol);
      continue;
    }
    shown.push(form);
    ids.push(symbol.id);
    used += estimateTokens(form.row) + 1;
  }
  return { rows: shown.map(({ row }) => row), rest: waiting.filter(symbol => !isShown(shown, symbol)), used };
}

/** `shown` are the IDs of the units before it. */
function isSupported({ linkedTo, score, why }: PackSymbol, shown: readonly string[], most: number): boolean {
  if (score >= MIN_UNLINKED_SCORE * most || why.some(reason => SPELLED.has(reason))) return true;
  return linkedTo.some(id => (score >= MIN_SCORE * most ? shown : shown.slice(0, FULL_UNITS)).includes(id));
}

async function formOf(
  symbol: PackSymbol,
  shown: readonly Form[],
  { left, whole }: Room,
  shorterOf: (symbol: PackSymbol) => Promise<readonly ShorterForm[]>,
): Promise<Form | undefined> {
  const repeated = symbol.stale === true ? [] : symbol.inner.filter(body => shown.some(form => hasBody(form, symbol.path, body)));
  const isFull = shown.length < FULL_UNITS;
  const formed = (form: ShorterForm): Form => shortened(symbol, form, isFull);
  const longest = repeated.length === 0 ? { row: rowOf(symbol, symbol.code, isFull), hidden: [] } : formed(withoutRepeats(symbol, repeated));
  const share = Math.min(left, whole * WHOLE_SHARE);
  const size = estimateTokens(longest.row);
  if (size < share) {
    if (isFull || repeated.length > 0) return longest;
    const plain = (await shorterOf(symbol)).find(({ omitted }) => omitted === 'comments');
    const form = plain === undefined ? longest : formed(plain);
    return estimateTokens(form.row) < size ? form : longest;
  }
  if (size <= left * MAX_SHORTENED) {
    const forms = [longest, ...(await shorterOf(symbol)).map(formed)];
    const found = forms.find(({ row }, at) => estimateTokens(row) < (at === forms.length - 1 ? left : share));
    if (found !== undefined) return found;
  }
  const smallest: CodeRow = { ...rowOf(symbol, signatureOf(symbol), isFull), truncated: true, omitted: 'body' };
  const small = shown.length === 0 ? Number.POSITIVE_INFINITY : Math.min(left, whole * (symbol.why.includes('named') ? NAMED_SHARE : SMALL_SHARE));
  return estimateTokens(smallest) < small ? { row: smallest, hidden: [symbol] } : undefined;
}

function isShown(shown: readonly Form[], symbol: PackSymbol): boolean {
  return shown.some(form => hasBody(form, symbol.path, symbol));
}

function hasBody({ hidden, row }: Form, path: string, body: Lines): boolean {
  return row.file === path && isWithin(body, row) && !hidden.some(lines => isWithin(body, lines));
}

function isWithin(inner: Lines, outer: Lines): boolean {
  return inner.startLine >= outer.startLine && inner.endLine <= outer.endLine;
}

function shortened(symbol: PackSymbol, { code, hidden, omitted }: ShorterForm, isFull: boolean): Form {
  return { row: { ...rowOf(symbol, code, isFull), truncated: true, omitted }, hidden };
}

function rowOf({ id, path, startLine, endLine, why }: PackSymbol, code: string, isFull: boolean): CodeRow {
  return { file: path, startLine, endLine, symbolName: id.slice(path.length + 2), why: why.slice(0, isFull ? MAX_REASONS : FEW_REASONS), code };
}

function signatureOf({ kind, name, outline, sentence, signature }: PackSymbol): string {
  const head = signature === '' ? `${kind} ${name}` : signature;
  if (outline.length > 0) return [head, ...outline.slice(0, MAX_MEMBERS)].join('\n');
  return sentence === '' ? head : `${head}\n${sentence}`;
}
