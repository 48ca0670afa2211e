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
