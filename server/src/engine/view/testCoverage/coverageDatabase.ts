import type { Row } from '../../../model/records';
import { type FileLines, lineReport } from './lineReport';
import { statementsIn } from './statementLines';

/** Rows of an SQLite database that is read into memory. */
export interface DatabaseRows {
  all(sql: string): readonly Row[];
}

/**
 * The data file of coverage.py (`.coverage`, schema 7) as a report. It holds only what ran, so that the statements of each file are read from its text;
 * `textOf` is asked by the path that the file has there. Throws what SQLite finds wrong.
 * Lines are bits (`numbits`): line `n` ran when bit `n % 8` of byte `n >> 3` is set. With branches there are arcs instead: both ends ran, unless below 1.
 */
export async function coverageDatabase(database: DatabaseRows, textOf: (path: string) => Promise<string | undefined>): Promise<string> {
  const contexts = new Map(database.all('SELECT id, context FROM context').map(row => [Number(row['id']), String(row['context']).replace(PHASE, '')]));
  const files = new Map<string, FileLines>();
  const tests = new Map<number, Map<number, Set<string>>>();
  const note = (file: unknown, context: unknown, line: number): void => {
    if (line < 1) return;
    const lines = tests.get(Number(file)) ?? new Map<number, Set<string>>();
    const names = lines.get(line) ?? new Set<string>();
    const name = contexts.get(Number(context)) ?? '';
    if (name !== '') names.add(name);
    tests.set(Number(file), lines.set(line, names));
  };
  for (const { context_id: context, file_id: file, numbits } of database.all('SELECT file_id, context_id, numbits FROM line_bits'))
    if (numbits instanceof Uint8Array) for (const line of linesOf(numbits)) note(file, context, line);
  for (const { context_id: context, file_id: file, fromno, tono } of database.all('SELECT file_id, context_id, fromno, tono FROM arc'))
    for (const line of [fromno, tono]) note(file, context, Number(line));
  for (const { id, path } of database.all('SELECT id, path FROM file')) {
    const text = await textOf(String(path));
    if (text !== undefined) files.set(String(path), statementsOf(text, tests.get(Number(id)) ?? new Map()));
  }
  return lineReport('coverage.py', files);
}

/** A case has a context for its set-up, its run and its tear-down. */
const PHASE = /\|(?:run|setup|teardown)$/;

function linesOf(bits: Uint8Array): number[] {
  return [...bits].flatMap((byte, at) => [0, 1, 2, 3, 4, 5, 6, 7].flatMap(bit => (((byte >> bit) & 1) === 1 ? [at * 8 + bit] : [])));
}

/** A statement ran when any of its lines did; what ran and is no statement (a docstring, a line of a decorator) counts on its own. */
function statementsOf(text: string, ran: ReadonlyMap<number, ReadonlySet<string>>): FileLines {
  const lines = new Set<number>();
  const missing = new Set<number>();
  const contexts = new Map<number, readonly string[]>();
  for (const { end, start } of statementsIn(text)) {
    const names = new Set<string>();
    let isRun = false;
    for (let line = start; line <= end; line++) {
      const found = ran.get(line);
      if (found !== undefined) isRun = true;
      for (const name of found ?? []) names.add(name);
    }
    (isRun ? lines : missing).add(start);
    if (names.size > 0) contexts.set(start, [...names].sort());
  }
  return { ran: lines, missing, contexts };
}
