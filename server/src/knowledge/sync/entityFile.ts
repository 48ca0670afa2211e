import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml';
import { entityIssues } from './checks';
import { conflictMarkerLine } from './markers';
import { problem, type SyncProblem } from './problems';
import { canonical, type EntityKind, type Related, type SharedEntity } from './sharedState';
import { folderOf } from './textFiles';

export interface EntityFile {
  readonly path: string;
  /** Absent when the file cannot be used. */
  readonly entity: SharedEntity | undefined;
  /** What the file calls itself, also when the rest of it cannot be used. */
  readonly claimedId: string | undefined;
  readonly problems: readonly SyncProblem[];
}

const KEYS = ['id', 'kind', 'name', 'molecule', 'paths', 'related', 'createdByTaskId', 'createdAt'] as const;
type Key = (typeof KEYS)[number];

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ID = new RegExp(`^(?:atom|molecule)::${UUID}$`);
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const FENCE = /^---[ \t]*$/;

/** Reads the file of an atom or a molecule. Total: whatever is wrong is a problem with its line and what to do. */
export function readEntityFile(path: string, text: string): EntityFile {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n?|\n/);
  const claimedId = claimOf(lines);
  const refuse = (line: number, message: string, fix: string): EntityFile => ({
    path,
    entity: undefined,
    claimedId,
    problems: [problem(path, line, message, fix)],
  });
  const marker = conflictMarkerLine(text);
  if (marker !== undefined) return refuse(marker, 'Git conflict marker.', 'Keep one side, or merge both, and delete the conflict markers.');
  if (!FENCE.test(lines[0] ?? '')) return refuse(1, 'Front matter is missing.', 'Start the file with a line of three dashes, followed by id, kind and name.');
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (end < 0) return refuse(1, 'The front matter is not closed.', 'Add a line of three dashes after it.');
  const reader = new FrontMatter(path, lines.slice(1, end).join('\n'));
  const entity = reader.entity(lines.slice(end + 1).join('\n'));
  if (entity !== undefined) {
    for (const { field, fix, item, message } of entityIssues(entity)) reader.complain(reader.lineOf(field, item) ?? end + 2, message, fix);
  }
  const failed = reader.problems.some(({ severity }) => severity === 'error');
  return { path, entity: failed ? undefined : entity, claimedId, problems: reader.problems };
}

/** The id that a broken front matter names. */
function claimOf(lines: readonly string[]): string | undefined {
  for (const line of lines.slice(0, 40)) {
    const found = /^\s*id\s*:\s*["']?([^\s"']+)/.exec(line)?.[1];
    if (found !== undefined && ID.test(found)) return found;
  }
  return undefined;
}

interface Value {
  readonly node: unknown;
  readonly line: number;
}

class FrontMatter {
  readonly problems: SyncProblem[] = [];
  readonly #path: string;
  readonly #lines = new LineCounter();
  readonly #values = new Map<Key, Value>();

  constructor(path: string, text: string) {
    this.#path = path;
    const document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false, strict: true, uniqueKeys: true, schema: 'failsafe' });
    for (const { message, pos } of document.errors) this.complain(this.#lineAt(pos[0]), `Invalid YAML: ${message}`, 'Use the format of exported files.');
    if (document.errors.length > 0) return;
    if (isMap(document.contents)) for (const { key, value } of document.contents.items) this.#take(key, value);
    else this.complain(1, 'The front matter is not a mapping.', `Use the keys ${KEYS.join(', ')}.`);
  }

  /** Of a key, or of an item of its list. */
  lineOf(key: string, item?: number): number | undefined {
    const value = this.#values.get(key as Key);
    const node = item !== undefined && isSeq(value?.node) ? value.node.items[item] : undefined;
    return node === undefined ? value?.line : this.#lineOfNode(node);
  }

  complain(line: number, message: string, fix: string): void {
    this.problems.push(problem(this.#path, line, message, fix));
  }

  /** `undefined` when something needed is missing or malformed; every such thing is named. */
  entity(body: string): SharedEntity | undefined {
    if (this.problems.length > 0) return undefined;
    const id = this.#matching('id', ID, 'an id such as atom::1b4e28ba-2fa1-11d2-883f-0016d3cca427');
    const kind = this.#kind(id);
    const name = this.#text('name');
    const createdByTaskId = this.#text('createdByTaskId');
    const createdAt = this.#matching('createdAt', TIME, 'a time such as 2026-03-01T12:00:00.000Z');
    const moleculeId = this.#molecule(kind);
    const paths = this.#paths(kind);
    const related = this.#related(kind);
    if (id === undefined || kind === undefined || name === undefined || createdByTaskId === undefined || createdAt === undefined) return undefined;
    if (this.problems.length > 0) return undefined;
    return canonical({ id, kind, name, moleculeId, paths, related, knowledge: body, createdByTaskId, createdAt });
  }

  #take(key: unknown, node: unknown): void {
    const name = isScalar(key) ? String(key.value) : '';
    const line = this.#lineOfNode(key);
    if ((KEYS as readonly string[]).includes(name)) this.#values.set(name as Key, { node, line });
    else this.complain(line, `Unknown key "${name}".`, `Remove it. Supported keys: ${KEYS.join(', ')}.`);
  }

  #kind(id: string | undefined): EntityKind | undefined {
    const kind = this.#text('kind');
    if (kind === undefined || id === undefined) return undefined;
    const line = this.lineOf('kind') ?? 1;
    if (kind !== 'atom' && kind !== 'molecule') {
      this.complain(line, `Unknown kind "${kind}".`, 'Use kind: atom or kind: molecule.');
      return undefined;
    }
    if (!id.startsWith(`${kind}::`)) this.complain(line, `The kind ${kind} does not match the ID ${id}.`, `Use kind: ${id.split('::')[0] ?? ''}.`);
    if (!this.#path.startsWith(`${folderOf(kind)}/`)) this.complain(line, `A ${kind} does not belong in this folder.`, `Move the file to ${folderOf(kind)}.`);
    return kind;
  }

  #molecule(kind: EntityKind | undefined): string | null {
    const value = this.#values.get('molecule');
    if (value === undefined || isNothing(value.node)) return null;
    if (kind === 'molecule') {
      this.complain(value.line, 'A molecule cannot be in a molecule.', 'Remove the key molecule.');
      return null;
    }
    const id = this.#scalar(value, 'molecule');
    if (id === undefined) return null;
    if (!ID.test(id) || !id.startsWith('molecule::')) this.complain(value.line, `${id} is not a valid molecule ID.`, 'Use molecule::uuid, or remove the key.');
    return id;
  }

  #paths(kind: EntityKind | undefined): string[] {
    const value = this.#values.get('paths');
    if (kind !== 'molecule') return this.#items(value, 'paths').flatMap(item => this.#scalar(item, 'A path') ?? []);
    if (value !== undefined) this.complain(value.line, 'A molecule cannot have paths. Only its atoms can.', 'Remove the key paths.');
    return [];
  }

  #related(kind: EntityKind | undefined): Related[] {
    return this.#items(this.#values.get('related'), 'related').flatMap(item => this.#relatedItem(item, kind) ?? []);
  }

  #relatedItem({ node, line }: Value, kind: EntityKind | undefined): Related | undefined {
    const fix = `Use { id: ${kind ?? 'atom'}::uuid, reason: "why" }.`;
    if (!isMap(node)) {
      this.complain(line, 'A related entry is not a mapping.', fix);
      return undefined;
    }
    const texts = new Map<string, string>();
    for (const { key, value } of node.items) {
      const name = isScalar(key) ? String(key.value) : '';
      const text = this.#scalar({ node: value, line }, name);
      if ((name === 'id' || name === 'reason') && text !== undefined) texts.set(name, text);
      else this.complain(line, `Unknown key "${name}" in a related entry.`, fix);
    }
    const id = texts.get('id');
    if (id !== undefined && ID.test(id) && (kind === undefined || id.startsWith(`${kind}::`))) return { id, reason: texts.get('reason') ?? '' };
    this.complain(line, `${id ?? 'An empty value'} is not a valid ${kind === 'molecule' ? 'molecule' : 'atom'} ID.`, fix);
    return undefined;
  }

  #items(value: Value | undefined, what: string): Value[] {
    if (value === undefined || isNothing(value.node)) return [];
    if (isSeq(value.node)) return value.node.items.map(node => ({ node, line: this.#lineOfNode(node) }));
    this.complain(value.line, `${what} is not a list.`, 'Write one item per line, starting with "  - ".');
    return [];
  }

  #matching(key: Key, pattern: RegExp, what: string): string | undefined {
    const text = this.#text(key);
    if (text === undefined || pattern.test(text)) return text;
    this.complain(this.lineOf(key) ?? 1, `${key} has the invalid value "${text}".`, `Use ${what}.`);
    return undefined;
  }

  #text(key: Key): string | undefined {
    const value = this.#values.get(key);
    if (value !== undefined) return this.#scalar(value, key);
    this.complain(1, `${key} is missing.`, `Add a line that starts with "${key}: ".`);
    return undefined;
  }

  #scalar({ node, line }: Value, what: string): string | undefined {
    if (isScalar(node) && typeof node.value === 'string') return node.value;
    this.complain(line, `${what} is not a string.`, 'Write a string on one line, in double quotes.');
    return undefined;
  }

  #lineOfNode(node: unknown): number {
    const start = (node as Partial<Node> | null | undefined)?.range?.[0];
    return typeof start === 'number' ? this.#lineAt(start) : 1;
  }

  /** 1-based line in the file: the front matter begins on line 2. */
  #lineAt(offset: number): number {
    return this.#lines.linePos(offset).line + 1;
  }
}

function isNothing(node: unknown): boolean {
  return node === null || node === undefined || (isScalar(node) && (node.value === '' || node.value === null) && node.type === 'PLAIN');
}
