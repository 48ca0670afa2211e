import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { narrowed as placeNarrowed } from '../../walk/frames';
import { type ConditionForm, guardsOf as guardsOfCondition, joinedBy } from '../../walk/guards';
import { hasToken, type KotlinFile } from './grammar';
import { addType, typeBehind } from './types';
import { type Frame, type Walk } from './walk';

/** What a condition proves of a name or a path of names. */
interface Guard {
  readonly name: string;
  /** Node of the type. */
  readonly type: SyntaxNode;
}

const MAX_GUARDS = 20;

/** The frame in which `condition` is known to be `outcome`: smart casts get a scope of their own. */
export function narrowed(walk: Walk, condition: SyntaxNode, outcome: boolean, frame: Frame): Frame {
  return withGuards(walk, guardsOf(walk, condition, outcome), frame);
}

/** The frame in which `subject` is of the type that a test asks for. */
export function narrowedTo(walk: Walk, subject: SyntaxNode, type: SyntaxNode, frame: Frame): Frame {
  const name = pathOf(walk.file, subject);
  return name === '' ? frame : withGuards(walk, [{ name, type }], frame);
}

function withGuards({ file }: Walk, guards: readonly Guard[], frame: Frame): Frame {
  return placeNarrowed(file, guards, frame, ({ name, type }) => {
    const row = addType(file, type, { scope: frame.scope, owner: frame.owner, use: 'assertType' });
    return { name: file.builder.intern(name), type: row };
  });
}

function guardsOf({ file }: Walk, condition: SyntaxNode, outcome: boolean): readonly Guard[] {
  return guardsOfCondition<Guard>(
    { junction: node => junction(file, node), proves: (node, expected) => proves(file, node, expected), lastFirst: true, most: MAX_GUARDS },
    condition,
    outcome,
  );
}

function junction(file: KotlinFile, node: SyntaxNode): ConditionForm {
  if (file.is(node, 'parenthesized_expression')) return { is: 'inner', node: file.reader.firstNamedChild(node) };
  if (file.is(node, 'unary_expression')) return file.text(file.child(node, 'operator')) === '!' ? { is: 'not', node: file.child(node, 'argument') } : undefined;
  const operator = file.is(node, 'binary_expression') ? file.text(file.child(node, 'operator')) : '';
  return joinedBy(operator, file.child(node, 'left'), file.child(node, 'right'));
}

function proves(file: KotlinFile, test: SyntaxNode, truth: boolean): readonly Guard[] {
  if (!file.is(test, 'is_expression') || hasToken(file, test, '!is') === truth) return [];
  const name = pathOf(file, file.child(test, 'left'));
  return name === '' ? [] : [{ name, type: file.child(test, 'right') }];
}

/** `a`, `a.b`, `this.a`; '' for what cannot be cast by a test. */
function pathOf(file: KotlinFile, node: SyntaxNode): string {
  if (file.is(node, 'identifier')) return file.text(node);
  if (!file.is(node, 'navigation_expression')) return '';
  const text = file.text(node).replaceAll('?.', '.');
  return /^\w+(?:\.\w+){1,3}$/.test(text) ? text : '';
}

/** Type node of a test in a `when`, `NO_NODE` for other conditions and negated tests. */
export function testedType(walk: Walk, condition: SyntaxNode): SyntaxNode {
  const { file } = walk;
  return file.is(condition, 'type_test') && !hasToken(file, condition, '!is') ? typeBehind(file, condition) : NO_NODE;
}
