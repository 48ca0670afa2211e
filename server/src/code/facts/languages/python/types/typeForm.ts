import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import type { FileContext } from '../fileContext';
import type { KindName } from '../grammar';

/** A type annotation, whether written as code or inside a string. `at` are offsets in the file. */
export type TypeForm =
  | { readonly is: 'name'; readonly parts: readonly NamePart[] }
  | { readonly is: 'apply'; readonly base: TypeForm; readonly items: readonly TypeForm[] }
  | { readonly is: 'union'; readonly items: readonly TypeForm[] }
  | { readonly is: 'list'; readonly items: readonly TypeForm[] }
  | { readonly is: 'literal'; readonly text: string }
  | { readonly is: 'none' }
  | { readonly is: 'ellipsis' }
  | { readonly is: 'unknown' };

export interface NamePart {
  readonly text: string;
  readonly at: number;
}

const MAX_DEPTH = 60;
const UNKNOWN: TypeForm = { is: 'unknown' };

/** Reads a `type` node, or an expression in the place of a type. */
export function typeFormOf(file: FileContext, node: SyntaxNode, depth = 0): TypeForm {
  if (node === NO_NODE || depth > MAX_DEPTH) return UNKNOWN;
  const reading = READINGS.find(([kind]) => file.is(node, kind));
  return reading === undefined ? UNKNOWN : reading[1](file, node, depth);
}

type Reading = (file: FileContext, node: SyntaxNode, depth: number) => TypeForm;

const inner: Reading = (file, node, depth) => typeFormOf(file, file.reader.firstNamedChild(node), depth + 1);
const listed: Reading = (file, node, depth) => ({ is: 'list', items: formsOf(file, file.children(node), depth) });
const literal =
  (text: string): Reading =>
  () => ({ is: 'literal', text });

/** How each kind of node reads as a type, the most frequent first. */
const READINGS: readonly (readonly [KindName, Reading])[] = [
  ['identifier', (file, node) => ({ is: 'name', parts: [partOf(file, node)] })],
  ['type', inner],
  [
    'generic_type',
    (file, node, depth) => {
      const base = typeFormOf(file, file.reader.firstNamedChild(node), depth + 1);
      return { is: 'apply', base, items: formsOf(file, file.children(file.childOf(node, 'type_parameter')), depth) };
    },
  ],
  ['none', () => ({ is: 'none' })],
  ['attribute', (file, node, depth) => memberForm(typeFormOf(file, file.child(node, 'object'), depth + 1), partOf(file, file.child(node, 'attribute')))],
  ['string', stringForm],
  [
    'binary_operator',
    (file, node, depth) => {
      if (file.text(file.child(node, 'operator')) !== '|') return UNKNOWN;
      return { is: 'union', items: formsOf(file, [file.child(node, 'left'), file.child(node, 'right')], depth) };
    },
  ],
  [
    'subscript',
    (file, node, depth) => {
      const base = typeFormOf(file, file.child(node, 'value'), depth + 1);
      return {
        is: 'apply',
        base,
        items: formsOf(
          file,
          subscriptsOf(file, node).flatMap(item => flattenTuple(file, item)),
          depth,
        ),
      };
    },
  ],
  ['tuple', listed],
  ['list', listed],
  ['expression_list', listed],
  ['union_type', (file, node, depth) => ({ is: 'union', items: formsOf(file, file.children(node), depth) })],
  ['member_type', (file, node, depth) => memberForm(inner(file, node, depth), partOf(file, file.reader.lastNamedChild(node)))],
  ['ellipsis', () => ({ is: 'ellipsis' })],
  ['parenthesized_expression', inner],
  ['splat_type', inner],
  ['list_splat', inner],
  ['integer', literal('number')],
  ['float', literal('number')],
  ['unary_operator', literal('number')],
  ['true', literal('boolean')],
  ['false', literal('boolean')],
];

function formsOf(file: FileContext, nodes: readonly SyntaxNode[], depth: number): TypeForm[] {
  return nodes.map(node => typeFormOf(file, node, depth + 1));
}

/** Operands between the brackets of a subscript. */
export function subscriptsOf(file: FileContext, node: SyntaxNode): SyntaxNode[] {
  return file.children(node).filter(child => file.reader.field(child) === file.grammar.field.subscript);
}

function flattenTuple(file: FileContext, node: SyntaxNode): SyntaxNode[] {
  return file.is(node, 'tuple') ? file.children(node) : [node];
}

function partOf(file: FileContext, node: SyntaxNode): NamePart {
  return { text: file.text(node), at: node === NO_NODE ? 0 : file.reader.start(node) };
}

function memberForm(object: TypeForm, part: NamePart): TypeForm {
  return object.is === 'name' ? { is: 'name', parts: [...object.parts, part] } : UNKNOWN;
}

function stringForm(file: FileContext, node: SyntaxNode, depth: number): TypeForm {
  const content = file.childOf(node, 'string_content');
  if (content === NO_NODE) return UNKNOWN;
  return parseTypeText(file.text(content), file.reader.start(content), depth);
}

/** Reads a type written in a string; what does not read as one is unknown. `offset` is where the text starts in the file. */
export function parseTypeText(text: string, offset: number, depth = 0): TypeForm {
  const parser = new TypeTextParser(text, offset, depth);
  return parser.whole();
}

const TOKEN = /\s*(?:(?<name>[\p{L}_][\p{L}\p{N}_]*)|(?<dots>\.\.\.)|(?<string>'[^']*'|"[^"]*")|(?<number>-?\d[\w.]*)|(?<mark>[[\],.|()*]))/uy;

interface Token {
  readonly is: 'name' | 'dots' | 'string' | 'number' | 'mark' | 'end' | 'bad';
  readonly text: string;
  readonly at: number;
}

class TypeTextParser {
  #token: Token;
  #position = 0;

  constructor(
    private readonly text: string,
    private readonly offset: number,
    private readonly depth: number,
  ) {
    this.#token = this.#scan();
  }

  whole(): TypeForm {
    const form = this.#union(this.depth);
    return this.#token.is === 'end' ? form : UNKNOWN;
  }

  #scan(): Token {
    TOKEN.lastIndex = this.#position;
    const match = TOKEN.exec(this.text);
    if (match === null) return { is: this.text.slice(this.#position).trim() === '' ? 'end' : 'bad', text: '', at: this.offset };
    this.#position = TOKEN.lastIndex;
    for (const is of ['name', 'dots', 'string', 'number', 'mark'] as const) {
      const text = match.groups?.[is];
      if (text !== undefined) return { is, text, at: this.offset + this.#position - text.length };
    }
    return { is: 'bad', text: '', at: this.offset };
  }

  #next(): Token {
    const token = this.#token;
    this.#token = this.#scan();
    return token;
  }

  #take(mark: string): boolean {
    if (this.#token.is !== 'mark' || this.#token.text !== mark) return false;
    this.#next();
    return true;
  }

  #union(depth: number): TypeForm {
    if (depth > MAX_DEPTH) return UNKNOWN;
    const items = [this.#postfix(depth)];
    while (this.#take('|')) items.push(this.#postfix(depth));
    const [only] = items;
    return items.length === 1 && only !== undefined ? only : { is: 'union', items };
  }

  #postfix(depth: number): TypeForm {
    let form = this.#primary(depth);
    for (;;) {
      if (this.#take('.')) form = memberForm(form, this.#token.is === 'name' ? this.#next() : { text: '', at: this.offset });
      else if (this.#take('[')) form = { is: 'apply', base: form, items: this.#items(']', depth) };
      else return form;
    }
  }

  #primary(depth: number): TypeForm {
    this.#take('*');
    if (this.#take('[')) return { is: 'list', items: this.#items(']', depth) };
    if (this.#take('(')) {
      const items = this.#items(')', depth);
      return items.length === 1 ? (items[0] ?? UNKNOWN) : { is: 'list', items };
    }
    if (this.#token.is === 'mark' || this.#token.is === 'end' || this.#token.is === 'bad') return UNKNOWN;
    const token = this.#next();
    if (token.is === 'dots') return { is: 'ellipsis' };
    if (token.is === 'number') return { is: 'literal', text: 'number' };
    if (token.is === 'string') return parseTypeText(token.text.slice(1, -1), token.at + 1, depth + 1);
    if (token.text === 'None') return { is: 'none' };
    if (token.text === 'True' || token.text === 'False') return { is: 'literal', text: 'boolean' };
    return { is: 'name', parts: [{ text: token.text, at: token.at }] };
  }

  #items(close: string, depth: number): TypeForm[] {
    const items: TypeForm[] = [];
    while (!this.#take(close)) {
      if (this.#token.is === 'end' || this.#token.is === 'bad') return items;
      const before = this.#position;
      items.push(this.#union(depth + 1));
      if (!this.#take(',') && this.#position === before) this.#next();
    }
    return items;
  }
}
