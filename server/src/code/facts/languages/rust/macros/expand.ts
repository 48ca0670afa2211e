/**
 * `macro_rules!`: a symbol of kind function for the macro, and symbols for what its expansions in this file declare.
 *
 * Functions written out in a macro's body are declared once, where they stand. Types named by a parameter of the macro are declared once for
 * each call of it in this file, where the call names them, and the functions belong to all of them.
 */
import { NONE, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import { type Frame, newBody, type RustFile, type Walk } from '../walk';
import { addCaptures, type Captures } from './match';
import { TokenItems, TYPE_WORDS } from './tokenItems';
import { innerTokens, isInert, KEYWORDS, macroUse } from './tokens';

export function declareMacro(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  const modifiers = /\bmacro_export\b/.test(attributesBefore(file, node)) ? MODIFIERS.exported : 0;
  const symbol = file.declare({ node, nameNode, kind: 'function', parent: frame.owner, modifiers });
  file.builder.addBinding({ scope: frame.home, name: file.builder.intern(`${file.text(nameNode)}!`), kind: 'symbol', symbol });
  for (const rule of file.children(node)) {
    if (!file.is(rule, 'macro_rule')) continue;
    const captures = capturesOf(file, rule);
    const scope = file.builder.addScope('block', frame.scope);
    const body: Frame = { ...frame, scope, owner: symbol, body: newBody() };
    const reader = new TokenItems(walk, { around: frame, captures, ruleScope: scope, isCall: false });
    reader.bindCaptures(declaredTypes(file, file.child(rule, 'right')));
    reader.read(innerTokens(file, file.child(rule, 'right')), body, undefined);
  }
}

/** Text of the attributes that stand before an item. */
function attributesBefore(file: RustFile, node: SyntaxNode): string {
  const texts: string[] = [];
  for (let at = file.reader.previousSibling(node); file.is(at, 'attribute_item'); at = file.reader.previousSibling(at)) texts.push(file.text(at));
  return texts.join('');
}

/** More than this is not followed through macros that call macros. */
const MAX_CAPTURED = 1000;

/** What all calls of this file hand to the parameters of a rule, also those in the bodies of other macros. */
function capturesOf(file: RustFile, rule: SyntaxNode): Captures {
  const known = file.captures.get(rule);
  if (known !== undefined) return known;
  const captures: Captures = new Map();
  file.captures.set(rule, captures);
  const name = file.text(file.child(file.reader.parent(rule), 'name'));
  const pattern = file.child(rule, 'left');
  for (const call of file.itemCalls().get(name) ?? []) addCaptures(file, pattern, file.childOf(call, 'token_tree'), captures);
  for (const call of file.nestedCalls().get(name) ?? []) {
    const local: Captures = new Map();
    if (call.rule === rule || !addCaptures(file, pattern, call.tree, local) || local.size === 0) continue;
    for (const [parameter, given] of substituted(file, local, capturesOf(file, call.rule)))
      captures.set(parameter, [...new Set([...(captures.get(parameter) ?? []), ...given])].slice(0, MAX_CAPTURED));
  }
  return captures;
}

/** A macro called where items stand: items among its arguments are declared, unless a macro of this file says what it declares. */
export function expandItems(walk: Walk, node: SyntaxNode, frame: Frame): void {
  const { file } = walk;
  const name = macroUse(walk, file.child(node, 'macro'), frame);
  const tree = file.childOf(node, 'token_tree');
  if (tree === NO_NODE || isInert(name)) return;
  const definition = file.definedMacros().get(name);
  const isMember = frame.place === 'impl' || frame.place === 'trait';
  if (definition !== undefined && isMember) expandMembers(walk, { definition, tree, outer: new Map(), rules: [] }, frame);
  const options = { around: frame, captures: new Map(), ruleScope: frame.scope, isCall: definition === undefined };
  const declared = isMember ? NONE : definition === undefined ? unseenTest(file, node, name, frame) : expandedFor(file, node);
  const inside: Frame = declared === NONE ? frame : { ...frame, owner: declared, body: newBody(), place: 'body' };
  new TokenItems(walk, options).read(innerTokens(file, tree), inside, isMember ? frame.self : undefined);
}

/** The one function that a macro of this file declares for a call, which what the call hands over is part of; `NONE` for none or several. */
function expandedFor(file: RustFile, node: SyntaxNode): SymbolRow {
  const { builder, reader } = file;
  let declared: SymbolRow = NONE;
  const end = reader.after(node);
  for (let at = syntaxNode(node + 1); at < end; at++) {
    const symbol = file.expanded.get(at);
    if (symbol === undefined) continue;
    if (declared !== NONE) return NONE;
    declared = symbol;
  }
  if (declared !== NONE) {
    builder.set('symbols', 'endLine', declared, builder.lineOf(reader.end(node)));
    builder.set('symbols', 'endColumn', declared, builder.columnOf(reader.end(node)));
    builder.set('symbols', 'hash', declared, builder.hashOf(reader.start(node), reader.end(node)));
  }
  return declared;
}

/**
 * `rgtest!(name, |dir| { … })`: the test that a macro of another file declares under the first name of its arguments. It counts as one where only
 * tests stand or where the macro is called so, and what comes after the name is more than names. `NONE` for any other call.
 */
function unseenTest(file: RustFile, node: SyntaxNode, macro: string, frame: Frame): SymbolRow {
  const [nameNode = NO_NODE, sign = NO_NODE, ...rest] = innerTokens(file, file.childOf(node, 'token_tree'));
  if (frame.place !== 'module' || !file.is(nameNode, 'identifier') || file.isCapital(nameNode) || KEYWORDS.has(file.text(nameNode))) return NONE;
  if (![',', '=>'].includes(file.text(sign)) || rest.every(token => file.is(token, 'identifier') || file.text(token) === ',')) return NONE;
  if (!/test/i.test(macro) && !isAmongTests(file, frame.owner)) return NONE;
  return file.declare({ node, nameNode, kind: 'function', parent: frame.owner, modifiers: MODIFIERS.test });
}

function isAmongTests(file: RustFile, owner: SymbolRow): boolean {
  const { symbols } = file.builder;
  for (let at = owner; at !== NONE; at = symbols.parent[at] ?? NONE) if (((symbols.modifiers[at] ?? 0) & MODIFIERS.test) !== 0) return true;
  return false;
}

/** Macros that call macros are followed this far. */
const MAX_NESTING = 4;

/** A call to expand: in the body of another macro its arguments may be parameters of that. */
interface MemberCall {
  readonly definition: SyntaxNode;
  readonly tree: SyntaxNode;
  readonly outer: Captures;
  /** Rules that led here: none is taken twice. */
  readonly rules: readonly number[];
}

/** What a macro of this file declares inside an `impl` or a trait. */
function expandMembers(walk: Walk, call: MemberCall, frame: Frame): void {
  const { file } = walk;
  for (const rule of file.children(call.definition)) {
    const local: Captures = new Map();
    if (!file.is(rule, 'macro_rule') || call.rules.includes(rule) || !addCaptures(file, file.child(rule, 'left'), call.tree, local)) continue;
    const captures = substituted(file, local, call.outer);
    const scope = file.builder.addScope('block', frame.scope);
    const reader = new TokenItems(walk, { around: frame, captures, ruleScope: scope, isCall: false });
    reader.bindCaptures(new Set());
    reader.read(innerTokens(file, file.child(rule, 'right')), { ...frame, scope }, frame.self);
    const rules = [...call.rules, rule];
    for (const [name, nested] of rules.length > MAX_NESTING ? [] : file.nestedCalls()) {
      const definition = file.definedMacros().get(name);
      for (const { rule: from, tree } of definition === undefined ? [] : nested)
        if (definition !== undefined && from === rule) expandMembers(walk, { definition, tree, outer: captures, rules }, frame);
    }
    return;
  }
}

/** Captures of a call in the body of a macro, with what that macro's own parameters stand for. */
function substituted(file: RustFile, local: Captures, outer: Captures): Captures {
  const captures: Captures = new Map();
  for (const [parameter, nodes] of local) {
    const given = nodes.flatMap(node => (file.is(node, 'metavariable') ? (outer.get(file.text(node)) ?? []) : [node]));
    if (given.length > 0) captures.set(parameter, given);
  }
  return captures;
}

/** Parameters of a macro that name types which its body declares. */
function declaredTypes(file: RustFile, body: SyntaxNode): ReadonlySet<string> {
  const { reader } = file;
  const names = new Set<string>();
  const end = body === NO_NODE ? 0 : reader.after(body);
  for (let node = syntaxNode(Math.max(0, body)); node < end; node++) {
    if (file.is(node, 'metavariable') && TYPE_WORDS.has(file.text(syntaxNode(node - 1)))) names.add(file.text(node));
  }
  return names;
}
