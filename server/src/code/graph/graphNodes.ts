import { headOf, SEPARATOR, type StableId, shortNameOf } from '../../model/ids';
import { traitsOf } from '../../model/languages';
import { MODIFIERS, modifierNames, SYMBOL_KINDS } from '../../model/nodes';
import { type FileEntry, parentRow, type SymbolRow, symbolCell, symbolText } from './fileEntry';
import type { GraphNode, NodeHandle } from './graphView';
import { fileSummary, symbolSummary } from './summary';

/** What nodes that are in no file have in common. */
export const WITHOUT_FILE = {
  kind: undefined,
  path: '',
  language: undefined,
  startLine: 0,
  endLine: 0,
  nameLine: 0,
  nameColumn: 0,
  signature: '',
  modifiers: [],
  complexity: 0,
  isTest: false,
  isExported: false,
  isStale: false,
  contentHash: '',
} as const;

export function externalNode(handle: NodeHandle, id: StableId): GraphNode {
  const name = id.slice(headOf(id).length + SEPARATOR.length);
  return { ...WITHOUT_FILE, handle, id, nodeType: 'external', name, doc: '', summary: `${name} is outside this workspace` };
}

export function fileNode(entry: FileEntry): GraphNode {
  const { record } = entry;
  return {
    handle: entry.file,
    id: record.path,
    nodeType: 'file',
    name: shortNameOf(record.path),
    kind: undefined,
    path: record.path,
    language: record.language,
    startLine: entry.lines > 0 ? 1 : 0,
    endLine: entry.lines,
    nameLine: entry.lines > 0 ? 1 : 0,
    nameColumn: 0,
    signature: '',
    doc: '',
    summary: fileSummary(entry),
    modifiers: [],
    complexity: 0,
    isTest: record.isTest,
    isExported: false,
    isStale: record.isStale === true,
    contentHash: record.contentHash,
  };
}

export function symbolNode(entry: FileEntry, row: SymbolRow, handle: NodeHandle, id: StableId): GraphNode {
  const { record } = entry;
  const bits = symbolCell(entry, row, 'modifiers');
  const doc = symbolText(entry, row, 'doc');
  const name = symbolText(entry, row, 'name');
  return {
    handle,
    id,
    nodeType: 'symbol',
    name,
    kind: SYMBOL_KINDS[symbolCell(entry, row, 'kind')],
    path: record.path,
    language: record.language,
    startLine: symbolCell(entry, row, 'startLine') + 1,
    endLine: symbolCell(entry, row, 'endLine') + 1,
    nameLine: symbolCell(entry, row, 'nameLine') + 1,
    nameColumn: symbolCell(entry, row, 'nameColumn'),
    signature: symbolText(entry, row, 'signature'),
    doc,
    summary: symbolSummary(name, doc, symbolText(entry, row, 'firstLine')),
    modifiers: modifierNames(bits),
    complexity: symbolCell(entry, row, 'complexity'),
    isTest: record.isTest || isTestCode(entry, row),
    isExported: (bits & (MODIFIERS.exported | MODIFIERS.defaultExport)) !== 0,
    isStale: record.isStale === true,
    contentHash: symbolText(entry, row, 'hash'),
  };
}

/** What a runner runs by itself: modules of tests only hold such. */
export function isTestRow(entry: FileEntry, row: SymbolRow): boolean {
  return isMarkedTest(entry, row) && SYMBOL_KINDS[symbolCell(entry, row, 'kind')] !== 'module';
}

/** A test, and what stands in a test or in a module of tests. */
export function isTestCode(entry: FileEntry, row: SymbolRow): boolean {
  for (let at: SymbolRow | undefined = row; at !== undefined; at = parentRow(entry, at)) if (isMarkedTest(entry, at)) return true;
  return false;
}

/** Where tests are known by their name alone, that counts in files of tests only: Python's `Flask.test_client` is none. */
function isMarkedTest(entry: FileEntry, row: SymbolRow): boolean {
  const { isTest, language } = entry.record;
  return (symbolCell(entry, row, 'modifiers') & MODIFIERS.test) !== 0 && (isTest || traitsOf(language).namesTests !== true);
}
