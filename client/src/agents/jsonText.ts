import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

/**
 * Changes single values in the text of a JSON file (comments and trailing commas allowed, as editors write them) and leaves every
 * other character as it is. The parser says where things stand; its own edits are not used, because they hand the comment behind a member to
 * the next one, delete those around a member with it, and lay out its neighbors anew.
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

/**
 * `text` with the value at `path` set; objects on the way are made when they are missing. An empty text counts as `{}`.
 * Throws `JsonProblem` when the text is not JSON or something on the way is no object.
 */
export function setInJson(text: string, path: readonly string[], value: JsonValue): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const { bom, body } = withoutMark(text);
  const source = body.trim() === '' ? `{}${eol}` : body;
  const unit = indentUnit(source);
  let holder = documentOf(source);
  for (const [depth, key] of path.entries()) {
    const inner = findNodeAtLocation(requireObject(holder, path.slice(0, depth)), [key]);
    if (inner === undefined) return bom + insertMember(source, holder, { key, value: nested(path.slice(depth + 1), value), depth: depth + 1, unit, eol });
    holder = inner;
  }
  return bom + source.slice(0, holder.offset) + print(value, path.length, unit, eol) + source.slice(endOf(holder));
}

/**
 * `text` with `value` as the last item of the array at `path`, which is made when it is missing, with the objects on the way.
 * Throws `JsonProblem` when the text is not JSON or what stands there is no array.
 */
export function appendToJson(text: string, path: readonly string[], value: JsonValue): string {
  if (!hasInJson(text, path)) return setInJson(text, path, [value]);
  const { bom, body } = withoutMark(text);
  const array = requireArray(findNodeAtLocation(documentOf(body), [...path]), path);
  return bom + insertMember(body, array, { value, depth: path.length + 1, unit: indentUnit(body), eol: body.includes('\r\n') ? '\r\n' : '\n' });
}

/** Values in the array at `path`; none when nothing stands there. Throws like `appendToJson`. */
export function itemsInJson(text: string, path: readonly string[]): readonly unknown[] {
  if (!hasInJson(text, path)) return [];
  return requireArray(findNodeAtLocation(documentOf(withoutMark(text).body), [...path]), path).children?.map(item => getNodeValue(item) as unknown) ?? [];
}

/**
 * `text` without the items of the array at `path` that `isMeant` takes, and without the array and the objects around it that this leaves empty;
 * `''` when that is all there was. Throws like `appendToJson`.
 */
export function removeItemsFromJson(text: string, path: readonly string[], isMeant: (value: unknown) => boolean): string {
  const items = itemsInJson(text, path);
  if (!items.some(isMeant)) return text;
  if (items.every(isMeant)) return removeFromJson(text, path);
  const { bom, body } = withoutMark(text);
  let rest = body;
  for (let index = items.length - 1; index >= 0; index--) {
    if (!isMeant(items[index])) continue;
    const item = findNodeAtLocation(documentOf(rest), [...path, index]);
    if (item !== undefined) rest = cutMember(rest, item, item.parent?.children?.[index - 1]);
  }
  return bom + rest;
}

/** Whether there is a value at `path`. Throws `JsonProblem` when the text is not JSON. */
export function hasInJson(text: string, path: readonly string[]): boolean {
  const { body } = withoutMark(text);
  return body.trim() !== '' && findNodeAtLocation(documentOf(body), [...path]) !== undefined;
}

/**
 * `text` without the member at `path` and without the objects around it that this leaves empty; `''` when that is all there was.
 * Throws `JsonProblem` when the text is not JSON.
 */
export function removeFromJson(text: string, path: readonly string[]): string {
  const { bom, body } = withoutMark(text);
  const member = body.trim() === '' ? undefined : findNodeAtLocation(documentOf(body), [...path])?.parent;
  const holder = member?.parent;
  if (member === undefined || holder === undefined) return text;
  const before = holder.children?.[holder.children.indexOf(member) - 1];
  const cut = cutMember(body, member, before);
  const length = holder.length - (body.length - cut.length);
  const inside = cut.slice(holder.offset + 1, holder.offset + length - 1);
  if (inside.trim() !== '') return bom + cut;
  const emptied = `${cut.slice(0, holder.offset)}{}${cut.slice(holder.offset + length)}`;
  if (path.length > 1) return removeFromJson(bom + emptied, path.slice(0, -1));
  return emptied.trim() === '{}' ? '' : bom + emptied;
}

/** Takes a member out, with its lines where it has them for itself, and one comma. */
function cutMember(text: string, member: Node, before: Node | undefined): string {
  const after = skipBlank(text, endOf(member));
  const hasComma = text[after] === ',';
  let end = hasComma ? after + 1 : endOf(member);
  let start = member.offset;
  const lineStart = text.lastIndexOf('\n', start - 1) + 1;
  const newline = text.indexOf('\n', end);
  if (newline >= 0 && text.slice(lineStart, start).trim() === '' && text.slice(end, newline).trim() === '') {
    start = lineStart;
    end = newline + 1;
  } else while (hasComma && text[end] === ' ') end++;
  const comma = hasComma || before === undefined ? -1 : skipBlank(text, endOf(before));
  const head = comma < 0 ? text.slice(0, start) : text.slice(0, comma) + text.slice(comma + 1, start).replace(/[ \t]+$/, '');
  return head + text.slice(end);
}

function withoutMark(text: string): { readonly bom: string; readonly body: string } {
  return text.startsWith('\uFEFF') ? { bom: '\uFEFF', body: text.slice(1) } : { bom: '', body: text };
}

/** The tree of a whole document without an error in it. */
function documentOf(text: string): Node {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first !== undefined || tree === undefined) throw new JsonProblem(problemText(text, first), first?.offset ?? 0);
  return tree;
}

function problemText(text: string, error: ParseError | undefined): string {
  const line = text.slice(0, error?.offset ?? 0).split('\n').length;
  const words =
    error === undefined
      ? 'value expected'
      : printParseErrorCode(error.error)
          .replace(/([a-z])([A-Z])/g, '$1 $2')
          .toLowerCase();
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)} (line ${line})`;
}

function requireObject(node: Node, path: readonly string[]): Node {
  if (node.type === 'object') return node;
  throw new JsonProblem(`${path.length === 0 ? 'The file' : `"${path.join('.')}"`} is not a JSON object`, node.offset);
}

function requireArray(node: Node | undefined, path: readonly string[]): Node {
  if (node?.type === 'array') return node;
  throw new JsonProblem(`"${path.join('.')}" is not a JSON array`, node?.offset ?? 0);
}

function endOf({ length, offset }: Node): number {
  return offset + length;
}

/** First offset from `from` on that is neither blank nor in a comment. */
function skipBlank(text: string, from: number): number {
  const blank = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y;
  blank.lastIndex = from;
  return from + (blank.exec(text)?.[0].length ?? 0);
}

function nested(path: readonly string[], value: JsonValue): JsonValue {
  return path.reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
}

interface Insertion {
  /** Absent for an item of an array. */
  readonly key?: string;
  readonly value: JsonValue;
  /** Levels of objects and arrays around the new member. */
  readonly depth: number;
  readonly unit: string;
  readonly eol: string;
}

function insertMember(text: string, holder: Node, { key, value, depth, unit, eol }: Insertion): string {
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `;
  const line = `${eol}${unit.repeat(depth)}${name}${print(value, depth, unit, eol)}`;
  const last = holder.children?.at(-1);
  const close = endOf(holder) - 1;
  if (last === undefined) {
    const inside = text.slice(holder.offset + 1, close).trimEnd();
    return `${text.slice(0, holder.offset + 1)}${inside}${line}${eol}${unit.repeat(depth - 1)}${text.slice(close)}`;
  }
  const end = endOf(last);
  const after = skipBlank(text, end);
  const comma = text[after] === ',' ? '' : ',';
  const tail = text.slice(end, close);
  const trailing = tail.trimEnd();
  const closing = tail.includes('\n') ? tail.slice(trailing.length) : `${eol}${unit.repeat(depth - 1)}`;
  const withComma = trailing.startsWith(',') || comma === '' ? trailing : `,${trailing}`;
  return `${text.slice(0, end)}${withComma}${line}${closing}${text.slice(close)}`;
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
