import { type BindingRow, type ExpressionRow, type FunctionRow, NO_TEXT, NONE, type ScopeRow, type SymbolRow } from '../../../../../model/facts';
import { MODIFIERS } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import type { SyntaxNode } from '../../../../parse/syntaxTable';
import { foldedText } from '../../../sourceText';
import { isTestAttribute } from '../attributes';
import { type Frame, newBody, type RustFile, type SelfType, type Walk } from '../walk';
import type { Captures } from './match';
import { innerTokens, readTokens } from './tokens';
import { separated, TokenTypes } from './tokenTypes';

/** Of more types than this a parameter stands for the first ones. */
const MAX_TYPES = 12;

/** For more names than this a parameter declares no functions. */
const MAX_FUNCTIONS = 500;

const ITEM_WORDS: ReadonlySet<string> = new Set(['fn', 'impl', 'struct', 'enum', 'trait', 'static']);

/** What may stand between the attributes of a function and its `fn`. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(['pub', 'async', 'const', 'unsafe', 'extern']);

export const TYPE_WORDS: ReadonlySet<string> = new Set(['struct', 'enum', 'union', 'trait']);

/** Tokens of a function. */
interface FunctionTokens {
  /** The `fn`. */
  readonly word: SyntaxNode;
  /** From behind the name to the body. */
  readonly head: readonly SyntaxNode[];
  readonly parameters: SyntaxNode;
  readonly body: SyntaxNode;
  readonly last: SyntaxNode;
  readonly isTest: boolean;
}

/** How items among tokens are declared. */
export interface TokenItemsOptions {
  /** Where the macro stands, and so what it declares. */
  readonly around: Frame;
  readonly captures: Captures;
  /** Scope that parameters of the macro bind in. */
  readonly ruleScope: ScopeRow;
  /** True for a call whose arguments are items: what they name is declared as it is written. */
  readonly isCall: boolean;
}

/** Reads items among tokens; all else is read for its uses. */
export class TokenItems {
  readonly #file: RustFile;
  readonly #types: TokenTypes;

  constructor(
    private readonly walk: Walk,
    private readonly options: TokenItemsOptions,
  ) {
    this.#file = walk.file;
    this.#types = new TokenTypes(walk.file);
  }

  /** Binds the parameters to what the calls hand over: names of types and primitive types. */
  bindCaptures(declared: ReadonlySet<string>): void {
    const file = this.#file;
    for (const [parameter, nodes] of this.options.captures) {
      if (declared.has(parameter)) continue;
      const names = nodes.filter(node => file.is(node, 'identifier', 'primitive_type')).slice(0, MAX_TYPES);
      if (names.length === 0) continue;
      const rows = names.map(node =>
        file.is(node, 'primitive_type') ? file.fixedName(file.text(node)) : file.row('name', this.options.around.scope, NONE, file.word(node)),
      );
      file.builder.addBinding({ scope: this.options.ruleScope, name: file.builder.intern(parameter), kind: 'variable', value: file.either(rows) });
    }
  }

  read(tokens: readonly SyntaxNode[], frame: Frame, self: SelfType | undefined): void {
    this.#file.nested(undefined, () => {
      this.#items(tokens, frame, self);
    });
  }

  #items(tokens: readonly SyntaxNode[], frame: Frame, self: SelfType | undefined): void {
    const file = this.#file;
    let plain: SyntaxNode[] = [];
    let current = frame;
    const flush = (): void => {
      if (self === undefined && plain.length > 0) current = readTokens(this.walk, plain, current).frame;
      plain = [];
    };
    for (let at = 0; at < tokens.length; at++) {
      const token = tokens[at] ?? NO_NODE;
      const word = file.reader.isNamed(token) ? '' : file.text(token);
      const next = tokens[at + 1] ?? NO_NODE;
      if (TYPE_WORDS.has(word) && file.is(next, 'metavariable', 'identifier')) {
        this.#declareType(next, current);
        while (at < tokens.length && !this.#opens(tokens[at] ?? NO_NODE, '{') && file.text(tokens[at] ?? NO_NODE) !== ';') at++;
      } else if (word === 'impl') at = this.#implementation(tokens, at, current);
      else if (word === 'fn' && file.is(next, 'identifier', 'metavariable')) at = this.#declareFunction(tokens, at, current, self);
      else if (word === 'static' && this.options.isCall) at = this.#declareStatic(tokens, at, current);
      else if (file.is(token, 'token_repetition')) this.read(innerTokens(file, token).slice(1, -1), current, self);
      else if (this.options.isCall && self === undefined && frame.body === undefined && this.#holdsItems(token, plain[plain.length - 1])) {
        flush();
        this.read(innerTokens(file, token), current, self);
      } else plain.push(token);
    }
    flush();
  }

  /** True for a block of items: not the body of a closure. */
  #holdsItems(token: SyntaxNode, before: SyntaxNode | undefined): boolean {
    const file = this.#file;
    if (!this.#opens(token, '{') || (before !== undefined && file.text(before) === '|')) return false;
    return file.reader.children(token).some(child => !file.reader.isNamed(child) && ITEM_WORDS.has(file.text(child)));
  }

  /** `static NAME: Type = …;`, also `static ref`; the index of the `=`. */
  #declareStatic(tokens: readonly SyntaxNode[], from: number, frame: Frame): number {
    const file = this.#file;
    const { builder } = file;
    let at = from + 1;
    while ((!file.is(tokens[at] ?? NO_NODE, 'identifier') || file.text(tokens[at] ?? NO_NODE) === 'ref') && at < from + 3) at++;
    const nameNode = tokens[at] ?? NO_NODE;
    if (!file.is(nameNode, 'identifier') || file.text(tokens[at + 1] ?? NO_NODE) !== ':') return from;
    let end = at + 2;
    while (end < tokens.length && file.text(tokens[end] ?? NO_NODE) !== '=' && file.text(tokens[end] ?? NO_NODE) !== ';') end++;
    const type = this.#types.read(tokens.slice(at + 2, end), frame).row;
    const { owner, home } = this.options.around;
    const symbol = file.declare({ node: nameNode, nameNode, kind: 'constant', parent: owner, modifiers: MODIFIERS.static | MODIFIERS.readonly, type });
    builder.addBinding({ scope: home, name: file.word(nameNode), kind: 'symbol', symbol });
    return end;
  }

  /**
   * A type whose name is a parameter of the macro: a symbol inside the macro, which what the macro declares for it belongs to, and one that
   * takes after it for each call. In the arguments of a call the type is declared as it is.
   */
  #declareType(nameNode: SyntaxNode, frame: Frame): void {
    const file = this.#file;
    const { builder } = file;
    if (file.is(nameNode, 'identifier')) {
      if (!this.options.isCall) return;
      const symbol = this.#container(nameNode, this.options.around.owner, this.options.around.scope);
      builder.addBinding({ scope: this.options.around.home, name: file.word(nameNode), kind: 'symbol', symbol });
      return;
    }
    const template = this.#container(nameNode, frame.owner, frame.scope);
    builder.addBinding({ scope: this.options.ruleScope, name: file.word(nameNode), kind: 'symbol', symbol: template });
    const row = file.row('class', template);
    for (const node of this.options.captures.get(file.text(nameNode)) ?? []) {
      if (!file.is(node, 'identifier')) continue;
      const symbol = this.#container(node, this.options.around.owner, this.options.around.scope);
      builder.addBinding({ scope: this.options.around.home, name: file.word(node), kind: 'symbol', symbol });
      builder.addHeritage(symbol, 'extends', row, file.reader.start(node));
    }
  }

  #container(node: SyntaxNode, parent: SymbolRow, scope: ScopeRow): SymbolRow {
    const file = this.#file;
    const symbol = file.declare({ node, nameNode: node, docNode: NO_NODE, kind: 'struct', parent, modifiers: MODIFIERS.exported });
    file.builder.set('symbols', 'scope', symbol, file.builder.addScope('class', scope, symbol));
    return symbol;
  }

  /** `impl … Type { … }`, `impl … Trait for Type { … }`; the index of its body. */
  #implementation(tokens: readonly SyntaxNode[], from: number, frame: Frame): number {
    const file = this.#file;
    let body = from + 1;
    while (body < tokens.length && !this.#opens(tokens[body] ?? NO_NODE, '{')) body++;
    const head = tokens.slice(from + 1, body);
    const split = head.findIndex(token => file.text(token) === 'for');
    const { row, name } = this.#types.read(split < 0 ? head : head.slice(split + 1), frame);
    if (body >= tokens.length) return from;
    const container = name === NO_NODE || file.is(name, 'metavariable') ? NO_TEXT : file.word(name);
    const self: SelfType = { row, container, trait: NONE, isTraitImpl: split >= 0 };
    if (split >= 0) this.#bases(head.slice(0, split), name, row, frame);
    this.read(innerTokens(file, tokens[body] ?? NO_NODE), frame, self);
    return body;
  }

  #bases(head: readonly SyntaxNode[], name: SyntaxNode, row: ExpressionRow, frame: Frame): void {
    const file = this.#file;
    const trait = this.#types.read(head, frame);
    if (trait.name === NO_NODE || name === NO_NODE) return;
    const at = file.reader.start(trait.name);
    file.builder.addHeritage(NONE, 'implements', trait.row, at, row);
  }

  /** `fn name(…) -> Type { … }`; the index of its body, or of its last token. A parameter of the macro names one function for each call. */
  #declareFunction(tokens: readonly SyntaxNode[], from: number, frame: Frame, self: SelfType | undefined): number {
    const file = this.#file;
    const nameNode = tokens[from + 1] ?? NO_NODE;
    let end = from + 2;
    while (end < tokens.length && !this.#opens(tokens[end] ?? NO_NODE, '{') && file.text(tokens[end] ?? NO_NODE) !== ';') end++;
    const head = tokens.slice(from + 2, end);
    const parameters = head.find(token => this.#opens(token, '('));
    if (parameters === undefined) return end;
    const isMethod = innerTokens(file, parameters).some(token => file.is(token, 'self'));
    if (isMethod && self === undefined) return end;
    const body = tokens[end] ?? NO_NODE;
    const isTest = this.#isTest(tokens, from);
    const parts: FunctionTokens = { word: tokens[from] ?? nameNode, head, parameters, body, last: tokens[end - 1] ?? nameNode, isTest };
    if (file.is(nameNode, 'identifier')) this.#addFunction(nameNode, parts, frame, self);
    else {
      for (const node of this.options.captures.get(file.text(nameNode))?.slice(0, MAX_FUNCTIONS) ?? [])
        if (file.is(node, 'identifier')) this.#addFunction(node, parts, frame, self);
    }
    return end;
  }

  /** True when an attribute of tests stands before the words of a function. */
  #isTest(tokens: readonly SyntaxNode[], word: number): boolean {
    const file = this.#file;
    for (let at = word - 1; at >= 0; at--) {
      const token = tokens[at] ?? NO_NODE;
      if (this.#opens(token, '[') && file.text(tokens[at - 1] ?? NO_NODE) === '#') {
        if (isTestAttribute(`#${file.text(token)}`)) return true;
        at--;
      } else if (!this.#opens(token, '(') && !file.is(token, 'token_repetition') && !FUNCTION_WORDS.has(file.text(token))) return false;
    }
    return false;
  }

  #addFunction(nameNode: SyntaxNode, parts: FunctionTokens, frame: Frame, self: SelfType | undefined): void {
    const file = this.#file;
    const { builder } = file;
    const { head, parameters, body } = parts;
    const hasBody = this.#opens(body, '{');
    const place = self === undefined ? {} : { container: self.container, receiver: self.row };
    const symbol = file.declare({
      node: nameNode,
      nameNode,
      docNode: NO_NODE,
      kind: self === undefined ? 'function' : 'method',
      parent: this.options.around.owner,
      ...place,
      modifiers: parts.isTest ? MODIFIERS.test : MODIFIERS.exported,
      complexity: 1,
    });
    const isWritten = file.reader.start(nameNode) > file.reader.start(parts.word) && file.reader.start(nameNode) < file.reader.start(parameters);
    const last = file.reader.end(hasBody ? body : parts.last);
    if (isWritten) {
      builder.set('symbols', 'endLine', symbol, builder.lineOf(last));
      builder.set('symbols', 'endColumn', symbol, builder.columnOf(last));
    } else file.expanded.set(nameNode, symbol);
    const headEnd = hasBody ? file.reader.start(body) : last;
    builder.set('symbols', 'signature', symbol, builder.internShown(foldedText(file.table.text, file.reader.start(parts.word), headEnd)));
    if (self === undefined) builder.addBinding({ scope: this.options.around.home, name: file.word(nameNode), kind: 'symbol', symbol });
    const scope = builder.addScope('function', frame.scope, symbol);
    const arrow = head.findIndex(token => file.text(token) === '->');
    const inside: Frame = { ...frame, scope, home: scope, owner: symbol, self, body: newBody(), place: 'body' };
    const returnType = arrow < 0 ? NONE : this.#types.read(head.slice(arrow + 1), inside).row;
    const row = builder.addFunction({ symbol, scope, returnType });
    builder.set('scopes', 'function', scope, row);
    builder.set('symbols', 'scope', symbol, scope);
    builder.set('symbols', 'function', symbol, row);
    this.#parameters(innerTokens(file, parameters), inside, row);
    if (hasBody) this.read(innerTokens(file, body), inside, undefined);
  }

  /** `self` and `name: Type`. */
  #parameters(tokens: readonly SyntaxNode[], frame: Frame, row: FunctionRow): void {
    const file = this.#file;
    const { builder } = file;
    const rows: BindingRow[] = [];
    for (const part of separated(file, tokens)) {
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

  #opens(token: SyntaxNode, delimiter: string): boolean {
    return this.#file.is(token, 'token_tree') && this.#file.table.text[this.#file.reader.start(token)] === delimiter;
  }
}
