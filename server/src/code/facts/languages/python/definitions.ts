import { NONE, symbolRow } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { written } from '../../factTables';
import { declareClass } from './classes';
import { addOverload, type Definition, declareFunction } from './functions';
import { type Frame, lastName, type Walk } from './walk';

/** Declares a function or class with everything in it. */
export function define(walk: Walk, definition: Definition, frame: Frame): undefined {
  const { file } = walk;
  if (file.is(definition.node, 'class_definition')) declareClass(walk, definition, frame);
  else if (file.is(definition.node, 'function_definition')) defineFunction(walk, definition, frame);
}

/** Overloads share the symbol of their implementation; without one, that of the first. */
function defineFunction(walk: Walk, definition: Definition, frame: Frame): void {
  const { file } = walk;
  const name = file.text(file.child(definition.node, 'name'));
  if (!isOverload(walk, definition.decorators)) {
    declareFunction(walk, definition, frame, overloadsBefore(walk, definition, name));
    return;
  }
  if (hasImplementation(walk, definition.outer, name)) return;
  const first = walk.file.builder.find(name);
  const { symbols } = file.builder;
  const known =
    first === undefined
      ? NONE
      : symbolRow(
          written(symbols, symbols.name).findLastIndex((word, row) => word === first && symbols.parent[row] === frame.owner && symbols.function[row] !== NONE),
        );
  if (known >= 0) addOverload(walk, known, definition, frame);
  else declareFunction(walk, definition, frame, []);
}

function isOverload(walk: Walk, decorators: readonly SyntaxNode[]): boolean {
  return decorators.some(decorator => walk.file.builder.strings[lastName(walk.file, decorator).name] === 'overload');
}

function definitionNamed(walk: Walk, node: SyntaxNode, name: string): Definition | undefined {
  const { file } = walk;
  const isDecorated = file.is(node, 'decorated_definition');
  const inner = isDecorated ? file.child(node, 'definition') : node;
  if (!file.is(inner, 'function_definition') || file.text(file.child(inner, 'name')) !== name) return undefined;
  const decorators = isDecorated ? file.children(node).filter(child => file.is(child, 'decorator')) : [];
  return { node: inner, outer: node, decorators: decorators.map(child => file.reader.firstNamedChild(child)) };
}

function hasImplementation(walk: Walk, outer: SyntaxNode, name: string): boolean {
  const { reader } = walk.file;
  for (let next = reader.nextNamedSibling(outer); next !== NO_NODE; next = reader.nextNamedSibling(next)) {
    const definition = definitionNamed(walk, next, name);
    if (definition !== undefined && !isOverload(walk, definition.decorators)) return true;
  }
  return false;
}

/** Overloads of the name that stand directly before the implementation. */
function overloadsBefore(walk: Walk, definition: Definition, name: string): Definition[] {
  const { reader } = walk.file;
  const found: Definition[] = [];
  for (let before = reader.previousSibling(definition.outer); before !== NO_NODE; before = reader.previousSibling(before)) {
    if (walk.file.is(before, 'comment')) continue;
    const earlier = definitionNamed(walk, before, name);
    if (earlier === undefined || !isOverload(walk, earlier.decorators)) break;
    found.unshift(earlier);
  }
  return found;
}
