import { parseAllDocuments } from 'yaml';

/** Plain data of unknown shape. */
export type Data = Readonly<Record<string, unknown>>;

export interface ReadData {
  /** Documents of the text that are objects, or lists of them. */
  readonly documents: readonly unknown[];
  /** 1-based line and reason of the first error. */
  readonly problem?: { readonly line: number; readonly message: string };
}

/** References to one anchor, over a whole document: more are made to exhaust memory. */
const MAX_ALIASES = 1000;

/** Reads JSON or YAML with several documents. Never throws; what stands before an error in other documents is kept. */
export function readData(text: string, isJson: boolean): ReadData {
  if (isJson) return readJson(text);
  const documents: unknown[] = [];
  let problem: ReadData['problem'];
  try {
    const parsed = parseAllDocuments(text, { strict: false, uniqueKeys: false, merge: true, logLevel: 'silent', prettyErrors: false });
    for (const document of Array.isArray(parsed) ? parsed : []) {
      const [error] = document.errors;
      if (error !== undefined) {
        problem ??= { line: lineAt(text, error.pos[0]), message: error.message };
        continue;
      }
      documents.push(document.toJS({ maxAliasCount: MAX_ALIASES }));
    }
  } catch (error) {
    problem ??= { line: 1, message: error instanceof Error ? error.message : String(error) };
  }
  return { documents, ...(problem === undefined ? {} : { problem }) };
}

function readJson(text: string): ReadData {
  try {
    return { documents: [JSON.parse(text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text)] };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { documents: [], problem: { line: firstErrorLine(text), message } };
  }
}

/** Messages of `JSON.parse` differ between versions in whether they say where: YAML, which JSON is a part of, says it for texts of ordinary size. */
function firstErrorLine(text: string): number {
  if (text.length > 64 * 1024) return 1;
  return readData(text, false).problem?.line ?? 1;
}

/** 1-based. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++;
  return line;
}

export function isRecord(value: unknown): value is Data {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function recordIn(value: unknown, key: string): Data {
  const inner = isRecord(value) ? value[key] : undefined;
  return isRecord(inner) ? inner : {};
}

export function listIn(value: unknown, key: string): readonly unknown[] {
  const inner = isRecord(value) ? value[key] : undefined;
  return Array.isArray(inner) ? inner : [];
}

/** Text of a scalar; `''` for everything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

export function textIn(value: unknown, key: string): string {
  return isRecord(value) ? textOf(value[key]) : '';
}

export function textsOf(value: unknown): string[] {
  return (Array.isArray(value) ? value : []).map(textOf).filter(text => text !== '');
}

/** Finds the lines of keys in the order in which they stand: each search goes on where the last one ended. */
export class KeyLines {
  #offset = 0;
  #line = 1;

  constructor(private readonly text: string) {}

  /** 1-based line of the next place where `key` stands as a key; that of the last one found when there is none. */
  next(key: string): number {
    for (let at = this.text.indexOf(key, this.#offset); at >= 0; at = this.text.indexOf(key, at + 1)) {
      if (!isKeyAt(this.text, at, key.length)) continue;
      this.#advance(at);
      return this.#line;
    }
    return this.#line;
  }

  #advance(to: number): void {
    for (let at = this.text.indexOf('\n', this.#offset); at >= 0 && at < to; at = this.text.indexOf('\n', at + 1)) this.#line++;
    this.#offset = to;
  }
}

function isKeyAt(text: string, at: number, length: number): boolean {
  const before = at === 0 ? '\n' : (text[at - 1] ?? '');
  const after = /^["']?\s*:/.test(text.slice(at + length, at + length + 4));
  return after && /[\s"'{,-]/.test(before);
}

/** Names of values that may be secrets: their values are never kept. */
const SECRET_KEY = /pass(?:word|wd|phrase)?|secret|token|credential|api[_.-]?key|private[_.-]?key|access[_.-]?key|auth[_.-]?key|salt$/i;

/** Whether a value may be kept: its key names no secret. User and password are taken out of addresses by `withoutCredentials`. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** An address without user and password, in URLs and in connection strings. */
export function withoutCredentials(value: string): string {
  return value
    .replace(/(?<scheme>[a-z][a-z0-9+.-]*:\/\/)[^/@\s]*@/gi, '$<scheme>')
    .replace(/(?<key>(?:password|pwd|user id|username|user|uid|accountkey|sharedaccesskey)\s*=\s*)[^;&\s]*/gi, '$<key>');
}

/** Most characters of a value that is kept. */
const MAX_VALUE = 300;

export function keptValue(key: string, value: string): string | undefined {
  return isSecretKey(key) || value.length > MAX_VALUE || value.includes('\n') ? undefined : withoutCredentials(value);
}
