/** Names in lists of imports and exports: each is the symbol it stands for, through re-exports. */
import { confidenceOf, sourceCode } from '../../../model/evidence';
import { EXPORT_KINDS, exportRow, IMPORT_KINDS, type ImportRow, MODULE_SCOPE, NO_TEXT, NONE } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { relationCode } from '../../../model/relations';
import { declaredBy, namedByImport, symbolsNamed } from '../evaluate/declared/symbols';
import { AS_TYPE, AS_VALUE, type DeclaredSymbol } from '../evaluate/evaluator';
import { exportNamed } from '../evaluate/imports';
import type { NameNumber } from '../numbers';
import { VALUE } from '../values';
import { definedNode } from './callTargets';
import { candidate, type Outcome, type Site } from './reached';
import type { SiteContext } from './siteContext';

const KINDS = Object.fromEntries(IMPORT_KINDS.map((kind, code) => [kind, code])) as Record<(typeof IMPORT_KINDS)[number], number>;
/** Kinds of imports that name something inside of what they import. */
const NAMING: ReadonlySet<number> = new Set([KINDS.named, KINDS.default, KINDS.reexport, KINDS.require]);
const LISTED: ReadonlySet<number> = new Set([EXPORT_KINDS.indexOf('local'), EXPORT_KINDS.indexOf('names')]);
const { NAMES, RE_EXPORTS } = relationCode;
/** Declarations of one name that are written down; overloads may be many. */
const MAX_TARGETS = 8;

/** Nodes of the symbols that an import row names; none where it names a file, a package or something outside. */
export function nodesNamed({ ev, file }: SiteContext, row: ImportRow): readonly NodeHandle[] {
  const { imports } = file.facts;
  const kind = imports.kind[row] ?? 0;
  if (kind === KINDS.require && (file.rules.openObjects !== true || imports.binding[row] === NONE)) return [];
  // In languages with packages an alias may stand for a type as well as for a package.
  if (!NAMING.has(kind) && (file.isModular || kind !== KINDS.namespace)) return [];
  const symbols = NAMING.has(kind) ? namedByImport(ev, file, row) : [];
  if (symbols.length > 0) return nodesOf(ev, symbols);
  const nodes = new Set<NodeHandle>();
  for (const mode of [AS_TYPE, AS_VALUE] as const) {
    for (const value of ev.values.members(ev.imported(file, row, mode))) {
      const found = ev.values.kindOf(value);
      if (mode === AS_TYPE ? found === VALUE.instance : DECLARED.has(found)) nodes.add(definedNode(ev, ev.values.node(value)));
    }
  }
  return [...nodes].slice(0, MAX_TARGETS);
}

const DECLARED: ReadonlySet<number> = new Set([VALUE.class, VALUE.function, VALUE.namespace]);

function nodesOf(ev: SiteContext['ev'], symbols: readonly DeclaredSymbol[]): readonly NodeHandle[] {
  return [...new Set(symbols.map(symbol => definedNode(ev, symbol.file.symbolNodes[symbol.row] ?? NO_NODE)))].slice(0, MAX_TARGETS);
}

/** NAMES, for `export … from` RE_EXPORTS, from the file to the symbols of an import row, where the name stands and where the name that it gets here does. */
export function writeImportedName(context: SiteContext, row: ImportRow, nodes: readonly NodeHandle[]): void {
  const { file } = context;
  const { imports } = file.facts;
  const isDefault = imports.kind[row] === KINDS.default;
  const imported = file.text((isDefault ? imports.localName[row] : imports.importedName[row]) ?? NO_TEXT);
  const name = imported === '' ? lastName(file.text(imports.specifier[row] ?? NO_TEXT)) : imported;
  const relation = imports.kind[row] === KINDS.reexport ? RE_EXPORTS : NAMES;
  // A call of `require` names nothing itself.
  if (imports.kind[row] !== KINDS.require) write(context, relation, nodes, { line: imports.line[row] ?? 0, column: imports.column[row] ?? 0, name });
  const line = imports.aliasLine[row] ?? NONE;
  if (line !== NONE) write(context, relation, nodes, { line, column: imports.aliasColumn[row] ?? 0, name: aliasOf(context, row) });
}

/** The local name of an import, of a re-export the one that it is exported under. */
function aliasOf({ file }: SiteContext, row: ImportRow): string {
  const { imports, exports } = file.facts;
  const local = file.text(imports.localName[row] ?? NO_TEXT);
  return local === '' ? file.text(exports.exportedName[exports.import.indexOf(row)] ?? NO_TEXT) : local;
}

function lastName(specifier: string): string {
  return /[^.:\\/]*$/.exec(specifier)?.[0] ?? specifier;
}

/** NAMES from the file to what its lists of exports (`export { a }`, `__all__`) name, RE_EXPORTS to what they name of other files. */
export function writeExportedNames(context: SiteContext): void {
  const { ev, file } = context;
  const { exports } = file.facts;
  for (let row = exportRow(0); row < exports.count; row++) {
    const line = exports.line[row] ?? NONE;
    if (line === NONE || !LISTED.has(exports.kind[row] ?? 0)) continue;
    const name = exports.localName[row] ?? NO_TEXT;
    const first = file.firstBinding(MODULE_SCOPE, file.name(name));
    const declared = first === NONE ? [] : nodesOf(ev, declaredBy(ev, file, first, 0));
    const nodes = declared.length > 0 || first !== NONE ? declared : valuesOf(context, file.name(name));
    const isOwn = nodes.every(node => ev.project.ownerOf(node) === file);
    const relation = isOwn ? NAMES : RE_EXPORTS;
    write(context, relation, nodes, { line, column: exports.column[row] ?? 0, name: file.text(name) });
    const at = exports.aliasLine[row] ?? NONE;
    if (at !== NONE)
      write(context, relation, nodes, { line: at, column: exports.aliasColumn[row] ?? 0, name: file.text(exports.exportedName[row] ?? NO_TEXT) });
  }
}

/** What a name that no binding of the file has gives: a wildcard import may bring it in. */
function valuesOf({ ev, file }: SiteContext, name: NameNumber): readonly NodeHandle[] {
  const values = ev.values.members(exportNamed(ev, file, name, AS_VALUE)).filter(value => DECLARED.has(ev.values.kindOf(value)));
  return values.map(value => definedNode(ev, ev.values.node(value))).slice(0, MAX_TARGETS);
}

/** A name that CommonJS exports: NAMES for what the file declares, RE_EXPORTS for what is of another. */
export function exportSite({ ev, file, writer }: SiteContext, site: Site): Outcome {
  const nodes = nodesOf(ev, symbolsNamed(ev, file, site.expression));
  const relation = nodes.every(node => ev.project.ownerOf(node) === file) ? NAMES : RE_EXPORTS;
  for (const node of nodes) writer.add(relation, file.fileNode, site.line, site.column, site.length, [candidate(node, 'import')]);
  return nodes.length > 0 ? 'resolved' : 'ignored';
}

interface Listed {
  readonly line: number;
  readonly column: number;
  readonly name: string;
}

/** One site for each: a list names all overloads at once. */
function write({ file, writer }: SiteContext, relation: number, nodes: readonly NodeHandle[], { line, column, name }: Listed): void {
  for (const node of nodes) {
    const candidate = { node, confidence: confidenceOf('import'), source: sourceCode.import };
    writer.add(relation, file.fileNode, line, column, Math.max(1, name.length), [candidate]);
  }
}
