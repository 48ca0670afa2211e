import type { GrammarNames } from '../../parse/syntaxTable';

/** Numbers of the kinds and fields of a grammar that an extractor names. */
export interface Grammar<Kind extends string, Field extends string> {
  readonly kind: Readonly<Record<Kind, number>>;
  readonly field: Readonly<Record<Field, number>>;
  readonly comments: ReadonlySet<number>;
  /** Siblings that may stand between a doc comment and its declaration. */
  readonly attributes: ReadonlySet<number>;
  /** What opens a line comment, replaced before the words are taken. */
  readonly commentMark: RegExp;
}

export interface GrammarOptions<Kind extends string> {
  readonly comments: readonly Kind[];
  readonly attributes?: readonly Kind[];
  /** `/^\/\/[/!]?/` unless given. */
  readonly commentMark?: RegExp;
  /** Kinds that only some grammars of the family have. */
  readonly optional?: readonly Kind[];
}

/** Looks names up once per grammar. Throws `RangeError` for a kind or field the grammar lacks, unless it is optional. */
export function grammarOf<Kind extends string, Field extends string>(
  names: GrammarNames,
  kinds: readonly Kind[],
  fields: readonly Field[],
  options: GrammarOptions<Kind>,
): Grammar<Kind, Field> {
  const kind = Object.fromEntries(kinds.map(name => [name, options.optional?.includes(name) === true ? names.optionalKind(name) : names.kind(name)])) as Record<
    Kind,
    number
  >;
  const field = Object.fromEntries(fields.map(name => [name, names.field(name)])) as Record<Field, number>;
  return {
    kind,
    field,
    comments: new Set(options.comments.map(name => kind[name])),
    attributes: new Set((options.attributes ?? []).map(name => kind[name])),
    commentMark: options.commentMark ?? /^\/\/[/!]?/,
  };
}
