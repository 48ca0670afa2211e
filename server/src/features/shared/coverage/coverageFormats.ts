/** What a coverage report says of one file. */
export interface FileCoverage {
  /** Whether each line that can run did, by 1-based line. */
  readonly lines: Map<number, boolean>;
  /** Tests that ran a line, as the report names them; empty where it does not tell tests apart. */
  readonly tests: Map<number, Iterable<string>>;
}

export type CoverageFormat = 'coverage.py' | 'Cobertura' | 'Go' | 'Istanbul' | 'JaCoCo' | 'V8' | 'lcov';

export interface ParsedCoverage {
  readonly format: CoverageFormat;
  /** By path as the report writes it, with `/`. */
  readonly files: ReadonlyMap<string, FileCoverage>;
}

type Files = Map<string, FileCoverage>;

/** Reads a report of whatever format its text is in; `undefined` when it is in none that is known. */
export function parseCoverage(text: string): ParsedCoverage | undefined {
  const files: Files = new Map();
  const start = text.slice(0, 2000).trimStart();
  if (start.startsWith('mode:')) return goProfile(text, files);
  if (start.startsWith('{')) return json(text, files);
  if (/^(?:TN|SF):/m.test(start)) return lcov(text, files);
  if (/<report\b/.test(start)) return jacoco(text, files);
  if (/<coverage\b/.test(start)) return cobertura(text, files);
  return undefined;
}

function fileOf(files: Files, path: string): FileCoverage {
  const name = path.replaceAll('\\', '/');
  const known = files.get(name) ?? { lines: new Map(), tests: new Map() };
  files.set(name, known);
  return known;
}

/** A line ran when any part of it did. */
function note({ lines }: FileCoverage, line: number, ran: boolean): void {
  if (Number.isInteger(line) && line > 0) lines.set(line, ran || lines.get(line) === true);
}

/** `module/path/file.go:12.34,15.2 3 1`: from line and column, to them, statements, runs. */
function goProfile(text: string, files: Files): ParsedCoverage {
  for (const [, path = '', from, to, runs] of text.matchAll(/^(.+):(\d+)\.\d+,(\d+)\.\d+ \d+ (\d+)$/gm)) {
    const file = fileOf(files, path);
    const end = Math.min(Number(to), Number(from) + MAX_BLOCK_LINES);
    for (let line = Number(from); line <= end; line++) note(file, line, runs !== '0');
  }
  return { format: 'Go', files };
}

/** Lines of one block of a Go profile: more is no code that anybody wrote. */
const MAX_BLOCK_LINES = 10_000;

/** `TN:` names the test that the records below it are of; most tools write one record for all, without a name. */
function lcov(text: string, files: Files): ParsedCoverage {
  const tests = new Map<FileCoverage, Map<number, Set<string>>>();
  let file: FileCoverage | undefined;
  let test = '';
  for (const row of text.split(/\r?\n/)) {
    if (row.startsWith('TN:'))
      test = row
        .slice(3)
        .replace(/,diff$/, '')
        .trim();
    if (row.startsWith('SF:')) file = fileOf(files, row.slice(3).trim());
    const [, line, runs] = /^DA:(\d+),(\d+)/.exec(row) ?? [];
    if (file === undefined || line === undefined) continue;
    note(file, Number(line), runs !== '0');
    if (test === '' || runs === '0') continue;
    const lines = tests.get(file) ?? new Map<number, Set<string>>();
    tests.set(file, lines.set(Number(line), (lines.get(Number(line)) ?? new Set()).add(test)));
  }
  for (const [known, lines] of tests) for (const [line, names] of lines) known.tests.set(line, names);
  return { format: 'lcov', files };
}

const attribute = (tag: string, name: string): string | undefined => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];

function cobertura(text: string, files: Files): ParsedCoverage {
  let file: FileCoverage | undefined;
  for (const [tag] of text.matchAll(/<(?:class|line)\b[^<>]*>/g)) {
    if (tag.startsWith('<class')) file = fileOf(files, attribute(tag, 'filename') ?? '');
    else if (file !== undefined) note(file, Number(attribute(tag, 'number')), attribute(tag, 'hits') !== '0');
  }
  return { format: 'Cobertura', files };
}

function jacoco(text: string, files: Files): ParsedCoverage {
  let folder = '';
  let file: FileCoverage | undefined;
  for (const [tag] of text.matchAll(/<(?:package|sourcefile|line)\b[^<>]*>/g)) {
    if (tag.startsWith('<package')) folder = attribute(tag, 'name') ?? '';
    else if (tag.startsWith('<sourcefile')) file = fileOf(files, `${folder}/${attribute(tag, 'name') ?? ''}`);
    else if (file !== undefined) note(file, Number(attribute(tag, 'nr')), attribute(tag, 'ci') !== '0');
  }
  return { format: 'JaCoCo', files };
}

type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function json(text: string, files: Files): ParsedCoverage | undefined {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(read)) return undefined;
  if (isObject(read['meta']) && isObject(read['files'])) return coveragePy(read['files'], files, read['meta']);
  const entries = Object.values(read).filter(isObject);
  return entries.length > 0 && entries.every(entry => isObject(entry['statementMap']) && isObject(entry['s'])) ? istanbul(entries, files) : undefined;
}

function coveragePy(entries: Json, files: Files, { contexts: names, format }: Json): ParsedCoverage {
  const known = list(names).map(testOfContext);
  for (const [path, entry] of Object.entries(entries)) {
    if (!isObject(entry)) continue;
    const file = fileOf(files, path);
    for (const line of list(entry['executed_lines'])) note(file, Number(line), true);
    for (const line of list(entry['missing_lines'])) note(file, Number(line), false);
    for (const [line, contexts] of Object.entries(isObject(entry['contexts']) ? entry['contexts'] : {})) {
      const tests = list(contexts).flatMap(context => (typeof context === 'number' ? (known[context] ?? []) : context === '' ? [] : testOfContext(context)));
      if (tests.length > 0) file.tests.set(Number(line), tests);
    }
  }
  return { format: format === 'V8' ? 'V8' : 'coverage.py', files };
}

/** `tests/test_a.py::TestA::test_b` of `tests/test_a.py::TestA::test_b[1-2]|run`. */
function testOfContext(context: unknown): string {
  return String(context)
    .replace(/\|(?:run|setup|teardown)$/, '')
    .replace(/\[[^[]*\]$/, '');
}

function istanbul(entries: readonly Json[], files: Files): ParsedCoverage {
  for (const entry of entries) {
    const file = fileOf(files, typeof entry['path'] === 'string' ? entry['path'] : '');
    const runs = isObject(entry['s']) ? entry['s'] : {};
    for (const [key, place] of Object.entries(isObject(entry['statementMap']) ? entry['statementMap'] : {})) {
      const start = isObject(place) && isObject(place['start']) ? place['start']['line'] : undefined;
      note(file, Number(start), Number(runs[key] ?? 0) > 0);
    }
  }
  return { format: 'Istanbul', files };
}
