import { type ExpressionRow, MODULE_SCOPE, NO_TEXT, NONE, type ScopeRow, type SymbolRow, symbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { written } from '../../factTables';
import { runBranches } from '../../walk/branches';
import { countDecision } from '../../walk/frames';
import { argumentsOf } from './calls';
import { define } from './definitions';
import { hashOf, signatureOf } from './describe';
import { runMatch } from './flow/matching';
import { guardsOf, narrow } from './flow/narrowing';
import { addTypeParameters, declareLambda } from './functions';
import type { KindName } from './grammar';
import { importModules, importNames } from './imports';
import { useOfElement, useOfIteration } from './protocols';
import { nameModifiers } from './targets';
import { plainString } from './texts';
import { subscriptsOf, typeFormOf } from './types/typeForm';
import { addType, addTypeForm, addVariableType, isTypeFormName, lastNameOf, placeOf } from './types/typeRows';
import { type Frame, lastName, type StatementHandler, type Walk } from './walk';

/** How each kind of statement is taken in. A handler may give the frame for the statements after it. */
export const STATEMENT_HANDLERS: Partial<Record<KindName, StatementHandler>> = {
  expression_statement: expressionStatement,
  function_definition: (walk, node, frame) => define(walk, { node, outer: node, decorators: [] }, frame),
  class_definition: (walk, node, frame) => define(walk, { node, outer: node, decorators: [] }, frame),
  decorated_definition: (walk, node, frame) => {
    const { file } = walk;
    const decorators = file.children(node).filter(child => file.is(child, 'decorator'));
    const definition = file.child(node, 'definition');
    return define(walk, { node: definition, outer: node, decorators: decorators.map(child => file.reader.firstNamedChild(child)) }, frame);
  },
  import_statement: importModules,
  import_from_statement: importNames,
  future_import_statement: () => undefined,
  return_statement: (walk, node, frame) => {
    const child = walk.file.reader.firstNamedChild(node);
    if (child !== NO_NODE) frame.body?.returns.push(walk.value(child, frame));
    return undefined;
  },
  raise_statement: raiseStatement,
  assert_statement: (walk, node, frame) => {
    const children = walk.file.children(node);
    for (const child of children) walk.value(child, frame);
    const [condition] = children;
    return condition === undefined ? undefined : narrow(walk.file, guardsOf(walk.file, condition, true), frame);
  },
  delete_statement: (walk, node, frame) => {
    for (const child of walk.file.children(node)) deleted(walk, child, frame);
    return undefined;
  },
  global_statement: (walk, node, frame) => redirect(walk, node, frame, () => MODULE_SCOPE),
  nonlocal_statement: (walk, node, frame) => redirect(walk, node, frame, name => enclosingScope(walk, name, frame)),
  if_statement: ifStatement,
  while_statement: (walk, node, frame) => {
    const { file } = walk;
    const condition = file.child(node, 'condition');
    countDecision(frame);
    walk.value(condition, frame);
    walk.run(file.child(node, 'body'), narrow(file, guardsOf(file, condition, true), frame));
    walk.run(file.child(file.child(node, 'alternative'), 'body'), frame);
    return undefined;
  },
  for_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const isAsync = file.reader.hasChild(node, file.grammar.asyncToken);
    const source = walk.value(file.child(node, 'right'), frame);
    useOfIteration(walk, node, source, frame, isAsync);
    const item = file.row('iterate', source, NONE, isAsync ? file.builder.intern('async') : NO_TEXT);
    const inside = walk.bind(file.child(node, 'left'), item, frame, { node, type: NONE, makesSymbol: false });
    walk.run(file.child(node, 'body'), inside);
    walk.run(file.child(file.child(node, 'alternative'), 'body'), frame);
    return undefined;
  },
  try_statement: (walk, node, frame) => {
    const { file } = walk;
    for (const child of file.children(node)) {
      if (file.is(child, 'except_clause')) exceptClause(walk, child, frame);
      else walk.run(file.is(child, 'block') ? child : file.childOf(child, 'block'), frame);
    }
    return undefined;
  },
  with_statement: withStatement,
  match_statement: (walk, node, frame) => runMatch(walk, node, frame),
  type_alias_statement: typeAlias,
};

function expressionStatement(walk: Walk, node: SyntaxNode, frame: Frame): Frame | undefined {
  const { file } = walk;
  let current = frame;
  for (const child of file.children(node)) {
    if (file.is(child, 'assignment')) current = assign(walk, child, node, current);
    else if (file.is(child, 'augmented_assignment')) augment(walk, child, node, current);
    else {
      walk.value(child, current);
      extendAll(walk, child, current);
    }
  }
  return current;
}

/** A target of `del`, or several. */
function deleted(walk: Walk, target: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  if (file.is(target, 'expression_list') || file.is(target, 'tuple')) {
    for (const part of file.children(target)) deleted(walk, part, frame);
    return;
  }
  if (!file.is(target, 'subscript')) {
    walk.quiet(target, frame);
    return;
  }
  useOfElement(walk, target, walk.value(file.child(target, 'value'), frame), frame, '__delitem__');
  for (const key of subscriptsOf(file, target)) walk.value(key, frame);
}

/** `a = b = value`, `a: T = value`, `a: T`. */
function assign(walk: Walk, assignment: SyntaxNode, statement: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  const targets: SyntaxNode[] = [];
  let last = assignment;
  for (let at = assignment; file.is(at, 'assignment'); at = file.child(at, 'right')) {
    targets.push(file.child(at, 'left'));
    last = at;
  }
  const right = file.child(last, 'right');
  const [target] = targets;
  if (target !== undefined && file.is(target, 'identifier') && targets.length === 1) {
    if (file.is(right, 'lambda')) return bindLambda(walk, target, right, statement, frame);
    if (isAliasAssignment(walk, assignment, right, frame)) return declareAlias(walk, target, right, statement, frame);
    if (file.text(target) === '__all__' && frame.kind === 'module') exportNames(walk, right);
  }
  const typeNode = file.child(assignment, 'type');
  const type = typeNode === NO_NODE ? boundOf(walk, right, frame) : addVariableType(file, typeNode, placeOf(frame));
  const value = right === NO_NODE ? NONE : walk.value(right, frame);
  let current = frame;
  for (const each of targets) current = walk.bind(each, value, current, { node: statement, type, makesSymbol: true });
  return current;
}

/** `TypeVar('T', bound=B)`: the bound is what is known of a value of that type. */
function boundOf(walk: Walk, right: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (!file.is(right, 'call') || !/^(?:\w+\.)?TypeVar$/.test(file.text(file.child(right, 'function')))) return NONE;
  const bound = argumentsOf(walk, right).find(argument => file.text(file.child(argument, 'name')) === 'bound');
  return bound === undefined ? NONE : addType(file, file.child(bound, 'value'), placeOf(frame));
}

function bindLambda(walk: Walk, target: SyntaxNode, lambda: SyntaxNode, statement: SyntaxNode, frame: Frame): Frame {
  const symbol = declareLambda(walk, target, statement, frame);
  walk.lambda(lambda, frame, symbol);
  return frame;
}

/** `X: TypeAlias = …`, and at module or class level `X = Union[…]` and its like. */
function isAliasAssignment(walk: Walk, assignment: SyntaxNode, right: SyntaxNode, frame: Frame): boolean {
  const { file } = walk;
  if (right === NO_NODE || frame.kind === 'function') return false;
  const annotation = file.child(assignment, 'type');
  if (annotation !== NO_NODE) return lastNameOf(typeFormOf(file, annotation)) === 'TypeAlias';
  return file.is(right, 'subscript') && isTypeFormName(lastNameOf(typeFormOf(file, right)));
}

function declareAlias(walk: Walk, target: SyntaxNode, right: SyntaxNode, statement: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  const symbol = addAliasSymbol(walk, target, statement, frame);
  file.builder.set('symbols', 'type', symbol, addTypeForm(file, typeFormOf(file, right), { scope: frame.scope, owner: symbol, counts: true }));
  return frame;
}

function addAliasSymbol(walk: Walk, nameNode: SyntaxNode, statement: SyntaxNode, frame: Frame): SymbolRow {
  const { file } = walk;
  const [start, end] = [file.reader.start(statement), file.reader.end(statement)];
  const symbol = file.builder.addSymbol({
    name: file.word(nameNode),
    kind: 'type',
    parent: frame.owner,
    modifiers: nameModifiers(file.text(nameNode), frame),
    start,
    end,
    nameStart: file.reader.start(nameNode),
    signature: signatureOf(file, start, end),
    hash: hashOf(file, start, end),
  });
  file.builder.addBinding({ scope: frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  return symbol;
}

/** `type X[T] = …` */
function typeAlias(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const left = file.reader.firstNamedChild(file.child(node, 'left'));
  const nameNode = file.is(left, 'generic_type') ? file.reader.firstNamedChild(left) : left;
  if (!file.is(nameNode, 'identifier')) return;
  const symbol = addAliasSymbol(walk, nameNode, node, frame);
  const scope = file.builder.addScope('type', frame.scope, symbol);
  file.builder.set('symbols', 'scope', symbol, scope);
  if (file.is(left, 'generic_type')) addTypeParameters(file, file.childOf(left, 'type_parameter'), scope, symbol);
  file.builder.set('symbols', 'type', symbol, addType(file, file.child(node, 'right'), { scope, owner: symbol, counts: true }));
}

/** `x += v` reads and writes; only names that outlive the function make a use. */
function augment(walk: Walk, assignment: SyntaxNode, statement: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const left = file.child(assignment, 'left');
  const right = file.child(assignment, 'right');
  const value = walk.value(right, frame);
  const operator = file.builder.intern(file.text(file.child(assignment, 'operator')));
  if (!file.is(left, 'identifier')) {
    const before = walk.value(left, frame);
    walk.bind(left, file.row('operation', before, value, operator), frame, { node: statement, type: NONE, makesSymbol: false });
    return;
  }
  const row = walk.value(left, frame);
  if (file.text(left) === '__all__' && frame.kind === 'module') exportNames(walk, right);
  const isLasting = frame.kind !== 'function' || frame.body?.elsewhere.has(file.text(left)) === true;
  if (isLasting) file.use('write', row, frame.owner, file.word(left), file.reader.start(left));
}

/** Entries of `__all__`: string literals of lists, also of sums of lists. */
function exportNames(walk: Walk, node: SyntaxNode): void {
  const { file } = walk;
  const end = node === NO_NODE ? NO_NODE : file.reader.after(node);
  for (let at = node; at < end; at++) {
    const text = plainString(walk, at);
    if (text === undefined || text === '') continue;
    const name = file.builder.intern(text);
    const start = file.reader.start(at);
    file.builder.addExport({ kind: 'names', exportedName: name, localName: name, at: start + Math.max(0, file.text(at).indexOf(text)) });
  }
}

/** `__all__.extend([...])`, `__all__.append("x")`. */
function extendAll(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  if (frame.kind !== 'module' || !file.is(node, 'call')) return;
  if (/^__all__\.(?:extend|append)$/.test(file.text(file.child(node, 'function')))) for (const argument of argumentsOf(walk, node)) exportNames(walk, argument);
}

function raiseStatement(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const cause = file.child(node, 'cause');
  for (const child of file.children(node)) {
    if (child === cause) {
      walk.value(child, frame);
      continue;
    }
    const row = walk.quiet(child, frame);
    const { name, at } = lastName(file, child);
    if (name !== 0) file.use('raise', row, frame.owner, name, at);
  }
}

/** Names bound elsewhere from here on in the function. */
function redirect(walk: Walk, node: SyntaxNode, frame: Frame, scopeOf: (name: string) => ScopeRow): undefined {
  const { file } = walk;
  if (frame.body === undefined) return;
  for (const child of file.children(node)) {
    if (!file.is(child, 'identifier')) continue;
    const scope = scopeOf(file.text(child));
    frame.body.elsewhere.set(file.text(child), scope);
    if (scope === 0) file.builder.addBinding({ scope: frame.home, name: file.word(child), kind: 'global' });
  }
}

/** Scope of the nearest enclosing function that binds the name; the nearest one when none is known to. */
function enclosingScope(walk: Walk, name: string, frame: Frame): ScopeRow {
  const { bindings } = walk.file.builder;
  const word = walk.file.builder.find(name);
  let nearest = frame.home;
  for (let outer = frame.body?.parent; outer?.body !== undefined; outer = outer.body.parent) {
    if (nearest === frame.home) nearest = outer.home;
    const { home } = outer;
    if (written(bindings, bindings.name).some((other, row) => other === word && bindings.scope[row] === home)) return home;
  }
  return nearest;
}

function ifStatement(walk: Walk, node: SyntaxNode, frame: Frame): Frame | undefined {
  const { file } = walk;
  const condition = file.child(node, 'condition');
  const others = file.children(node).flatMap(clause => {
    if (file.is(clause, 'else_clause')) return [{ condition: NO_NODE, body: file.child(clause, 'body') }];
    return file.is(clause, 'elif_clause') ? [{ condition: file.child(clause, 'condition'), body: file.child(clause, 'consequence') }] : [];
  });
  const typeOnly = frame.typeOnly || /^(?:\w+\.)?TYPE_CHECKING$/.test(file.text(condition));
  const rules = {
    narrow: (test: SyntaxNode, truth: boolean, from: Frame) => narrow(file, guardsOf(file, test, truth), from),
    leaves: (body: SyntaxNode) => leaves(walk, body),
    inside: { ...frame, typeOnly },
  };
  return runBranches(walk, [{ condition, body: file.child(node, 'consequence') }, ...others], rules, frame);
}

/** True when the block ends by leaving what surrounds it. */
function leaves(walk: Walk, block: SyntaxNode): boolean {
  const { file } = walk;
  const last = file.children(block).at(-1);
  return last !== undefined && (['return_statement', 'raise_statement', 'continue_statement', 'break_statement'] as const).some(kind => file.is(last, kind));
}

function exceptClause(walk: Walk, clause: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  countDecision(frame);
  const value = file.child(clause, 'value');
  const isNamed = file.is(value, 'as_pattern');
  const classes = isNamed ? file.reader.firstNamedChild(value) : value;
  const row = classes === NO_NODE ? NONE : caughtClasses(walk, classes, frame);
  const alias = isNamed ? file.child(value, 'alias') : file.child(clause, 'alias');
  const target = file.is(alias, 'as_pattern_target') ? file.reader.firstNamedChild(alias) : alias;
  let inside = frame;
  if (file.is(target, 'identifier')) {
    const scope = file.builder.addScope('block', frame.scope);
    file.builder.addBinding({ scope, name: file.word(target), kind: 'catch', value: row === NONE ? NONE : file.row('caught', row) });
    inside = { ...frame, scope };
  }
  walk.run(file.childOf(clause, 'block'), inside);
}

/** Each class is caught; several are any of them. */
function caughtClasses(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (file.is(node, 'parenthesized_expression')) return caughtClasses(walk, file.reader.firstNamedChild(node), frame);
  if (file.is(node, 'tuple')) return file.either(file.children(node).map(child => caughtClasses(walk, child, frame)));
  const row = walk.quiet(node, frame);
  const { name, at } = lastName(file, node);
  if (name !== 0) file.use('catch', row, frame.owner, name, at);
  return row;
}

function withStatement(walk: Walk, node: SyntaxNode, frame: Frame): Frame {
  const { file } = walk;
  let current = frame;
  for (const item of file.children(file.childOf(node, 'with_clause'))) {
    const value = file.child(item, 'value');
    const isNamed = file.is(value, 'as_pattern');
    const manager = isNamed ? file.reader.firstNamedChild(value) : value;
    if (manager === NO_NODE) continue;
    const row = walk.value(manager, current);
    const { name, at } = lastName(file, manager);
    file.use('enter', row, frame.owner, name, at);
    const target = file.child(value, 'alias');
    if (isNamed) current = walk.bind(target, file.row('enter', row), current, { node, type: NONE, makesSymbol: false });
  }
  return walk.run(file.child(node, 'body'), current);
}

/** Top-level symbols are exported as `__all__` says, when it is there. */
export function applyExports(walk: Walk): void {
  const { symbols, exports, strings } = walk.file.builder;
  if (exports.count === 0) return;
  const names = new Set(written(exports, exports.exportedName));
  for (let row = symbolRow(0); row < symbols.count; row++) {
    if (symbols.parent[row] !== NONE || strings[symbols.name[row] ?? NO_TEXT] === '__all__') continue;
    const others = (symbols.modifiers[row] ?? 0) & ~MODIFIERS.exported;
    walk.file.builder.set('symbols', 'modifiers', row, names.has(symbols.name[row] ?? NO_TEXT) ? others | MODIFIERS.exported : others);
  }
}
