/** What a condition proves about the type of a name: `instanceof`, `typeof`, and their combinations with `!`, `&&`, `||`. */
import { operatorCode } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { type ConditionForm, type Conditions, guardsOf as guardsOfCondition } from '../../../walk/guards';
import { stringText } from '../literals';
import { qualifier } from '../types';
import type { Guard, Walk } from '../walk';

const TYPEOF = new Set(['string', 'number', 'boolean', 'undefined', 'bigint']);
const PATH = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.#?[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
/** Guards taken of one condition, the last ones written first: each operand of a chain sees those of all operands before it. */
const MAX_GUARDS = 40;

/** Guards that hold when `condition` is `outcome`, what stands last first. The condition itself has been visited before. */
export function guardsOf(walk: Walk, condition: SyntaxNode, outcome: boolean): readonly Guard[] {
  const conditions: Conditions<Guard> = {
    junction: node => junction(walk, node),
    proves: (node, truth) => proves(walk, node, truth),
    known: {
      get: (node, truth) => walk.guards.get(guardKey(node, truth)),
      set: (node, truth, guards) => walk.guards.set(guardKey(node, truth), guards),
    },
    lastFirst: true,
    most: MAX_GUARDS,
  };
  return guardsOfCondition(conditions, condition, outcome);
}

function junction(walk: Walk, condition: SyntaxNode): ConditionForm {
  const { node: kinds, field, token } = walk.kinds;
  const kind = walk.kind[condition];
  if (kind === kinds.parenthesized_expression) return { is: 'inner', node: walk.reader.firstNamedChild(condition) };
  if (kind !== kinds.unary_expression && kind !== kinds.binary_expression) return undefined;
  const operator = walk.kind[walk.child(condition, field.operator)];
  if (kind === kinds.unary_expression) return operator === token['!'] ? { is: 'not', node: walk.child(condition, field.argument) } : undefined;
  if (operator !== token['&&'] && operator !== token['||']) return undefined;
  return { is: operator === token['&&'] ? 'and' : 'or', left: walk.child(condition, field.left), right: walk.child(condition, field.right) };
}

function guardKey(node: SyntaxNode, outcome: boolean): number {
  return node * 2 + (outcome ? 1 : 0);
}

/** `x instanceof C`, `typeof x === 'string'`. */
function proves(walk: Walk, test: SyntaxNode, truth: boolean): readonly Guard[] {
  const { node: kinds, field, token } = walk.kinds;
  if (walk.kind[test] !== kinds.binary_expression) return [];
  const operator = walk.kind[walk.child(test, field.operator)] ?? 0;
  const left = walk.child(test, field.left);
  const right = walk.child(test, field.right);
  if (left === NO_NODE || right === NO_NODE) return [];
  if (operator === token.instanceof) {
    const isNamed = walk.kind[right] === kinds.identifier || walk.kind[right] === kinds.member_expression;
    const path = truth && isNamed ? pathOf(walk, left) : undefined;
    return path === undefined ? [] : [{ name: walk.builder.intern(path), type: qualifier(walk, right) }];
  }
  const equals = operator === token['==='] || operator === token['=='];
  if (truth ? !equals : operator !== token['!==']) return [];
  if (walk.kind[left] !== kinds.unary_expression || walk.kind[right] !== kinds.string) return [];
  const operand = walk.child(left, field.argument);
  if (walk.kind[walk.child(left, field.operator)] !== token.typeof || operand === NO_NODE || walk.kind[operand] !== kinds.identifier) return [];
  const type = walk.builder.strings[stringText(walk, right)] ?? '';
  return TYPEOF.has(type) ? [{ name: walk.nameOf(operand), type: walk.literal(type) }] : [];
}

/** `a` or `a.b`, `this.b` as text; undefined for every other expression. */
function pathOf(walk: Walk, node: SyntaxNode): string | undefined {
  const { node: kinds } = walk.kinds;
  if (walk.kind[node] !== kinds.identifier && walk.kind[node] !== kinds.member_expression) return undefined;
  const text = walk.reader.text(node).replace(/\s+/g, '');
  return PATH.test(text) ? text : undefined;
}

/** Binds guards in the current look-up scope, which must be one made for them. */
export function bindGuards(walk: Walk, guards: readonly Guard[]): void {
  for (const { name, type } of guards) {
    walk.builder.addBinding({ scope: walk.scope, name, kind: 'narrowed', type, value: walk.row(operatorCode.valueOfType, type) });
  }
}

/** Runs `body` where `condition` is known to be `outcome`. */
export function guarded<T>(walk: Walk, condition: SyntaxNode, outcome: boolean, body: () => T): T {
  const guards = guardsOf(walk, condition, outcome);
  if (guards.length === 0) return body();
  const { scope } = walk;
  walk.scope = walk.builder.addScope('block', scope);
  bindGuards(walk, guards);
  const result = body();
  walk.scope = scope;
  return result;
}
