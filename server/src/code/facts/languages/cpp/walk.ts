import { type ExpressionRow, MODULE_SCOPE, NONE, type ScopeRow, type StringIndex, type SymbolRow, scopeRow } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE } from '../../../parse/syntaxReader';
import type { SyntaxNode, SyntaxTable } from '../../../parse/syntaxTable';
import type { FactTables } from '../../factTables';
import { FileWalk } from '../../walk/fileWalk';
import type { FunctionBody } from '../../walk/frames';
import { StatementWalk } from '../../walk/treeWalk';
import type { CppGrammar, FieldName, KindName } from './grammar';

/** Scope that names behind a leading `::` are looked up in: the hidden scope of the file. */
export const GLOBAL_SCOPE = scopeRow(1);

/** What declarations around the one at hand make of it. */
export interface Place {
  readonly kind: 'file' | 'namespace' | 'class';
  /** Symbol that declarations here are inside of, or `NONE`. */
  readonly symbol: SymbolRow;
  /** Scope that other files see the names of. */
  readonly scope: ScopeRow;
  /** Block scope inside `scope` for names with internal linkage; the same as `scope` in classes. Code is written in it. */
  readonly hidden: ScopeRow;
  /** Inside an anonymous namespace. */
  readonly isAnonymous: boolean;
  /** Namespace as written with `::`, '' for the global one. */
  readonly path: string;
  /** Name of the class, '' elsewhere. */
  readonly className: string;
}

/** Its grammar has tokens besides kinds and fields. */
export class CppFile extends FileWalk<KindName, FieldName> {
  constructor(
    table: SyntaxTable,
    override readonly grammar: CppGrammar,
    language: LanguageId,
    tables: FactTables,
  ) {
    super(table, grammar, language, tables);
  }
}

export type ValueHandler = (walk: CppWalk, node: SyntaxNode) => ExpressionRow;
export type StatementHandler = (walk: CppWalk, node: SyntaxNode) => void;

export interface Handlers {
  readonly values: readonly (ValueHandler | undefined)[];
  readonly statements: readonly (StatementHandler | undefined)[];
  /** Row of a type specifier. */
  readonly type: ValueHandler;
  /** Declares a struct, class, union or enum with a body under its name or the one given; its symbol, `NONE` for mere mentions. */
  readonly declareType: (walk: CppWalk, node: SyntaxNode, name: SyntaxNode) => SymbolRow;
}

/** Where the walk through a file stands: set and restored rather than handed on, because declarations change much of it one by one. */
export class CppWalk extends StatementWalk<CppFile, void> {
  /** Scope that names are looked up in. */
  scope = MODULE_SCOPE;
  /** Innermost symbol with a node, or `NONE`. */
  owner: SymbolRow = NONE;
  body: FunctionBody | undefined;
  place: Place;
  /** `template<…>` lists that the next declaration belongs to. */
  templates: readonly SyntaxNode[] = [];
  /** Bits of the access that the members at hand have. */
  access = 0;
  /** Definitions outside classes by qualified name, with the counts of their parameters: a declaration in the same file makes no symbol. */
  readonly defined = new Map<string, number[]>();
  /** What declarations that made no symbol say about their definitions. */
  readonly modifiersDefined = new Map<string, number>();
  /** Namespaces opened so far by path. */
  readonly namespaces = new Map<string, Place>();
  /** Symbols of types declared in this file by qualified name. */
  readonly types = new Map<string, SymbolRow>();
  readonly isCpp: boolean;
  readonly #primitives = new Map<StringIndex, ExpressionRow>();

  constructor(
    file: CppFile,
    language: LanguageId,
    protected readonly handlers: Handlers,
  ) {
    super(file);
    this.isCpp = language === 'cpp';
    const scope = this.file.builder.addScope('module', NONE);
    const hidden = this.file.builder.addScope('block', scope);
    this.scope = hidden;
    this.place = { kind: 'file', symbol: NONE, scope, hidden, isAnonymous: false, path: '', className: '' };
    this.namespaces.set('', this.place);
  }

  /** Row of a type specifier; `NONE` for `auto` and for none. Types with a body are declared. */
  type(node: SyntaxNode): ExpressionRow {
    return node === NO_NODE ? NONE : this.file.nested(NONE, () => this.handlers.type(this, node));
  }

  /** Symbol of a type that is declared here, `NONE` for mere mentions. `nameNode` names what has no name of its own. */
  declareType(node: SyntaxNode, nameNode: SyntaxNode = NO_NODE): SymbolRow {
    return this.handlers.declareType(this, node, nameNode);
  }

  /** Path of a name declared here. */
  pathOf(name: string): string {
    return this.place.path === '' ? name : `${this.place.path}::${name}`;
  }

  /** True when a declaration has its definition in this file; every definition answers for one. */
  takeDefined(name: string, parameters: number, modifiers: number): boolean {
    const path = this.pathOf(name);
    const counts = this.defined.get(path);
    const at = counts?.indexOf(parameters) ?? -1;
    if (counts === undefined || at < 0) return false;
    counts.splice(at, 1);
    this.modifiersDefined.set(path, modifiers);
    return true;
  }

  /** Runs `visit` in a block scope of its own. */
  inBlock(visit: () => void): void {
    const before = this.scope;
    this.scope = this.file.builder.addScope('block', before);
    visit();
    this.scope = before;
  }

  name(word: StringIndex): ExpressionRow {
    return this.file.row('name', this.scope, NONE, word);
  }

  /** Row of a built-in type. */
  primitive(text: string): ExpressionRow {
    const word = this.file.builder.intern(text);
    let row = this.#primitives.get(word);
    if (row === undefined) {
      row = this.file.row('name', MODULE_SCOPE, NONE, word);
      this.#primitives.set(word, row);
    }
    return row;
  }

  decision(): void {
    if (this.body !== undefined) this.body.decisions.count++;
  }

  /** Template lists that wait for a declaration; they are taken once. */
  takeTemplates(): readonly SyntaxNode[] {
    const { templates } = this;
    this.templates = [];
    return templates;
  }
}
