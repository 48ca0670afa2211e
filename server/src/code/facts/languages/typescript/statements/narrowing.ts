/** What a condition proves about the type of a name: `instanceof`, `typeof`, and their combinations with `!`, `&&`, `||`. */
import { operatorCode } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { stringText } from '../literals';
import { qualifier } from '../types';
import type { Guard, Walk } from '../walk';

const TYPEOF = new Set(['string', 'number', 'boolean', 'undefined', 'bigint']);
const PATH = /^[\p{L}_$][\p{L}\p{N}_$]*(?:\.#?[\p{L}_$][\p{L}\p{N}_$]*)*$/u;
/** Guards taken of one condition, the last ones written first: each operand of a chain sees those of all operands before it. */
const MOST_GUARDS = 40;

/** Guards that hold when `condition` is `outcome`. The condition itself has been visited before. */
export function guardsOf(walk: Walk, condition: number, outcome: boolean): Guard[] {
  const guards: Guard[] = [];
  const pending: [node: number, outcome: boolean][] = [[condition, outcome]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [node, expected] = next;
    if (node === NO_NODE) continue;
    const { node: kinds, field, token } = walk.kinds;
    const kind = walk.kind[node];
    const known = walk.guards.get(guardKey(node, expected));
    if (known !== undefined) guards.push(...known);
    else if (kind === kinds.parenthesized_expression) pending.push([walk.reader.firstNamedChild(node), expected]);
    else if (kind === kinds.unary_expression) {
      if (walk.kind[walk.child(node, field.operator)] === token['!']) pending.push([walk.child(node, field.argument), !expected]);
    } else if (kind === kinds.binary_expression) {
      const operator = walk.kind[walk.child(node, field.operator)] ?? 0;
      if (operator === (expected ? token['&&'] : token['||']))
        pending.push([walk.child(node, field.left), expected], [walk.child(node, field.right), expected]);
      else addGuard(walk, guards, node, operator, expected);
    }
    if (guards.length >= MOST_GUARDS) break;
  }
  guards.length = Math.min(guards.length, MOST_GUARDS);
  // A longer chain asks again for what its left part proves.
  if (condition !== NO_NODE && walk.kind[condition] === walk.kinds.node.binary_expression) walk.guards.set(guardKey(condition, outcome), guards);
  return guards;
}

function guardKey(node: number, outcome: boolean): number {
  return node * 2 + (outcome ? 1 : 0);
}

function addGuard(walk: Walk, guards: Guard[], node: number, operator: number, expected: boolean): void {
  const { node: kinds, field, token } = walk.kinds;
  const left = walk.child(node, field.left);
  const right = walk.child(node, field.right);
  if (left === NO_NODE || right === NO_NODE) return;
  if (operator === token.instanceof) {
    const isNamed = walk.kind[right] === kinds.identifier || walk.kind[right] === kinds.member_expression;
    const path = expected && isNamed ? pathOf(walk, left) : undefined;
    if (path !== undefined) guards.push({ name: walk.builder.intern(path), type: qualifier(walk, right) });
    return;
  }
  const equals = operator === token['==='] || operator === token['=='];
  const differs = operator === token['!=='];
  if (expected ? !equals : !differs) return;
  if (walk.kind[left] !== kinds.unary_expression || walk.kind[right] !== kinds.string) return;
  const operand = walk.child(left, field.argument);
  if (walk.kind[walk.child(left, field.operator)] !== token.typeof || operand === NO_NODE || walk.kind[operand] !== kinds.identifier) return;
  const type = walk.builder.strings[stringText(walk, right)] ?? '';
  if (TYPEOF.has(type)) guards.push({ name: walk.nameOf(operand), type: walk.literal(type) });
}

/** `a` or `a.b`, `this.b` as text; undefined for every other expression. */
function pathOf(walk: Walk, node: number): string | undefined {
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
export function guarded<T>(walk: Walk, condition: number, outcome: boolean, body: () => T): T {
  const guards = guardsOf(walk, condition, outcome);
  if (guards.length === 0) return body();
  const { scope } = walk;
  walk.scope = walk.builder.addScope('block', scope);
  bindGuards(walk, guards);
  const result = body();
  walk.scope = scope;
  return result;
}
