import { type ExpressionRow, NONE } from '../../../../../model/facts';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { constantOf, isConstant, keyRow, lastPart, literalText } from '../names';
import type { Frame, Walk } from '../walk';

const MAX_DEPTH = 40;

/** Binds the variables of a pattern; gives the type that a match proves. */
export function patternOf(walk: Walk, pattern: SyntaxNode, value: ExpressionRow, frame: Frame, depth: number): ExpressionRow | undefined {
  const { file } = walk;
  if (pattern === NO_NODE || depth > MAX_DEPTH) return undefined;
  if (isConstant(file, pattern)) return assertedType(walk, pattern, frame);
  const { kind } = file.grammar;
  switch (file.reader.kind(pattern)) {
    case kind.identifier:
      bindCapture(walk, pattern, value, frame);
      return undefined;
    case kind.as_pattern:
      return asPattern(walk, pattern, value, frame, depth);
    case kind.alternative_pattern: {
      const types = file.children(pattern).map(part => patternOf(walk, part, value, frame, depth + 1));
      const known = types.filter(type => type !== undefined);
      return known.length === types.length ? file.either(known) : undefined;
    }
    case kind.hash_pattern:
      return hashPattern(walk, pattern, value, frame, depth);
    case kind.array_pattern:
    case kind.find_pattern:
      return arrayPattern(walk, pattern, value, frame, depth);
    case kind.parenthesized_pattern:
      return patternOf(walk, file.reader.firstNamedChild(pattern), value, frame, depth + 1);
    case kind.splat_parameter:
    case kind.hash_splat_parameter:
      bindCapture(walk, file.child(pattern, 'name'), value, frame);
      return undefined;
    case kind.variable_reference_pattern:
      return undefined;
    default:
      walk.value(pattern, frame);
      return undefined;
  }
}

function assertedType(walk: Walk, node: SyntaxNode, frame: Frame): ExpressionRow {
  const { file } = walk;
  const row = constantOf(walk, node, frame);
  const { name, at } = lastPart(file, node);
  file.use('assertType', row, frame.owner, name, at);
  return row;
}

/** `String => name`. */
function asPattern(walk: Walk, pattern: SyntaxNode, value: ExpressionRow, frame: Frame, depth: number): ExpressionRow | undefined {
  const { file } = walk;
  const type = patternOf(walk, file.child(pattern, 'value'), value, frame, depth + 1);
  bindCapture(walk, file.child(pattern, 'name'), type === undefined ? value : file.row('valueOfType', type), frame);
  return type;
}

/** `{ name: String => n, k: }` and `Point(x:, y:)`: keys of a hash, or members of an object. */
function hashPattern(walk: Walk, pattern: SyntaxNode, value: ExpressionRow, frame: Frame, depth: number): ExpressionRow | undefined {
  const { file } = walk;
  const classNode = file.child(pattern, 'class');
  const type = classNode === NO_NODE ? undefined : assertedType(walk, classNode, frame);
  const object = type === undefined ? value : file.row('valueOfType', type);
  for (const part of file.children(pattern)) {
    if (part === classNode) continue;
    if (!file.is(part, 'keyword_pattern')) {
      patternOf(walk, part, file.unknown(), frame, depth + 1);
      continue;
    }
    const key = file.child(part, 'key');
    const text = literalText(file, key) ?? '';
    const held =
      type === undefined ? file.row('index', object, keyRow(file, text)) : file.row('call', file.row('member', object, NONE, file.builder.intern(text)));
    const inner = file.child(part, 'value');
    if (inner === NO_NODE) bindCapture(walk, key, held, frame);
    else patternOf(walk, inner, held, frame, depth + 1);
  }
  return type;
}

function arrayPattern(walk: Walk, pattern: SyntaxNode, value: ExpressionRow, frame: Frame, depth: number): ExpressionRow | undefined {
  const { file } = walk;
  const classNode = file.child(pattern, 'class');
  const type = classNode === NO_NODE ? undefined : assertedType(walk, classNode, frame);
  file
    .children(pattern)
    .filter(part => part !== classNode)
    .forEach((part, at) => {
      const row = file.is(part, 'splat_parameter') ? value : file.row('index', value, NONE, file.builder.intern(String(at)));
      patternOf(walk, part, row, frame, depth + 1);
    });
  return type;
}

function bindCapture(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  if (node === NO_NODE || file.text(node) === '_') return;
  const scope = frame.locals.add(file.text(node), frame.home);
  file.builder.addBinding({ scope, name: file.word(node), kind: 'variable', value });
}
