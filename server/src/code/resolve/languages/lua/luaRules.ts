/**
 * Lua: each file sees its own names and what it requires; what a file returns is what requiring it gives.
 *
 * `require "a.b"` is tried as `a/b.lua` and `a/b/init.lua` from the workspace, its usual source folders, and the folders above the file.
 */
import { foldersAbove, join } from '../../../../base/path';
import { EXPORT_KINDS, type ImportRow, NO_TEXT, NONE } from '../../../../model/facts';
import type { Evaluator } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import { NOTHING, SET_UNKNOWN, type ValueSet } from '../../values';
import { BuiltinTable } from '../builtinTable';
import type { LanguageRules } from '../languageRules';

const WHOLE = EXPORT_KINDS.indexOf('whole');
const NO_TYPES = new BuiltinTable([]);
const GLOBALS: ReadonlySet<string> = new Set(
  'assert collectgarbage coroutine debug dofile error getmetatable io ipairs load loadfile loadstring math next os package pairs pcall print rawequal rawget rawlen rawset require select setmetatable string table tonumber tostring type unpack utf8 xpcall bit bit32 jit ngx vim love redis arg _G _VERSION _ENV'.split(
    ' ',
  ),
);
/** Folders above a file, the nearest first, from which modules are looked for. */
const MAX_FOLDERS = 8;
const SOURCE_FOLDERS = ['', 'lua', 'src', 'lib'];

export const luaRules: LanguageRules = {
  family: 'lua',
  separator: '.',
  constructorName: '',
  implicitReceiver: false,
  overloads: false,
  openTypes: false,
  structural: false,
  reexports: false,
  callsConvert: true,
  builtins: new BuiltinTable([
    { type: 'string' },
    { type: 'number' },
    { type: 'boolean' },
    { type: 'nil' },
    { type: 'table' },
    { type: 'Tuple', parameters: 'T' },
  ]),
  functions: NO_TYPES,
  aliases: {},
  literals: { string: 'string', number: 'number', boolean: 'boolean', null: 'nil' },
  arrayType: 'table',
  booleanType: 'boolean',
  numberType: 'number',
  isGlobal: name => GLOBALS.has(name),
  packageOf: () => undefined,
  imported: (ev, file, row) => {
    const target = requiredFile(ev, file, row);
    if (target === undefined) return ev.values.single(ev.values.external(ev.nameOf(file.text(file.facts.imports.specifier[row] ?? NO_TEXT))));
    const given = returnedBy(ev, target);
    return given === NOTHING ? SET_UNKNOWN : given;
  },
  importTargets: (ev, file, row) => {
    const target = requiredFile(ev, file, row);
    return target === undefined ? 'external' : [target.path];
  },
};

function returnedBy(ev: Evaluator, file: FileState): ValueSet {
  ev.dependencies.consult(ev.dependencies.unit(file.id, ev.known.whole));
  const { exports } = file.facts;
  for (let row = exports.count - 1; row >= 0; row--) {
    const value = exports.value[row] ?? NONE;
    if (exports.kind[row] === WHOLE && value !== NONE) return ev.valueOf(file, value);
  }
  return NOTHING;
}

function requiredFile(ev: Evaluator, file: FileState, row: ImportRow): FileState | undefined {
  const path = file.text(file.facts.imports.specifier[row] ?? NO_TEXT).replaceAll('.', '/');
  const { paths } = ev.modules;
  for (const folder of [...SOURCE_FOLDERS, ...foldersAbove(file.path).slice(0, MAX_FOLDERS)]) {
    const stem = join(folder, path);
    const found = stem === undefined ? undefined : (paths.first(stem, ['.lua']) ?? paths.first(`${stem}/init`, ['.lua']));
    if (found !== undefined && found !== file.path) return ev.project.fileAt(found);
  }
  return undefined;
}
