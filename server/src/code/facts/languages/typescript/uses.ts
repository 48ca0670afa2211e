/** What can only be said once all bindings are known: which names are module-level or imported, and where reassigned names live. */
import { operandOf } from '../../../../model/expressions';
import {
  BINDING_KINDS,
  type ExpressionRow,
  IMPORT_KINDS,
  type ImportRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type ReferenceKind,
  type ScopeRow,
  type StringIndex,
} from '../../../../model/facts';
import { symbolKindCode } from '../../../../model/nodes';
import type { Use, Walk } from './walk';

const SYMBOL = BINDING_KINDS.indexOf('symbol');
const IMPORT = BINDING_KINDS.indexOf('import');
const VARIABLE = BINDING_KINDS.indexOf('variable');
const NAMESPACE = IMPORT_KINDS.indexOf('namespace');
const NARROWED = BINDING_KINDS.indexOf('narrowed');

/** Kinds of symbols whose name left of a dot is a use of them: what holds data, and types with members. */
const BEFORE_DOT = new Set([symbolKindCode.variable, symbolKindCode.constant, symbolKindCode.class, symbolKindCode.enum]);

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
  for (const use of walk.uses) {
    const kind = reachableAs(walk, bound, use);
    if (kind !== undefined) walk.builder.addReference(kind, use.row, use.owner, use.name, use.at);
  }
}

/** Names of the language and of every host, which no project declares. */
const OF_LANGUAGE: ReadonlySet<string> = new Set(
  'undefined NaN Infinity arguments Object Array String Number Boolean Symbol BigInt Function Math JSON Reflect Proxy Promise Error TypeError RangeError SyntaxError Date RegExp Map Set WeakMap WeakSet WeakRef Intl console require module exports __dirname __filename'.split(
    ' ',
  ),
);

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

/** How a use speaks of a declaration that other code may see; `undefined` where it speaks of a local name or of something of the language. */
function reachableAs(walk: Walk, bound: ReadonlyMap<number, number>, use: Use): ReferenceKind | undefined {
  const { expressions, strings } = walk.builder;
  const isMember = expressions.operator[use.row] === operatorCode.member;
  const root = rootOf(walk, use.row);
  const operator = expressions.operator[root];
  if (operator !== operatorCode.name) return isMember && operator !== operatorCode.unknown && operator !== operatorCode.literal ? use.kind : undefined;
  const text = expressions.text[root] ?? NO_TEXT;
  const binding = lookUp(walk, bound, use.scope, text);
  // It may be a global name that another file declares.
  if (binding === NONE) return OF_LANGUAGE.has(strings[text] ?? '') ? undefined : use.isObject ? 'object' : use.kind;
  return isMember ? use.kind : boundAs(walk, binding, use);
}

/** The same for a bare name: what is imported or declared at module level. */
function boundAs(walk: Walk, binding: number, use: Use): ReferenceKind | undefined {
  const { bindings, imports, scopes, symbols } = walk.builder;
  const kind = bindings.kind[binding];
  const symbol = bindings.symbol[binding] ?? NONE;
  switch (kind) {
    case IMPORT:
      if (!use.isObject) return use.kind;
      return imports.kind[bindings.import[binding] ?? NONE] === NAMESPACE ? undefined : 'object';
    case VARIABLE: {
      const isTop = scopes.parent[bindings.scope[binding] ?? MODULE_SCOPE] === NONE;
      if (symbol !== NONE || !isTop) return undefined;
      if (!use.isObject) return use.kind;
      return isOfProject(walk, bindings.import[binding] ?? NONE) ? 'object' : undefined;
    }
    case SYMBOL: {
      const counts = symbol !== NONE && (!use.isObject || BEFORE_DOT.has(symbols.kind[symbol] ?? 0));
      return counts ? use.kind : undefined;
    }
    default:
      return undefined;
  }
}

/** True for a file that is loaded by its path: packages are no data. */
function isOfProject({ builder: { imports, strings } }: Walk, row: ImportRow): boolean {
  return row !== NONE && (strings[imports.specifier[row] ?? NO_TEXT] ?? '').startsWith('.');
}

/** What a chain of members begins with. */
function rootOf(walk: Walk, row: ExpressionRow): ExpressionRow {
  const { expressions } = walk.builder;
  let root = row;
  while (expressions.operator[root] === operatorCode.member) root = operandOf.receiver(expressions, root);
  return root;
}
