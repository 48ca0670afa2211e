/**
 * Changes keys of one table in the text of a TOML file and leaves every other character as it is.
 * Reads only what it must: where tables begin, and that strings and brackets are closed.
 */

/** The text is no TOML, or holds the table in a form that is not edited here. */
export class TomlProblem extends Error {}

interface Table {
  readonly name: string;
  /** Offset of the header line and of the next header (or the end of the text). */
  readonly start: number;
  readonly end: number;
  readonly keys: readonly Key[];
}

interface Key {
  readonly name: string;
  readonly start: number;
  /** After the value, before the end of the line. */
  readonly end: number;
}

/** `text` with `values` set in `[table]`; the table is appended when it is missing. Throws `TomlProblem`. */
export function setInToml(text: string, table: string, values: Readonly<Record<string, string | readonly string[]>>): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const tables = readTables(text);
  refuseOtherForms(tables, table);
  const known = tables.find(candidate => candidate.name === table);
  if (known === undefined) {
    const lines = [`[${table}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${print(value)}`)];
    const before = text.trim() === '' ? '' : `${text.replace(/\s*$/, '')}${eol}${eol}`;
    return `${before}${lines.join(eol)}${eol}`;
  }
  return Object.entries(values).reduceRight((changed, [key, value]) => setKey(changed, table, key, value, eol), text);
}

/** Whether there is a table of that name. Throws `TomlProblem`. */
export function hasInToml(text: string, table: string): boolean {
  return readTables(text).some(candidate => candidate.name === table);
}

/** `text` without a table and the tables inside it; comments before the next table stay. Throws `TomlProblem`. */
export function removeFromToml(text: string, table: string): string {
  const gone = readTables(text).filter(({ name }) => name === table || name.startsWith(`${table}.`));
  const cut = gone.reduceRight((left, found) => {
    const lastKey = found.keys.at(-1)?.end ?? found.start;
    const end = lastKey + lineAt(left, lastKey).length + 1;
    const before = left.slice(0, found.start).replace(/(\r?\n)\s*$/, '$1');
    const after = left.slice(end);
    return after.trim() === '' ? before : `${before}${after}`;
  }, text);
  return cut.trim() === '' ? '' : cut;
}

function setKey(text: string, table: string, key: string, value: string | readonly string[], eol: string): string {
  const known = readTables(text).find(candidate => candidate.name === table);
  if (known === undefined) throw new TomlProblem(`Table [${table}] was not found`);
  const line = `${key} = ${print(value)}`;
  const present = known.keys.find(candidate => candidate.name === key);
  if (present !== undefined) return text.slice(0, present.start) + line + text.slice(present.end);
  const header = text.indexOf('\n', known.start);
  if (header < 0) return `${text}${eol}${line}${eol}`;
  return `${text.slice(0, header + 1)}${line}${eol}${text.slice(header + 1)}`;
}

/** `a.b = {…}`, `[a] b.c = 1` and `[[a.b]]` would clash with a table of the same name. */
function refuseOtherForms(tables: readonly Table[], table: string): void {
  for (const { name, keys } of tables) {
    for (const key of keys) {
      const full = name === '' ? key.name : `${name}.${key.name}`;
      if (full === table || (full.startsWith(`${table}.`) && name !== table && !name.startsWith(`${table}.`)) || table.startsWith(`${full}.`)) {
        throw new TomlProblem(`"${full}" is an inline table, which cannot be edited automatically. Add the table [${table}] manually.`);
      }
    }
  }
}

function print(value: string | readonly string[]): string {
  // A JSON string is a TOML basic string: the escapes are the same but for \/, which JSON.stringify does not write.
  return typeof value === 'string' ? JSON.stringify(value) : `[${value.map(each => JSON.stringify(each)).join(', ')}]`;
}

const HEADER = /^\s*\[\[?\s*([^\]#]+?)\s*\]\]?\s*(?:#.*)?\r?$/;
const KEY = /^\s*((?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[\w-]+|"[^"\n]*"|'[^'\n]*'))*)\s*=/;
const BLANK = /^\s*(?:#.*)?$/;

function readTables(text: string): Table[] {
  const tables: { name: string; start: number; end: number; keys: Key[] }[] = [{ name: '', start: 0, end: text.length, keys: [] }];
  let at = text.startsWith('\uFEFF') ? 1 : 0;
  while (at < text.length) {
    const line = lineAt(text, at);
    const current = tables.at(-1);
    const header = HEADER.exec(line)?.[1];
    let next = at + line.length;
    if (header !== undefined) {
      if (current !== undefined) current.end = at;
      tables.push({ name: plainName(header), start: at, end: text.length, keys: [] });
    } else if (!BLANK.test(line)) {
      const key = readKey(text, at, line);
      current?.keys.push(key);
      next = key.end + lineAt(text, key.end).length;
    }
    at = next + 1;
  }
  return tables;
}

/** The key whose line begins at `at`; nothing but a comment may follow its value. */
function readKey(text: string, at: number, line: string): Key {
  const found = KEY.exec(line);
  if (found?.[1] === undefined) throw new TomlProblem(`Line ${lineNumber(text, at)} is not a table or key`);
  const end = endOfValue(text, at + found[0].length);
  if (!BLANK.test(lineAt(text, end))) throw new TomlProblem(`Unexpected text after the value on line ${lineNumber(text, end)}`);
  return { name: plainName(found[1]), start: at + line.length - line.trimStart().length, end };
}

/** Dotted name without blanks and without the quotes of its parts. */
function plainName(name: string): string {
  return name
    .split('.')
    .map(part => part.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .join('.');
}

/** Offset after the value that begins at `from`, over strings and brackets that span lines. */
function endOfValue(text: string, from: number): number {
  let depth = 0;
  let at = from;
  let end = from;
  while (at < text.length) {
    const rest = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*|[[{]|[\]}]|\r?\n|[^\S\n]+|[^\s"'#[\]{}]+|["']/y;
    rest.lastIndex = at;
    const token = rest.exec(text)?.[0] ?? text.charAt(at);
    if (token === '"' || token === "'") throw new TomlProblem(`Unterminated string on line ${lineNumber(text, at)}`);
    if (token === '[' || token === '{') depth++;
    else if (token === ']' || token === '}') depth--;
    if (depth < 0) throw new TomlProblem(`Unexpected closing bracket on line ${lineNumber(text, at)}`);
    if (depth === 0 && (token.endsWith('\n') || token.startsWith('#'))) break;
    // One value a line; only a date may have a blank before its time.
    if (depth === 0 && end > from && token.trim() === '' && !/^\s+\d\d:\d\d/.test(text.slice(at, at + 8))) break;
    at += token.length;
    if (token.trim() !== '') end = at;
  }
  if (depth > 0) throw new TomlProblem(`Unclosed bracket on line ${lineNumber(text, from)}`);
  if (end === from) throw new TomlProblem(`Missing value on line ${lineNumber(text, from)}`);
  return end;
}

function lineAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(at, end < 0 ? text.length : end);
}

function lineNumber(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
