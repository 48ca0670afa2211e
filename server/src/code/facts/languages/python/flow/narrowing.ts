import type { ScopeRow, StringIndex } from '../../../../../model/facts';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { type ConditionForm, guardsOf as guardsOfCondition, joinedBy } from '../../../walk/guards';
import type { FileContext } from '../fileContext';
import { type TypeForm, typeFormOf } from '../types/typeForm';
import { addTypeForm } from '../types/typeRows';
import type { Frame } from '../walk';

/** What a condition proves about a name or a path of members (`self.kind`): its type. */
export interface Guard {
  /** The name or the whole path, interned. */
  readonly name: StringIndex;
  readonly form: TypeForm;
}

const MAX_DEPTH = 40;

/** Guards that hold when the condition came out as `truth`. Known: `isinstance`, `is None`, `type(x) is T`, joined by `not`, `and`, `or`. */
export function guardsOf(file: FileContext, condition: SyntaxNode, truth: boolean): readonly Guard[] {
  return guardsOfCondition<Guard>(
    { junction: node => junction(file, node), proves: (node, expected) => proves(file, node, expected), inCommon },
    condition,
    truth,
  );
}

function junction(file: FileContext, node: SyntaxNode): ConditionForm {
  if (file.is(node, 'parenthesized_expression')) return { is: 'inner', node: file.reader.firstNamedChild(node) };
  if (file.is(node, 'not_operator')) return { is: 'not', node: file.child(node, 'argument') };
  const operator = file.is(node, 'boolean_operator') ? file.text(file.child(node, 'operator')) : '';
  return joinedBy(operator, file.child(node, 'left'), file.child(node, 'right'));
}

function proves(file: FileContext, test: SyntaxNode, truth: boolean): readonly Guard[] {
  if (file.is(test, 'call')) return truth ? typeTestGuard(file, test) : [];
  return file.is(test, 'comparison_operator') ? comparisonGuard(file, test, truth) : [];
}

/** Either may have held: what both prove about one name. */
function inCommon(guard: Guard, others: readonly Guard[]): Guard | undefined {
  const other = others.find(candidate => candidate.name === guard.name);
  return other === undefined ? undefined : { name: guard.name, form: { is: 'union', items: [guard.form, other.form] } };
}

/** A frame in which the guards hold: a block scope of its own when there are any. */
export function narrow(file: FileContext, guards: readonly Guard[], frame: Frame): Frame {
  if (guards.length === 0) return frame;
  const { builder } = file;
  const scope = builder.addScope('block', frame.scope);
  for (const { name, form } of guards) {
    const type = addTypeForm(file, form, { scope: frame.scope, owner: frame.owner, counts: false });
    builder.addBinding({ scope, name, kind: 'narrowed', type });
  }
  return { ...frame, scope, narrowed: new Map([...frame.narrowed, ...guards.map((guard): [StringIndex, ScopeRow] => [guard.name, scope])]) };
}

function typeTestGuard(file: FileContext, call: SyntaxNode): readonly Guard[] {
  if (file.text(file.child(call, 'function')) !== 'isinstance') return [];
  const [subject, classes] = file.children(file.child(call, 'arguments'));
  const path = subject === undefined ? undefined : pathOf(file, subject);
  if (path === undefined || classes === undefined) return [];
  const form = typeFormOf(file, classes);
  if (form.is === 'unknown') return [];
  return [{ name: file.builder.intern(path), form: form.is === 'list' ? { is: 'union', items: form.items } : form }];
}

function comparisonGuard(file: FileContext, comparison: SyntaxNode, truth: boolean): readonly Guard[] {
  const [left, right, more] = file.children(comparison);
  if (left === undefined || right === undefined || more !== undefined) return [];
  const operator = file.text(file.child(comparison, 'operators')).replace(/\s+/g, ' ');
  const holds = (operator === 'is' || operator === '==') === truth;
  if (!holds || !['is', 'is not', '==', '!='].includes(operator)) return [];
  if (file.is(left, 'identifier') && file.is(right, 'none')) return [{ name: file.word(left), form: { is: 'none' } }];
  if (!file.is(left, 'call') || file.text(file.child(left, 'function')) !== 'type') return [];
  const [subject] = file.children(file.child(left, 'arguments'));
  const form = typeFormOf(file, right);
  return subject !== undefined && file.is(subject, 'identifier') && form.is === 'name' ? [{ name: file.word(subject), form }] : [];
}

/** `a` or `a.b.c` as text; undefined for every other expression. */
export function pathOf(file: FileContext, node: SyntaxNode, depth = 0): string | undefined {
  if (file.is(node, 'identifier')) return file.text(node);
  if (depth > MAX_DEPTH || !file.is(node, 'attribute')) return undefined;
  const object = pathOf(file, file.child(node, 'object'), depth + 1);
  return object === undefined ? undefined : `${object}.${file.text(file.child(node, 'attribute'))}`;
}
