import { operandOf } from '../../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type ScopeRow, type StringIndex, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../parse/syntaxTable';
import { hashOf, signatureOf } from './describe';
import { pathOf } from './flow/narrowing';
import { useOfElement } from './protocols';
import { plainString } from './texts';
import type { Declaration, Frame, Walk } from './walk';

/** Binds a target to a value: a name, an attribute, an element, or a pattern of these. Gives the frame for what follows. */
export function bindTarget(walk: Walk, target: SyntaxNode, value: ExpressionRow, frame: Frame, declaration: Declaration): Frame {
  const { file } = walk;
  const { kind } = file.grammar;
  switch (target === NO_NODE ? 0 : file.reader.kind(target)) {
    case kind.identifier:
      return bindName(walk, target, value, frame, declaration);
    case kind.attribute:
      assignMember(walk, target, value, frame, declaration);
      return renewedPath(walk, target, value, frame);
    case kind.subscript:
      assignElement(walk, target, value, frame);
      return frame;
    case kind.parenthesized_expression:
    case kind.as_pattern_target:
    case kind.list_splat_pattern:
    case kind.list_splat:
      return bindTarget(walk, file.reader.firstNamedChild(target), value, frame, declaration);
    case kind.pattern_list:
    case kind.tuple_pattern:
    case kind.list_pattern:
    case kind.tuple:
    case kind.list:
    case kind.expression_list:
      return bindParts(walk, target, value, frame, declaration);
    default:
      return frame;
  }
}

/** `a, *b, c = value`: parts by position, those behind the starred one from the end. */
function bindParts(walk: Walk, target: SyntaxNode, value: ExpressionRow, frame: Frame, declaration: Declaration): Frame {
  const { file } = walk;
  const parts = file.children(target);
  const starred = parts.findIndex(part => file.is(part, 'list_splat_pattern') || file.is(part, 'list_splat'));
  const elements = starred < 0 ? undefined : literalElements(walk, value);
  let current = frame;
  for (const [at, part] of parts.entries()) {
    let row = value;
    if (at === starred)
      row = elements === undefined ? value : file.row('array', NONE, NONE, NO_TEXT, elements.slice(at, elements.length - (parts.length - 1 - at)));
    else if (value !== NONE) {
      const position = starred < 0 || at < starred ? at : at - parts.length + (elements?.length ?? 0);
      row = file.row('index', value, NONE, file.builder.intern(String(position)));
    }
    current = bindTarget(walk, part, row, current, { ...declaration, type: NONE });
  }
  return current;
}

/** Rows of a tuple or list literal without `*` inside. */
function literalElements(walk: Walk, value: ExpressionRow): readonly ExpressionRow[] | undefined {
  const { expressions, lists } = walk.file.builder;
  if (value === NONE || expressions.operator[value] !== operatorCode.array) return undefined;
  const start = expressions.listStart[value] ?? 0;
  const rows = lists.slice(start, start + (expressions.listCount[value] ?? 0));
  return rows.some(row => expressions.operator[row] === operatorCode.spread) ? undefined : rows;
}

function bindName(walk: Walk, node: SyntaxNode, value: ExpressionRow, frame: Frame, declaration: Declaration): Frame {
  const { file } = walk;
  const { builder } = file;
  const name = file.word(node);
  const text = file.text(node);
  const elsewhere = frame.body?.elsewhere.get(text);
  const { type } = declaration;
  if (elsewhere !== undefined) {
    builder.addBinding({ scope: elsewhere, name, kind: 'variable', type, value });
    file.use('write', file.row('name', frame.scope, NONE, name), frame.owner, name, file.reader.start(node));
  } else if (frame.kind === 'function') builder.addBinding({ scope: frame.home, name, kind: 'variable', type, value });
  else {
    const known = frame.declared.get(text) ?? (frame.kind === 'class' ? frame.class?.members.get(text) : undefined);
    const symbol = known ?? (declaration.makesSymbol ? declareVariable(walk, node, text, value, frame, declaration) : NONE);
    if (symbol !== NONE && known === undefined) frame.declared.set(text, symbol);
    builder.addBinding({ scope: frame.home, name, kind: symbol === NONE ? 'variable' : bindingKind(walk, value), symbol, type, value });
  }
  const guarded = frame.narrowed.get(name);
  return guarded === undefined ? frame : renewed(walk, name, value, guarded, frame);
}

/** A narrowed name that is assigned is, from here on, what it was assigned; where it was narrowed it may be either. */
function renewed(walk: Walk, name: StringIndex, value: ExpressionRow, guarded: ScopeRow, frame: Frame): Frame {
  const { builder } = walk.file;
  const scope = builder.addScope('block', frame.scope);
  for (const place of [guarded, scope]) builder.addBinding({ scope: place, name, kind: 'narrowed', value });
  return { ...frame, scope, narrowed: new Map(frame.narrowed).set(name, scope) };
}

/** The same for a path of members: `self.kind = value` where the guard was about `self.kind`. */
function renewedPath(walk: Walk, target: SyntaxNode, value: ExpressionRow, frame: Frame): Frame {
  const { file } = walk;
  if (frame.narrowed.size === 0) return frame;
  const name = file.builder.find(pathOf(file, target) ?? '');
  const guarded = name === undefined ? undefined : frame.narrowed.get(name);
  return name === undefined || guarded === undefined ? frame : renewed(walk, name, value, guarded, frame);
}

/** `T = TypeVar('T')` binds a type parameter. */
function bindingKind(walk: Walk, value: ExpressionRow): 'symbol' | 'typeParameter' {
  return isTypeVariable(walk, value) ? 'typeParameter' : 'symbol';
}

function isTypeVariable(walk: Walk, value: ExpressionRow): boolean {
  const { expressions, strings } = walk.file.builder;
  const callee = operandOf.callee(expressions, value);
  return value !== NONE && callee !== NONE && /^(?:TypeVar|ParamSpec|TypeVarTuple)$/.test(strings[expressions.text[callee] ?? NO_TEXT] ?? '');
}

function declareVariable(walk: Walk, node: SyntaxNode, text: string, value: ExpressionRow, frame: Frame, declaration: Declaration): SymbolRow {
  const { file } = walk;
  const [start, end] = [file.reader.start(declaration.node), file.reader.end(declaration.node)];
  const kind = variableKind(text, value, frame);
  const symbol = file.builder.addSymbol({
    name: file.word(node),
    kind,
    parent: frame.kind === 'class' ? frame.owner : NONE,
    modifiers:
      nameModifiers(text, frame) | (kind === 'constant' ? MODIFIERS.readonly : 0) | (frame.kind === 'class' && kind !== 'enum_member' ? MODIFIERS.static : 0),
    start,
    end,
    nameStart: file.reader.start(node),
    type: declaration.type,
    value,
    signature: signatureOf(file, start, end),
    hash: hashOf(file, start, end),
  });
  if (frame.kind === 'class') frame.class?.members.set(text, symbol);
  return symbol;
}

function variableKind(text: string, value: ExpressionRow, frame: Frame): SymbolKind {
  const isSpecial = /^_.*_$/.test(text);
  if (frame.kind === 'class' && frame.class?.isEnum === true && value !== NONE && !isSpecial) return 'enum_member';
  if (/^_{0,2}[A-Z][A-Z0-9_]*$/.test(text) && text.length > 1) return 'constant';
  return frame.kind === 'class' ? 'field' : 'variable';
}

/** `exported` for module-level names without a leading underscore (`__all__` decides in the end), `private` for the others. */
export function nameModifiers(text: string, frame: Frame): number {
  const isPrivate = text.startsWith('_') && !/^__.*__$/.test(text);
  if (isPrivate) return MODIFIERS.private;
  return frame.kind === 'module' ? MODIFIERS.exported : 0;
}

function assignMember(walk: Walk, target: SyntaxNode, value: ExpressionRow, frame: Frame, declaration: Declaration): void {
  const { file } = walk;
  const attribute = file.child(target, 'attribute');
  if (attribute === NO_NODE) return;
  const object = walk.value(file.child(target, 'object'), frame);
  const name = file.word(attribute);
  const symbol = isSelf(walk, file.child(target, 'object'), frame) ? fieldOf(walk, target, attribute, value, frame, declaration) : NONE;
  file.builder.addAssignment({ target: object, name, value, type: declaration.type, symbol, owner: frame.owner });
  const member = file.row('member', object, NONE, name);
  file.use('write', member, frame.owner, name, file.reader.start(attribute));
}

function isSelf(walk: Walk, object: SyntaxNode, frame: Frame): boolean {
  return frame.class !== undefined && frame.selfName !== '' && walk.file.is(object, 'identifier') && walk.file.text(object) === frame.selfName;
}

/** Symbol of the field that `self.x = …` defines or sets. */
function fieldOf(walk: Walk, target: SyntaxNode, attribute: SyntaxNode, value: ExpressionRow, frame: Frame, declaration: Declaration): SymbolRow {
  const { file } = walk;
  const text = file.text(attribute);
  const owner = frame.class;
  if (owner === undefined) return NONE;
  const known = owner.members.get(text);
  if (known !== undefined || owner.definers.get(text) !== target) return known ?? NONE;
  const [start, end] = [file.reader.start(declaration.node), file.reader.end(declaration.node)];
  const symbol = file.builder.addSymbol({
    name: file.word(attribute),
    kind: 'field',
    parent: owner.symbol,
    modifiers: nameModifiers(text, frame) & MODIFIERS.private,
    start,
    end,
    nameStart: file.reader.start(attribute),
    type: declaration.type,
    value,
    signature: signatureOf(file, start, end),
    hash: hashOf(file, start, end),
  });
  owner.members.set(text, symbol);
  return symbol;
}

function assignElement(walk: Walk, target: SyntaxNode, value: ExpressionRow, frame: Frame): void {
  const { file } = walk;
  const object = walk.value(file.child(target, 'value'), frame);
  useOfElement(walk, target, object, frame, '__setitem__');
  const key = file.child(target, 'subscript');
  const text = key === NO_NODE ? undefined : plainString(walk, key);
  if (text === undefined && key !== NO_NODE) walk.value(key, frame);
  file.builder.addAssignment({ target: object, name: text === undefined ? NO_TEXT : file.builder.intern(text), value, owner: frame.owner });
}
