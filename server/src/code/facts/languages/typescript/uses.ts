/** What can only be said once all bindings are known: which names are module-level or imported, and where reassigned names live. */
import { operandOf } from '../../../../model/expressions';
import { BINDING_KINDS, type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, operatorCode, type ScopeRow, type StringIndex } from '../../../../model/facts';
import { symbolKindCode } from '../../../../model/nodes';
import type { Use, Walk } from './walk';

const SYMBOL = BINDING_KINDS.indexOf('symbol');
const IMPORT = BINDING_KINDS.indexOf('import');
const VARIABLE = BINDING_KINDS.indexOf('variable');
const NARROWED = BINDING_KINDS.indexOf('narrowed');

/** Kinds of symbols whose name left of a dot is a use of their value. */
const DATA = new Set([symbolKindCode.variable, symbolKindCode.constant]);

/** Adds reads and writes of names that other code can reach, and the further values of reassigned names. */
export function addUses(walk: Walk): void {
  const bound = firstBindings(walk);
  for (const { name, scope, value } of walk.reassignments) {
    const binding = lookUp(walk, bound, scope, name);
    if (binding === NONE || value === walk.unknown) continue;
    const { bindings } = walk.builder;
    const isSymbol = bindings.kind[binding] === SYMBOL;
    walk.builder.addBinding({
      scope: bindings.scope[binding] ?? MODULE_SCOPE,
      name,
      kind: isSymbol ? 'symbol' : 'variable',
      symbol: bindings.symbol[binding] ?? NONE,
      value,
    });
  }
  for (const use of walk.uses) if (isReachable(walk, bound, use)) walk.builder.addReference(use.kind, use.row, use.owner, use.name, use.at);
}

function key(scope: ScopeRow, name: StringIndex): number {
  return scope * 0x200000 + name;
}

/** First binding of each name in each scope; narrowed ones left out, since they only say more about another. */
function firstBindings(walk: Walk): ReadonlyMap<number, number> {
  const { count, scope, name, kind } = walk.builder.bindings;
  const first = new Map<number, number>();
  for (let row = 0; row < count; row++) {
    if (kind[row] === NARROWED) continue;
    const at = key(scope[row] ?? MODULE_SCOPE, name[row] ?? NO_TEXT);
    if (!first.has(at)) first.set(at, row);
  }
  return first;
}

function lookUp(walk: Walk, bound: ReadonlyMap<number, number>, scope: ScopeRow, name: StringIndex): number {
  const { parent } = walk.builder.scopes;
  for (let at = scope; at !== NONE; at = parent[at] ?? NONE) {
    const row = bound.get(key(at, name));
    if (row !== undefined) return row;
  }
  return NONE;
}

/** Whether a use may speak of a declaration: a member of anything but a global, or a name that is imported or declared at module level. */
function isReachable(walk: Walk, bound: ReadonlyMap<number, number>, use: Use): boolean {
  const { expressions, bindings, symbols, scopes } = walk.builder;
  const isMember = expressions.operator[use.row] === operatorCode.member;
  const root = rootOf(walk, use.row);
  const operator = expressions.operator[root];
  if (operator !== operatorCode.name) return isMember && operator !== operatorCode.unknown && operator !== operatorCode.literal;
  const binding = lookUp(walk, bound, use.scope, expressions.text[root] ?? NO_TEXT);
  if (binding === NONE) return false;
  if (isMember) return true;
  const kind = bindings.kind[binding];
  const symbol = bindings.symbol[binding] ?? NONE;
  if (kind === IMPORT) return !use.isObject;
  if (kind === VARIABLE) return symbol === NONE && !use.isObject && scopes.parent[bindings.scope[binding] ?? MODULE_SCOPE] === NONE;
  if (kind !== SYMBOL || symbol === NONE) return false;
  return !use.isObject || DATA.has(symbols.kind[symbol] ?? 0);
}

/** What a chain of members begins with. */
function rootOf(walk: Walk, row: ExpressionRow): ExpressionRow {
  const { expressions } = walk.builder;
  let root = row;
  while (expressions.operator[root] === operatorCode.member) root = operandOf.receiver(expressions, root);
  return root;
}
