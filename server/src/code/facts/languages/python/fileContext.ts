import { BINDING_KINDS, NONE, type Operator, operatorCode, type ReferenceKind, SCOPE_KINDS } from '../../../../model/facts';
import type { LanguageId } from '../../../../model/languages';
import { NO_NODE, SyntaxReader } from '../../../parse/syntaxReader';
import type { SyntaxTable } from '../../../parse/syntaxTable';
import { FactsBuilder } from '../../factsBuilder';
import type { FactTables } from '../../factTables';
import type { FieldName, KindName, PythonGrammar } from './grammar';

interface Use {
  readonly kind: ReferenceKind;
  readonly expression: number;
  readonly owner: number;
  readonly name: number;
  readonly at: number;
  /** Scope of a plain name that is worth a reference only when it is not a local; `NONE`: always worth one. */
  readonly scope: number;
}

const CLASS_SCOPE = SCOPE_KINDS.indexOf('class');
const NARROWED = BINDING_KINDS.indexOf('narrowed');
const GLOBAL = BINDING_KINDS.indexOf('global');
const LASTING: ReadonlySet<number> = new Set([BINDING_KINDS.indexOf('symbol'), BINDING_KINDS.indexOf('import')]);
const KEY = 4_194_304;

/** One file under extraction: its tree, its builder, and the uses of names seen so far. */
export class FileContext {
  readonly builder: FactsBuilder;
  readonly reader: SyntaxReader;
  readonly #uses: Use[] = [];
  /** Offsets read so far: `x.a += 1` looks at `x` twice and uses it once. */
  readonly #readAt = new Set<number>();
  readonly #literals = new Map<string, number>();
  #unknown = NONE;
  hasStarImport = false;

  constructor(
    readonly table: SyntaxTable,
    readonly grammar: PythonGrammar,
    language: LanguageId,
    tables: FactTables,
  ) {
    this.builder = new FactsBuilder(table.text, language, tables);
    this.reader = new SyntaxReader(table);
  }

  is(node: number, kind: KindName): boolean {
    return node !== NO_NODE && this.reader.kind(node) === this.grammar.kind[kind];
  }

  child(node: number, field: FieldName): number {
    return this.reader.childByField(node, this.grammar.field[field]);
  }

  childOf(node: number, kind: KindName): number {
    return this.reader.childByKind(node, this.grammar.kind[kind]);
  }

  text(node: number): string {
    return node === NO_NODE ? '' : this.reader.text(node);
  }

  /** Interned text of a node. */
  word(node: number): number {
    return this.builder.internRange(this.reader.start(node), this.reader.end(node));
  }

  /** Named children that are not comments. */
  children(node: number): number[] {
    if (node === NO_NODE) return [];
    return this.reader.namedChildren(node).filter(child => !this.is(child, 'comment'));
  }

  row(operator: Operator, a: number = NONE, b: number = NONE, text = 0, list?: readonly number[]): number {
    return this.builder.addExpression(operatorCode[operator], a, b, text, list);
  }

  literal(text: string): number {
    let row = this.#literals.get(text);
    if (row === undefined) {
      row = this.row('literal', NONE, NONE, this.builder.intern(text));
      this.#literals.set(text, row);
    }
    return row;
  }

  unknown(): number {
    if (this.#unknown === NONE) this.#unknown = this.row('unknown');
    return this.#unknown;
  }

  /** Any of the rows; none: unknown. */
  either(rows: readonly number[]): number {
    const [only] = rows;
    if (only === undefined) return this.unknown();
    return rows.length === 1 ? only : this.row('either', NONE, NONE, 0, rows);
  }

  use(kind: ReferenceKind, expression: number, owner: number, name: number, at: number): void {
    if (kind === 'read' && this.#isReadAgain(at)) return;
    this.#uses.push({ kind, expression, owner, name, at, scope: NONE });
  }

  /** A plain name used as a value in `scope`. */
  readName(expression: number, owner: number, name: number, at: number, scope: number): void {
    if (!this.#isReadAgain(at)) this.#uses.push({ kind: 'read', expression, owner, name, at, scope });
  }

  #isReadAgain(at: number): boolean {
    const before = this.#readAt.size;
    return this.#readAt.add(at).size === before;
  }

  /** Writes the uses as references, without the reads of locals and built-ins. */
  writeReferences(): void {
    const lasting = this.#bindingTable();
    for (const { kind, expression, owner, name, at, scope } of this.#uses) {
      if (scope === NONE || this.#isLasting(lasting, scope, name)) this.builder.addReference(kind, expression, owner, name, at);
    }
  }

  /** By scope and name: 2 when some binding is a symbol or import, 1 when all are locals, 0 when it looks through to outer scopes. */
  #bindingTable(): Map<number, number> {
    const { count, scope, name, kind } = this.builder.bindings;
    const table = new Map<number, number>();
    for (let row = 0; row < count; row++) {
      const code = kind[row] ?? 0;
      const rank = LASTING.has(code) ? 2 : code === NARROWED || code === GLOBAL ? 0 : 1;
      const key = (scope[row] ?? 0) * KEY + (name[row] ?? 0);
      table.set(key, Math.max(rank, table.get(key) ?? 0));
    }
    return table;
  }

  #isLasting(table: ReadonlyMap<number, number>, from: number, name: number): boolean {
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
}
