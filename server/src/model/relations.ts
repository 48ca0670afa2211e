import { headOf, SEPARATOR, type StableId } from './ids';
import { type Attributes, findKind, type Kind, kindRow, type Layer } from './kinds';

/** Kinds that an edge may start at and end at; `symbol` stands for every kind of symbol. */
export interface Ends {
  readonly from: readonly EndKind[];
  readonly to: readonly EndKind[];
}
export type EndKind = Kind | 'symbol';

interface RelationRow<Name extends string = string> {
  readonly name: Name;
  /** The name seen from the target. */
  readonly reverse: string;
  /** The layer that makes such edges. */
  readonly layer: Layer;
  /** Whether its source depends on its target; impact walks those backwards. */
  readonly dependency: boolean;
  /** Step weight of personalized PageRank. 0: bookkeeping, walked only when it is named or starts there. */
  readonly rank: number;
  /** Pairs of kinds that it may join; a name that is used for several pairs has several. */
  readonly ends: readonly Ends[];
  /** What its edges say of themselves beside confidence, provenance and lines. */
  readonly attributes: Attributes;
}

type Given = Pick<RelationRow, 'dependency' | 'rank'> & { readonly ends: Ends | readonly Ends[]; readonly attributes?: Attributes };

function row<const Name extends string>(layer: Layer, name: Name, reverse: string, { ends, attributes = {}, ...given }: Given): RelationRow<Name> {
  return { name, reverse, layer, ...given, ends: 'from' in ends ? [ends] : ends, attributes };
}

function code<const Name extends string>(name: Name, reverse: string, given: Given): RelationRow<Name> {
  return row('code', name, reverse, given);
}

function memory<const Name extends string>(name: Name, reverse: string, given: Given): RelationRow<Name> {
  return row('memory', name, reverse, given);
}

function services<const Name extends string>(name: Name, reverse: string, given: Omit<Given, 'dependency' | 'rank'> & Partial<Given>): RelationRow<Name> {
  return row('services', name, reverse, { dependency: false, rank: 0.5, ...given });
}

const TO_SYMBOL: Ends = { from: ['file', 'symbol'], to: ['symbol'] };
const TO_CODE: Ends = { from: ['file', 'symbol'], to: ['file', 'symbol'] };
/** Types of a library are worth a node. */
const TO_ANY_TYPE: Ends = { from: ['file', 'symbol'], to: ['symbol', 'external'] };
const SYMBOL_TO_SYMBOL: Ends = { from: ['symbol'], to: ['symbol'] };
const FILE_TO_SYMBOL: Ends = { from: ['file'], to: ['symbol'] };
const IMPORT: Ends = { from: ['file', 'symbol'], to: ['file', 'symbol', 'external'] };
const DECORATION: Ends = { from: ['symbol', 'external'], to: ['file', 'symbol'] };

/** Every relation of the graph. A row's position is its code in stored columns: append only. */
export const RELATIONS = [
  code('CALLS', 'called_by', { dependency: true, rank: 0.9, ends: TO_SYMBOL }),
  code('INHERITS', 'inherited_by', { dependency: true, rank: 0.5, ends: TO_ANY_TYPE }),
  code('IMPLEMENTS', 'implemented_by', { dependency: true, rank: 0.5, ends: TO_ANY_TYPE }),
  code('OVERRIDES', 'overridden_by', { dependency: true, rank: 0.5, ends: SYMBOL_TO_SYMBOL }),
  code('IMPORTS', 'imported_by', { dependency: true, rank: 0.7, ends: IMPORT }),
  code('USES_TYPE', 'used_as_type_by', { dependency: true, rank: 0.5, ends: TO_ANY_TYPE }),
  code('INSTANTIATES', 'instantiated_by', { dependency: true, rank: 0.5, ends: TO_SYMBOL }),
  code('DECORATES', 'decorated_by', { dependency: true, rank: 0.5, ends: DECORATION }),
  code('RAISES', 'raised_by', { dependency: true, rank: 0.5, ends: TO_ANY_TYPE }),
  code('CATCHES', 'caught_by', { dependency: true, rank: 0.5, ends: TO_ANY_TYPE }),
  code('ASSIGNS_TO', 'assigned_by', { dependency: true, rank: 0.5, ends: TO_SYMBOL }),
  code('READS_FROM', 'read_by', { dependency: true, rank: 0.5, ends: TO_SYMBOL }),
  code('DEFINES_CONSTANT', 'constant_defined_by', { dependency: false, rank: 0.5, ends: TO_SYMBOL }),
  code('DEFINES_ENUM_MEMBER', 'enum_member_defined_by', { dependency: false, rank: 0.5, ends: SYMBOL_TO_SYMBOL }),
  code('DEFINES_CLASS_ATTR', 'class_attr_defined_by', { dependency: false, rank: 0.5, ends: SYMBOL_TO_SYMBOL }),
  code('DEFINES_FIELD', 'field_defined_by', { dependency: false, rank: 0.5, ends: SYMBOL_TO_SYMBOL }),
  code('USES_CONSTANT', 'constant_used_by', { dependency: true, rank: 0.5, ends: TO_SYMBOL }),
  code('USES_DEFAULT', 'default_used_by', { dependency: true, rank: 0.5, ends: TO_SYMBOL }),
  code('USES_GLOBAL', 'global_used_by', { dependency: true, rank: 0.5, ends: TO_SYMBOL }),
  code('ASSERTS_TYPE', 'type_asserted_by', { dependency: true, rank: 0.5, ends: TO_ANY_TYPE }),
  code('USES_CONTEXT_MANAGER', 'context_manager_used_by', { dependency: true, rank: 0.5, ends: TO_ANY_TYPE }),
  code('DEFINES_SYMBOL', 'defined_in', { dependency: false, rank: 0.6, ends: FILE_TO_SYMBOL }),
  code('CONTAINS', 'contained_in', { dependency: false, rank: 0.5, ends: SYMBOL_TO_SYMBOL }),
  code('TESTS', 'tested_by', { dependency: true, rank: 0.4, ends: TO_CODE }),
  memory('COVERS', 'covered_by', { dependency: false, rank: 0.5, ends: { from: ['atom'], to: ['file'] } }),
  memory('IN_MOLECULE', 'has_atom', { dependency: false, rank: 0.5, ends: { from: ['atom'], to: ['molecule'] } }),
  memory('RELATED_ATOM', 'related_to_atom', { dependency: false, rank: 0.5, ends: { from: ['atom'], to: ['atom'] }, attributes: { reason: 'text' } }),
  memory('RELATED_MOLECULE', 'related_to_molecule', {
    dependency: false,
    rank: 0.5,
    ends: { from: ['molecule'], to: ['molecule'] },
    attributes: { reason: 'text' },
  }),
  memory('TOUCHES', 'touched_by', { dependency: false, rank: 0.5, ends: { from: ['task'], to: ['file', 'symbol'] } }),
  memory('PART_OF', 'has_part', { dependency: false, rank: 0.5, ends: { from: ['task'], to: ['feature'] } }),
  memory('DEPENDS_ON', 'blocks', { dependency: true, rank: 0.5, ends: { from: ['task'], to: ['task'] } }),
  memory('AFFECTS', 'affected_by', { dependency: false, rank: 0, ends: { from: ['tx'], to: ['file', 'atom', 'molecule', 'feature', 'task'] } }),
  memory('BELONGS_TO', 'has_member', { dependency: false, rank: 0, ends: { from: ['file', 'symbol', 'external'], to: ['community'] } }),
  memory('NEXT_EPISODE', 'previous_episode', { dependency: false, rank: 0, ends: { from: ['episode'], to: ['episode'] } }),
  memory('INVOLVES', 'involved_in', {
    dependency: false,
    rank: 0.3,
    ends: { from: ['episode'], to: ['file', 'symbol', 'task', 'feature', 'atom', 'molecule'] },
  }),
  memory('DERIVED_FROM', 'source_of', { dependency: false, rank: 0, ends: { from: ['episode', 'learning'], to: ['episode'] } }),
  memory('APPLIES_TO', 'has_learning', {
    dependency: false,
    rank: 0.4,
    ends: { from: ['learning'], to: ['file', 'symbol', 'task', 'feature', 'atom', 'molecule'] },
  }),
  memory('TARGETS', 'claimed_by', { dependency: false, rank: 0, ends: { from: ['claim'], to: ['file', 'symbol', 'task', 'feature'] } }),
  services('CONTAINS_FILE', 'file_of_service', { rank: 0, ends: { from: ['service'], to: ['file'] } }),
  services('PROVIDES_CONTRACT', 'provided_by', { ends: { from: ['service'], to: ['contract'] } }),
  services('EXPOSES_ENDPOINT', 'exposed_by', { ends: { from: ['contract'], to: ['endpoint'] } }),
  services('HANDLES_ENDPOINT', 'handled_by', { ends: { from: ['file', 'symbol'], to: ['endpoint'] }, attributes: { line: 'number' } }),
  services('OWNS_ENTITY', 'owned_by', { ends: { from: ['service'], to: ['domain_entity'] } }),
  services('REFERENCES_ENTITY', 'entity_referenced_by', { ends: { from: ['service'], to: ['domain_entity'] } }),
  services('IMPLEMENTS_ENTITY', 'entity_implemented_by', { ends: { from: ['symbol'], to: ['domain_entity'] } }),
  services('PUBLISHES_EVENT', 'published_by', {
    ends: { from: ['service', 'contract'], to: ['event'] },
    attributes: { contract_id: 'text', handler_symbol: 'text', file: 'text', line: 'number' },
  }),
  services('CONSUMES_EVENT', 'consumed_by', {
    ends: { from: ['service', 'contract'], to: ['event'] },
    attributes: { contract_id: 'text', handler_symbol: 'text', file: 'text', line: 'number' },
  }),
  services('SERVICE_CALLS', 'service_called_by', {
    ends: { from: ['service'], to: ['service'] },
    attributes: { via_endpoint: 'text', via_endpoints: 'texts', import_count: 'number', kinds: 'texts', evidence: 'texts', confidence: 'number' },
  }),
  services('DOMAIN_RELATIONSHIP', 'domain_relationship_of', {
    ends: { from: ['domain_entity'], to: ['domain_entity'] },
    attributes: { relationship_type: 'text', cardinality: 'text' },
  }),
  services('USES_STORE', 'store_used_by', { ends: { from: ['service'], to: ['data_store'] } }),
  services('REQUESTS_ENDPOINT', 'requested_by', {
    ends: { from: ['file', 'symbol'], to: ['endpoint'] },
    attributes: { line: 'number', confidence: 'number' },
  }),
  /** A name in a list of imports or exports. Beside the uses of the name it says nothing new, so only walks that ask for it take it (`namersOf`). */
  code('NAMES', 'named_by', { dependency: false, rank: 0, ends: TO_SYMBOL }),
  /** Beside IMPORTS: every import of that file is gone at run time. */
  code('IMPORTS_TYPES', 'types_imported_by', { dependency: false, rank: 0, ends: IMPORT }),
  /** A name of another file in a list of exports. */
  code('RE_EXPORTS', 're_exported_by', { dependency: false, rank: 0, ends: TO_SYMBOL }),
] as const satisfies readonly RelationRow[];

/** Name of a relation, in upper case, such as `CALLS`. */
export type Relation = (typeof RELATIONS)[number]['name'];

/** Code of each relation in columns: its position in `RELATIONS`. */
export const relationCode: Readonly<Record<Relation, number>> = Object.freeze(
  Object.fromEntries(RELATIONS.map((row, code) => [row.name, code])) as Record<Relation, number>,
);

/** 1 for each of some relations, by its code, as walks over a graph take them. */
export function relationMask(...relations: readonly Relation[]): Uint8Array {
  const mask = new Uint8Array(RELATIONS.length);
  for (const relation of relations) mask[relationCode[relation]] = 1;
  return mask;
}

/** Names of the relations of one layer, or of all. */
export function relationsIn(layer: Layer): readonly Relation[] {
  return RELATIONS.filter(one => one.layer === layer).map(one => one.name);
}

/** Whether such an edge may join nodes of these kinds. */
export function joins(relation: Relation, from: Kind, to: Kind): boolean {
  const { ends } = RELATIONS[relationCode[relation]] as RelationRow;
  return ends.some(pair => includesKind(pair.from, from) && includesKind(pair.to, to));
}

/** What the relations of the code tell the ends of an edge apart by: all kinds of symbols are alike to them. */
export type CodeEnd = 'file' | 'symbol' | 'external';

/** What the node of an ID is as an end of an edge of the code. */
export function endOfId(id: StableId): CodeEnd {
  if (headOf(id) === EXTERNAL) return 'external';
  return id.includes(SEPARATOR) ? 'symbol' : 'file';
}

const EXTERNAL = kindRow('external').prefix;

/** For each relation of the code, by code, the pairs of ends that it may join. */
const JOINED: readonly Readonly<Record<CodeEnd, Readonly<Record<CodeEnd, boolean>>>>[] = RELATIONS.map(({ ends }: RelationRow) => {
  const pairsFrom = (from: CodeEnd): Readonly<Record<CodeEnd, boolean>> => {
    const joinsTo = (to: CodeEnd): boolean => ends.some(pair => pair.from.includes(from) && pair.to.includes(to));
    return { file: joinsTo('file'), symbol: joinsTo('symbol'), external: joinsTo('external') };
  };
  return { file: pairsFrom('file'), symbol: pairsFrom('symbol'), external: pairsFrom('external') };
});

/** `joins` for an edge of the code, by the relation's code: fast enough to ask for each reference. */
export function joinsCode(relation: number, from: CodeEnd, to: CodeEnd): boolean {
  return JOINED[relation]?.[from][to] === true;
}

export function includesKind(ends: readonly EndKind[], kind: Kind): boolean {
  return ends.includes(kind) || (ends.includes('symbol') && findKind(kind)?.nodeType === 'symbol');
}

/** Whether a relation is what nodes of a kind are there for: bookkeeping (weight 0) that they alone have on one side, as communities have members. */
export function isOwnBookkeeping(relation: Relation, kind: Kind): boolean {
  const { ends, rank } = RELATIONS[relationCode[relation]] as RelationRow;
  const isAlone = (side: readonly EndKind[]): boolean => side.length === 1 && side[0] === kind;
  return rank === 0 && ends.some(({ from, to }) => isAlone(from) || isAlone(to));
}

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
