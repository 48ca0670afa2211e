import { type ExpressionRow, NO_TEXT, NONE, type ScopeRow, type SymbolRow } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../parse/syntaxTable';
import { docOf, firstLineOf, hashOfClass, signatureOf } from './describe';
import type { FileContext } from './fileContext';
import { addDecorators, addTypeParameters, type Definition } from './functions';
import { nameModifiers } from './targets';
import { subscriptsOf, typeFormOf } from './types/typeForm';
import { addType } from './types/typeRows';
import { type ClassBody, type Frame, lastName, type Walk } from './walk';

const ENUM_BASES = /^(?:Enum|IntEnum|StrEnum|Flag|IntFlag|ReprEnum|TextChoices|IntegerChoices)$/;
const ABSTRACT_BASES = /^(?:ABC|Protocol)$/;

/** Declares a class, its bases and its members. */
export function declareClass(walk: Walk, definition: Definition, frame: Frame): void {
  const { file } = walk;
  const { builder } = file;
  const { node, outer, decorators } = definition;
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE) return;
  const text = file.text(nameNode);
  const body = file.child(node, 'body');
  const bodyStart = body === NO_NODE ? file.reader.end(node) : file.reader.start(body);
  const bases = file.children(file.child(node, 'superclasses'));
  const baseNames = bases.map(base => builder.strings[lastName(file, base).name] ?? '');
  const isEnum = baseNames.some(name => ENUM_BASES.test(name));
  const isAbstract = baseNames.some(name => ABSTRACT_BASES.test(name)) || bases.some(base => /^metaclass\s*=\s*(?:\w+\.)?ABCMeta$/.test(file.text(base)));
  const symbol = builder.addSymbol({
    name: file.word(nameNode),
    kind: isEnum ? 'enum' : 'class',
    parent: frame.owner,
    modifiers: nameModifiers(text, frame) | (isAbstract ? MODIFIERS.abstract : 0),
    start: file.reader.start(outer),
    end: file.reader.end(outer),
    nameStart: file.reader.start(nameNode),
    signature: signatureOf(file, file.reader.start(node), bodyStart),
    doc: body === NO_NODE ? NO_TEXT : docOf(file, body),
    firstLine: body === NO_NODE ? NO_TEXT : firstLineOf(file, body),
  });
  const scope = builder.addScope('class', frame.scope, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  builder.addBinding({ scope: frame.body?.elsewhere.get(text) ?? frame.home, name: file.word(nameNode), kind: 'symbol', symbol });
  if (frame.kind === 'class') frame.class?.members.set(text, symbol);
  addDecorators(walk, decorators, symbol, frame);
  const isGeneric = addTypeParameters(file, file.child(node, 'type_parameters'), scope, symbol);
  addBases(walk, bases, symbol, scope, { ...frame, scope: isGeneric ? scope : frame.scope, owner: symbol });
  const own: ClassBody = { symbol, scope, isEnum, members: new Map(), definers: fieldDefiners(file, body) };
  walk.run(body, { ...frame, scope, home: scope, kind: 'class', owner: symbol, body: undefined, class: own, selfName: '', declared: new Map() });
  builder.set('symbols', 'hash', symbol, hashOfClass(file, symbol, file.reader.start(outer), bodyStart));
}

/** Positional arguments are bases; keyword arguments (`metaclass=`) are values used by the class. */
function addBases(walk: Walk, bases: readonly SyntaxNode[], symbol: SymbolRow, scope: ScopeRow, frame: Frame): void {
  const { file } = walk;
  for (const base of bases) {
    if (file.is(base, 'keyword_argument') || file.is(base, 'list_splat') || file.is(base, 'dictionary_splat')) walk.value(base, frame);
    else file.builder.addHeritage(symbol, 'extends', baseRow(walk, base, symbol, scope, frame), lastName(file, base).at);
  }
}

/** `Base`, `a.Base`, `Base[T]` (a `generic` row), or the value of any other expression. `Generic[T]` also binds `T` in the class. */
function baseRow(walk: Walk, base: SyntaxNode, symbol: SymbolRow, scope: ScopeRow, frame: Frame): ExpressionRow {
  const { file } = walk;
  if (!file.is(base, 'subscript')) return walk.quiet(base, frame);
  const row = walk.quiet(file.child(base, 'value'), frame);
  const subscripts = subscriptsOf(file, base).flatMap(item => (file.is(item, 'tuple') ? file.children(item) : [item]));
  const list = subscripts.map(item => addType(file, item, { scope: frame.scope, owner: symbol, counts: true }));
  const name = file.builder.strings[lastName(file, base).name] ?? '';
  if (name === 'Generic' || name === 'Protocol') {
    for (const item of subscripts) {
      const form = typeFormOf(file, item);
      const part = form.is === 'name' && form.parts.length === 1 ? form.parts[0] : undefined;
      if (part !== undefined) file.builder.addBinding({ scope, name: file.builder.intern(part.text), kind: 'typeParameter' });
    }
  }
  return file.row('generic', row, NONE, NO_TEXT, list);
}

/**
 * For each `self.x` that some method assigns: the node that defines the field. `__init__` goes first, then `__new__`, then source order.
 * Names that the class body binds itself are not among them.
 */
function fieldDefiners(file: FileContext, body: SyntaxNode): Map<string, number> {
  const definers = new Map<string, number>();
  if (body === NO_NODE) return definers;
  const own = new Set<string>();
  const methods: { readonly rank: number; readonly node: SyntaxNode }[] = [];
  collectMembers(file, body, own, methods, 0);
  methods.sort((a, b) => a.rank - b.rank || a.node - b.node);
  for (const { node } of methods) collectFields(file, node, own, definers);
  return definers;
}

const RANKS: ReadonlyMap<string, number> = new Map([
  ['__init__', 0],
  ['__new__', 1],
  ['__post_init__', 2],
]);

function collectMembers(file: FileContext, block: SyntaxNode, own: Set<string>, methods: { rank: number; node: SyntaxNode }[], depth: number): void {
  if (depth > 8) return;
  for (const child of file.children(block)) {
    const node = file.is(child, 'decorated_definition') ? file.child(child, 'definition') : child;
    if (file.is(node, 'function_definition')) {
      const name = file.text(file.child(node, 'name'));
      own.add(name);
      methods.push({ rank: RANKS.get(name) ?? 3, node });
    } else if (file.is(node, 'class_definition')) own.add(file.text(file.child(node, 'name')));
    else if (file.is(node, 'expression_statement')) {
      const assignment = file.reader.firstNamedChild(node);
      const left = file.is(assignment, 'assignment') ? file.child(assignment, 'left') : NO_NODE;
      for (const target of file.is(left, 'pattern_list') ? file.children(left) : [left]) if (file.is(target, 'identifier')) own.add(file.text(target));
    } else collectMembers(file, node, own, methods, depth + 1);
  }
}

function collectFields(file: FileContext, method: SyntaxNode, own: ReadonlySet<string>, definers: Map<string, number>): void {
  const first = file.reader.firstNamedChild(file.child(method, 'parameters'));
  const self = file.is(first, 'typed_parameter') ? file.reader.firstNamedChild(first) : first;
  if (!file.is(self, 'identifier')) return;
  const name = file.text(self);
  const end = file.reader.after(method);
  for (let node = method; node < end; node++) {
    if (file.is(node, 'class_definition')) {
      node = syntaxNode(file.reader.after(node) - 1);
      continue;
    }
    if (!file.is(node, 'attribute') || !file.is(file.child(node, 'object'), 'identifier') || file.text(file.child(node, 'object')) !== name) continue;
    const field = file.text(file.child(node, 'attribute'));
    if (field !== '' && !own.has(field) && !definers.has(field) && isTarget(file, node)) definers.set(field, node);
  }
}

/** True for what stands on the left of `=`, after `for` or after `as`, alone or in a pattern. */
function isTarget(file: FileContext, node: SyntaxNode): boolean {
  const { kind, field } = file.grammar;
  const patterns = [kind.pattern_list, kind.tuple_pattern, kind.list_pattern, kind.tuple, kind.list, kind.parenthesized_expression, kind.list_splat_pattern];
  let at = node;
  while (patterns.includes(file.reader.kind(file.reader.parent(at)))) at = file.reader.parent(at);
  const parent = file.reader.kind(file.reader.parent(at));
  if (parent === kind.as_pattern_target) return true;
  return file.reader.field(at) === field.left && (parent === kind.assignment || parent === kind.for_statement);
}
