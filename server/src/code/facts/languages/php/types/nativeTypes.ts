import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type SymbolRow } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { keywordRow, lastPart, nameRow } from '../names';
import type { Frame, PhpFile } from '../walk';

/** `text` of the literal row that stands for a scalar type. */
const SCALARS: ReadonlyMap<string, string> = new Map([
  ['string', 'string'],
  ['int', 'number'],
  ['integer', 'number'],
  ['float', 'number'],
  ['double', 'number'],
  ['number', 'number'],
  ['bool', 'boolean'],
  ['boolean', 'boolean'],
  ['true', 'boolean'],
  ['false', 'boolean'],
  ['null', 'null'],
  ['void', 'null'],
  ['never', 'null'],
]);

/** Built-in type words that stay names. */
const WORDS: ReadonlySet<string> = new Set(['array', 'iterable', 'callable']);

/** Row of a type word that no file declares; `undefined` for the names of classes. */
export function wordType(file: PhpFile, text: string, frame: Frame): ExpressionRow | undefined {
  const word = text.toLowerCase();
  const scalar = SCALARS.get(word);
  if (scalar !== undefined) return file.literal(scalar);
  if (WORDS.has(word)) return file.row('name', MODULE_SCOPE, NONE, file.builder.intern(word));
  if (word === 'mixed' || word === 'object' || word === 'resource' || word === 'scalar') return file.unknown();
  if (word === 'static' || word === '$this') return file.row('this', frame.scope);
  if (word === 'self') return keywordRow(file, 'self', frame);
  if (word === 'parent') return file.row('super', frame.scope);
  return undefined;
}

/** Row of a declared type; its names count as used by `owner`. */
export function nativeType(file: PhpFile, node: SyntaxNode, frame: Frame, owner: SymbolRow): ExpressionRow {
  if (node === NO_NODE) return NONE;
  return file.nested(file.unknown(), () => readType(file, node, frame, owner));
}

function readType(file: PhpFile, node: SyntaxNode, frame: Frame, owner: SymbolRow): ExpressionRow {
  const { kind } = file.grammar;
  switch (file.reader.kind(node)) {
    case kind.optional_type:
      return nativeType(file, file.reader.firstNamedChild(node), frame, owner);
    case kind.union_type:
    case kind.disjunctive_normal_form_type:
    case kind.type_list:
      return file.either(file.children(node).map(child => nativeType(file, child, frame, owner)));
    case kind.intersection_type:
      return file.row(
        'intersection',
        NONE,
        NONE,
        NO_TEXT,
        file.children(node).map(child => nativeType(file, child, frame, owner)),
      );
    case kind.primitive_type:
    case kind.bottom_type:
      return wordType(file, file.text(node), frame) ?? file.unknown();
    case kind.named_type:
      return classType(file, file.reader.firstNamedChild(node), frame, owner);
    default:
      return classType(file, node, frame, owner);
  }
}

/** Row of the name of a class used as a type. */
export function classType(file: PhpFile, node: SyntaxNode, frame: Frame, owner: SymbolRow): ExpressionRow {
  if (node === NO_NODE) return file.unknown();
  const text = file.text(node);
  const word = wordType(file, text, frame);
  if (word !== undefined) return word;
  const row = nameRow(file, text, frame);
  const { name, at } = lastPart(file, node);
  file.use('type', row, owner, name, at);
  return row;
}

/** Native types that say less than a doc comment can. */
const LOOSE = /^\??(?:array|iterable|mixed|object|callable|self|\\?(?:Closure|Traversable|Generator|Iterator|IteratorAggregate|ArrayAccess))$/i;

export function isLoose(text: string): boolean {
  return text === '' || LOOSE.test(text);
}
