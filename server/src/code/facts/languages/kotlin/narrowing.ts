import { NO_NODE } from '../../../parse/syntaxReader';
import { hasToken } from './grammar';
import { addType, typeBehind } from './types';
import { type Frame, inBlock, type Walk } from './walk';

/** What a condition proves of a name or a path of names. */
interface Guard {
  readonly name: string;
  /** Node of the type. */
  readonly type: number;
}

const MOST_GUARDS = 20;

/** The frame in which `condition` is known to be `outcome`: smart casts get a scope of their own. */
export function narrowed(walk: Walk, condition: number, outcome: boolean, frame: Frame): Frame {
  return withGuards(walk, guardsOf(walk, condition, outcome), frame);
}

/** The frame in which `subject` is of the type that a test asks for. */
export function narrowedTo(walk: Walk, subject: number, type: number, frame: Frame): Frame {
  const name = pathOf(walk, subject);
  return name === '' ? frame : withGuards(walk, [{ name, type }], frame);
}

function withGuards(walk: Walk, guards: readonly Guard[], frame: Frame): Frame {
  if (guards.length === 0) return frame;
  const { file } = walk;
  const inside = inBlock(walk, frame);
  for (const { name, type } of guards) {
    const row = addType(file, type, { scope: frame.scope, owner: frame.owner, use: 'assertType' });
    file.builder.addBinding({ scope: inside.scope, name: file.builder.intern(name), kind: 'narrowed', type: row, value: file.row('valueOfType', row) });
  }
  return inside;
}

function guardsOf(walk: Walk, condition: number, outcome: boolean): Guard[] {
  const { file } = walk;
  const guards: Guard[] = [];
  const pending: [node: number, outcome: boolean][] = [[condition, outcome]];
  for (let next = pending.pop(), steps = 0; next !== undefined && steps < 60 && guards.length < MOST_GUARDS; next = pending.pop(), steps++) {
    const [node, expected] = next;
    if (file.is(node, 'parenthesized_expression')) pending.push([file.reader.firstNamedChild(node), expected]);
    else if (file.is(node, 'unary_expression') && file.text(file.child(node, 'operator')) === '!') pending.push([file.child(node, 'argument'), !expected]);
    else if (file.is(node, 'binary_expression')) {
      if (file.text(file.child(node, 'operator')) === (expected ? '&&' : '||'))
        pending.push([file.child(node, 'left'), expected], [file.child(node, 'right'), expected]);
    } else if (file.is(node, 'is_expression') && hasToken(file, node, '!is') !== expected) {
      const name = pathOf(walk, file.child(node, 'left'));
      if (name !== '') guards.push({ name, type: file.child(node, 'right') });
    }
  }
  return guards;
}

/** `a`, `a.b`, `this.a`; '' for what cannot be cast by a test. */
function pathOf(walk: Walk, node: number): string {
  const { file } = walk;
  if (file.is(node, 'identifier')) return file.text(node);
  if (!file.is(node, 'navigation_expression')) return '';
  const text = file.text(node).replaceAll('?.', '.');
  return /^\w+(?:\.\w+){1,3}$/.test(text) ? text : '';
}

/** Type node of a test in a `when`, `NO_NODE` for other conditions and negated tests. */
export function testedType(walk: Walk, condition: number): number {
  const { file } = walk;
  return file.is(condition, 'type_test') && !hasToken(file, condition, '!is') ? typeBehind(file, condition) : NO_NODE;
}
