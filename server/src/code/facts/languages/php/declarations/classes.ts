import { type ExpressionRow, NO_TEXT, NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS, type SymbolKind } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { lastPart, nameRow } from '../names';
import type { KindName } from '../phpGrammar';
import { type DocBlock, docBlock } from '../types/docBlock';
import type { DocForm } from '../types/docForm';
import { docType } from '../types/docTypes';
import type { ClassBody, Frame, PhpFile, Walk } from '../walk';
import { addAttributes, addTemplates, memberModifiers } from './functions';
import { declareDocMembers, declareMember } from './members';

const CLASS_KINDS: readonly (readonly [KindName, SymbolKind])[] = [
  ['interface_declaration', 'interface'],
  ['trait_declaration', 'trait'],
  ['enum_declaration', 'enum'],
];

const TEST_BASE = /(?:TestCase|TestBase|Specification)$/;

/** A class, interface, trait or enum with its members. Gives its symbol, or `NONE` for one without a name. */
export function declareClass(walk: Walk, node: SyntaxNode, frame: Frame): SymbolRow {
  const { file } = walk;
  const { builder } = file;
  const isAnonymous = file.is(node, 'anonymous_class');
  const nameNode = file.child(node, 'name');
  if (nameNode === NO_NODE && !isAnonymous) return NONE;
  const body = file.child(node, 'body');
  const base = file.childOf(node, 'base_clause');
  const isTest = TEST_BASE.test(file.text(base)) || (!isAnonymous && file.text(nameNode).endsWith('Test') && base !== NO_NODE);
  const symbol = file.declare({
    node,
    nameNode: isAnonymous ? node : nameNode,
    name: isAnonymous ? builder.intern('class@anonymous') : file.word(nameNode),
    kind: kindOf(file, node),
    parent: frame.owner,
    modifiers: memberModifiers(file, node) | (isAnonymous ? 0 : MODIFIERS.exported),
    body,
  });
  const scope = builder.addScope('class', isAnonymous ? frame.scope : frame.outer, symbol);
  builder.set('symbols', 'scope', symbol, scope);
  if (!isAnonymous) builder.addBinding({ scope: frame.outer, name: file.word(nameNode), kind: 'symbol', symbol });
  addAttributes(walk, node, symbol, frame);
  const own: ClassBody = { symbol, scope, isTest, fields: new Map() };
  const inside: Frame = { ...frame, scope, home: scope, owner: symbol, class: own, body: undefined };
  const doc = docBlock(file, node);
  addTemplates(file, doc, inside);
  addHeritage(walk, node, body, doc, inside);
  for (const member of file.children(body)) declareMember(walk, member, inside);
  declareDocMembers(walk, node, doc, inside);
  file.hashContainer(symbol, node, body);
  return symbol;
}

function kindOf(file: PhpFile, node: SyntaxNode): SymbolKind {
  for (const [kind, symbolKind] of CLASS_KINDS) if (file.is(node, kind)) return symbolKind;
  return 'class';
}

/** Bases in the order that members are looked up in: traits, the base class, interfaces. */
function addHeritage(walk: Walk, node: SyntaxNode, body: SyntaxNode, doc: DocBlock, frame: Frame): void {
  const { file } = walk;
  for (const member of file.children(body)) if (file.is(member, 'use_declaration')) addTraits(walk, member, doc, frame);
  for (const base of file.children(file.childOf(node, 'base_clause'))) addBase(file, base, 'extends', doc, frame);
  for (const base of file.children(file.childOf(node, 'class_interface_clause'))) addBase(file, base, 'implements', doc, frame);
  for (const { form, at } of doc.mixins) file.builder.addHeritage(frame.owner, 'mixin', docType(file, form, frame, frame.owner, false), at);
}

/** A base with the type arguments that the doc comment gives it. */
function addBase(file: PhpFile, base: SyntaxNode, kind: 'extends' | 'implements' | 'mixin', doc: DocBlock, frame: Frame): void {
  const text = file.text(base);
  const { at, name } = lastPart(file, base);
  const generic = doc.bases.find(form => form.is === 'generic' && lastWord(form.base) === file.builder.strings[name]);
  const row = nameRow(file, text, frame);
  const whole =
    generic?.is === 'generic'
      ? file.row(
          'generic',
          row,
          NONE,
          NO_TEXT,
          generic.items.map(item => docType(file, item, frame, frame.owner)),
        )
      : row;
  file.builder.addHeritage(frame.owner, kind, whole, at);
}

function lastWord(form: DocForm): string {
  return form.is === 'name' ? form.text.slice(form.text.lastIndexOf('\\') + 1) : '';
}

/** `use A, B { A::x insteadof B; B::x as protected y; }`: what a rule picks or renames is a member that holds the method. */
function addTraits(walk: Walk, node: SyntaxNode, doc: DocBlock, frame: Frame): void {
  const { file } = walk;
  const traits = file.children(node).filter(child => !file.is(child, 'use_list'));
  for (const trait of traits) addBase(file, trait, 'mixin', doc, frame);
  for (const clause of file.children(file.childOf(node, 'use_list'))) {
    const [source, ...rest] = file.children(clause);
    const target = file.is(clause, 'use_as_clause') ? rest.find(child => file.is(child, 'name')) : source;
    if (source === undefined || target === undefined) continue;
    const [trait, method] = file.is(source, 'class_constant_access_expression') ? file.children(source) : [undefined, source];
    if (method === undefined) continue;
    const nameNode = file.is(target, 'class_constant_access_expression') ? method : target;
    const owners = (trait === undefined ? traits : [trait]).map(each => file.row('member', nameRow(file, file.text(each), frame), NONE, file.word(method)));
    const modifiers = memberModifiers(file, clause);
    file.declare({ node: clause, nameNode, kind: 'field', parent: frame.owner, modifiers, value: file.either(owners) });
  }
}

/** `new class(…) extends B { … }`: the class and the arguments. */
export function anonymousClass(walk: Walk, node: SyntaxNode, frame: Frame): { readonly symbol: SymbolRow; readonly rows: readonly ExpressionRow[] } {
  const { file } = walk;
  const list = file.childOf(node, 'arguments');
  const rows = file.children(list).map(argument => {
    const inner = file.reader.lastNamedChild(argument);
    return inner === NO_NODE ? file.unknown() : walk.value(inner, frame);
  });
  return { symbol: declareClass(walk, node, { ...frame, body: undefined }), rows };
}
