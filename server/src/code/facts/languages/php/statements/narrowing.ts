import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { narrowed } from '../../../walk/frames';
import { type ConditionForm, eitherClass, type ClassGuard as Guard, guardsOf as guardsOfCondition, joinedBy } from '../../../walk/guards';
import { keywordRow, nameRow } from '../names';
import type { Frame, PhpFile } from '../walk';

/** Predicate functions and the scalar each proves; as a class of a guard it has `#` before it. */
const PREDICATES: ReadonlyMap<string, string> = new Map([
  ['is_string', '#string'],
  ['is_int', '#number'],
  ['is_float', '#number'],
  ['is_numeric', '#number'],
  ['is_bool', '#boolean'],
  ['is_null', '#null'],
]);

/** Guards that hold when the condition came out as `truth`. */
export function guardsOf(file: PhpFile, condition: SyntaxNode, truth: boolean): readonly Guard[] {
  return guardsOfCondition<Guard>(
    { junction: node => junction(file, node), proves: (node, expected) => proves(file, node, expected), inCommon: eitherClass },
    condition,
    truth,
  );
}

function junction(file: PhpFile, node: SyntaxNode): ConditionForm {
  if (file.is(node, 'parenthesized_expression')) return { is: 'inner', node: file.reader.firstNamedChild(node) };
  if (file.is(node, 'unary_op_expression'))
    return file.text(file.child(node, 'operator')) === '!' ? { is: 'not', node: file.child(node, 'argument') } : undefined;
  const operator = file.is(node, 'binary_expression') ? file.text(file.child(node, 'operator')).toLowerCase() : '';
  return joinedBy(operator, file.child(node, 'left'), file.child(node, 'right'));
}

function proves(file: PhpFile, test: SyntaxNode, truth: boolean): readonly Guard[] {
  if (!truth) return [];
  if (file.is(test, 'function_call_expression')) return predicateGuard(file, test);
  const isInstanceOf = file.is(test, 'binary_expression') && file.text(file.child(test, 'operator')).toLowerCase() === 'instanceof';
  return isInstanceOf ? instanceGuard(file, file.child(test, 'left'), file.child(test, 'right')) : [];
}

function instanceGuard(file: PhpFile, subject: SyntaxNode, target: SyntaxNode): readonly Guard[] {
  const inner = file.is(subject, 'parenthesized_expression') ? file.reader.firstNamedChild(subject) : subject;
  const path = pathOf(file, file.is(inner, 'assignment_expression') ? file.child(inner, 'left') : inner);
  return path === '' || !file.is(target, 'name', 'qualified_name', 'relative_name') ? [] : [{ path, classes: [file.text(target)] }];
}

/** `is_string($x)`, `is_a($x, A::class)`. */
function predicateGuard(file: PhpFile, call: SyntaxNode): readonly Guard[] {
  const name = file.text(file.child(call, 'function')).replace(/^\\/, '').toLowerCase();
  const [subject, target] = file.children(file.child(call, 'arguments')).map(argument => file.reader.lastNamedChild(argument));
  const path = subject === undefined ? '' : pathOf(file, subject);
  if (path === '') return [];
  const scalar = PREDICATES.get(name);
  if (scalar !== undefined) return [{ path, classes: [scalar] }];
  if (name !== 'is_a' || target === undefined || !file.is(target, 'class_constant_access_expression')) return [];
  return [{ path, classes: [file.text(file.reader.firstNamedChild(target))] }];
}

/** Spelling of a variable or a property path, '' for anything else. */
function pathOf(file: PhpFile, node: SyntaxNode, depth = 0): string {
  if (depth > 6) return '';
  if (file.is(node, 'variable_name')) return file.text(node) === '$this' ? 'this' : file.text(node);
  if (!file.is(node, 'member_access_expression', 'nullsafe_member_access_expression')) return '';
  const object = pathOf(file, file.child(node, 'object'), depth + 1);
  const name = file.child(node, 'name');
  return object === '' || !file.is(name, 'name') ? '' : `${object}.$${file.text(name)}`;
}

/** A frame in which the guards hold: a block scope of its own when there are any. */
export function narrow(file: PhpFile, guards: readonly Guard[], frame: Frame): Frame {
  const useful = guards.filter(guard => guard.path !== 'this');
  return narrowed(file, useful, frame, ({ path, classes }) => {
    const type = file.either(
      classes.map(text => (text.startsWith('#') ? file.literal(text.slice(1)) : (keywordRow(file, text, frame) ?? nameRow(file, text, frame)))),
    );
    return { name: file.builder.intern(path), type };
  });
}
