/** `declare module './x' { interface A { … } }` in a module adds to what `./x` exports; anywhere else it declares a module. */
import { type ExpressionRow, NO_TEXT, NONE, operatorCode, type StringIndex, type SymbolRow, symbolRow } from '../../../../../model/facts';
import { symbolKindCode } from '../../../../../model/nodes';
import { NO_NODE } from '../../../../parse/syntaxReader';
import { type SyntaxNode, syntaxNode } from '../../../../parse/syntaxTable';
import type { Walk } from '../walk';

/** What has members that are taken from its instances. */
const MERGED: ReadonlySet<number> = new Set([symbolKindCode.class, symbolKindCode.interface]);

export interface ModuleBlock {
  readonly specifier: StringIndex;
  /** Offset of the specifier. */
  readonly at: number;
  readonly body: SyntaxNode;
  /** The symbol of the block. */
  readonly symbol: SymbolRow;
}

/** Each declaration of the block, which is read already, refers to the one that it adds to. */
export function referToAugmented(walk: Walk, { at, body, specifier, symbol }: ModuleBlock): void {
  if (!isInModule(walk)) return;
  const { builder, reader } = walk;
  const own = rowsIn(walk, symbol);
  let module: ExpressionRow = NONE;
  for (const statement of reader.namedChildren(body)) {
    const node = declarationOf(walk, statement);
    const nameNode = node === NO_NODE ? NO_NODE : walk.child(node, walk.kinds.field.name);
    const name = nameNode === NO_NODE ? NO_TEXT : walk.nameOf(nameNode);
    const row = own.get(name);
    if (row === undefined) continue;
    if (module === NONE) {
      const imported = builder.addImport({ kind: 'dynamic', specifier, typeOnly: true, at });
      module = builder.addExpression(operatorCode.module, imported, NONE, specifier);
    }
    const augmented = walk.row(operatorCode.member, module, NONE, name);
    builder.addReference('type', augmented, row, name, reader.start(nameNode));
    // What is added is found on what it is added to, as on a base.
    if (MERGED.has(builder.symbols.kind[row] ?? 0)) {
      const addition = builder.addExpression(operatorCode.name, builder.symbols.scope[symbol] ?? NONE, NONE, name);
      builder.addHeritage(NONE, 'extends', addition, reader.start(nameNode), augmented);
    }
  }
}

/** The first symbol of each name directly below `symbol`, the newest one. */
function rowsIn(walk: Walk, symbol: SymbolRow): ReadonlyMap<StringIndex, SymbolRow> {
  const { symbols } = walk.builder;
  const rows = new Map<StringIndex, SymbolRow>();
  for (let row = symbolRow(symbol + 1); row < symbols.count; row++) {
    const name = symbols.name[row] ?? NO_TEXT;
    if (symbols.parent[row] === symbol && !rows.has(name)) rows.set(name, row);
  }
  return rows;
}

/** What can be added to: an interface, a class, an enum or a namespace. */
function declarationOf(walk: Walk, statement: SyntaxNode): SyntaxNode {
  const { field, node } = walk.kinds;
  let inner = walk.kind[statement] === node.export_statement ? walk.child(statement, field.declaration) : statement;
  // A namespace is read as an expression.
  if (inner !== NO_NODE && walk.kind[inner] === node.expression_statement) inner = walk.reader.firstNamedChild(inner);
  const kind = inner === NO_NODE ? undefined : walk.kind[inner];
  const isOpen = kind === node.interface_declaration || kind === node.class_declaration || kind === node.enum_declaration || kind === node.internal_module;
  return isOpen ? inner : NO_NODE;
}

/** A file with an import or export at its top is a module. */
export function isInModule({ kind, kinds, reader }: Walk): boolean {
  const end = reader.after(syntaxNode(0));
  for (let node = syntaxNode(1); node < end; node = reader.after(node)) {
    if (kind[node] === kinds.node.import_statement || kind[node] === kinds.node.export_statement) return true;
  }
  return false;
}
