/**
 * Sites whose target a precise index names: one candidate, certain, with source `scip`. Our own facts say what kind of use it is and whose;
 * where the kind of the target does not fit the use (a call of a variable that holds a function) our own rules go on.
 */
import { confidenceOf, sourceCode } from '../../../model/evidence';
import { type ExpressionRow, NO_TEXT, NONE, REFERENCE_KINDS, type ReferenceKind, type ReferenceRow, type SymbolRow, symbolRow } from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import { symbolKindCode } from '../../../model/nodes';
import { type Relation, relationCode } from '../../../model/relations';
import { argumentsOf } from '../evaluate/operands';
import type { FileState } from '../fileState';
import { writeConstructors } from '../sites/constructorSites';
import type { SiteContext } from '../sites/siteContext';
import type { Candidate } from '../sites/siteWriter';
import { writeTests } from '../sites/testSites';
import { BEFORE_DOT, readRelation, TYPE_VALUES, VARIABLE_RELATIONS } from '../sites/variableRelations';
import { CALLABLE_KINDS, CLASS_KINDS, TYPE_KINDS } from './preciseFile';

export function preciseCandidate(node: NodeHandle): Candidate {
  return { node, confidence: confidenceOf('scip'), source: sourceCode.scip };
}

/** Relation that a use has to a target of a kind; undefined where the index alone does not tell. */
type Reading = (kind: number) => Relation | undefined;

const typed =
  (relation: Relation): Reading =>
  kind =>
    TYPE_KINDS.has(kind) ? relation : undefined;
const called: Reading = kind => (CLASS_KINDS.has(kind) ? 'INSTANTIATES' : CALLABLE_KINDS.has(kind) ? 'CALLS' : undefined);

const READINGS: Readonly<Record<ReferenceKind, Reading>> = {
  call: called,
  jsx: called,
  new: kind => (CLASS_KINDS.has(kind) || kind === symbolKindCode.constructor ? 'INSTANTIATES' : undefined),
  type: typed('USES_TYPE'),
  decorator: kind => (CALLABLE_KINDS.has(kind) || CLASS_KINDS.has(kind) ? 'DECORATES' : undefined),
  raise: typed('RAISES'),
  catch: typed('CATCHES'),
  assertType: typed('ASSERTS_TYPE'),
  enter: typed('USES_CONTEXT_MANAGER'),
  read: readRelation,
  object: kind => (BEFORE_DOT.has(kind) ? readRelation(kind) : undefined),
  export: () => 'NAMES',
  keyword: () => undefined,
  implicit: () => undefined,
  qualifier: kind => (TYPE_VALUES.has(kind) ? readRelation(kind) : undefined),
  write: kind => (VARIABLE_RELATIONS.has(kind) ? 'ASSIGNS_TO' : undefined),
};

/** Uses of outside code that make no site; of the others our own rules name the outside thing. */
const COUNTED_OUTSIDE: ReadonlySet<ReferenceKind> = new Set(['call', 'new', 'jsx']);

/** Writes the site of a reference row if the index knows its target; undefined when our own rules have to. */
export function writePrecise(context: SiteContext, row: ReferenceRow, owner: SymbolRow): 'resolved' | 'external' | 'ignored' | undefined {
  const { file, precise, writer } = context;
  if (precise === undefined) return undefined;
  const { references } = file.facts;
  const kind = REFERENCE_KINDS[references.kind[row] ?? 0] ?? 'read';
  const from = owner === NONE ? file.fileNode : (file.symbolNodes[owner] ?? file.fileNode);
  const length = file.text(references.name[row] ?? NO_TEXT).length;
  const site = { from, line: references.line[row] ?? 0, column: references.column[row] ?? 0, length };
  const target = precise.targetAt(site.line, site.column, length);
  if (target === undefined) return undefined;
  if (target === 'external') return COUNTED_OUTSIDE.has(kind) ? 'external' : undefined;
  const relation = target.isValue && (kind === 'call' || kind === 'new') ? undefined : READINGS[kind](target.kind);
  if (relation === undefined) return undefined;
  const node = relation === 'INSTANTIATES' || TYPED.has(relation) ? classOf(context, target.node, target.kind) : target.node;
  if (node === from && VARIABLE_RELATIONS.get(target.kind) === relation) return 'ignored';
  if (relation === 'DECORATES') writer.add(relationCode.DECORATES, node, site.line, site.column, length, [preciseCandidate(from)]);
  else writer.add(relationCode[relation], from, site.line, site.column, length, [preciseCandidate(node)]);
  if (file.isTest && CALLING.has(relation)) writeTests(context, site, [preciseCandidate(node)]);
  if (relation === 'INSTANTIATES') writePreciseConstructor(context, site, node, target.node, references.expression[row] ?? NONE);
  return 'resolved';
}

const CALLING: ReadonlySet<Relation> = new Set(['CALLS', 'INSTANTIATES']);

/** The constructor that the index names where a class is made; where it names the class, the one that our own rules find. */
function writePreciseConstructor(
  context: SiteContext,
  site: { readonly from: NodeHandle; readonly line: number; readonly column: number; readonly length: number },
  made: NodeHandle,
  named: NodeHandle,
  expression: ExpressionRow,
): void {
  if (named === made) writeConstructors(context, site, [preciseCandidate(made)], expression === NONE ? undefined : argumentsOf(context.file, expression));
  else context.writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, [preciseCandidate(named)]);
}

const TYPED: ReadonlySet<Relation> = new Set(['RAISES', 'CATCHES']);

/** The class of a constructor, for indexers that name constructors where a class is made. */
function classOf({ ev }: SiteContext, node: NodeHandle, kind: number): NodeHandle {
  if (kind !== symbolKindCode.constructor) return node;
  const owner = ev.project.ownerOf(node);
  const parent = owner?.facts.symbols.parent[ev.project.rowOf(node)] ?? NONE;
  return parent === NONE ? node : (owner?.symbolNodes[parent] ?? node);
}

/** Uses that the index knows of and our facts do not, as reads; after all other sites of the file. Names in import statements are none. */
export function writeOtherReads(context: SiteContext): void {
  const { file, precise, writer } = context;
  if (precise === undefined) return;
  const { imports } = file.facts;
  const importLines = new Set(imports.line);
  for (const { line, column, length, node, kind } of precise.others()) {
    const relation = VARIABLE_RELATIONS.get(kind);
    if (relation === undefined || importLines.has(line)) continue;
    const owner = symbolAround(file, line, column);
    const from = owner === NONE ? file.fileNode : (file.symbolNodes[owner] ?? file.fileNode);
    const isOwn = owner === NONE && context.ev.project.ownerOf(node) === file;
    if (node === from || isOwn) continue;
    writer.add(relationCode[relation], from, line, column, length, [preciseCandidate(node)]);
  }
}

/** Innermost symbol whose range holds a place; rows are in source order, so the last one that does is innermost. */
function symbolAround({ facts: { symbols } }: FileState, line: number, column: number): SymbolRow {
  let found: SymbolRow = NONE;
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const startLine = symbols.startLine[row] ?? 0;
    if (startLine > line) break;
    if (startLine === line && (symbols.startColumn[row] ?? 0) > column) continue;
    const endLine = symbols.endLine[row] ?? 0;
    if (endLine > line || (endLine === line && (symbols.endColumn[row] ?? 0) >= column)) found = row;
  }
  return found;
}

/** What a symbol row implements or overrides by the index, beside the base types it spells. True when the index says something. */
export function writeImplementations(context: SiteContext, row: SymbolRow, isSpelled: (node: NodeHandle) => boolean): boolean {
  const { file, precise, writer } = context;
  const targets = precise?.implementedBy(row);
  if (targets === undefined) return false;
  const { symbols } = file.facts;
  const isType = TYPE_KINDS.has(symbols.kind[row] ?? 0);
  const relation = relationCode[isType ? 'IMPLEMENTS' : 'OVERRIDES'];
  const place = [symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0, file.text(symbols.name[row] ?? NO_TEXT).length] as const;
  for (const node of targets) if (!isSpelled(node)) writer.add(relation, file.symbolNodes[row] ?? file.fileNode, ...place, [preciseCandidate(node)]);
  return !isType;
}
