import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { narrowed } from '../../../walk/frames';
import { type ConditionForm, eitherClass, type ClassGuard as Guard, guardsOf as guardsOfCondition, joinedBy } from '../../../walk/guards';
import { argumentNodes, constantRow, isConstant } from '../names';
import type { Frame, RubyFile } from '../walk';

const TESTS: ReadonlySet<string> = new Set(['is_a?', 'kind_of?', 'instance_of?']);

/** Guards that hold when the condition came out as `truth`. */
export function guardsOf(file: RubyFile, condition: SyntaxNode, truth: boolean): readonly Guard[] {
  return guardsOfCondition<Guard>(
    { junction: node => junction(file, node), proves: (node, expected) => proves(file, node, expected), inCommon: eitherClass },
    condition,
    truth,
  );
}

const NOT: ReadonlySet<string> = new Set(['!', 'not']);

function junction(file: RubyFile, node: SyntaxNode): ConditionForm {
  if (file.is(node, 'parenthesized_statements')) return { is: 'inner', node: file.reader.lastNamedChild(node) };
  if (file.is(node, 'unary')) return NOT.has(file.text(file.child(node, 'operator'))) ? { is: 'not', node: file.child(node, 'operand') } : undefined;
  const operator = file.is(node, 'binary') ? file.text(file.child(node, 'operator')) : '';
  return joinedBy(operator, file.child(node, 'left'), file.child(node, 'right'));
}

function proves(file: RubyFile, test: SyntaxNode, truth: boolean): readonly Guard[] {
  if (!truth) return [];
  if (file.is(test, 'call')) return testGuard(file, test);
  const isMatch = file.is(test, 'binary') && file.text(file.child(test, 'operator')) === '===';
  return isMatch ? guardOf(file, file.child(test, 'right'), file.child(test, 'left')) : [];
}

/** `x.is_a?(Foo)`. */
function testGuard(file: RubyFile, call: SyntaxNode): readonly Guard[] {
  if (!TESTS.has(file.text(file.child(call, 'method')))) return [];
  const [type] = argumentNodes(file, call);
  return type === undefined ? [] : guardOf(file, file.child(call, 'receiver'), type);
}

export function guardOf(file: RubyFile, subject: SyntaxNode, type: SyntaxNode): readonly Guard[] {
  const path = pathOf(file, subject);
  return path === '' || !isConstant(file, type) ? [] : [{ path, classes: [file.text(type)] }];
}

/** Spelling of a local variable or a field, '' for anything else. */
export function pathOf(file: RubyFile, node: SyntaxNode): string {
  if (file.is(node, 'identifier')) return file.text(node);
  return file.is(node, 'instance_variable') ? `this.${file.text(node)}` : '';
}

/** A frame in which the guards hold: a block scope of its own when there are any. */
export function narrow(file: RubyFile, guards: readonly Guard[], frame: Frame): Frame {
  return narrowed(file, guards, frame, ({ path, classes }) => {
    const type = file.either(classes.map(text => constantRow(file, text, frame.scope)));
    return { name: file.builder.intern(path), type };
  });
}
