import { type ExpressionRow, NO_TEXT, NONE, type SymbolRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { constantRow } from '../names';
import type { Frame, RubyFile } from '../walk';
import { readYardTypes, type YardForm } from './yardForm';

/** Types that the comment before a declaration gives. */
export interface YardDoc {
  readonly parameters: ReadonlyMap<string, YardForm>;
  readonly returns: YardForm | undefined;
  /** `@yieldparam`, in order. */
  readonly yields: readonly YardForm[];
  /** `@type`. */
  readonly type: YardForm | undefined;
}

const EMPTY: YardDoc = { parameters: new Map(), returns: undefined, yields: [], type: undefined };
const TAG = /@(?<tag>param|return|yieldparam|type)\b[ \t]*(?<first>[\w*&]+[ \t]+)?(?=\[)/g;

/** Node that the comment of a declaration stands before: for the first in a body the body itself, for the argument of a macro the call. */
export function docAnchor(file: RubyFile, node: SyntaxNode): SyntaxNode {
  let at = node;
  for (let steps = 0; steps < 6; steps++) {
    const parent = file.reader.parent(at);
    if (file.is(parent, 'argument_list')) at = file.reader.parent(parent);
    else if (file.is(parent, 'body_statement', 'block_body') && file.reader.previousSibling(at) === NO_NODE) at = parent;
    else break;
  }
  return at;
}

/** Comments that end directly above a node are read together. */
export function yardOf(file: RubyFile, declared: SyntaxNode): YardDoc {
  const node = docAnchor(file, declared);
  let first = NO_NODE;
  let below = file.reader.start(node);
  const { text } = file.table;
  for (let at = file.reader.previousSibling(node); file.is(at, 'comment'); at = file.reader.previousSibling(at)) {
    if (text.slice(file.reader.end(at), below).trim() !== '') break;
    first = at;
    below = file.reader.start(at);
  }
  if (first === NO_NODE) return EMPTY;
  const start = file.reader.start(first);
  return readYard(text.slice(start, file.reader.start(node)), start);
}

function readYard(text: string, offset: number): YardDoc {
  if (!text.includes('@')) return EMPTY;
  const parameters = new Map<string, YardForm>();
  const yields: YardForm[] = [];
  let returns: YardForm | undefined;
  let type: YardForm | undefined;
  TAG.lastIndex = 0;
  for (let match = TAG.exec(text); match !== null; match = TAG.exec(text)) {
    const { form, end } = readYardTypes(text, TAG.lastIndex, offset);
    const tag = match.groups?.['tag'];
    const before = match.groups?.['first']?.trim();
    const name = before ?? /^\s*(?<name>[*&]*\w+)/.exec(text.slice(end, end + 60))?.groups?.['name'] ?? '';
    if (tag === 'param') parameters.set(name.replace(/^[*&]+/, ''), form);
    else if (tag === 'yieldparam') yields.push(form);
    else if (tag === 'return') returns ??= form;
    else type ??= form;
  }
  return { parameters, returns, yields, type };
}

/** Row of a YARD type; its names count as used by `owner`. */
export function yardType(file: RubyFile, form: YardForm, frame: Frame, owner: SymbolRow): ExpressionRow {
  const inner = (item: YardForm): ExpressionRow => yardType(file, item, frame, owner);
  switch (form.is) {
    case 'name': {
      const row = constantRow(file, form.text, frame.scope);
      const last = form.text.slice(form.text.lastIndexOf(':') + 1);
      if (form.at >= 0) file.use('type', row, owner, file.builder.intern(last), form.at + form.text.length - last.length);
      return row;
    }
    case 'generic':
      return file.row('generic', inner(form.base), NONE, NO_TEXT, form.items.map(inner));
    case 'union':
      return file.either(form.items.map(inner));
    case 'tuple':
      return file.row('arrayType', NONE, NONE, file.builder.intern('tuple'), form.items.map(inner));
    case 'literal':
      return file.literal(form.text);
    case 'self':
      return file.row('this', frame.scope);
    case 'unknown':
      return file.unknown();
  }
}
