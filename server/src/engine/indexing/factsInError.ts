import { matchLines } from '../../base/text';
import { type FileFacts, NO_TEXT, qualifiedName, symbolRow, textOf } from '../../model/facts';

/** A text and what it says. */
export interface Parsed {
  readonly text: string;
  readonly facts: FileFacts;
}

/** Facts of a text that is being typed, with lines as in that text. */
export interface TypedFacts {
  readonly facts: FileFacts;
  /** Some of them are those of an earlier text: of the places that cannot be parsed as they stand. */
  readonly isStale: boolean;
  /** What to fall back on at the next keystroke. */
  readonly basis: Parsed;
}

/** Above this share of ERROR nodes a parse is not believed when there is a better one of an earlier text. */
const BELIEVABLE_ERROR_SHARE = 0.05;
/** Hunks that are taken back by themselves before all of them are. */
const MAX_SINGLE_HUNKS = 4;

/**
 * What a text says that has fresh syntax errors: where it cannot be parsed, what stood there before; everywhere else, what stands there now.
 *
 * The changes since the basis are taken back one at a time until the rest parses, or else all of them; what is so mixed is parsed, and its lines are
 * mapped to those of the text. Declarations that are not in the text any more by their name are left out.
 * Undefined when the text cannot be parsed and there is no basis.
 */
export async function factsInError(
  text: string,
  fresh: FileFacts | undefined,
  basis: Parsed | undefined,
  parse: (text: string) => Promise<FileFacts | undefined>,
): Promise<TypedFacts | undefined> {
  if (fresh !== undefined && (basis === undefined || isBelievable(basis.facts, fresh))) return { facts: fresh, isStale: false, basis: { text, facts: fresh } };
  if (basis === undefined) return undefined;
  const mixed = await mix(basis, text, fresh !== undefined, parse);
  const facts = withLines(mixed.facts, mixed.lineInText, text);
  return { facts, isStale: true, basis: { text: mixed.lines.join('\n'), facts: mixed.facts } };
}

/** Whether a parse takes nothing away because of its syntax errors. Errors that were there before (a grammar with gaps) hold nothing up. */
function isBelievable(before: FileFacts, fresh: FileFacts): boolean {
  const { errorNodes, nodes } = fresh.syntax;
  if (errorNodes === 0 || (errorNodes <= before.syntax.errorNodes && fresh.symbols.count >= before.symbols.count)) return true;
  if (errorNodes > nodes * BELIEVABLE_ERROR_SHARE) return false;
  const names = new Set(namesOf(fresh));
  return namesOf(before).every(name => names.has(name));
}

function namesOf(facts: FileFacts): string[] {
  return Array.from({ length: facts.symbols.count }, (_, row) => qualifiedName(facts, symbolRow(row)).join('::'));
}

const WORDS = /[\p{L}\p{N}_$]+/gu;

/** Lines of a basis and those that stand in their place in a text. Ends are exclusive. */
interface Hunk {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

function hunksBetween(before: readonly string[], now: readonly string[]): Hunk[] {
  const hunks: Hunk[] = [];
  let [oldStart, newStart] = [0, 0];
  for (const [oldEnd, newEnd] of [...matchLines(before, now), [before.length, now.length] as const]) {
    if (oldEnd > oldStart || newEnd > newStart) hunks.push({ oldStart, oldEnd, newStart, newEnd });
    [oldStart, newStart] = [oldEnd + 1, newEnd + 1];
  }
  return hunks;
}

interface Mixture {
  readonly lines: readonly string[];
  /** Line in the text of each line here. */
  readonly lineInText: Int32Array;
  /** Lines that are not those of the text. */
  readonly isOld: Uint8Array;
}

/** The text with the old lines in place of the new ones of some hunks. */
function takeBack(before: readonly string[], now: readonly string[], hunks: readonly Hunk[]): Mixture {
  const lines: string[] = [];
  const places: number[] = [];
  const old: number[] = [];
  let next = 0;
  const keepUntil = (end: number): void => {
    for (; next < end; next++) {
      lines.push(now[next] ?? '');
      places.push(next);
      old.push(0);
    }
  };
  for (const { oldStart, oldEnd, newStart, newEnd } of hunks) {
    keepUntil(newStart);
    const taken = before.slice(oldStart, oldEnd);
    lines.push(...taken);
    places.push(...placesOf(taken, now.slice(newStart, newEnd)).map(line => Math.min(newStart + line, now.length - 1)));
    old.push(...taken.map(() => 1));
    next = newEnd;
  }
  keepUntil(now.length);
  return { lines, lineInText: Int32Array.from(places), isOld: Uint8Array.from(old) };
}

/** Where each line stands among those that replaced it: by the words on it, else behind the line before it. */
function placesOf(before: readonly string[], now: readonly string[]): number[] {
  const words = (line: string): string => (line.match(WORDS) ?? []).join(' ');
  const known = new Map(matchLines(before.map(words), now.map(words)));
  let next = 0;
  return before.map((_, at) => {
    const place = known.get(at) ?? Math.min(next, Math.max(0, now.length - 1));
    next = place + 1;
    return place;
  });
}

async function mix(
  basis: Parsed,
  text: string,
  canBeParsed: boolean,
  parse: (text: string) => Promise<FileFacts | undefined>,
): Promise<Mixture & { readonly facts: FileFacts }> {
  const before = basis.text.split('\n');
  const now = text.split('\n');
  const hunks = hunksBetween(before, now);
  const singles = canBeParsed && hunks.length > 1 ? hunks.slice(0, MAX_SINGLE_HUNKS) : [];
  for (const hunk of singles) {
    const mixture = takeBack(before, now, [hunk]);
    const facts = await parse(mixture.lines.join('\n'));
    if (facts !== undefined && isBelievable(basis.facts, facts)) return withoutGone({ ...mixture, facts }, text, parse);
  }
  return withoutGone({ ...takeBack(before, now, hunks), facts: basis.facts }, text, parse);
}

/** Blanks old declarations whose name is nowhere in the text. */
async function withoutGone(
  mixture: Mixture & { readonly facts: FileFacts },
  text: string,
  parse: (text: string) => Promise<FileFacts | undefined>,
): Promise<Mixture & { readonly facts: FileFacts }> {
  const { facts, isOld } = mixture;
  const words = new Set(text.match(WORDS));
  const lines = [...mixture.lines];
  let blanked = 0;
  for (let row = 0; row < facts.symbols.count; row++) {
    const [first, last] = [facts.symbols.startLine[row] ?? 0, facts.symbols.endLine[row] ?? 0];
    const name = textOf(facts, facts.symbols.name[row] ?? NO_TEXT);
    if (words.has(name) || !/^[\p{L}\p{N}_$]+$/u.test(name) || isOld.subarray(first, last + 1).includes(0)) continue;
    lines.fill('', first, last + 1);
    blanked++;
  }
  if (blanked === 0) return mixture;
  const rest = await parse(lines.join('\n'));
  return rest !== undefined && rest.syntax.errorNodes <= facts.syntax.errorNodes ? { ...mixture, lines, facts: rest } : mixture;
}

/** The same facts with every place moved to where its line is in the text; columns beyond the end of a line are moved to it. */
function withLines(facts: FileFacts, lineInText: Int32Array, text: string): FileFacts {
  const lengths = text.split('\n').map(line => line.length);
  const lineOf = (line: number): number => lineInText[Math.min(line, lineInText.length - 1)] ?? 0;
  const moved = (lines: Int32Array): Int32Array => lines.map(lineOf);
  const fitted = (columns: Int32Array, lines: Int32Array): Int32Array => columns.map((column, row) => Math.min(column, lengths[lineOf(lines[row] ?? 0)] ?? 0));
  const { heritage, imports, references, symbols } = facts;
  return {
    ...facts,
    symbols: {
      ...symbols,
      startLine: moved(symbols.startLine),
      startColumn: fitted(symbols.startColumn, symbols.startLine),
      endLine: moved(symbols.endLine),
      endColumn: fitted(symbols.endColumn, symbols.endLine),
      nameLine: moved(symbols.nameLine),
      nameColumn: fitted(symbols.nameColumn, symbols.nameLine),
    },
    references: { ...references, line: moved(references.line), column: fitted(references.column, references.line) },
    heritage: { ...heritage, line: moved(heritage.line), column: fitted(heritage.column, heritage.line) },
    imports: { ...imports, line: moved(imports.line), column: fitted(imports.column, imports.line) },
    syntax: { ...facts.syntax, lines: lengths.length },
  };
}
