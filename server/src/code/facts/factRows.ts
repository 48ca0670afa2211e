/**
 * The tables of a file's facts gone through column by column, always in the order in which they are stored.
 *
 * Written out, because the tables differ: made by copying or by name, each table costs a search per column, for every file twice.
 */
import type {
  AssignmentTable,
  BindingTable,
  ExportTable,
  ExpressionTable,
  FileFacts,
  FunctionTable,
  HeritageTable,
  ImportTable,
  ReferenceTable,
  ScopeTable,
  SymbolTable,
} from '../../model/facts';

/** What becomes of a column: called with the column of the table given and the number of its rows. */
export interface ColumnVisitor {
  /** Called before the columns of each table with the rows it has; returns those it shall have. */
  count(rows: number): number;
  words<Column extends Int32Array>(column: Column, count: number): Column;
  bytes(column: Uint8Array, count: number): Uint8Array;
}

/** The tables of a file's facts, without its strings and lists. */
export type FactRows = Pick<
  FileFacts,
  'symbols' | 'functions' | 'scopes' | 'bindings' | 'expressions' | 'assignments' | 'references' | 'heritage' | 'imports' | 'exports'
>;

/** Hands each column of all tables to the visitor, and makes tables of what it returns. */
export function visitColumns(rows: FactRows, visitor: ColumnVisitor): FactRows {
  return {
    symbols: symbolRows(rows.symbols, visitor),
    functions: functionRows(rows.functions, visitor),
    scopes: scopeRows(rows.scopes, visitor),
    bindings: bindingRows(rows.bindings, visitor),
    expressions: expressionRows(rows.expressions, visitor),
    assignments: assignmentRows(rows.assignments, visitor),
    references: referenceRows(rows.references, visitor),
    heritage: heritageRows(rows.heritage, visitor),
    imports: importRows(rows.imports, visitor),
    exports: exportRows(rows.exports, visitor),
  };
}

function symbolRows(rows: SymbolTable, visitor: ColumnVisitor): SymbolTable {
  const count = visitor.count(rows.count);
  return {
    count,
    name: visitor.words(rows.name, count),
    parent: visitor.words(rows.parent, count),
    container: visitor.words(rows.container, count),
    receiver: visitor.words(rows.receiver, count),
    ordinal: visitor.words(rows.ordinal, count),
    modifiers: visitor.words(rows.modifiers, count),
    startLine: visitor.words(rows.startLine, count),
    startColumn: visitor.words(rows.startColumn, count),
    endLine: visitor.words(rows.endLine, count),
    endColumn: visitor.words(rows.endColumn, count),
    nameLine: visitor.words(rows.nameLine, count),
    nameColumn: visitor.words(rows.nameColumn, count),
    scope: visitor.words(rows.scope, count),
    function: visitor.words(rows.function, count),
    type: visitor.words(rows.type, count),
    value: visitor.words(rows.value, count),
    signature: visitor.words(rows.signature, count),
    doc: visitor.words(rows.doc, count),
    firstLine: visitor.words(rows.firstLine, count),
    hash: visitor.words(rows.hash, count),
    complexity: visitor.words(rows.complexity, count),
    kind: visitor.bytes(rows.kind, count),
  };
}

function functionRows(rows: FunctionTable, visitor: ColumnVisitor): FunctionTable {
  const count = visitor.count(rows.count);
  return {
    count,
    symbol: visitor.words(rows.symbol, count),
    scope: visitor.words(rows.scope, count),
    parameterStart: visitor.words(rows.parameterStart, count),
    parameterCount: visitor.words(rows.parameterCount, count),
    returnType: visitor.words(rows.returnType, count),
    returnStart: visitor.words(rows.returnStart, count),
    returnCount: visitor.words(rows.returnCount, count),
    modifiers: visitor.words(rows.modifiers, count),
  };
}

function scopeRows(rows: ScopeTable, visitor: ColumnVisitor): ScopeTable {
  const count = visitor.count(rows.count);
  return {
    count,
    parent: visitor.words(rows.parent, count),
    symbol: visitor.words(rows.symbol, count),
    function: visitor.words(rows.function, count),
    package: visitor.words(rows.package, count),
    kind: visitor.bytes(rows.kind, count),
  };
}

function bindingRows(rows: BindingTable, visitor: ColumnVisitor): BindingTable {
  const count = visitor.count(rows.count);
  return {
    count,
    scope: visitor.words(rows.scope, count),
    name: visitor.words(rows.name, count),
    symbol: visitor.words(rows.symbol, count),
    import: visitor.words(rows.import, count),
    type: visitor.words(rows.type, count),
    value: visitor.words(rows.value, count),
    function: visitor.words(rows.function, count),
    position: visitor.words(rows.position, count),
    kind: visitor.bytes(rows.kind, count),
  };
}

function expressionRows(rows: ExpressionTable, visitor: ColumnVisitor): ExpressionTable {
  const count = visitor.count(rows.count);
  return {
    count,
    a: visitor.words(rows.a, count),
    b: visitor.words(rows.b, count),
    text: visitor.words(rows.text, count),
    listStart: visitor.words(rows.listStart, count),
    listCount: visitor.words(rows.listCount, count),
    operator: visitor.bytes(rows.operator, count),
  };
}

function assignmentRows(rows: AssignmentTable, visitor: ColumnVisitor): AssignmentTable {
  const count = visitor.count(rows.count);
  return {
    count,
    target: visitor.words(rows.target, count),
    name: visitor.words(rows.name, count),
    value: visitor.words(rows.value, count),
    type: visitor.words(rows.type, count),
    symbol: visitor.words(rows.symbol, count),
    owner: visitor.words(rows.owner, count),
  };
}

function referenceRows(rows: ReferenceTable, visitor: ColumnVisitor): ReferenceTable {
  const count = visitor.count(rows.count);
  return {
    count,
    expression: visitor.words(rows.expression, count),
    owner: visitor.words(rows.owner, count),
    name: visitor.words(rows.name, count),
    line: visitor.words(rows.line, count),
    column: visitor.words(rows.column, count),
    kind: visitor.bytes(rows.kind, count),
  };
}

function heritageRows(rows: HeritageTable, visitor: ColumnVisitor): HeritageTable {
  const count = visitor.count(rows.count);
  return {
    count,
    symbol: visitor.words(rows.symbol, count),
    expression: visitor.words(rows.expression, count),
    receiver: visitor.words(rows.receiver, count),
    line: visitor.words(rows.line, count),
    column: visitor.words(rows.column, count),
    kind: visitor.bytes(rows.kind, count),
  };
}

function importRows(rows: ImportTable, visitor: ColumnVisitor): ImportTable {
  const count = visitor.count(rows.count);
  return {
    count,
    specifier: visitor.words(rows.specifier, count),
    level: visitor.words(rows.level, count),
    importedName: visitor.words(rows.importedName, count),
    localName: visitor.words(rows.localName, count),
    binding: visitor.words(rows.binding, count),
    line: visitor.words(rows.line, count),
    column: visitor.words(rows.column, count),
    aliasLine: visitor.words(rows.aliasLine, count),
    aliasColumn: visitor.words(rows.aliasColumn, count),
    kind: visitor.bytes(rows.kind, count),
    typeOnly: visitor.bytes(rows.typeOnly, count),
  };
}

function exportRows(rows: ExportTable, visitor: ColumnVisitor): ExportTable {
  const count = visitor.count(rows.count);
  return {
    count,
    exportedName: visitor.words(rows.exportedName, count),
    localName: visitor.words(rows.localName, count),
    importedName: visitor.words(rows.importedName, count),
    import: visitor.words(rows.import, count),
    value: visitor.words(rows.value, count),
    line: visitor.words(rows.line, count),
    column: visitor.words(rows.column, count),
    aliasLine: visitor.words(rows.aliasLine, count),
    aliasColumn: visitor.words(rows.aliasColumn, count),
    kind: visitor.bytes(rows.kind, count),
  };
}
