/**
 * Fixtures of pytest: what a test or a fixture gets by the names of its parameters. A fixture is looked for in the class, in the module with what that
 * imports, then in `conftest.py` of the folder and of each folder above; the nearest one counts, and one that asks for its own name means the next.
 */

import { dirname } from '../../../../base/path';
import { type BindingRow, NO_TEXT, NONE, operatorCode, type SymbolRow, symbolRow } from '../../../../model/facts';
import type { NodeHandle } from '../../../../model/ids';
import { MODIFIERS } from '../../../../model/nodes';
import { elementsOf } from '../../evaluate/containers';
import { AS_VALUE, type DeclaredSymbol, type Evaluator, type Injection } from '../../evaluate/evaluator';
import { awaited } from '../../evaluate/imports';
import type { FileState } from '../../fileState';
import { DECORATED_UNIT } from '../../interfaceHash';
import type { NameNumber } from '../../numbers';
import { NOTHING, VALUE, type ValueSet } from '../../values';
import { decoratorName } from '../setUps';
import { exportedName } from './exports';

const CONFTEST = 'conftest.py';

/** What a fixture gives to the parameter of a test or of another fixture. */
export function parameterFromFixture(ev: Evaluator, file: FileState, row: BindingRow): ValueSet {
  const { bindings, functions } = file.facts;
  const symbol = functions.symbol[bindings.function[row] ?? NONE] ?? NONE;
  if (symbol === NONE || (bindings.value[row] ?? NONE) !== NONE || !takesFixtures(file, symbol)) return NOTHING;
  const fixture = fixtureNamed(ev, file, symbol, file.name(bindings.name[row] ?? NO_TEXT));
  return fixture === undefined ? NOTHING : givenBy(ev, fixture);
}

/** The fixtures that the tests and fixtures of a file get: by their parameters, and those that every test in reach gets. */
export function injectedFixtures(ev: Evaluator, file: FileState): readonly Injection[] {
  const { symbols } = file.facts;
  const injections: Injection[] = [];
  for (let symbol = symbolRow(0); symbol < symbols.count; symbol++) {
    if (!takesFixtures(file, symbol)) continue;
    ev.inBody(ev.unitOfSymbol(file, symbol), () => {
      const found = new Set<NodeHandle>();
      for (const name of parameterNames(file, symbol)) addNode(ev, found, fixtureNamed(ev, file, symbol, name));
      if (!isFixture(file, symbol)) for (const fixture of automatic(ev, file, symbol)) addNode(ev, found, fixture);
      for (const node of found) injections.push({ from: symbol, node });
    });
  }
  return injections;
}

function addNode(ev: Evaluator, into: Set<NodeHandle>, fixture: DeclaredSymbol | undefined): void {
  if (fixture !== undefined) into.add(ev.canonical(fixture.file, fixture.row));
}

/** Tests in files of tests, and fixtures anywhere. */
function takesFixtures(file: FileState, symbol: SymbolRow): boolean {
  const { symbols } = file.facts;
  if ((symbols.function[symbol] ?? NONE) === NONE) return false;
  return (file.isTest && ((symbols.modifiers[symbol] ?? 0) & MODIFIERS.test) !== 0) || isFixture(file, symbol);
}

/** A function below `@pytest.fixture`, with or without arguments, or a decorator of that name from elsewhere. */
function isFixture(file: FileState, symbol: SymbolRow): boolean {
  return (file.facts.symbols.function[symbol] ?? NONE) !== NONE && file.decoratorsOf(symbol).some(row => FIXTURE.test(decoratorName(file, row)));
}

const FIXTURE = /^(?:yield_)?fixture$/;

/** Parameters without a default, in order; those with one are no fixtures. */
function parameterNames(file: FileState, symbol: SymbolRow): readonly NameNumber[] {
  const { bindings, functions, lists, symbols } = file.facts;
  const row = symbols.function[symbol] ?? NONE;
  const start = functions.parameterStart[row] ?? 0;
  const names: NameNumber[] = [];
  for (let at = 0; at < (functions.parameterCount[row] ?? 0); at++) {
    const parameter = lists[start + at] ?? NONE;
    if (parameter !== NONE && (bindings.value[parameter] ?? NONE) === NONE) names.push(file.name(bindings.name[parameter] ?? NO_TEXT));
  }
  return names;
}

function fixtureNamed(ev: Evaluator, file: FileState, asking: SymbolRow, name: NameNumber): DeclaredSymbol | undefined {
  const isMeant = (found: DeclaredSymbol): boolean => isFixture(found.file, found.row) && !(found.file === file && found.row === asking);
  for (let parent = file.facts.symbols.parent[asking] ?? NONE; parent !== NONE; parent = file.facts.symbols.parent[parent] ?? NONE) {
    const own = file.membersNamed(parent, name).map(row => ({ file, row }));
    const found = own.findLast(isMeant);
    if (found !== undefined) return found;
  }
  for (const module of modulesInReach(ev, file)) {
    const found = functionsNamed(ev, module, name).findLast(isMeant);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The file itself, then each `conftest.py` from its folder up. */
function* modulesInReach(ev: Evaluator, file: FileState): Generator<FileState> {
  yield file;
  for (let folder = dirname(file.path); ; folder = dirname(folder)) {
    const path = folder === '' ? CONFTEST : `${folder}/${CONFTEST}`;
    ev.dependencies.consult(ev.dependencies.path(path));
    const conftest = path === file.path ? undefined : ev.project.fileAt(path);
    if (conftest !== undefined) yield conftest;
    if (folder === '') return;
  }
}

/** Functions that a module declares or imports under a name. */
function functionsNamed(ev: Evaluator, module: FileState, name: NameNumber): readonly DeclaredSymbol[] {
  ev.dependencies.consult(ev.dependencies.unit(module.id, name));
  const own = module.membersNamed(NONE, name).map(row => ({ file: module, row }));
  if (own.length > 0) return own;
  return ev.values.members(exportedName(ev, module, name, AS_VALUE)).flatMap(value => {
    if (ev.values.kindOf(value) !== VALUE.function) return [];
    const owner = ev.project.ownerOf(ev.values.node(value));
    return owner === undefined ? [] : [{ file: owner, row: ev.project.rowOf(ev.values.node(value)) }];
  });
}

/** Fixtures with `autouse` beside or around a test. */
function* automatic(ev: Evaluator, file: FileState, test: SymbolRow): Generator<DeclaredSymbol> {
  const { parent } = file.facts.symbols;
  for (const module of modulesInReach(ev, file)) {
    ev.dependencies.consult(ev.dependencies.unit(module.id, ev.nameOf(DECORATED_UNIT)));
    for (const row of automaticIn(ev, module)) {
      const around = module.facts.symbols.parent[row] ?? NONE;
      if (around === NONE || (module === file && around === (parent[test] ?? NONE))) yield { file: module, row };
    }
  }
}

const AUTOMATIC = Symbol('fixtures that every test gets');

function automaticIn(ev: Evaluator, module: FileState): readonly SymbolRow[] {
  const kept = ev.kept(AUTOMATIC);
  const known = kept.get(module.id) as readonly SymbolRow[] | undefined;
  if (known !== undefined) return known;
  const found: SymbolRow[] = [];
  for (let row = symbolRow(0); row < module.facts.symbols.count; row++) if (isAutomatic(module, row)) found.push(row);
  kept.set(module.id, found);
  return found;
}

function isAutomatic(module: FileState, row: SymbolRow): boolean {
  const { expressions, lists } = module.facts;
  return module.decoratorsOf(row).some(call => {
    if (expressions.operator[call] !== operatorCode.call || !FIXTURE.test(decoratorName(module, call))) return false;
    const start = expressions.listStart[call] ?? 0;
    const given = Array.from(lists.subarray(start, start + (expressions.listCount[call] ?? 0)));
    return given.some(argument => argument >= 0 && module.text(expressions.text[argument] ?? NO_TEXT) === 'autouse=');
  });
}

/** What calling a fixture gives: what it returns or yields, awaited. */
function givenBy(ev: Evaluator, { file, row }: DeclaredSymbol): ValueSet {
  const functionRow = file.facts.symbols.function[row] ?? NONE;
  ev.dependencies.consult(ev.unitOfSymbol(file, row));
  const modifiers = file.facts.functions.modifiers[functionRow] ?? 0;
  const isAsync = (modifiers & MODIFIERS.async) !== 0;
  const returned = ev.returned(file, functionRow);
  if ((modifiers & MODIFIERS.generator) !== 0) return elementsOf(ev, returned, isAsync);
  return isAsync ? awaited(ev, returned) : returned;
}
