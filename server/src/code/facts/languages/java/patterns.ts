import { NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { typePlace } from '../../walk/frames';
import { addType } from './types';
import type { Frame, Walk } from './walk';

/** Binds the names of `R(A a, var b, Q(C c))` in the scope of the frame; `var` parts have no known type. */
export function bindRecordPattern(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  file.nested(undefined, () => {
    for (const child of file.children(node)) {
      if (file.is(child, 'record_pattern_body')) bindParts(walk, child, frame);
      else addType(file, child, typePlace(frame, 'assertType'));
    }
    return undefined;
  });
}

function bindParts(walk: Walk, body: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  for (const part of file.children(body)) {
    if (file.is(part, 'record_pattern')) bindRecordPattern(walk, part, frame);
    else bindTyped(walk, part, frame);
  }
}

/** `T t` of a type pattern or a component. */
export function bindTyped(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const children = file.children(node);
  const name = children[children.length - 1] ?? NO_NODE;
  const [typeNode] = children;
  if (!file.is(name, 'identifier') || typeNode === undefined) return;
  const type = typeNode === name ? NONE : addType(file, typeNode, typePlace(frame, 'assertType'));
  file.builder.addBinding({ scope: frame.scope, name: file.word(name), kind: 'variable', type });
}
