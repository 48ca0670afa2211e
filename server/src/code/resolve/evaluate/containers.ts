import { NONE, operatorCode } from '../../../model/facts';
import type { FileState } from '../fileState';
import { NOTHING, VALUE } from '../values';
import type { Evaluator } from './evaluator';
import { elementsOf } from './expressions';

/** What later calls and assignments of the same file put into the container that an expression makes, when a name or field holds it. */
export function elementsPushed(ev: Evaluator, file: FileState, container: number): number {
  const holder = file.holderOf(container);
  if (holder === undefined) return NOTHING;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.nameOf(`*holder ${holder}`)));
  let answer = NOTHING;
  for (const use of file.usesOfHolder(holder)) {
    const set = ev.valueOf(file, use.value);
    answer = ev.values.union(answer, use.iterated ? elementsOf(ev, set) : set);
  }
  return answer;
}

/** What assignments in the receiver's own file (`obj.x = v`) make of a property that has no declaration. */
export function assignedMember(ev: Evaluator, file: FileState, receiver: number, name: number): number {
  const { assignments, expressions } = file.facts;
  const { values } = ev;
  let answer = NOTHING;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.nameOf(`*set ${ev.project.names.text(name)}`)));
  for (const row of file.assignmentsNamed(name)) {
    const target = assignments.target[row] ?? NONE;
    if (target === NONE || expressions.operator[target] === operatorCode.this) continue;
    if (!mayBe(ev, ev.valueOf(file, target), receiver)) continue;
    answer = values.union(answer, ev.valueOf(file, assignments.value[row] ?? NONE));
  }
  return answer;
}

/** True when a set holds the receiver, or the class it is an instance of. */
function mayBe(ev: Evaluator, set: number, receiver: number): boolean {
  const { values } = ev;
  return values.members(set).some(value => {
    if (value === receiver) return true;
    if (values.kindOf(value) !== values.kindOf(receiver) || values.a(value) !== values.a(receiver)) return false;
    const kind = values.kindOf(value);
    return kind === VALUE.instance || kind === VALUE.class || kind === VALUE.function;
  });
}
