import { NONE } from '../../../../model/facts';
import { MODIFIERS, symbolKindCode } from '../../../../model/nodes';
import type { NameNumber } from '../../numbers';
import type { ClassLink, Evaluator, MemberHit } from '../evaluator';

/** A member that holds a value and runs no code. */
export function isField({ file, row }: MemberHit): boolean {
  const { symbols } = file.facts;
  return symbols.kind[row] === symbolKindCode.field && (symbols.function[row] ?? NONE) === NONE;
}

/** The accessor of a base that runs where methods of a class read and set a field: to set it makes no field of the class. */
export function inheritedAccessor(
  ev: Evaluator,
  links: readonly ClassLink[],
  from: number,
  name: NameNumber,
  fields: readonly MemberHit[],
): MemberHit[] | undefined {
  for (const link of links.slice(from)) {
    const file = ev.project.ownerOf(link.node);
    if (file === undefined) continue;
    const row = ev.project.rowOf(link.node);
    ev.consultMember(file, row, name);
    const hits = [...file.membersNamed(row, name)].map((member): MemberHit => ({ file, row: member, owner: link.node, args: link.args }));
    if (hits.length === 0) continue;
    const isAccessed = hits.every(({ row: member }) => ((file.facts.symbols.modifiers[member] ?? 0) & ACCESSOR) !== 0);
    return isAccessed && fields.every(isSetInMethod) ? hits : undefined;
  }
  return undefined;
}

const ACCESSOR = MODIFIERS.getter | MODIFIERS.setter | MODIFIERS.property;

/** A field that a method sets (`self.x = …`), which the body of the class does not declare. */
function isSetInMethod({ file, row }: MemberHit): boolean {
  const { count, endLine, function: functions, parent, startLine } = file.facts.symbols;
  const [line = 0, owner = NONE] = [startLine[row], parent[row]];
  for (let other = 0; other < count; other++)
    if (parent[other] === owner && functions[other] !== NONE && (startLine[other] ?? 0) <= line && line <= (endLine[other] ?? 0)) return true;
  return false;
}
