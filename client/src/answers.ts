/**
 * Reads what the tools answer. The data of a tool is a promise to every client (`spec` of the tool), yet it crosses a process
 * and a version boundary, so that each field is checked before it is used.
 */
import { ThemeIcon, Uri } from 'vscode';
import type { AnswerDto } from '../../server/protocol/requests';
import { Refusal } from './refusal';

/** A symbol or file of the graph as lists show it. */
export interface GraphItem {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  /** Path inside its workspace folder, `/` between segments. */
  readonly file: string;
  /** 1-based first line, of the evidence where there is one, else of the declaration. */
  readonly line: number;
}

export interface ImpactItem extends GraphItem {
  readonly depth: number;
  /** How it depends on the next node towards the target, in lower case (`called_by`); `''` when not told. */
  readonly relation: string;
  /** 0 to 1; below `FACT` the dependency is a maybe. */
  readonly confidence: number;
  /** Name of the node one step nearer to the target; `''` at depth 1. */
  readonly via: string;
  readonly test: boolean;
}

/** From this confidence on a dependency is a fact. */
const FACT = 0.8;

export function isMaybe(item: ImpactItem): boolean {
  return item.confidence < FACT;
}

type Row = Readonly<Record<string, unknown>>;

/** Data of a successful answer; a refused call becomes a `Refusal` that says what to do. */
export function dataOf(answer: AnswerDto): Row {
  if (answer.envelope.ok) return answer.envelope.data ?? {};
  const { summary, hint } = answer.envelope;
  throw new Refusal(hint === undefined ? summary : `${summary} ${hint}`);
}

export function rowsOf(data: Row, key: string): readonly Row[] {
  const rows = data[key];
  return Array.isArray(rows) ? rows.filter((row): row is Row => typeof row === 'object' && row !== null) : [];
}

export function textOf(row: Row, ...keys: readonly string[]): string {
  for (const key of keys) if (typeof row[key] === 'string') return row[key];
  return '';
}

export function numberOf(row: Row, fallback: number, ...keys: readonly string[]): number {
  for (const key of keys) if (typeof row[key] === 'number') return row[key];
  return fallback;
}

export function graphItem(row: Row): GraphItem {
  const id = textOf(row, 'chunk_id', 'id');
  const file = textOf(row, 'file', 'path') || (id.split('::')[0] ?? '');
  return {
    id,
    name: textOf(row, 'name') || nameOf(id),
    kind: textOf(row, 'kind', 'type'),
    file,
    line: numberOf(row, firstLine(textOf(row, 'lines')), 'line', 'startLine'),
  };
}

/** Last segment of an id: the member of `src/a.ts::Cart::add`, the base name of a file. */
export function nameOf(id: string): string {
  return id.slice(Math.max(id.lastIndexOf('::') + 2, id.includes('::') ? 0 : id.lastIndexOf('/') + 1));
}

/** What encloses a symbol inside its file (`Cart` of `src/a.ts::Cart::add`), or `''`. */
export function containerOf(id: string): string {
  return id.split('::').slice(1, -1).join('.');
}

export function iconOf(kind: string): ThemeIcon {
  return new ThemeIcon(ICONS[kind] ?? 'symbol-misc');
}

export function uriOf(folder: Uri, file: string): Uri {
  return Uri.joinPath(folder, file);
}

function firstLine(lines: string): number {
  const line = Number.parseInt(lines, 10);
  return Number.isFinite(line) ? line : 1;
}

const ICONS: Readonly<Record<string, string>> = {
  file: 'symbol-file',
  function: 'symbol-function',
  method: 'symbol-method',
  constructor: 'symbol-constructor',
  class: 'symbol-class',
  interface: 'symbol-interface',
  type: 'symbol-type-parameter',
  enum: 'symbol-enum',
  enum_member: 'symbol-enum-member',
  variable: 'symbol-variable',
  constant: 'symbol-constant',
  field: 'symbol-field',
  property: 'symbol-property',
  module: 'symbol-module',
  namespace: 'symbol-namespace',
  struct: 'symbol-struct',
  trait: 'symbol-interface',
};
