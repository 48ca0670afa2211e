/** What a module gives those who import from it: its own names, those it imports by `*`, its submodules. */
import { EXPORT_KINDS, IMPORT_KINDS, type ImportRow, importRow, MODULE_SCOPE, NO_TEXT, NONE } from '../../../../model/facts';
import type { Evaluator, Mode } from '../../evaluate/evaluator';
import { moduleValue } from '../../evaluate/imports';
import type { FileState } from '../../fileState';
import type { ModuleRef } from '../../modules/moduleResolver';
import type { NameNumber } from '../../numbers';
import { NOTHING, type ValueSet } from '../../values';

const NAMED = IMPORT_KINDS.indexOf('named');
const STAR = IMPORT_KINDS.indexOf('star');
const NAMES = EXPORT_KINDS.indexOf('names');

/** Every module-level name can be imported; then what star imports bring; then submodules. */
export function exportedName(ev: Evaluator, file: FileState, name: NameNumber, mode: Mode): ValueSet {
  const first = file.firstBinding(MODULE_SCOPE, name);
  if (first !== NONE) return ev.binding(file, first, mode);
  const starred = fromStars(ev, file, name, mode);
  return starred === NOTHING ? submoduleNamed(ev, file, name) : starred;
}

export function submoduleNamed(ev: Evaluator, file: FileState, name: NameNumber): ValueSet {
  const found = ev.modules.submodule(file, ev.project.names.text(name));
  return found === undefined || found === 'missing' || found === 'external' ? NOTHING : moduleValue(ev, found);
}

/** A name that `from m import *` lines of a module bring in; private names stay out. */
export function fromStars(ev: Evaluator, file: FileState, name: NameNumber, mode: Mode): ValueSet {
  const table = file.facts.imports;
  let answer = NOTHING;
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.stars));
  for (let row = importRow(0); row < table.count; row++) {
    if (table.kind[row] !== STAR) continue;
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
    if (table.kind[row] !== NAMES) continue;
    listed = true;
    if (file.text(table.exportedName[row] ?? NO_TEXT) === name) return true;
  }
  return !listed && !name.startsWith('_');
}

/** `from package import name`: the submodule when the name is one and the package does not define it, else the package. */
export function importedModule(ev: Evaluator, file: FileState, row: ImportRow, target: ModuleRef): ModuleRef {
  const { imports } = file.facts;
  if (imports.kind[row] !== NAMED || target === 'external' || target === 'missing') return target;
  const name = file.text(imports.importedName[row] ?? NO_TEXT);
  if ('folder' in target) return ev.modules.inFolder(target.folder, target.family, name) ?? target;
  const through = ev.project.file(target.file);
  const found = through === undefined ? undefined : ev.modules.submodule(through, name);
  if (through === undefined || found === undefined) return target;
  ev.dependencies.consult(ev.dependencies.unit(through.id, ev.nameOf(name)));
  return through.firstBinding(MODULE_SCOPE, ev.nameOf(name)) === NONE ? found : target;
}
