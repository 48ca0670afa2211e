/**
 * `macro_rules!`: a symbol of kind function for the macro, and symbols for what its expansions in this file declare.
 *
 * Functions written out in a macro's body are declared once, where they stand. Types named by a parameter of the macro are declared once for
 * each call of it in this file, where the call names them, and the functions belong to all of them.
 */
import { NONE } from '../../../../model/facts';
import { MODIFIERS } from '../../../../model/nodes';
import { NO_NODE } from '../../../parse/syntaxReader';
import { foldedText } from '../../sourceText';
import { addCaptures, type Captures } from './macroMatch';
import { innerTokens, macroValue, readTokens } from './tokens';
import { TokenTypes } from './tokenTypes';
import { type Frame, newBody, type RustFile, type SelfType, type Walk } from './walk';

export function declareMacro(walk: Walk, node: number, frame: Frame): void {
  const { file } = walk;
  const nameNode = file.child(node, 'name');
  const symbol = file.declare({ node, nameNode, kind: 'function', parent: frame.owner });
  file.builder.addBinding({ scope: frame.home, name: file.builder.intern(`${file.text(nameNode)}!`), kind: 'symbol', symbol });
  const calls = callsOf(file, file.text(nameNode));
  for (const rule of file.children(node)) {
    if (!file.is(rule, 'macro_rule')) continue;
    const captures: Captures = new Map();
    for (const call of calls) addCaptures(file, file.child(rule, 'left'), file.childOf(call, 'token_tree'), captures);
    const scope = file.builder.addScope('block', frame.scope);
    const body: Frame = { ...frame, scope, owner: symbol, body: newBody() };
    const reader = new MacroBody(walk, frame, captures, scope);
    reader.bindCaptures(declaredTypes(file, file.child(rule, 'right')));
    reader.read(innerTokens(file, file.child(rule, 'right')), body, undefined);
  }
}

/** A macro called where items stand: what its arguments call and read. */
export function expandItems(walk: Walk, node: number, frame: Frame): void {
  macroValue(walk, node, frame);
}

/** Calls of a macro in this file that stand where items do. */
function callsOf(file: RustFile, name: string): number[] {
  const { reader, grammar, table } = file;
  const calls: number[] = [];
  for (let node = 0; node < table.count; node++) {
    if (reader.kind(node) !== grammar.kind.macro_invocation || file.text(file.child(node, 'macro')) !== name) continue;
    const parent = reader.parent(node);
    const holder = file.is(parent, 'expression_statement') ? reader.parent(parent) : parent;
    if (holder === 0 || file.is(holder, 'declaration_list')) calls.push(node);
  }
  return calls;
}

/** Of more types than this a parameter stands for the first ones. */
const MOST_TYPES = 12;

const TYPE_WORDS: ReadonlySet<string> = new Set(['struct', 'enum', 'union', 'trait']);

/** Parameters of a macro that name types which its body declares. */
function declaredTypes(file: RustFile, body: number): ReadonlySet<string> {
  const { reader } = file;
  const names = new Set<string>();
  const end = body === NO_NODE ? 0 : reader.after(body);
  for (let node = Math.max(0, body); node < end; node++) {
    if (file.is(node, 'metavariable') && TYPE_WORDS.has(file.text(node - 1))) names.add(file.text(node));
  }
  return names;
}

/** Reads the tokens of a macro's body: items are declared, all else is read for its uses. */
class MacroBody {
  readonly #file: RustFile;
  readonly #types: TokenTypes;

  constructor(
    private readonly walk: Walk,
    /** Where the macro stands, and so what it declares. */
    private readonly around: Frame,
    private readonly captures: Captures,
    private readonly ruleScope: number,
  ) {
    this.#file = walk.file;
    this.#types = new TokenTypes(walk.file);
  }

  /** Binds the parameters to what the calls hand over: names of types and primitive types. */
  bindCaptures(declared: ReadonlySet<string>): void {
    const file = this.#file;
    for (const [parameter, nodes] of this.captures) {
      if (declared.has(parameter)) continue;
      const names = nodes.filter(node => file.is(node, 'identifier', 'primitive_type')).slice(0, MOST_TYPES);
      if (names.length === 0) continue;
      const rows = names.map(node =>
        file.is(node, 'primitive_type') ? file.fixedName(file.text(node)) : file.row('name', this.around.scope, NONE, file.word(node)),
      );
      file.builder.addBinding({ scope: this.ruleScope, name: file.builder.intern(parameter), kind: 'variable', value: file.either(rows) });
    }
  }

  read(tokens: readonly number[], frame: Frame, self: SelfType | undefined): void {
    this.#file.nested(undefined, () => {
      this.#items(tokens, frame, self);
    });
  }

  #items(tokens: readonly number[], frame: Frame, self: SelfType | undefined): void {
    const file = this.#file;
    const plain: number[] = [];
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] ?? NO_NODE;
      const word = file.reader.isNamed(token) ? '' : file.text(token);
      const next = tokens[at + 1] ?? NO_NODE;
      if (TYPE_WORDS.has(word) && file.is(next, 'metavariable', 'identifier')) {
        this.#declareType(next, frame);
        while (at < tokens.length && !this.#opens(tokens[at] ?? NO_NODE, '{') && file.text(tokens[at] ?? NO_NODE) !== ';') at++;
      } else if (word === 'impl') at = this.#implementation(tokens, at, frame);
      else if (word === 'fn' && file.is(next, 'identifier', 'metavariable')) at = this.#declareFunction(tokens, at, frame, self);
      else if (file.is(token, 'token_repetition')) this.read(innerTokens(file, token).slice(1, -1), frame, self);
      else plain.push(token);
    }
    if (self === undefined) readTokens(this.walk, plain, frame);
  }

  /**
   * A type whose name is a parameter of the macro: a symbol inside the macro, which what the macro declares for it belongs to, and one that
   * takes after it for each call.
   */
  #declareType(nameNode: number, frame: Frame): void {
    const file = this.#file;
    const { builder } = file;
    if (!file.is(nameNode, 'metavariable')) return;
    const template = this.#container(nameNode, frame.owner, frame.scope);
    builder.addBinding({ scope: this.ruleScope, name: file.word(nameNode), kind: 'symbol', symbol: template });
    const row = file.row('class', template);
    for (const node of this.captures.get(file.text(nameNode)) ?? []) {
      if (!file.is(node, 'identifier')) continue;
      const symbol = this.#container(node, this.around.owner, this.around.scope);
      builder.addBinding({ scope: this.around.home, name: file.word(node), kind: 'symbol', symbol });
      builder.addHeritage(symbol, 'extends', row, file.reader.start(node));
    }
  }

  #container(node: number, parent: number, scope: number): number {
    const file = this.#file;
    const symbol = file.declare({ node, nameNode: node, kind: 'struct', parent, modifiers: MODIFIERS.exported });
    file.builder.set('symbols', 'scope', symbol, file.builder.addScope('class', scope, symbol));
    return symbol;
  }

  /** `impl … Type { … }`, `impl … Trait for Type { … }`; the index of its body. */
  #implementation(tokens: readonly number[], from: number, frame: Frame): number {
    const file = this.#file;
    let body = from + 1;
    while (body < tokens.length && !this.#opens(tokens[body] ?? NO_NODE, '{')) body++;
    const head = tokens.slice(from + 1, body);
    const split = head.findIndex(token => file.text(token) === 'for');
    const { row, name } = this.#types.read(split < 0 ? head : head.slice(split + 1), frame);
    if (body >= tokens.length) return from;
    const container = name === NO_NODE || file.is(name, 'metavariable') ? 0 : file.word(name);
    const self: SelfType = { row, container, trait: NONE, isTraitImpl: split >= 0 };
    if (split >= 0) this.#bases(head.slice(0, split), name, row, frame);
    this.read(innerTokens(file, tokens[body] ?? NO_NODE), frame, self);
    return body;
  }

  #bases(head: readonly number[], name: number, row: number, frame: Frame): void {
    const file = this.#file;
    const trait = this.#types.read(head, frame);
    if (trait.name === NO_NODE || name === NO_NODE) return;
    const at = file.reader.start(trait.name);
    file.builder.addHeritage(NONE, 'implements', trait.row, at, row);
  }

  /** `fn name(…) -> Type { … }`; the index of its body, or of its last token. */
  #declareFunction(tokens: readonly number[], from: number, frame: Frame, self: SelfType | undefined): number {
    const file = this.#file;
    const { builder } = file;
    const nameNode = tokens[from + 1] ?? NO_NODE;
    let end = from + 2;
    while (end < tokens.length && !this.#opens(tokens[end] ?? NO_NODE, '{') && file.text(tokens[end] ?? NO_NODE) !== ';') end++;
    const head = tokens.slice(from + 2, end);
    const parameters = head.find(token => this.#opens(token, '('));
    if (!file.is(nameNode, 'identifier') || parameters === undefined) return end;
    const bodyTree = tokens[end] ?? NO_NODE;
    const place = self === undefined ? {} : { container: self.container, receiver: self.row };
    const symbol = file.declare({
      node: nameNode,
      nameNode,
      kind: self === undefined ? 'function' : 'method',
      parent: this.around.owner,
      ...place,
      modifiers: MODIFIERS.exported,
      complexity: 1,
    });
    const tail = this.#opens(bodyTree, '{') ? bodyTree : (tokens[end - 1] ?? nameNode);
    builder.set('symbols', 'endLine', symbol, builder.lineOf(file.reader.end(tail)));
    builder.set('symbols', 'endColumn', symbol, builder.columnOf(file.reader.end(tail)));
    builder.set(
      'symbols',
      'signature',
      symbol,
      builder.intern(foldedText(file.table.text, file.reader.start(tokens[from] ?? nameNode), file.reader.start(bodyTree))),
    );
    if (self === undefined) builder.addBinding({ scope: this.around.home, name: file.word(nameNode), kind: 'symbol', symbol });
    const scope = builder.addScope('function', frame.scope, symbol);
    const arrow = head.findIndex(token => file.text(token) === '->');
    const inside: Frame = { ...frame, scope, home: scope, owner: symbol, self, body: newBody(), place: 'body' };
    const returnType = arrow < 0 ? NONE : this.#types.read(head.slice(arrow + 1), inside).row;
    const row = builder.addFunction({ symbol, scope, returnType });
    builder.set('scopes', 'function', scope, row);
    builder.set('symbols', 'scope', symbol, scope);
    builder.set('symbols', 'function', symbol, row);
    this.#parameters(innerTokens(file, parameters), inside, row);
    if (this.#opens(bodyTree, '{')) this.read(innerTokens(file, bodyTree), inside, undefined);
    return end;
  }

  /** `self` and `name: Type`, separated by commas outside angle brackets. */
  #parameters(tokens: readonly number[], frame: Frame, row: number): void {
    const file = this.#file;
    const { builder } = file;
    const rows: number[] = [];
    let start = 0;
    let depth = 0;
    for (let at = 0; at <= tokens.length; at++) {
      const text = at === tokens.length ? ',' : file.text(tokens[at] ?? NO_NODE);
      if (text === '<') depth++;
      else if (text === '>') depth--;
      if (text !== ',' || (depth > 0 && at < tokens.length)) continue;
      const part = tokens.slice(start, at);
      start = at + 1;
      const colon = part.findIndex(token => file.text(token) === ':');
      const name = part.find(token => file.is(token, 'identifier', 'self')) ?? NO_NODE;
      if (name === NO_NODE) continue;
      const isSelf = file.is(name, 'self');
      const type = isSelf ? (frame.self?.row ?? NONE) : colon < 0 ? NONE : this.#types.read(part.slice(colon + 1), frame).row;
      const binding = { scope: frame.scope, name: file.word(name), kind: 'parameter' as const, type };
      if (isSelf) builder.addBinding(binding);
      else rows.push(builder.addBinding({ ...binding, function: row, position: rows.length }));
    }
    builder.setParameters(row, rows);
  }

  #opens(token: number, delimiter: string): boolean {
    return this.#file.is(token, 'token_tree') && this.#file.table.text[this.#file.reader.start(token)] === delimiter;
  }
}
