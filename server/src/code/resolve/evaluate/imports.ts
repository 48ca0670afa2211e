import { EXPORT_KINDS, type ExportRow, exportRow, IMPORT_KINDS, type ImportRow, MODULE_SCOPE, NO_TEXT, NONE } from '../../../model/facts';
import type { FileState } from '../fileState';
import type { ModuleRef } from '../modules/moduleResolver';
import { type NameNumber, NO_NAME } from '../numbers';
import { NOTHING, SET_UNKNOWN, VALUE, type ValueSet } from '../values';
import { AS_TYPE, AS_VALUE, type Evaluator, type ExportedBinding, type Mode } from './evaluator';
import { importedFromPackage } from './packages/packages';

const imports = Object.fromEntries(IMPORT_KINDS.map((kind, code) => [kind, code])) as Record<(typeof IMPORT_KINDS)[number], number>;
const exports = Object.fromEntries(EXPORT_KINDS.map((kind, code) => [kind, code])) as Record<(typeof EXPORT_KINDS)[number], number>;

/** Marks the namespace of a module beside what `module.exports` is set to: names are found in it, and nothing can call it. */
export const BESIDE_WHOLE = 1;

/** What a row of `imports` binds. */
export function importedValue(ev: Evaluator, file: FileState, row: ImportRow, mode: Mode): ValueSet {
  if (!file.isModular) return importedFromPackage(ev, file, row, mode);
  const table = file.facts.imports;
  const kind = table.kind[row] ?? 0;
  const target = ev.modules.ofImport(file, row);
  const importedName = table.importedName[row] ?? NO_TEXT;
  if (kind === imports.module) return dottedModule(ev, file, row, target);
  if (target === 'external') return external(ev, file, row, kind);
  if (target === 'missing') return SET_UNKNOWN;
  switch (kind) {
    case imports.named:
    case imports.reexport:
      return memberOfModule(ev, file, target, file.name(importedName), mode);
    case imports.default:
      return memberOfModule(ev, file, target, ev.known.default, mode);
    case imports.namespace:
      return moduleValue(ev, target);
    case imports.star:
      return moduleValue(ev, target);
    default:
      return wholeOf(ev, target);
  }
}

/** `import a.b.c` binds `a`; `import a.b.c as x` binds the module itself. */
function dottedModule(ev: Evaluator, file: FileState, row: ImportRow, target: ModuleRef): ValueSet {
  const table = file.facts.imports;
  const specifier = file.text(table.specifier[row] ?? NO_TEXT);
  const local = file.text(table.localName[row] ?? NO_TEXT);
  const top = specifier.split('.')[0] ?? specifier;
  const module = local === '' || (local === top && specifier !== top) ? ev.modules.resolve(file, top, 0) : target;
  if (module === 'external') return ev.values.single(ev.values.external(ev.nameOf(local === '' || local === top ? top : specifier)));
  return module === 'missing' ? SET_UNKNOWN : moduleValue(ev, module);
}

function external(ev: Evaluator, file: FileState, row: ImportRow, kind: number): ValueSet {
  const table = file.facts.imports;
  const specifier = file.text(table.specifier[row] ?? NO_TEXT);
  const name = kind === imports.named || kind === imports.reexport ? file.text(table.importedName[row] ?? NO_TEXT) : '';
  return ev.values.single(ev.values.external(ev.nameOf(name === '' ? specifier : `${specifier}.${name}`)));
}

export function moduleValue(ev: Evaluator, target: ModuleRef): ValueSet {
  if (target === 'external' || target === 'missing') return SET_UNKNOWN;
  if ('folder' in target) return ev.values.single(ev.values.folder(ev.nameOf(target.folder), ev.nameOf(target.family)));
  return ev.values.single(ev.values.module(target.file));
}

/** What `require` and `import()` of a file give: `module.exports` when it is set, else the namespace. */
export function wholeOf(ev: Evaluator, target: ModuleRef): ValueSet {
  if (target === 'external' || target === 'missing' || 'folder' in target) return moduleValue(ev, target);
  const file = ev.project.file(target.file);
  if (file === undefined) return SET_UNKNOWN;
  const whole = wholeExport(ev, file, AS_VALUE);
  const named = file.facts.exports.kind.some(kind => kind !== exports.whole);
  if (whole === NOTHING) return moduleValue(ev, target);
  return named ? ev.values.union(whole, ev.values.single(ev.values.module(target.file, BESIDE_WHOLE))) : whole;
}

/** Value of `module.exports = …` or `export =`, nothing when the file has none. */
function wholeExport(ev: Evaluator, file: FileState, mode: Mode): ValueSet {
  const table = file.facts.exports;
  // Also where there is none: one may come.
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.whole));
  let answer = NOTHING;
  for (let row = exportRow(0); row < table.count; row++) {
    if (table.kind[row] !== exports.whole) continue;
    answer = ev.values.union(answer, exportedByRow(ev, file, row, mode));
  }
  return answer;
}

function memberOfModule(ev: Evaluator, from: FileState, target: ModuleRef, name: NameNumber, mode: Mode): ValueSet {
  if (target === 'external' || target === 'missing') return SET_UNKNOWN;
  if ('folder' in target) {
    const found = ev.modules.inFolder(target.folder, target.family, ev.project.names.text(name));
    return found === undefined ? SET_UNKNOWN : moduleValue(ev, found);
  }
  const file = ev.project.file(target.file);
  if (file === undefined) return SET_UNKNOWN;
  const own = file === from ? ev.hooks(file).importedFromItself?.(ev, file, name) : undefined;
  return own ?? ev.exported(file, name, mode);
}

/** What importing one name from a file gives. */
export function exportNamed(ev: Evaluator, file: FileState, name: NameNumber, mode: Mode): ValueSet {
  return ev.hooks(file).exported?.(ev, file, name, mode) ?? writtenExport(ev, file, name, mode);
}

function writtenExport(ev: Evaluator, file: FileState, name: NameNumber, mode: Mode): ValueSet {
  const table = file.facts.exports;
  const { values } = ev;
  let answer = NOTHING;
  let found = false;
  for (const row of file.exportsNamed(name)) {
    const kind = table.kind[row] ?? 0;
    if (kind === exports.star || kind === exports.whole) continue;
    found = true;
    answer = values.union(answer, exportedByRow(ev, file, row, mode));
  }
  if (found) return answer;
  const isDefault = name === ev.known.default;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.stars));
  if (!isDefault) {
    for (let row = exportRow(0); row < table.count; row++) {
      if (table.kind[row] !== exports.star) continue;
      const target = ev.modules.ofImport(file, table.import[row] ?? NONE);
      const through = target === 'external' || target === 'missing' || 'folder' in target ? undefined : ev.project.file(target.file);
      if (through !== undefined) answer = values.union(answer, ev.exported(through, name, mode));
    }
    if (answer !== NOTHING) return answer;
  }
  const whole = wholeExport(ev, file, mode);
  if (whole === NOTHING) return isDefault && table.count > 0 && mode === AS_VALUE ? values.single(values.module(file.id)) : NOTHING;
  if (isDefault) return whole;
  const value = mode === AS_TYPE ? wholeExport(ev, file, AS_VALUE) : whole;
  return ev.memberOf(value, name, mode);
}

function exportedByRow(ev: Evaluator, file: FileState, row: ExportRow, mode: Mode): ValueSet {
  const table = file.facts.exports;
  switch (table.kind[row]) {
    case exports.local: {
      const first = file.firstBinding(MODULE_SCOPE, file.name(table.localName[row] ?? NO_TEXT));
      return first === NONE ? NOTHING : ev.binding(file, first, mode);
    }
    case exports.reexport:
      return ev.imported(file, table.import[row] ?? NONE, mode);
    case exports.namespace:
      return moduleValue(ev, ev.modules.ofImport(file, table.import[row] ?? NONE));
    default: {
      const value = table.value[row] ?? NONE;
      if (value === NONE) {
        const first = file.firstBinding(MODULE_SCOPE, file.name(table.localName[row] ?? NO_TEXT));
        return first === NONE ? NOTHING : ev.binding(file, first, mode);
      }
      return mode === AS_TYPE ? ev.typeOf(file, value) : ev.valueOf(file, value);
    }
  }
}

/** What awaiting each alternative gives. */
export function awaited(ev: Evaluator, set: ValueSet): ValueSet {
  let answer = NOTHING;
  for (const value of ev.values.members(set)) {
    const given = ev.values.kindOf(value) === VALUE.builtin ? ev.builtinForm(value, 'awaits') : NOTHING;
    answer = ev.values.union(answer, given === NOTHING ? ev.values.single(value) : given);
  }
  return answer;
}

/** Module-level binding of another file that a named import stands for, one hop. */
export function importedBinding(ev: Evaluator, file: FileState, row: ImportRow): ExportedBinding | undefined {
  if (row < 0 || !file.isModular) return undefined;
  const table = file.facts.imports;
  const target = ev.modules.ofImport(file, row);
  if (target === 'external' || target === 'missing' || 'folder' in target) return undefined;
  const through = ev.project.file(target.file);
  return through === undefined
    ? undefined
    : exportedBinding(ev, through, through.family === file.family ? ev.nameOf(file.text(table.importedName[row] ?? NO_TEXT)) : NO_NAME, 0);
}

/** Module-level binding behind an exported name, through re-exports. */
export function exportedBinding(ev: Evaluator, file: FileState, name: NameNumber, depth: number): ExportedBinding | undefined {
  return ev.remembered(file, name, () => findExported(ev, file, name, depth));
}

function findExported(ev: Evaluator, file: FileState, name: NameNumber, depth: number): ExportedBinding | undefined {
  const table = file.facts.exports;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.stars));
  if (file.rules.exportsEverything === true || table.count === 0) {
    const binding = file.firstBinding(MODULE_SCOPE, name);
    return binding === NONE ? undefined : { file, binding };
  }
  for (const row of file.exportsNamed(name)) {
    const kind = table.kind[row];
    if (kind === exports.local) {
      const binding = file.firstBinding(MODULE_SCOPE, file.name(table.localName[row] ?? NO_TEXT));
      return binding === NONE ? undefined : { file, binding };
    }
    if (kind !== exports.reexport) continue;
    const wanted = ev.nameOf(file.text(file.facts.imports.importedName[table.import[row] ?? NONE] ?? NO_TEXT));
    const found = exportedThrough(ev, file, row, wanted, depth);
    if (found !== undefined) return found;
  }
  for (let row = exportRow(0); row < table.count; row++) {
    const found = table.kind[row] === exports.star ? exportedThrough(ev, file, row, name, depth) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same one file further, by what a row of exports takes from there. */
function exportedThrough(ev: Evaluator, file: FileState, row: ExportRow, wanted: NameNumber, depth: number): ExportedBinding | undefined {
  const target = depth > 6 ? 'missing' : ev.modules.ofImport(file, file.facts.exports.import[row] ?? NONE);
  const through = target === 'external' || target === 'missing' || 'folder' in target ? undefined : ev.project.file(target.file);
  return through === undefined ? undefined : exportedBinding(ev, through, wanted, depth + 1);
}
