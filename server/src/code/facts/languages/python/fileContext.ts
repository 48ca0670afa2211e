import {
  BINDING_KINDS,
  type ExpressionRow,
  NONE,
  type ReferenceKind,
  SCOPE_KINDS,
  type ScopeRow,
  type StringIndex,
  type SymbolRow,
} from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import type { SyntaxTable } from '../../../parse/syntaxTable';
import type { FactTables } from '../../factTables';
import { FileWalk, KEY } from '../../walk/fileWalk';
import type { FieldName, KindName, PythonGrammar } from './grammar';

const CLASS_SCOPE = SCOPE_KINDS.indexOf('class');
const GLOBAL = BINDING_KINDS.indexOf('global');

/** One file under extraction. Reads of built-ins are no uses, unless a star import may bring the name. */
export class FileContext extends FileWalk<KindName, FieldName> {
  /** Offsets read so far: `x.a += 1` looks at `x` twice and uses it once. */
  readonly #readAt = new Set<number>();
  hasStarImport = false;

  constructor(
    table: SyntaxTable,
    override readonly grammar: PythonGrammar,
    language: LanguageId,
    tables: FactTables,
  ) {
    super(table, grammar, language, tables);
  }

  override use(kind: ReferenceKind, expression: ExpressionRow, owner: SymbolRow, name: StringIndex, at: number): void {
    if (kind !== 'read' || !this.#isReadAgain(at)) super.use(kind, expression, owner, name, at);
  }

  override readName(expression: ExpressionRow, owner: SymbolRow, name: StringIndex, at: number, scope: ScopeRow): void {
    if (!this.#isReadAgain(at)) super.readName(expression, owner, name, at, scope);
  }

  protected override rankOf(kind: number): number {
    return kind === GLOBAL ? 0 : super.rankOf(kind);
  }

  /** Functions do not see the names of the class around them. */
  protected override isLasting(table: ReadonlyMap<number, number>, from: ScopeRow, name: StringIndex): boolean {
    const { parent, kind, function: functionOf } = this.builder.scopes;
    let leftFunction = false;
    for (let scope = from; scope !== NONE; scope = parent[scope] ?? NONE) {
      if (kind[scope] !== CLASS_SCOPE || !leftFunction) {
        const rank = table.get(scope * KEY + name) ?? 0;
        if (rank > 0) return rank === 2;
      }
      if ((functionOf[scope] ?? NONE) !== NONE) leftFunction = true;
    }
    return this.hasStarImport;
  }

  #isReadAgain(at: number): boolean {
    const before = this.#readAt.size;
    return this.#readAt.add(at).size === before;
  }
}
