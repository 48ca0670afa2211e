/**
 * Every relation of the code graph. A row's position is its code in stored columns: append only.
 * `dependency` relations make their source depend on their target; impact walks them backwards.
 * `rank` is the step weight of personalised PageRank.
 */
interface RelationRow {
  readonly name: string;
  readonly reverse: string;
  readonly dependency: boolean;
  readonly rank: number;
}

export const RELATIONS = [
  { name: 'CALLS', reverse: 'called_by', dependency: true, rank: 0.9 },
  { name: 'INHERITS', reverse: 'inherited_by', dependency: true, rank: 0.5 },
  { name: 'IMPLEMENTS', reverse: 'implemented_by', dependency: true, rank: 0.5 },
  { name: 'OVERRIDES', reverse: 'overridden_by', dependency: true, rank: 0.5 },
  { name: 'IMPORTS', reverse: 'imported_by', dependency: true, rank: 0.7 },
  { name: 'USES_TYPE', reverse: 'used_as_type_by', dependency: true, rank: 0.5 },
  { name: 'INSTANTIATES', reverse: 'instantiated_by', dependency: true, rank: 0.5 },
  { name: 'DECORATES', reverse: 'decorated_by', dependency: true, rank: 0.5 },
  { name: 'RAISES', reverse: 'raised_by', dependency: true, rank: 0.5 },
  { name: 'CATCHES', reverse: 'caught_by', dependency: true, rank: 0.5 },
  { name: 'ASSIGNS_TO', reverse: 'assigned_by', dependency: true, rank: 0.5 },
  { name: 'READS_FROM', reverse: 'read_by', dependency: true, rank: 0.5 },
  { name: 'DEFINES_CONSTANT', reverse: 'constant_defined_by', dependency: false, rank: 0.5 },
  { name: 'DEFINES_ENUM_MEMBER', reverse: 'enum_member_defined_by', dependency: false, rank: 0.5 },
  { name: 'DEFINES_CLASS_ATTR', reverse: 'class_attr_defined_by', dependency: false, rank: 0.5 },
  { name: 'DEFINES_FIELD', reverse: 'field_defined_by', dependency: false, rank: 0.5 },
  { name: 'USES_CONSTANT', reverse: 'constant_used_by', dependency: true, rank: 0.5 },
  { name: 'USES_DEFAULT', reverse: 'default_used_by', dependency: true, rank: 0.5 },
  { name: 'USES_GLOBAL', reverse: 'global_used_by', dependency: true, rank: 0.5 },
  { name: 'ASSERTS_TYPE', reverse: 'type_asserted_by', dependency: true, rank: 0.5 },
  { name: 'USES_CONTEXT_MANAGER', reverse: 'context_manager_used_by', dependency: true, rank: 0.5 },
  { name: 'DEFINES_SYMBOL', reverse: 'defined_in', dependency: false, rank: 0.6 },
  { name: 'CONTAINS', reverse: 'contained_in', dependency: false, rank: 0.5 },
  { name: 'TESTS', reverse: 'tested_by', dependency: true, rank: 0.4 },
] as const satisfies readonly RelationRow[];

export type Relation = (typeof RELATIONS)[number]['name'];

export const relationCode: Readonly<Record<Relation, number>> = Object.freeze(
  Object.fromEntries(RELATIONS.map((row, code) => [row.name, code])) as Record<Relation, number>,
);

/** Spellings accepted on input beside the names themselves, in any case. */
const ALIASES: Readonly<Record<string, string>> = {
  type_used_by: 'used_as_type_by',
  constant_defined_in: 'constant_defined_by',
  enum_member_defined_in: 'enum_member_defined_by',
  class_attr_defined_in: 'class_attr_defined_by',
  field_defined_in: 'field_defined_by',
};

/** Reads a relation name, its reverse name or an alias in any case. `reversed` says that a reverse name was given. */
export function parseRelation(input: string): { readonly relation: Relation; readonly reversed: boolean } | undefined {
  const lower = input.trim().toLowerCase();
  const wanted = ALIASES[lower] ?? lower;
  for (const row of RELATIONS) {
    if (row.name.toLowerCase() === wanted) return { relation: row.name, reversed: false };
    if (row.reverse === wanted) return { relation: row.name, reversed: true };
  }
  return undefined;
}
