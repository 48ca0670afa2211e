import { symbolKindCode } from '../../../model/nodes';
import type { Relation } from '../../../model/relations';

/** What reading a symbol that has a value is called; kinds that are not read have none. */
export const VARIABLE_RELATIONS: ReadonlyMap<number, Relation> = new Map<number, Relation>([
  [symbolKindCode.constant, 'USES_CONSTANT'],
  [symbolKindCode.enum_member, 'USES_CONSTANT'],
  [symbolKindCode.variable, 'USES_GLOBAL'],
  [symbolKindCode.field, 'READS_FROM'],
  [symbolKindCode.property, 'READS_FROM'],
  [symbolKindCode.function, 'READS_FROM'],
  [symbolKindCode.method, 'READS_FROM'],
]);

/** Types that are named where a value stands: passed on or kept (`form_class = Form`), or before a member (`Color.RED`). They are used, though not made and not called. */
export const TYPE_VALUES: ReadonlySet<number> = new Set([
  symbolKindCode.class,
  symbolKindCode.interface,
  symbolKindCode.enum,
  symbolKindCode.struct,
  symbolKindCode.trait,
  symbolKindCode.module,
  symbolKindCode.type,
]);

/** What it is called that a symbol of a kind is named where a value stands; `undefined` for kinds that this is no use of. */
export function readRelation(kind: number): Relation | undefined {
  return VARIABLE_RELATIONS.get(kind) ?? (TYPE_VALUES.has(kind) ? 'USES_TYPE' : undefined);
}

/** Kinds of symbols that are used where they stand before a dot: what holds data, and types. Of a function only the member counts. */
export const BEFORE_DOT: ReadonlySet<number> = new Set([symbolKindCode.variable, symbolKindCode.constant, symbolKindCode.class, symbolKindCode.enum]);

/** Kinds of symbols that may hold a type as their value, or stand where one stands, as a variant does in a pattern. */
export const VALUE_HOLDERS: ReadonlySet<number> = new Set([
  symbolKindCode.variable,
  symbolKindCode.constant,
  symbolKindCode.field,
  symbolKindCode.property,
  symbolKindCode.enum_member,
]);

/** What an object holds under a name. */
export const FIELDS: ReadonlySet<number> = new Set([symbolKindCode.field]);
