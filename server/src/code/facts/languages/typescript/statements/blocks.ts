/** Lists of statements: scopes of blocks, and what a guard that leaves the block proves for the rest of it. */
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { readTypeDefinitions } from '../jsdoc/comments';
import { readImportTags } from '../jsdoc/imports';
import type { Walk } from '../walk';
import { bindGuards, guardsOf } from './narrowing';

/** Reads the statements of a block that is a function's or namespace's body: its scope is already there. */
export function readBlock(walk: Walk, node: SyntaxNode): void {
  const { scope, declaring } = walk;
  readStatements(walk, node);
  walk.scope = scope;
  walk.declaring = declaring;
}

/** Reads a nested block or a single statement in a block scope of its own, made only if something is declared in it. */
export function readNested(walk: Walk, node: SyntaxNode): void {
  const { kinds, scope, declaring, isTopLevel } = walk;
  walk.isTopLevel = false;
  if (walk.kind[node] === kinds.node.statement_block) {
    if (declaresNames(walk, node)) walk.inScope('block', () => readStatements(walk, node));
    else readStatements(walk, node);
  } else walk.statement(node);
  walk.isTopLevel = isTopLevel;
  walk.scope = scope;
  walk.declaring = declaring;
}

/** Children of `node` in order. May leave the walk in a narrower look-up scope: callers restore it. */
export function readStatements(walk: Walk, node: SyntaxNode): void {
  const { reader, kinds } = walk;
  const end = reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = reader.after(child)) {
    if (!reader.isNamed(child)) continue;
    if (walk.kind[child] === kinds.node.comment) {
      if (!walk.isTyped) {
        readTypeDefinitions(walk, reader.start(child), reader.end(child));
        readImportTags(walk, reader.start(child), reader.end(child));
      }
      continue;
    }
    walk.statement(child);
    if (walk.kind[child] === kinds.node.if_statement) narrowAfter(walk, child);
  }
}

/** After `if (!(x instanceof A)) return;` the rest of the block knows that `x` is an `A`. */
function narrowAfter(walk: Walk, node: SyntaxNode): void {
  const { kinds } = walk;
  if (walk.child(node, kinds.field.alternative) !== NO_NODE) return;
  const consequence = walk.child(node, kinds.field.consequence);
  if (consequence === NO_NODE || !leaves(walk, consequence)) return;
  const guards = guardsOf(walk, walk.child(node, kinds.field.condition), false);
  if (guards.length === 0) return;
  walk.scope = walk.builder.addScope('block', walk.scope);
  bindGuards(walk, guards);
}

function leaves(walk: Walk, node: SyntaxNode): boolean {
  const { node: kinds } = walk.kinds;
  let last = node;
  if (walk.kind[node] === kinds.statement_block) last = walk.reader.lastNamedChild(node);
  if (last === NO_NODE) return false;
  const kind = walk.kind[last];
  return kind === kinds.return_statement || kind === kinds.throw_statement || kind === kinds.continue_statement || kind === kinds.break_statement;
}

function declaresNames(walk: Walk, node: SyntaxNode): boolean {
  const { node: kinds } = walk.kinds;
  const end = walk.reader.after(node);
  for (let child = syntaxNode(node + 1); child < end; child = walk.reader.after(child)) {
    const kind = walk.kind[child];
    if (kind === kinds.lexical_declaration || kind === kinds.class_declaration || kind === kinds.function_declaration) return true;
    if (kind === kinds.generator_function_declaration || kind === kinds.enum_declaration || kind === kinds.interface_declaration) return true;
    if (kind === kinds.type_alias_declaration || kind === kinds.using_declaration || kind === kinds.abstract_class_declaration) return true;
  }
  return false;
}
