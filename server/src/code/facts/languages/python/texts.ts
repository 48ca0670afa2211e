/** Texts that code spells out, in whole or in part. */
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import type { FileContext } from './fileContext';
import type { Walk } from './walk';

/** Content of a string literal without escapes and interpolations. */
export function plainString(walk: Walk, node: SyntaxNode): string | undefined {
  const { file } = walk;
  if (!file.is(node, 'string') || /b/i.test(file.text(file.childOf(node, 'string_start')))) return undefined;
  const parts = file.children(node).filter(child => !file.is(child, 'string_start'));
  const [content, end] = parts;
  if (content === undefined || !file.is(content, 'string_content')) return parts.length <= 1 ? '' : undefined;
  return end !== undefined && parts.length === 2 && file.children(content).length === 0 ? file.text(content) : undefined;
}

/** Nodes before a use that are looked at for what a variable was set to. */
const MAX_LOOKED_AT = 500;

/**
 * The text that an expression begins with (`f"visit_{x}"`, `"visit_" + x`, `"visit_%s" % x`, `"visit_{}".format(x)`, a variable of the function that was set to one);
 * `''` for others. `use` is where a variable is read.
 */
export function beginningOf({ file }: Walk, node: SyntaxNode, use: SyntaxNode): string {
  let at = node;
  let before = use;
  for (;;) {
    if (file.is(at, 'identifier')) {
      before = assignmentOf(file, file.text(at), before);
      at = before === NO_NODE ? NO_NODE : file.child(before, 'right');
    } else if (file.is(at, 'parenthesized_expression')) at = file.reader.firstNamedChild(at);
    else if (file.is(at, 'binary_operator')) at = file.child(at, 'left');
    else if (file.is(at, 'call')) {
      const callee = file.child(at, 'function');
      const isFormatted = file.is(callee, 'attribute') && file.text(file.child(callee, 'attribute')) === 'format';
      at = isFormatted ? file.child(callee, 'object') : NO_NODE;
    } else break;
  }
  if (!file.is(at, 'string') || /b/i.test(file.text(file.childOf(at, 'string_start')))) return '';
  const first = file.children(at).find(child => !file.is(child, 'string_start'));
  return first !== undefined && file.is(first, 'string_content') ? (/^\w+/.exec(file.text(first))?.[0] ?? '') : '';
}

/** The last assignment of a variable before a place of the function that the place stands in. */
function assignmentOf(file: FileContext, name: string, place: SyntaxNode): SyntaxNode {
  let around = place;
  while (around !== NO_NODE && !file.is(around, 'function_definition')) around = file.reader.parent(around);
  if (around === NO_NODE) return NO_NODE;
  const end = Math.max(around, place - MAX_LOOKED_AT);
  for (let node = syntaxNode(place - 1); node > end; node = syntaxNode(node - 1))
    if (file.is(node, 'assignment') && file.text(file.child(node, 'left')) === name) return node;
  return NO_NODE;
}

/** More names than these say little about any of them. */
const MAX_NAMES = 40;
const LISTS = ['tuple', 'list', 'set'] as const;

/**
 * All texts that a variable may be where every one of them is written out: the variable of a loop or comprehension over a list of texts, or over a name of
 * the module that is set to one, or either of two texts; empty for others.
 */
export function listedNames(walk: Walk, node: SyntaxNode): readonly string[] {
  const { file } = walk;
  if (file.is(node, 'conditional_expression')) {
    const [first, , second] = file.children(node);
    return texts(walk, first === undefined || second === undefined ? [] : [first, second]);
  }
  const source = file.is(node, 'identifier') ? loopedOver(file, node) : NO_NODE;
  const list = file.is(source, 'identifier') && !isLocal(file, source) ? assignedOnce(file, file.text(source)) : source;
  return file.is(list, ...LISTS) ? texts(walk, file.children(list)) : [];
}

/** The texts that all of the nodes are, if they are names. */
function texts(walk: Walk, nodes: readonly SyntaxNode[]): readonly string[] {
  const found = nodes.flatMap(node => plainString(walk, node) ?? []);
  return found.length === nodes.length && found.length <= MAX_NAMES && found.every(text => /^[A-Za-z_]\w*$/.test(text)) ? [...new Set(found)] : [];
}

/** What the innermost loop around a place takes a variable from. */
function loopedOver(file: FileContext, variable: SyntaxNode): SyntaxNode {
  const name = file.text(variable);
  for (let at = file.reader.parent(variable); at > 0 && !file.is(at, 'function_definition', 'lambda'); at = file.reader.parent(at)) {
    const loops = file.is(at, 'for_statement') ? [at] : file.children(at).filter(child => file.is(child, 'for_in_clause'));
    for (const loop of loops) if (file.text(file.child(loop, 'left')) === name) return file.child(loop, 'right');
  }
  return NO_NODE;
}

/** Whether a function around a name has a parameter or variable of that name. */
function isLocal(file: FileContext, name: SyntaxNode): boolean {
  const text = file.text(name);
  let around = file.reader.parent(name);
  while (around > 0 && !file.is(around, 'function_definition')) around = file.reader.parent(around);
  if (around <= 0) return false;
  for (let node = syntaxNode(around + 1); node < name; node = syntaxNode(node + 1))
    if (file.is(node, 'identifier') && isBound(file, node) && file.text(node) === text) return true;
  return isLocal(file, around);
}

/** Whether an identifier is a parameter or the target of an assignment. */
function isBound(file: FileContext, identifier: SyntaxNode): boolean {
  const parent = file.reader.parent(identifier);
  if (file.is(parent, 'assignment', 'augmented_assignment')) return file.child(parent, 'left') === identifier;
  if (file.is(parent, 'default_parameter', 'typed_default_parameter')) return file.child(parent, 'name') === identifier;
  if (file.is(parent, 'typed_parameter', 'list_splat_pattern', 'pattern_list')) return true;
  return file.child(file.reader.parent(parent), 'parameters') === parent;
}

/** What a name is set to by the only assignment at the top of the file. */
function assignedOnce(file: FileContext, name: string): SyntaxNode {
  const found: SyntaxNode[] = [];
  for (const statement of file.children(syntaxNode(0))) {
    const assignment = file.is(statement, 'expression_statement') ? file.reader.firstNamedChild(statement) : NO_NODE;
    if (file.is(assignment, 'assignment') && file.text(file.child(assignment, 'left')) === name) found.push(file.child(assignment, 'right'));
  }
  return found.length === 1 ? (found[0] ?? NO_NODE) : NO_NODE;
}
