import { BINDING_KINDS, type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type SymbolRow } from '../../../../../model/facts';
import { nameRow } from '../names';
import type { Frame, PhpFile } from '../walk';
import type { DocForm } from './docForm';
import { wordType } from './nativeTypes';

/** Type words of analysers that mean a plain type. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['class-string', 'string'],
  ['interface-string', 'string'],
  ['trait-string', 'string'],
  ['enum-string', 'string'],
  ['numeric-string', 'string'],
  ['non-empty-string', 'string'],
  ['non-falsy-string', 'string'],
  ['literal-string', 'string'],
  ['lowercase-string', 'string'],
  ['callable-string', 'string'],
  ['array-key', 'string'],
  ['positive-int', 'number'],
  ['negative-int', 'number'],
  ['non-negative-int', 'number'],
  ['numeric', 'number'],
  ['no-return', 'null'],
  ['never-return', 'null'],
]);

const LISTS: ReadonlySet<string> = new Set(['array', 'list', 'non-empty-array', 'non-empty-list', 'iterable', 'associative-array']);

/** Row of a type from a doc comment. With `counts` its names are uses by `owner`. */
export function docType(file: PhpFile, form: DocForm, frame: Frame, owner: SymbolRow, counts = true): ExpressionRow {
  const inner = (item: DocForm): ExpressionRow => docType(file, item, frame, owner, counts);
  switch (form.is) {
    case 'name':
      return namedType(file, form.text, form.at, frame, counts ? owner : undefined);
    case 'generic':
      return genericType(file, form.base, form.items, inner);
    case 'array':
      return file.row('arrayType', inner(form.item));
    case 'union':
      return file.either(form.items.map(inner));
    case 'both':
      return file.row('intersection', NONE, NONE, NO_TEXT, form.items.map(inner));
    case 'function':
      return file.row('functionType', inner(form.result), NONE, NO_TEXT, form.parameters.map(inner));
    case 'shape':
      return file.row(
        'objectType',
        NONE,
        NONE,
        NO_TEXT,
        form.entries.flatMap(([name, type]) => [file.builder.intern(name), inner(type)]),
      );
    case 'literal':
      return file.literal(form.text);
    case 'unknown':
      return file.unknown();
  }
}

function namedType(file: PhpFile, text: string, at: number, frame: Frame, owner: SymbolRow | undefined): ExpressionRow {
  const plain = PLAIN.get(text.toLowerCase());
  if (plain !== undefined) return file.literal(plain);
  if (LISTS.has(text.toLowerCase())) return file.row('name', MODULE_SCOPE, NONE, file.builder.intern('array'));
  const word = wordType(file, text, frame);
  if (word !== undefined) return word;
  if (text.includes('-')) return file.unknown();
  const row = nameRow(file, text, frame);
  const last = text.slice(text.lastIndexOf('\\') + 1);
  if (owner !== undefined) file.use('type', row, owner, file.builder.intern(last), at + text.length - last.length);
  return row;
}

function genericType(file: PhpFile, base: DocForm, items: readonly DocForm[], inner: (item: DocForm) => ExpressionRow): ExpressionRow {
  const word = base.is === 'name' ? base.text.toLowerCase() : '';
  const last = items.at(-1);
  if (LISTS.has(word) && last !== undefined) {
    const rows = items.map(inner);
    return file.row('arrayType', rows.at(-1) ?? NONE);
  }
  if (word === 'class-string' && last !== undefined) return classString(file, last, inner(last));
  if (ITERATORS.test(word) && last !== undefined) {
    const rows = items.map(inner);
    return file.row('generic', inner(base), NONE, NO_TEXT, [rows[rows.length > 1 ? 1 : 0] ?? NONE]);
  }
  if (word === 'int' || word === 'key-of' || word === 'value-of') return file.unknown();
  return file.row('generic', inner(base), NONE, NO_TEXT, items.map(inner));
}

/** Iterators of the language; type arguments are written key first, and rows have the value alone. */
const ITERATORS =
  /^\\?(?:iterator|iteratoraggregate|traversable|generator|arrayiterator|arrayobject|iteratoriterator|splobjectstorage|splstack|splqueue|weakmap)$/;

/** The name of a class: of a type parameter, a type that tells what it is; else the class itself. */
function classString(file: PhpFile, item: DocForm, row: ExpressionRow): ExpressionRow {
  if (item.is !== 'name' || !isTemplate(file, item.text)) return file.row('typeof', row);
  return file.row('generic', file.row('name', MODULE_SCOPE, NONE, file.builder.intern('class-string')), NONE, NO_TEXT, [row]);
}

const TYPE_PARAMETER = BINDING_KINDS.indexOf('typeParameter');

/** True for the name of a type parameter declared a short way before. */
export function isTemplate(file: PhpFile, text: string): boolean {
  const name = file.builder.find(text);
  if (name === undefined) return false;
  const { bindings } = file.builder;
  for (let row = bindings.count - 1; row >= 0 && row >= bindings.count - 64; row--)
    if (bindings.name[row] === name && bindings.kind[row] === TYPE_PARAMETER) return true;
  return false;
}
