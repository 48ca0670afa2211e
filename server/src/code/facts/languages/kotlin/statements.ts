import { NONE } from '../../../../model/facts';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { countDecision, inBlock } from '../../walk/frames';
import { bindVariables, branches, branchValue } from './control';
import { declareAlias, declareType } from './declarations';
import type { KindName } from './grammar';
import { addImport, setPackage } from './imports';
import { declareFunction, declareProperty, localProperty } from './members';
import { addFileAnnotation } from './modifiers';
import { narrowed } from './narrowing';
import { type Frame, type StatementHandler, type Walk } from './walk';

const typeDeclaration: StatementHandler = (walk, node, frame) => {
  declareType(walk, node, frame);
  return undefined;
};

/** How each kind of statement is taken in. A handler may give the frame for the statements after it. */
export const STATEMENT_HANDLERS: Partial<Record<KindName, StatementHandler>> = {
  package_header: setPackage,
  import: addImport,
  file_annotation: (walk, node, frame) => {
    addFileAnnotation(walk, node, frame);
    return undefined;
  },
  class_declaration: typeDeclaration,
  object_declaration: typeDeclaration,
  companion_object: typeDeclaration,
  type_alias: declareAlias,
  function_declaration: (walk, node, frame) => {
    declareFunction(walk, node, frame);
    return undefined;
  },
  property_declaration: (walk, node, frame) => {
    if (frame.body !== undefined || frame.owner !== NONE) return localProperty(walk, node, frame);
    declareProperty(walk, node, frame);
    return undefined;
  },
  assignment,
  /** The value has been taken already. */
  if_expression: (walk, node, frame) => {
    return leavesEarly(walk, node) ? narrowed(walk, walk.file.child(node, 'condition'), false, frame) : undefined;
  },
  for_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const inside = inBlock(walk.file, frame);
    const parts = file.children(node).filter(child => !file.is(child, 'label', 'annotation'));
    const [variable, source, body] = parts;
    if (variable === undefined || source === undefined) return undefined;
    const iterated = walk.value(source, frame);
    file.useImplicit(iterated, 'iterator', frame.owner, 'for', file.reader.start(node));
    bindVariables(walk, variable, file.row('iterate', iterated), inside, inside.scope);
    if (body !== undefined) branchValue(walk, body, inside);
    return undefined;
  },
  while_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const condition = file.child(node, 'condition');
    walk.value(condition, frame);
    const body = file.children(node).find(child => child > condition) ?? NO_NODE;
    branchValue(walk, body, narrowed(walk, condition, true, frame));
    return undefined;
  },
  do_while_statement: (walk, node, frame) => {
    const { file } = walk;
    countDecision(frame);
    const condition = file.child(node, 'condition');
    for (const child of file.children(node)) if (child !== condition && !file.is(child, 'label')) branchValue(walk, child, frame);
    walk.value(condition, frame);
    return undefined;
  },
  block: (walk, node, frame) => {
    walk.run(node, inBlock(walk.file, frame));
    return undefined;
  },
};

/** `if (x !is A) return`: what follows knows better. */
function leavesEarly(walk: Walk, node: SyntaxNode): boolean {
  const { file } = walk;
  const { consequence, alternative } = branches(walk, node);
  if (alternative !== NO_NODE || consequence === NO_NODE) return false;
  const last = file.is(consequence, 'block') ? file.reader.lastNamedChild(consequence) : consequence;
  return file.is(last, 'return_expression', 'throw_expression') || /^(?:continue|break)\b/.test(file.text(last));
}

function assignment(walk: Walk, node: SyntaxNode, frame: Frame): undefined {
  const { file } = walk;
  const left = file.child(node, 'left');
  const right = file.child(node, 'right');
  const isPlain = file.text(file.child(node, 'operator')) === '=';
  const value = walk.value(right, frame);
  if (file.is(left, 'identifier')) {
    const word = file.word(left);
    file.writeName(file.row('name', frame.scope, NONE, word), frame.owner, word, file.reader.start(left), frame.scope);
    if (isPlain && file.is(right, 'lambda_literal'))
      file.builder.addAssignment({ target: file.row('this', frame.scope), name: word, value, owner: frame.owner });
    return;
  }
  if (file.is(left, 'index_expression')) {
    const [object = NONE] = file.children(left).map(child => walk.value(child, frame));
    const at = file.reader.end(file.reader.firstNamedChild(left));
    if (!isPlain) file.useImplicit(object, 'get', frame.owner, '[', at);
    file.useImplicit(object, 'set', frame.owner, '[', at);
    return;
  }
  const name = file.is(left, 'navigation_expression') ? file.reader.lastNamedChild(left) : NO_NODE;
  if (!file.is(name, 'identifier')) {
    walk.value(left, frame);
    return;
  }
  const target = walk.value(file.reader.firstNamedChild(left), frame);
  file.use('write', file.row('member', target, NONE, file.word(name)), frame.owner, file.word(name), file.reader.start(name));
  if (isPlain && file.is(right, 'lambda_literal')) file.builder.addAssignment({ target, name: file.word(name), value, owner: frame.owner });
}
