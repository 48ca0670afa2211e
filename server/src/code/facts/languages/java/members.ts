import { type ExpressionRow, NONE } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { inBlock, openFunction, typePlace } from '../../walk/frames';
import { compactParameters, declareConstant, declareType } from './declarations';
import { addSignature, runBody } from './functions';
import type { KindName } from './grammar';
import { addAnnotations, flagsOf, modifiersNode, signatureStart } from './modifiers';
import { CONSTRUCTOR } from './statements';
import { addType } from './types';
import { type Frame, type Walk } from './walk';

type MemberHandler = (walk: Walk, node: SyntaxNode, frame: Frame) => void;

/** How each kind of member of a type is declared. */
export const MEMBER_HANDLERS: Partial<Record<KindName, MemberHandler>> = {
  method_declaration: declareMethod,
  annotation_type_element_declaration: declareMethod,
  constructor_declaration: declareConstructor,
  compact_constructor_declaration: declareConstructor,
  field_declaration: declareFields,
  constant_declaration: declareFields,
  class_declaration: declareType,
  interface_declaration: declareType,
  enum_declaration: declareType,
  record_declaration: declareType,
  annotation_type_declaration: declareType,
  enum_constant: declareConstant,
  enum_body_declarations: (walk, node, frame) => walk.members(node, frame),
  block: (walk, node, frame) => {
    walk.run(node, inBlock(walk.file, frame));
  },
  static_initializer: (walk, node, frame) => {
    walk.run(walk.file.childOf(node, 'block'), inBlock(walk.file, frame));
  },
};

function declareMethod(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const body = file.child(node, 'body');
  const modifiers = modifiersNode(file, node);
  const inInterface = frame.type?.kind === 'interface';
  let flags = flagsOf(file, modifiers);
  if (inInterface && (flags & MODIFIERS.private) === 0) flags |= MODIFIERS.exported;
  if (body === NO_NODE) flags |= MODIFIERS.declared | (inInterface ? MODIFIERS.abstract : 0);
  const symbol = file.declare({
    node,
    nameNode,
    kind: frame.type === undefined ? 'function' : 'method',
    parent: frame.owner,
    modifiers: flags,
    body,
    signatureFrom: signatureStart(file, node),
  });
  const open = openFunction(file, frame.scope, symbol);
  if (frame.type === undefined) file.builder.addBinding({ scope: frame.scope, name: file.word(nameNode), kind: 'symbol', symbol });
  addAnnotations(walk, modifiers, symbol, frame);
  addSignature(walk, node, open, frame, file.child(node, 'parameters'));
  const preset = file.child(node, 'value');
  if (preset !== NO_NODE) walk.value(preset, { ...frame, owner: symbol });
  runBody(walk, body, open, symbol, frame);
}

function declareConstructor(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const body = file.child(node, 'body');
  const modifiers = modifiersNode(file, node);
  const symbol = file.declare({
    node,
    nameNode,
    name: file.builder.intern(CONSTRUCTOR),
    kind: 'constructor',
    parent: frame.owner,
    modifiers: flagsOf(file, modifiers),
    body,
    signatureFrom: signatureStart(file, node),
  });
  const open = openFunction(file, frame.scope, symbol);
  addAnnotations(walk, modifiers, symbol, frame);
  addSignature(walk, node, open, frame, file.child(node, 'parameters'));
  if (file.is(node, 'compact_constructor_declaration')) compactParameters(walk, file, node, open, { ...frame, scope: open.scope, owner: symbol });
  runBody(walk, body, open, symbol, frame);
}

/** One symbol per declarator. Initializers belong to the type, which runs them. */
function declareFields(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const modifiers = modifiersNode(file, node);
  const always = frame.type?.kind === 'interface' ? MODIFIERS.static | MODIFIERS.readonly | MODIFIERS.exported : 0;
  const flags = flagsOf(file, modifiers) | always;
  const lasting = MODIFIERS.static | MODIFIERS.readonly;
  const typeNode = file.child(node, 'type');
  const place = typePlace(frame);
  let type: ExpressionRow = NONE;
  let isFirst = true;
  for (const declarator of file.childrenOf(node, 'declarator')) {
    const nameNode = file.child(declarator, 'name');
    if (!file.is(nameNode, 'identifier')) continue;
    const symbol = file.declare({
      node,
      nameNode,
      kind: (flags & lasting) === lasting ? 'constant' : 'field',
      parent: frame.owner,
      modifiers: flags,
      signatureFrom: signatureStart(file, node),
    });
    if (isFirst) {
      type = addType(file, typeNode, { ...place, owner: symbol });
      addAnnotations(walk, modifiers, symbol, frame);
    }
    isFirst = false;
    const isArray = type !== NONE && file.child(declarator, 'dimensions') !== NO_NODE;
    builder.set('symbols', 'type', symbol, isArray ? file.row('arrayType', type) : type);
    const valueNode = file.child(declarator, 'value');
    if (valueNode !== NO_NODE) builder.set('symbols', 'value', symbol, walk.value(valueNode, frame));
  }
}
