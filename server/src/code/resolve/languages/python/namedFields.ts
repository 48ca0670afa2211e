/** Classes whose constructor takes their fields by name, because a decorator or a base from outside makes it. */
import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NONE, operatorCode } from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import type { Evaluator } from '../../evaluate/evaluator';
import { baseTypes } from '../../evaluate/hierarchy';
import type { FileState } from '../../fileState';
import { VALUE, type ValueSet } from '../../values';

const DECORATOR = /^(?:(?:pydantic\.)?dataclasses\.dataclass|attrs?\.(?:s|attrs|define|frozen|mutable|dataclass))$/;
const BASE =
  /^(?:typing(?:_extensions)?\.(?:NamedTuple|TypedDict)|pydantic(?:_settings)?(?:\.main|\.generics)?\.(?:BaseModel|GenericModel|BaseSettings)|sqlmodel(?:\.main)?\.SQLModel|msgspec\.Struct|django\.(?:contrib\.gis\.)?db\.models\.Model|django\.contrib\.auth\.(?:models|base_user)\.Abstract(?:Base)?User|sqlalchemy\.orm\.DeclarativeBase|flask_sqlalchemy\.SQLAlchemy\.Model)$/;

/** True when the class or the nearest of its bases with a constructor has one that is made from the fields. */
export function namesFields(ev: Evaluator, node: NodeHandle): boolean {
  for (const link of ev.hierarchy(node)) {
    const file = ev.project.ownerOf(link.node);
    if (file === undefined) continue;
    const row = ev.project.rowOf(link.node);
    const constructor = ev.nameOf('__init__');
    ev.consultMember(file, row, constructor);
    if (file.membersNamed(row, constructor).length > 0) return false;
    if (file.decoratorsOf(row).some(decorator => isNamed(ev, ev.valueOf(file, plain(file, decorator)), DECORATOR))) return true;
    if (file.heritageOf(row).some(line => isNamed(ev, baseTypes(ev, file, file.facts.heritage.expression[line] ?? NONE), BASE))) return true;
  }
  return false;
}

/** Decorator without its arguments. */
function plain(file: FileState, decorator: ExpressionRow): ExpressionRow {
  const { expressions } = file.facts;
  return expressions.operator[decorator] === operatorCode.call ? operandOf.callee(expressions, decorator) : decorator;
}

function isNamed(ev: Evaluator, set: ValueSet, form: RegExp): boolean {
  const { values } = ev;
  return values.members(set).some(value => values.kindOf(value) === VALUE.external && form.test(ev.project.names.text(values.name(value))));
}
