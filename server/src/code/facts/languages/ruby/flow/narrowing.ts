import { NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { argumentNodes, constantRow, isConstant } from '../names';
import type { Frame, RubyFile } from '../walk';

/** What a condition proves about a local variable or a field: its class. */
export interface Guard {
  /** `x`, `this.@x`. */
  readonly path: string;
  /** Text of the constants it may be. */
  readonly classes: readonly string[];
}

const MAX_DEPTH = 40;
const TESTS: ReadonlySet<string> = new Set(['is_a?', 'kind_of?', 'instance_of?']);

/** Guards that hold when the condition came out as `truth`. */
export function guardsOf(file: RubyFile, condition: number, truth: boolean, depth = 0): readonly Guard[] {
  if (depth > MAX_DEPTH || condition === NO_NODE) return [];
  const next = (node: number, expected: boolean): readonly Guard[] => guardsOf(file, node, expected, depth + 1);
  if (file.is(condition, 'parenthesized_statements')) return next(file.reader.lastNamedChild(condition), truth);
  if (file.is(condition, 'unary'))
    return /^(?:!|not)$/.test(file.text(file.child(condition, 'operator'))) ? next(file.child(condition, 'operand'), !truth) : [];
  if (file.is(condition, 'call')) return truth ? testGuard(file, condition) : [];
  if (!file.is(condition, 'binary')) return [];
  const operator = file.text(file.child(condition, 'operator'));
  const left = file.child(condition, 'left');
  const right = file.child(condition, 'right');
  if (operator === '===' && truth) return guardOf(file, right, left);
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

/** `x.is_a?(Foo)`. */
function testGuard(file: RubyFile, call: number): readonly Guard[] {
  if (!TESTS.has(file.text(file.child(call, 'method')))) return [];
  const [type] = argumentNodes(file, call);
  return type === undefined ? [] : guardOf(file, file.child(call, 'receiver'), type);
}

export function guardOf(file: RubyFile, subject: number, type: number): readonly Guard[] {
  const path = pathOf(file, subject);
  return path === '' || !isConstant(file, type) ? [] : [{ path, classes: [file.text(type)] }];
}

/** Spelling of a local variable or a field, '' for anything else. */
export function pathOf(file: RubyFile, node: number): string {
  if (file.is(node, 'identifier')) return file.text(node);
  return file.is(node, 'instance_variable') ? `this.${file.text(node)}` : '';
}

/** A frame in which the guards hold: a block scope of its own when there are any. */
export function narrow(file: RubyFile, guards: readonly Guard[], frame: Frame): Frame {
  if (guards.length === 0) return frame;
  const { builder } = file;
  const scope = builder.addScope('block', frame.scope);
  for (const { path, classes } of guards) {
    const type = file.either(classes.map(text => constantRow(file, text, frame.scope)));
    builder.addBinding({ scope, name: builder.intern(path), kind: 'narrowed', type, value: file.row('valueOfType', type, NONE) });
  }
  return { ...frame, scope };
}
