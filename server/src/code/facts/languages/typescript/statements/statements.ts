/** Statements that declare nothing by themselves: branches, loops, exceptions, returns. */
import { type ExpressionRow, NO_TEXT, NONE, operatorCode } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { bindVariable } from '../declarations/variables';
import type { KindName } from '../kinds';
import { operand } from '../literals';
import { readPattern } from '../patterns';
import { annotation } from '../types';
import type { StatementHandler, Walk } from '../walk';
import { readNested, readStatements } from './blocks';
import { guarded } from './narrowing';

export const STATEMENTS: readonly (readonly [StatementHandler, ...KindName[]])[] = [
  [readNested, 'statement_block'],
  [(walk, node) => void walk.parts(node), 'expression_statement', 'else_clause', 'finally_clause'],
  [ifStatement, 'if_statement'],
  [loop, 'while_statement', 'do_statement'],
  [forStatement, 'for_statement'],
  [forInStatement, 'for_in_statement'],
  [switchStatement, 'switch_statement'],
  [caught, 'catch_clause'],
  [tryStatement, 'try_statement'],
  [returnStatement, 'return_statement'],
  [throwStatement, 'throw_statement'],
  [() => undefined, 'comment', 'break_statement', 'continue_statement'],
];

function ifStatement(walk: Walk, node: SyntaxNode): void {
  const { field } = walk.kinds;
  walk.complexity++;
  const condition = walk.child(node, field.condition);
  const consequence = walk.child(node, field.consequence);
  const alternative = walk.child(node, field.alternative);
  if (condition !== NO_NODE) walk.value(condition);
  if (consequence !== NO_NODE) guarded(walk, condition, true, () => readNested(walk, consequence));
  if (alternative === NO_NODE) return;
  // An `else if` chain nests in its else clause: read it in a loop of calls only as deep as the chain is long.
  const statement = walk.reader.firstNamedChild(alternative);
  if (statement !== NO_NODE) guarded(walk, condition, false, () => readNested(walk, statement));
}

function loop(walk: Walk, node: SyntaxNode): void {
  const { field } = walk.kinds;
  walk.complexity++;
  const condition = walk.child(node, field.condition);
  if (condition !== NO_NODE) walk.value(condition);
  const body = walk.child(node, field.body);
  if (body !== NO_NODE) guarded(walk, condition, true, () => readNested(walk, body));
}

function forStatement(walk: Walk, node: SyntaxNode): void {
  walk.complexity++;
  walk.inBlock(() => readStatements(walk, node));
}

/** `for (const x of xs)` and `for (const k in o)`. */
function forInStatement(walk: Walk, node: SyntaxNode): void {
  const { field, token } = walk.kinds;
  walk.complexity++;
  const right = walk.child(node, field.right);
  const source = right === NO_NODE ? walk.unknown : walk.value(right);
  const isKey = walk.kind[walk.child(node, field.operator)] === token.in;
  const isAsync = walk.reader.hasChild(node, token.await);
  const element = walk.row(operatorCode.iterate, source, NONE, walk.builder.intern(isKey ? 'key' : isAsync ? 'async' : ''));
  walk.inBlock(() => {
    const left = walk.child(node, field.left);
    const kind = walk.child(node, field.kind);
    if (left !== NO_NODE) {
      if (kind === NO_NODE) readPattern(walk, left, element, (leaf, part) => reassign(walk, leaf, part));
      else {
        const scope = walk.kind[kind] === token.var ? walk.hoisting : walk.scope;
        readPattern(walk, left, element, (leaf, part) => bindVariable(walk, leaf, part, NONE, scope));
      }
    }
    const body = walk.child(node, field.body);
    if (body !== NO_NODE) readNested(walk, body);
  });
}

/** A name that is assigned to without being declared here. */
export function reassign(walk: Walk, node: SyntaxNode, value: ExpressionRow): void {
  const name = walk.nameOf(node);
  walk.reassignments.push({ name, scope: walk.scope, value });
  const row = walk.name(name);
  walk.uses.push({ kind: 'write', row, scope: walk.scope, owner: walk.owner, name, at: walk.reader.start(node), isObject: false });
}

function switchStatement(walk: Walk, node: SyntaxNode): void {
  const { field, node: kinds } = walk.kinds;
  const value = walk.child(node, field.value);
  if (value !== NO_NODE) walk.value(value);
  const body = walk.child(node, field.body);
  if (body === NO_NODE) return;
  walk.inBlock(() => {
    for (const branch of walk.reader.namedChildren(body)) {
      if (walk.kind[branch] === kinds.switch_case) walk.complexity++;
      readStatements(walk, branch);
    }
  });
}

function tryStatement(walk: Walk, node: SyntaxNode): void {
  for (const child of walk.reader.namedChildren(node)) walk.statement(child);
}

function caught(walk: Walk, node: SyntaxNode): void {
  const { field } = walk.kinds;
  walk.complexity++;
  walk.inBlock(() => {
    const parameter = walk.child(node, field.parameter);
    if (parameter !== NO_NODE) {
      const type = annotation(walk, node, field.type);
      readPattern(walk, parameter, walk.unknown, (leaf, part) => {
        const value = part === walk.unknown ? NONE : part;
        walk.builder.addBinding({ scope: walk.scope, name: walk.nameOf(leaf), kind: 'catch', type, value });
      });
    }
    const body = walk.child(node, field.body);
    if (body !== NO_NODE) readNested(walk, body);
  });
}

function returnStatement(walk: Walk, node: SyntaxNode): void {
  const value = operand(walk, node);
  if (value === NO_NODE) return;
  // A returned literal adds no segment to the names of its functions.
  const { holder } = walk;
  walk.holder = undefined;
  const row = walk.value(value);
  walk.holder = holder;
  if (walk.functionRow !== NONE) walk.returns.push(row);
}

/** `throw new X()` raises X; `throw x` raises whatever x is. */
function throwStatement(walk: Walk, node: SyntaxNode): void {
  const { reader, kinds } = walk;
  const value = operand(walk, node);
  if (value === NO_NODE) return;
  const row = walk.value(value);
  let named = value;
  const isNew = walk.kind[value] === kinds.node.new_expression;
  if (isNew) named = walk.child(value, kinds.field.constructor);
  else if (walk.kind[value] === kinds.node.call_expression) named = walk.child(value, kinds.field.function);
  if (named !== NO_NODE && walk.kind[named] === kinds.node.member_expression) named = walk.child(named, kinds.field.property);
  if (named === NO_NODE || !reader.isNamed(named)) return;
  const isName = walk.kind[named] === kinds.node.identifier || walk.kind[named] === kinds.node.property_identifier;
  walk.builder.addReference('raise', row, walk.owner, isName ? walk.nameOf(named) : NO_TEXT, reader.start(named));
}
