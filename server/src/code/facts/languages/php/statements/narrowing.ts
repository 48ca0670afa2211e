import { NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { keywordRow, nameRow } from '../names';
import type { Frame, PhpFile } from '../walk';

/** What a condition proves about a variable or a property path: its type. */
export interface Guard {
  /** `$x`, `this.$x`, `$x.$y`. */
  readonly path: string;
  /** Text of the class names it may be; a scalar word in front of `#`. */
  readonly classes: readonly string[];
}

const MAX_DEPTH = 40;

/** Predicate functions and the scalar each proves. */
const PREDICATES: ReadonlyMap<string, string> = new Map([
  ['is_string', '#string'],
  ['is_int', '#number'],
  ['is_float', '#number'],
  ['is_numeric', '#number'],
  ['is_bool', '#boolean'],
  ['is_null', '#null'],
]);

/** Guards that hold when the condition came out as `truth`. */
export function guardsOf(file: PhpFile, condition: number, truth: boolean, depth = 0): readonly Guard[] {
  if (depth > MAX_DEPTH || condition === NO_NODE) return [];
  const next = (node: number, expected: boolean): readonly Guard[] => guardsOf(file, node, expected, depth + 1);
  if (file.is(condition, 'parenthesized_expression')) return next(file.reader.firstNamedChild(condition), truth);
  if (file.is(condition, 'unary_op_expression'))
    return file.text(file.child(condition, 'operator')) === '!' ? next(file.child(condition, 'argument'), !truth) : [];
  if (file.is(condition, 'function_call_expression')) return truth ? predicateGuard(file, condition) : [];
  if (file.is(condition, 'assignment_expression')) return [];
  if (!file.is(condition, 'binary_expression')) return [];
  const operator = file.text(file.child(condition, 'operator')).toLowerCase();
  const left = file.child(condition, 'left');
  const right = file.child(condition, 'right');
  if (operator === 'instanceof') return truth ? instanceGuard(file, left, right) : [];
  const isAnd = operator === '&&' || operator === 'and';
  if (!isAnd && operator !== '||' && operator !== 'or') return [];
  if (isAnd === truth) return [...next(left, truth), ...next(right, truth)];
  return inCommon(next(left, truth), next(right, truth));
}

/** Either side may have held: only what both prove about one path is left. */
function inCommon(left: readonly Guard[], right: readonly Guard[]): readonly Guard[] {
  return left.flatMap(guard => {
    const other = right.find(candidate => candidate.path === guard.path);
    return other === undefined ? [] : [{ path: guard.path, classes: [...guard.classes, ...other.classes] }];
  });
}

function instanceGuard(file: PhpFile, subject: number, target: number): readonly Guard[] {
  const inner = file.is(subject, 'parenthesized_expression') ? file.reader.firstNamedChild(subject) : subject;
  const path = pathOf(file, file.is(inner, 'assignment_expression') ? file.child(inner, 'left') : inner);
  return path === '' || !file.is(target, 'name', 'qualified_name', 'relative_name') ? [] : [{ path, classes: [file.text(target)] }];
}

/** `is_string($x)`, `is_a($x, A::class)`. */
function predicateGuard(file: PhpFile, call: number): readonly Guard[] {
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
function pathOf(file: PhpFile, node: number, depth = 0): string {
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
  if (useful.length === 0) return frame;
  const { builder } = file;
  const scope = builder.addScope('block', frame.scope);
  for (const { path, classes } of useful) {
    const type = file.either(
      classes.map(text => (text.startsWith('#') ? file.literal(text.slice(1)) : (keywordRow(file, text, frame) ?? nameRow(file, text, frame)))),
    );
    builder.addBinding({ scope, name: builder.intern(path), kind: 'narrowed', type, value: file.row('valueOfType', type, NONE) });
  }
  return { ...frame, scope };
}
