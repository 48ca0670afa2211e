/**
 * Scala at the level of symbols: packages, imports, members of the types around, calls whose receiver is spelled out.
 *
 * Imports may begin in the package of the file. What an object has is reached through its name; types of expressions are followed as far as they
 * are written down.
 */
import { type ImportRow, importRow, MODULE_SCOPE, NO_TEXT, type ScopeRow } from '../../../../model/facts';
import { AS_VALUE, type Evaluator, type Mode } from '../../evaluate/evaluator';
import { packageEntries, pathValue } from '../../evaluate/packages/packages';
import type { FileState } from '../../fileState';
import type { NameNumber } from '../../numbers';
import { NOTHING, VALUE, type ValueSet } from '../../values';
import { BuiltinTable } from '../builtinTable';
import { addStarred, STAR } from '../java/imports';
import type { LanguageRules } from '../languageRules';

const NO_TYPES = new BuiltinTable([]);
const GLOBALS: ReadonlySet<string> = new Set(
  'Array Either Error Exception Future IllegalArgumentException IllegalStateException Iterator Left List Map Nil None Option Ordering Predef Right RuntimeException Seq Set Some StringBuilder Throwable Try Success Failure Vector assert assume classOf implicitly locally print printf println require summon synchronized notImplemented identity'.split(
    ' ',
  ),
);

export const scalaRules: LanguageRules = {
  family: 'scala',
  separator: '.',
  constructorName: '',
  implicitReceiver: true,
  overloads: true,
  openTypes: false,
  structural: false,
  reexports: false,
  builtins: new BuiltinTable([
    { type: 'String' },
    { type: 'Int' },
    { type: 'Boolean' },
    { type: 'Null' },
    { type: 'Seq', parameters: 'T', element: 'T' },
    { type: 'Tuple', parameters: 'T' },
  ]),
  functions: NO_TYPES,
  aliases: {
    Long: 'Int',
    Double: 'Int',
    Float: 'Int',
    Short: 'Int',
    Byte: 'Int',
    Char: 'Int',
    List: 'Seq',
    Vector: 'Seq',
    Set: 'Seq',
    Option: 'Seq',
    Array: 'Seq',
  },
  literals: { string: 'String', number: 'Int', boolean: 'Boolean', null: 'Null' },
  arrayType: 'Seq',
  booleanType: 'Boolean',
  numberType: 'Int',
  isGlobal: name => GLOBALS.has(name),
  packageOf: (_path, declared) => declared,
  visible: (ev, file, scope, name) => {
    const { imports } = file.facts;
    for (let row = importRow(0); row < imports.count; row++) {
      if (imports.kind[row] !== STAR) continue;
      const entries = packageEntries(ev, ev.packages.named(file, file.text(imports.specifier[row] ?? NO_TEXT)), name);
      if (entries.length > 0) return entries;
    }
    const own = ev.packages.nameOf(ev.packages.packageOf(file, scope));
    for (let cut = own.lastIndexOf('.'); cut > 0; cut = own.lastIndexOf('.', cut - 1)) {
      const entries = packageEntries(ev, ev.packages.named(file, own.slice(0, cut)), name);
      if (entries.length > 0) return entries;
    }
    return [];
  },
  outer: outerName,
  importTargets: starTargets,
  imported: (ev, file, row, mode) => {
    const { imports } = file.facts;
    const path = `${file.text(imports.specifier[row] ?? NO_TEXT)}.${file.text(imports.importedName[row] ?? NO_TEXT)}`;
    const found = projectPath(ev, file, path, mode);
    return found === NOTHING ? ev.values.single(ev.values.external(ev.nameOf(path))) : found;
  },
};

/** Where wildcard imports lead; other rows lead to what declares the name they bind. */
function starTargets(ev: Evaluator, file: FileState, row: ImportRow): readonly string[] | 'external' | 'missing' | undefined {
  const { imports } = file.facts;
  if (imports.kind[row] !== STAR) return undefined;
  const around = projectPath(ev, file, file.text(imports.specifier[row] ?? NO_TEXT), AS_VALUE);
  if (around === NOTHING) return 'external';
  const paths = new Set<string>();
  for (const value of ev.values.members(around)) addStarred(ev, file, value, paths);
  paths.delete(file.path);
  return paths.size > 0 ? [...paths].sort() : 'missing';
}

/** Members of objects imported with a wildcard. */
function outerName(ev: Evaluator, file: FileState, _scope: ScopeRow, name: NameNumber, mode: Mode): ValueSet {
  const { imports } = file.facts;
  let answer = NOTHING;
  for (let row = importRow(0); row < imports.count; row++) {
    if (imports.kind[row] !== STAR) continue;
    const around = projectPath(ev, file, file.text(imports.specifier[row] ?? NO_TEXT), AS_VALUE);
    for (const value of ev.values.members(around))
      if (ev.values.kindOf(value) === VALUE.namespace) answer = ev.values.union(answer, ev.memberOf(ev.values.single(value), name, mode));
  }
  return answer;
}

/** A path from the root, or from the package of the file and those around it. */
function projectPath(ev: Evaluator, file: FileState, path: string, mode: Mode): ValueSet {
  const own = ev.packages.nameOf(ev.packages.packageOf(file, MODULE_SCOPE));
  for (let prefix = own; prefix !== ''; prefix = prefix.includes('.') ? prefix.slice(0, prefix.lastIndexOf('.')) : '') {
    const found = pathValue(ev, file, `${prefix}.${path}`, mode);
    if (found !== NOTHING) return found;
  }
  return pathValue(ev, file, path, mode);
}
