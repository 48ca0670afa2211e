import { EXPORT_KINDS, IMPORT_KINDS, NONE } from '../../../model/facts';
import type { FileState } from '../fileState';
import type { ModuleRef } from '../modules/moduleResolver';
import { NOTHING, SET_UNKNOWN, VALUE } from '../values';
import { AS_TYPE, AS_VALUE, type Evaluator, type ExportedBinding, type Mode } from './evaluator';
import { isRuled } from './operands';
import { importedFromPackage } from './packages/packages';

const imports = Object.fromEntries(IMPORT_KINDS.map((kind, code) => [kind, code])) as Record<(typeof IMPORT_KINDS)[number], number>;
const exports = Object.fromEntries(EXPORT_KINDS.map((kind, code) => [kind, code])) as Record<(typeof EXPORT_KINDS)[number], number>;

/** Marks the namespace of a module beside what `module.exports` is set to: names are found in it, and nothing can call it. */
export const BESIDE_WHOLE = 1;

/** What a row of `imports` binds. */
export function importedValue(ev: Evaluator, file: FileState, row: number, mode: Mode): number {
  if (file.rules !== undefined) return importedFromPackage(ev, file, row, mode);
  const table = file.facts.imports;
  const kind = table.kind[row] ?? 0;
  const target = ev.modules.ofImport(file, row);
  const importedName = table.importedName[row] ?? 0;
  if (kind === imports.module) return pythonModule(ev, file, row, target);
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
function pythonModule(ev: Evaluator, file: FileState, row: number, target: ModuleRef): number {
  const table = file.facts.imports;
  const specifier = file.text(table.specifier[row] ?? 0);
  const local = file.text(table.localName[row] ?? 0);
  const top = specifier.split('.')[0] ?? specifier;
  const module = local === '' || (local === top && specifier !== top) ? ev.modules.resolve(file, top, 0) : target;
  if (module === 'external') return ev.values.single(ev.values.value(VALUE.external, ev.nameOf(local === '' || local === top ? top : specifier)));
  return module === 'missing' ? SET_UNKNOWN : moduleValue(ev, module);
}

function external(ev: Evaluator, file: FileState, row: number, kind: number): number {
  const table = file.facts.imports;
  const specifier = file.text(table.specifier[row] ?? 0);
  const name = kind === imports.named || kind === imports.reexport ? file.text(table.importedName[row] ?? 0) : '';
  return ev.values.single(ev.values.value(VALUE.external, ev.nameOf(name === '' ? specifier : `${specifier}.${name}`)));
}

export function moduleValue(ev: Evaluator, target: ModuleRef): number {
  if (target === 'external' || target === 'missing') return SET_UNKNOWN;
  if ('folder' in target) return ev.values.single(ev.values.value(VALUE.folder, ev.nameOf(target.folder)));
  return ev.values.single(ev.values.value(VALUE.module, target.file));
}

/** What `require` and `import()` of a file give: `module.exports` when it is set, else the namespace. */
export function wholeOf(ev: Evaluator, target: ModuleRef): number {
  if (target === 'external' || target === 'missing' || 'folder' in target) return moduleValue(ev, target);
  const file = ev.project.file(target.file);
  if (file === undefined) return SET_UNKNOWN;
  const whole = wholeExport(ev, file, AS_VALUE);
  const named = file.facts.exports.kind.some(kind => kind !== exports.whole);
  if (whole === NOTHING) return moduleValue(ev, target);
  return named ? ev.values.union(whole, ev.values.single(ev.values.value(VALUE.module, target.file, BESIDE_WHOLE))) : whole;
}

/** What `exports`, `module` or `module.exports` mean inside the file itself; nothing where the file exports nothing this way. */
export function ownExports(ev: Evaluator, file: FileState): number {
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.whole));
  const isCommonJs = file.facts.exports.kind.some(kind => kind === exports.value || kind === exports.whole);
  return isCommonJs ? wholeOf(ev, { file: file.id }) : NOTHING;
}

/** Value of `module.exports = …` or `export =`, nothing when the file has none. */
function wholeExport(ev: Evaluator, file: FileState, mode: Mode): number {
  const table = file.facts.exports;
  let answer = NOTHING;
  for (let row = 0; row < table.count; row++) {
    if (table.kind[row] !== exports.whole) continue;
    ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.whole));
    answer = ev.values.union(answer, exportRow(ev, file, row, mode));
  }
  return answer;
}

function memberOfModule(ev: Evaluator, from: FileState, target: ModuleRef, name: number, mode: Mode): number {
  if (target === 'external' || target === 'missing') return SET_UNKNOWN;
  if ('folder' in target) {
    const found = ev.modules.inFolder(target.folder, ev.project.names.text(name));
    return found === undefined ? SET_UNKNOWN : moduleValue(ev, found);
  }
  const file = ev.project.file(target.file);
  if (file === undefined) return SET_UNKNOWN;
  if (file === from && file.family === 'python') return submodule(ev, file, name);
  return ev.exported(file, name, mode);
}

/** What importing one name from a file gives. */
export function exportNamed(ev: Evaluator, file: FileState, name: number, mode: Mode): number {
  return file.family === 'python' ? pythonExport(ev, file, name, mode) : scriptExport(ev, file, name, mode);
}

function scriptExport(ev: Evaluator, file: FileState, name: number, mode: Mode): number {
  const table = file.facts.exports;
  const { values } = ev;
  let answer = NOTHING;
  let found = false;
  for (const row of file.exportsNamed(name)) {
    const kind = table.kind[row] ?? 0;
    if (kind === exports.star || kind === exports.whole) continue;
    found = true;
    answer = values.union(answer, exportRow(ev, file, row, mode));
  }
  if (found) return answer;
  const isDefault = name === ev.known.default;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.stars));
  if (!isDefault) {
    for (let row = 0; row < table.count; row++) {
      if (table.kind[row] !== exports.star) continue;
      const target = ev.modules.ofImport(file, table.import[row] ?? 0);
      const through = target === 'external' || target === 'missing' || 'folder' in target ? undefined : ev.project.file(target.file);
      if (through !== undefined) answer = values.union(answer, ev.exported(through, name, mode));
    }
    if (answer !== NOTHING) return answer;
  }
  const whole = wholeExport(ev, file, mode);
  if (whole === NOTHING) return isDefault && table.count > 0 && mode === AS_VALUE ? values.single(values.value(VALUE.module, file.id)) : NOTHING;
  if (isDefault) return whole;
  const value = mode === AS_TYPE ? wholeExport(ev, file, AS_VALUE) : whole;
  return ev.memberOf(value, name, mode);
}

function exportRow(ev: Evaluator, file: FileState, row: number, mode: Mode): number {
  const table = file.facts.exports;
  switch (table.kind[row]) {
    case exports.local: {
      const first = file.firstBinding(0, file.name(table.localName[row] ?? 0));
      return first === NONE ? NOTHING : ev.binding(file, first, mode);
    }
    case exports.reexport:
      return ev.imported(file, table.import[row] ?? 0, mode);
    case exports.namespace:
      return moduleValue(ev, ev.modules.ofImport(file, table.import[row] ?? 0));
    default: {
      const value = table.value[row] ?? NONE;
      if (value === NONE) {
        const first = file.firstBinding(0, file.name(table.localName[row] ?? 0));
        return first === NONE ? NOTHING : ev.binding(file, first, mode);
      }
      return mode === AS_TYPE ? ev.typeOf(file, value) : ev.valueOf(file, value);
    }
  }
}

/** Every module-level name of a Python file can be imported; then what its star imports bring; then its submodules. */
function pythonExport(ev: Evaluator, file: FileState, name: number, mode: Mode): number {
  const first = file.firstBinding(0, name);
  if (first !== NONE) return ev.binding(file, first, mode);
  const starred = fromStars(ev, file, name, mode);
  if (starred !== NOTHING) return starred;
  return submodule(ev, file, name);
}

function submodule(ev: Evaluator, file: FileState, name: number): number {
  const found = ev.modules.submodule(file, ev.project.names.text(name));
  return found === undefined || found === 'missing' || found === 'external' ? NOTHING : moduleValue(ev, found);
}

/** A name that `from m import *` lines of a module bring in; private names stay out. */
export function fromStars(ev: Evaluator, file: FileState, name: number, mode: Mode): number {
  const table = file.facts.imports;
  let answer = NOTHING;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.stars));
  for (let row = 0; row < table.count; row++) {
    if (table.kind[row] !== imports.star) continue;
    const target = ev.modules.ofImport(file, row);
    if (target === 'external' || target === 'missing' || 'folder' in target) continue;
    const through = ev.project.file(target.file);
    if (through === undefined || through === file) continue;
    ev.dependencies.consult(ev.dependencies.unit(through.id, ev.known.stars));
    if (!isPublic(through, ev.project.names.text(name))) continue;
    answer = ev.values.union(answer, ev.exported(through, name, mode));
  }
  return answer;
}

/** `__all__` decides when there is one, else the underscore. */
function isPublic(file: FileState, name: string): boolean {
  const table = file.facts.exports;
  let listed = false;
  for (let row = 0; row < table.count; row++) {
    if (table.kind[row] !== exports.names) continue;
    listed = true;
    if (file.text(table.exportedName[row] ?? 0) === name) return true;
  }
  return !listed && !name.startsWith('_');
}

/** What awaiting each alternative gives. */
export function awaited(ev: Evaluator, set: number): number {
  let answer = NOTHING;
  for (const value of ev.values.members(set)) {
    const type = ev.values.kindOf(value) === VALUE.builtin ? ev.project.names.text(ev.values.a(value)) : '';
    if (isRuled(type)) {
      const given = ev.builtinForm(value, 'awaits');
      answer = ev.values.union(answer, given === NOTHING ? ev.values.single(value) : given);
    } else if (type === 'Promise' || type === 'Coroutine') answer = ev.values.union(answer, ev.values.args(value)[0] ?? SET_UNKNOWN);
    else answer = ev.values.union(answer, ev.values.single(value));
  }
  return answer;
}

/** Module-level binding of another file that a named import stands for, one hop. */
export function importedBinding(ev: Evaluator, file: FileState, row: number): ExportedBinding | undefined {
  if (row < 0 || file.rules !== undefined) return undefined;
  const table = file.facts.imports;
  const target = ev.modules.ofImport(file, row);
  if (target === 'external' || target === 'missing' || 'folder' in target) return undefined;
  const through = ev.project.file(target.file);
  return through === undefined
    ? undefined
    : exportedBinding(ev, through, through.family === file.family ? ev.nameOf(file.text(table.importedName[row] ?? 0)) : -1, 0);
}

/** Module-level binding behind an exported name, through re-exports. */
export function exportedBinding(ev: Evaluator, file: FileState, name: number, depth: number): ExportedBinding | undefined {
  return ev.remembered(file, name, () => findExported(ev, file, name, depth));
}

function findExported(ev: Evaluator, file: FileState, name: number, depth: number): ExportedBinding | undefined {
  const table = file.facts.exports;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.stars));
  if (file.family === 'python' || table.count === 0) {
    const binding = file.firstBinding(0, name);
    return binding === NONE ? undefined : { file, binding };
  }
  for (const row of file.exportsNamed(name)) {
    const kind = table.kind[row];
    if (kind === exports.local) {
      const binding = file.firstBinding(0, file.name(table.localName[row] ?? 0));
      return binding === NONE ? undefined : { file, binding };
    }
    if (kind !== exports.reexport) continue;
    const wanted = ev.nameOf(file.text(file.facts.imports.importedName[table.import[row] ?? 0] ?? 0));
    const found = exportedThrough(ev, file, row, wanted, depth);
    if (found !== undefined) return found;
  }
  for (let row = 0; row < table.count; row++) {
    const found = table.kind[row] === exports.star ? exportedThrough(ev, file, row, name, depth) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same one file further, by what a row of exports takes from there. */
function exportedThrough(ev: Evaluator, file: FileState, row: number, wanted: number, depth: number): ExportedBinding | undefined {
  const target = depth > 6 ? 'missing' : ev.modules.ofImport(file, file.facts.exports.import[row] ?? 0);
  const through = target === 'external' || target === 'missing' || 'folder' in target ? undefined : ev.project.file(target.file);
  return through === undefined ? undefined : exportedBinding(ev, through, wanted, depth + 1);
}
