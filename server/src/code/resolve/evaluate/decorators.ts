import { NONE } from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import { NOTHING, VALUE, type ValueSet } from '../values';
import { resultOf } from './calls';
import type { Evaluator } from './evaluator';

/**
 * Receivers of a member where decorators replace: a function whose decorators make an object of it stands for that object (`@command() def cli()`, then `cli.main()`).
 * The outermost decorator that gives instances of project classes decides; without one the function stays a function.
 */
export function withDecoratorsApplied(ev: Evaluator, receivers: ValueSet): ValueSet {
  const { values } = ev;
  const members = values.members(receivers);
  if (!members.some(value => values.kindOf(value) === VALUE.function)) return receivers;
  return members.reduce((set, value) => {
    const made = values.kindOf(value) === VALUE.function ? objectsMade(ev, values.node(value)) : NOTHING;
    return values.union(set, made === NOTHING ? values.single(value) : made);
  }, NOTHING);
}

function objectsMade(ev: Evaluator, node: NodeHandle): ValueSet {
  const { values } = ev;
  const file = ev.project.ownerOf(node);
  if (file === undefined) return NOTHING;
  ev.dependencies.consult(ev.unitOfSymbol(file, ev.project.rowOf(node)));
  for (const expression of file.decoratorsOf(ev.project.rowOf(node))) {
    const made = resultOf(ev, ev.valueOf(file, expression), { file, row: NONE, rows: [] });
    const objects = values.members(made).filter(value => values.kindOf(value) === VALUE.instance);
    if (objects.length > 0) return values.setOf(objects);
  }
  return NOTHING;
}
