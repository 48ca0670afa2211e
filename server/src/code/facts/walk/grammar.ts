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
  /** Takes the marks of a doc language out of a doc comment's words. */
  readonly docText: ((text: string) => string) | undefined;
}

export interface GrammarOptions<Kind extends string> {
  readonly comments: readonly Kind[];
  readonly attributes?: readonly Kind[];
  /** `/^\/\/[/!]?/` unless given. */
  readonly commentMark?: RegExp;
  readonly docText?: (text: string) => string;
  /** Kinds that only some grammars of the family have. */
  readonly optional?: readonly Kind[];
  /** True when some grammars of the family lack some of the fields: those are no node's field there. */
  readonly optionalFields?: boolean;
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
  const field = Object.fromEntries(fields.map(name => [name, options.optionalFields === true ? names.optionalField(name) : names.field(name)])) as Record<
    Field,
    number
  >;
  return {
    kind,
    field,
    comments: new Set(options.comments.map(name => kind[name])),
    attributes: new Set((options.attributes ?? []).map(name => kind[name])),
    commentMark: options.commentMark ?? /^\/\/[/!]?/,
    docText: options.docText,
  };
}
