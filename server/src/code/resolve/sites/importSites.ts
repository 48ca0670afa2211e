import { confidenceOf, MAX_CONFIDENCE, sourceCode } from '../../../model/evidence';
import { ERASURE, type ImportRow, importRow, NO_TEXT, NONE } from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import { relationCode } from '../../../model/relations';
import { AS_TYPE, AS_VALUE } from '../evaluate/evaluator';
import { importedFromPackage } from '../evaluate/packages/packages';
import type { FileState } from '../fileState';
import type { ModuleRef } from '../modules/moduleResolver';
import { VALUE } from '../values';
import { nodesNamed, writeExportedNames, writeImportedName } from './listedNames';
import type { SiteContext } from './siteContext';

/** An import of a file, and whether it is gone at run time. */
interface Loading {
  readonly place: Place;
  isErased: boolean;
}

type Loadings = Map<NodeHandle, Loading>;

/** IMPORTS from the file to each file it names, and NAMES to each symbol; packages from outside become `external::name`. */
export function writeImports(context: SiteContext): void {
  const { ev, file, writer } = context;
  const { imports } = file.facts;
  if (!file.isModular) {
    writePackageImports(context);
    return;
  }
  const loadings: Loadings = new Map();
  for (let row = importRow(0); row < imports.count; row++) {
    const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
    const place = placeOf(file, row);
    const target = ev.modules.ofImport(file, row);
    const targets = fileNode(context, ev.hooks(file).importedModule?.(ev, file, row, target) ?? target);
    const named = target === 'external' || target === 'missing' ? [] : nodesNamed(context, row);
    const isErased = imports.typeOnly[row] === ERASURE.written || ev.hooks(file).isDropped?.(ev, file, row, named) === true;
    if (targets.length === 0) {
      context.missed.count(target === 'missing' ? 'unresolved' : 'external', NONE, place);
      if (target !== 'external') continue;
      targets.push(ev.project.externalNode(file.rules.outsidePackage?.(specifier) ?? specifier));
    }
    for (const node of targets) {
      const confidence =
        ev.hooks(file).isInComment?.(file, row) === true ? MAX_CONFIDENCE.inComment : confidenceOf(target === 'external' ? 'syntax' : 'import');
      writer.add(relationCode.IMPORTS, file.fileNode, place.line, place.column, place.length, [{ node, confidence, source: sourceCode.import }]);
      noteLoading(loadings, node, place, isErased);
    }
    writeImportedName(context, row, named);
  }
  writeExportedNames(context);
  writeErased(context, loadings);
}

/** The same for languages with packages: the files that declare what a row binds. */
function writePackageImports(context: SiteContext): void {
  const { ev, file, writer } = context;
  const { imports } = file.facts;
  const loadings: Loadings = new Map();
  for (let row = importRow(0); row < imports.count; row++) {
    const targets = ev.hooks(file).importTargets?.(ev, file, row) ?? declaringFiles(context, row);
    const named = nodesNamed(context, row);
    writeImportedName(context, row, named);
    if (targets === 'nothing') continue;
    const name = file.text(imports.importedName[row] ?? NO_TEXT);
    const specifier = file.text(imports.specifier[row] ?? NO_TEXT);
    const { separator } = file.rules;
    const outside = name === '' ? specifier : specifier === '' ? name : `${specifier}${separator}${name}`;
    const place = placeOf(file, row);
    const isErased = ev.hooks(file).isDropped?.(ev, file, row, named) === true;
    if (typeof targets === 'string' || targets.length === 0) context.missed.count(targets === 'missing' ? 'unresolved' : 'external', NONE, place);
    const nodes =
      targets === 'missing'
        ? []
        : targets === 'external' || targets.length === 0
          ? [ev.project.externalNode(outside)]
          : targets.map(path => ev.project.nodeOfPath(path));
    for (const node of nodes) {
      const candidate = { node, confidence: confidenceOf(nodes.length === 1 && targets === 'external' ? 'syntax' : 'import'), source: sourceCode.import };
      writer.add(relationCode.IMPORTS, file.fileNode, place.line, place.column, place.length, [candidate]);
      noteLoading(loadings, node, place, isErased);
    }
  }
  writeErased(context, loadings);
}

function noteLoading(loadings: Loadings, node: NodeHandle, place: Place, isErased: boolean): void {
  const loading = loadings.get(node);
  if (loading === undefined) loadings.set(node, { place, isErased });
  else if (!isErased) loading.isErased = false;
}

/** IMPORTS_TYPES to each file that no import loads at run time. */
function writeErased({ file, writer }: SiteContext, loadings: Loadings): void {
  for (const [node, { place, isErased }] of loadings) {
    const candidate = { node, confidence: confidenceOf('import'), source: sourceCode.import };
    if (isErased) writer.add(relationCode.IMPORTS_TYPES, file.fileNode, place.line, place.column, place.length, [candidate]);
  }
}

/** Files with the declarations of what an import row binds; all files of a package it binds. */
function declaringFiles(context: SiteContext, row: ImportRow): readonly string[] | 'external' | 'missing' {
  const { ev, file } = context;
  const { values } = ev;
  const paths = new Set<string>();
  let isUnknown = false;
  for (const mode of [AS_TYPE, AS_VALUE] as const) {
    for (const value of values.members(importedFromPackage(ev, file, row, mode))) {
      const kind = values.kindOf(value);
      const owner = NODE_KINDS.has(kind) ? ev.project.ownerOf(values.node(value)) : undefined;
      if (owner !== undefined) paths.add(owner.path);
      else if (kind === VALUE.package) for (const other of ev.packages.files(values.package(value))) paths.add(other.path);
      else if (kind === VALUE.unknown) isUnknown = true;
    }
  }
  paths.delete(file.path);
  return paths.size > 0 ? [...paths].sort() : isUnknown ? 'missing' : 'external';
}

const NODE_KINDS: ReadonlySet<number> = new Set([VALUE.class, VALUE.instance, VALUE.function, VALUE.namespace]);

interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** Where the name that an import row brings in stands; at least one character. */
function placeOf(file: FileState, row: ImportRow): Place {
  const { imports } = file.facts;
  return { line: imports.line[row] ?? 0, column: imports.column[row] ?? 0, length: Math.max(1, file.text(imports.importedName[row] ?? NO_TEXT).length) };
}

function fileNode(context: SiteContext, target: ModuleRef): NodeHandle[] {
  if (target === 'external' || target === 'missing' || 'folder' in target) return [];
  return [context.ev.modules.nodeOf(target.file)];
}
