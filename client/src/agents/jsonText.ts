/**
 * Changes single values in the text of a JSON file (comments and trailing commas allowed, as editors write them) and leaves every
 * other character as it is.
 */

/** The text cannot be read as JSON; `offset` is where. */
export class JsonProblem extends Error {
  constructor(
    message: string,
    readonly offset: number,
  ) {
    super(message);
  }
}

export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

interface Value {
  readonly start: number;
  readonly end: number;
  /** Absent for anything but an object. */
  readonly members?: readonly Member[];
}

interface Member {
  readonly key: string;
  readonly start: number;
  readonly value: Value;
}

/**
 * `text` with the value at `path` set; objects on the way are made when they are missing. An empty text counts as `{}`.
 * Throws `JsonProblem` when the text is not JSON or something on the way is no object.
 */
export function setInJson(text: string, path: readonly string[], value: JsonValue): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const source = isBlank(text) ? `${text.startsWith('\uFEFF') ? '\uFEFF' : ''}{}${eol}` : text;
  const root = new Reader(source).document();
  const unit = indentUnit(source);
  let holder = root;
  for (const [depth, key] of path.entries()) {
    const members = membersOf(holder, path.slice(0, depth));
    const member = members.find(candidate => candidate.key === key);
    if (member === undefined) return insertMember(source, holder, { key, value: nested(path.slice(depth + 1), value), depth: depth + 1, unit, eol });
    holder = member.value;
  }
  return source.slice(0, holder.start) + print(value, path.length, unit, eol) + source.slice(holder.end);
}

/** Whether there is a value at `path`. Throws `JsonProblem` when the text is not JSON. */
export function hasInJson(text: string, path: readonly string[]): boolean {
  if (isBlank(text)) return false;
  let value: Value | undefined = new Reader(text).document();
  for (const key of path) value = value?.members?.find(member => member.key === key)?.value;
  return value !== undefined;
}

/**
 * `text` without the member at `path` and without the objects around it that this leaves empty; `''` when that is all there was.
 * Throws `JsonProblem` when the text is not JSON.
 */
export function removeFromJson(text: string, path: readonly string[]): string {
  if (!hasInJson(text, path)) return text;
  const holders = [new Reader(text).document()];
  for (const key of path.slice(0, -1)) {
    const inner = holders.at(-1)?.members?.find(member => member.key === key)?.value;
    if (inner !== undefined) holders.push(inner);
  }
  const holder = holders.at(-1);
  const members = holder?.members ?? [];
  const at = members.findIndex(member => member.key === path.at(-1));
  const member = members[at];
  if (holder === undefined || member === undefined) return text;
  const cut = cutMember(text, member, members[at - 1]);
  const length = holder.end - holder.start - (text.length - cut.length);
  const inside = cut.slice(holder.start + 1, holder.start + length - 1);
  if (inside.trim() !== '') return cut;
  const emptied = `${cut.slice(0, holder.start)}{}${cut.slice(holder.start + length)}`;
  if (path.length > 1) return removeFromJson(emptied, path.slice(0, -1));
  return emptied.replace(/^\uFEFF/, '').trim() === '{}' ? '' : emptied;
}

/** Takes a member out, with its lines where it has them for itself, and one comma. */
function cutMember(text: string, member: Member, before: Member | undefined): string {
  const reader = new Reader(text);
  const after = reader.skipBlank(member.value.end);
  const hasComma = text[after] === ',';
  let end = hasComma ? after + 1 : member.value.end;
  let { start } = member;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  if (newline >= 0 && text.slice(lineStart, start).trim() === '' && text.slice(end, newline).trim() === '') {
    start = lineStart;
    end = newline + 1;
  } else while (hasComma && text[end] === ' ') end++;
  const comma = hasComma || before === undefined ? -1 : reader.skipBlank(before.value.end);
  const head = comma < 0 ? text.slice(0, start) : text.slice(0, comma) + text.slice(comma + 1, start).replace(/[ \t]+$/, '');
  return head + text.slice(end);
}

function isBlank(text: string): boolean {
  return text.replace(/^\uFEFF/, '').trim() === '';
}

function membersOf(value: Value, path: readonly string[]): readonly Member[] {
  if (value.members !== undefined) return value.members;
  throw new JsonProblem(`${path.length === 0 ? 'The file' : `"${path.join('.')}"`} is not a JSON object`, value.start);
}

function nested(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
}

interface Insertion {
  readonly key: string;
  readonly value: JsonValue;
  /** Levels of objects around the new member. */
  readonly depth: number;
  readonly unit: string;
  readonly eol: string;
}

function insertMember(text: string, holder: Value, { key, value, depth, unit, eol }: Insertion): string {
  const line = `${eol}${unit.repeat(depth)}${JSON.stringify(key)}: ${print(value, depth, unit, eol)}`;
  const last = holder.members?.at(-1);
  const close = holder.end - 1;
  if (last === undefined) {
    const inside = text.slice(holder.start + 1, close).trimEnd();
    return `${text.slice(0, holder.start + 1)}${inside}${line}${eol}${unit.repeat(depth - 1)}${text.slice(close)}`;
  }
  const after = new Reader(text).skipBlank(last.value.end);
  const comma = text[after] === ',' ? '' : ',';
  const tail = text.slice(last.value.end, close);
  const trailing = tail.trimEnd();
  const closing = tail.includes('\n') ? tail.slice(trailing.length) : `${eol}${unit.repeat(depth - 1)}`;
  const withComma = trailing.startsWith(',') || comma === '' ? trailing : `,${trailing}`;
  return `${text.slice(0, last.value.end)}${withComma}${line}${closing}${text.slice(close)}`;
}

function print(value: JsonValue, depth: number, unit: string, eol: string): string {
  return JSON.stringify(value, undefined, unit === '' ? undefined : unit)
    .split('\n')
    .map((line, row) => (row === 0 ? line : unit.repeat(depth) + line))
    .join(eol);
}

/** Indentation of the first indented line, two spaces when there is none. */
function indentUnit(text: string): string {
  return /\n([ \t]+)["}]/.exec(text)?.[1] ?? '  ';
}

/** Reads the outline of a document: where objects, keys and values begin and end. */
class Reader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): Value {
    if (this.text.startsWith('\uFEFF')) this.at = 1;
    const value = this.value();
    this.at = this.skipBlank(this.at);
    if (this.at < this.text.length) this.fail('Unexpected text after the end of the JSON value');
    return value;
  }

  /** First offset from `from` on that is neither blank nor in a comment. */
  skipBlank(from: number): number {
    const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
    blank.lastIndex = from;
    return from + (blank.exec(this.text)?.[0].length ?? 0);
  }

  private value(): Value {
    this.at = this.skipBlank(this.at);
    const start = this.at;
    const first = this.text[start];
    if (first === '{') return { start, members: this.members(), end: this.at };
    if (first === '[') this.elements();
    else if (first === '"') this.string();
    else this.scalar();
    return { start, end: this.at };
  }

  private members(): Member[] {
    const members: Member[] = [];
    this.list('}', () => {
      const start = this.at;
      if (this.text[start] !== '"') this.fail('Expected a property name in double quotes');
      const key = this.string();
      this.at = this.skipBlank(this.at);
      if (this.text[this.at] !== ':') this.fail('Expected ":"');
      this.at++;
      members.push({ key, start, value: this.value() });
    });
    return members;
  }

  private elements(): void {
    this.list(']', () => this.value());
  }

  /** Items with commas between them up to `close`; one comma may trail. */
  private list(close: string, item: () => void): void {
    this.at = this.skipBlank(this.at + 1);
    while (this.text[this.at] !== close) {
      item();
      this.at = this.skipBlank(this.at);
      if (this.text[this.at] === ',') this.at = this.skipBlank(this.at + 1);
      else if (this.text[this.at] !== close) this.fail(this.at >= this.text.length ? `Missing "${close}"` : `Expected "," or "${close}"`);
    }
    this.at++;
  }

  private string(): string {
    const literal = /"(?:[^"\\\n\r]|\\.)*"/y;
    literal.lastIndex = this.at;
    const found = literal.exec(this.text)?.[0];
    if (found === undefined) return this.fail('Unterminated string');
    try {
      const value = JSON.parse(found) as string;
      this.at += found.length;
      return value;
    } catch {
      return this.fail('Invalid escape sequence in a string');
    }
  }

  private scalar(): void {
    const literal = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
    literal.lastIndex = this.at;
    const found = literal.exec(this.text)?.[0];
    if (found === undefined) this.fail(this.at >= this.text.length ? 'Unexpected end of file' : 'Expected a value');
    else this.at += found.length;
  }

  private fail(message: string): never {
    const line = this.text.slice(0, this.at).split('\n').length;
    throw new JsonProblem(`${message} (line ${line})`, this.at);
  }
}
