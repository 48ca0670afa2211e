/**
 * Shell scripts: names are seen in the script and in those that source it. Whatever no script defines is a program from outside.
 *
 * Sourced paths are tried beside the script, then from the workspace, then as the end of a path.
 */
import { dirname, join } from '../../../../base/path';
import { type ImportRow, importRow, MODULE_SCOPE, NO_TEXT, NONE } from '../../../../model/facts';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import type { PackageEntry } from '../../packages/packageEntries';
import { BuiltinTable } from '../builtinTable';
import type { LanguageRules } from '../languageRules';

const MAX_FILES = 30;
const NO_TYPES = new BuiltinTable([]);

export const bashRules: LanguageRules = {
  family: 'bash',
  separator: '/',
  constructorName: '',
  implicitReceiver: false,
  overloads: false,
  openTypes: false,
  structural: false,
  reexports: false,
  builtins: NO_TYPES,
  functions: NO_TYPES,
  aliases: {},
  literals: {},
  arrayType: 'array',
  booleanType: 'string',
  numberType: 'string',
  isGlobal: () => true,
  packageOf: () => undefined,
  visible: (ev, file, _scope, name) => {
    for (const other of sourced(ev, file)) {
      ev.dependencies.consult(ev.dependencies.unit(other.id, name));
      const entries: PackageEntry[] = [];
      for (let row = other.firstBinding(MODULE_SCOPE, name); row !== NONE; row = other.nextBinding(row)) entries.push({ file: other, binding: row });
      if (entries.length > 0) return entries;
    }
    return [];
  },
  importTargets: (ev, file, row) => {
    const target = sourcedFile(ev, file, row);
    return target === undefined ? 'missing' : [target.path];
  },
};

/** Scripts that a script sources, and those that they source. */
function sourced(ev: Evaluator, file: FileState): readonly FileState[] {
  const found: FileState[] = [];
  const pending = [file];
  for (let at = pending.pop(); at !== undefined && found.length < MAX_FILES; at = pending.pop()) {
    ev.dependencies.consult(ev.dependencies.unit(at.id, ev.known.stars));
    for (let row = importRow(0); row < at.facts.imports.count; row++) {
      const target = sourcedFile(ev, at, row);
      if (target === undefined || target === file || found.includes(target)) continue;
      found.push(target);
      pending.push(target);
    }
  }
  return found;
}

/** The path beside the script, then from the workspace, then the only file that ends so. */
function sourcedFile(ev: Evaluator, file: FileState, row: ImportRow): FileState | undefined {
  const specifier = file.text(file.facts.imports.specifier[row] ?? NO_TEXT);
  const { paths } = ev.modules;
  for (const path of [join(dirname(file.path), specifier), join('', specifier)]) if (path !== undefined && paths.has(path)) return ev.project.fileAt(path);
  const [only, ...others] = paths.ending(specifier);
  return only === undefined || others.length > 0 ? undefined : ev.project.fileAt(only);
}
