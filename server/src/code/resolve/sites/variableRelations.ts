import { symbolKindCode } from '../../../model/nodes';
import type { Relation } from '../../../model/relations';

/** What reading a symbol of a kind is called; kinds that are not read have none. */
export const VARIABLE_RELATIONS: ReadonlyMap<number, Relation> = new Map<number, Relation>([
  [symbolKindCode.constant, 'USES_CONSTANT'],
  [symbolKindCode.enum_member, 'USES_CONSTANT'],
  [symbolKindCode.variable, 'USES_GLOBAL'],
  [symbolKindCode.field, 'READS_FROM'],
  [symbolKindCode.property, 'READS_FROM'],
  [symbolKindCode.function, 'READS_FROM'],
  [symbolKindCode.method, 'READS_FROM'],
]);

/** Types that are passed on or kept as values where classes are values (`form_class = Form`); they are used, though not made and not called. */
export const TYPE_VALUES: ReadonlySet<number> = new Set([symbolKindCode.class, symbolKindCode.enum]);

/** Kinds of symbols that hold data: what stands before a dot is a use of these alone. */
export const DATA: ReadonlySet<number> = new Set([symbolKindCode.variable, symbolKindCode.constant]);
