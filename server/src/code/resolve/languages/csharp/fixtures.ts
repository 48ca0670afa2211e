/**
 * What runners of tests make and call for the cases of a class: methods by their attributes (NUnit, MSTest), and the types that its constructor takes or that
 * it names as `IClassFixture<T>` (xUnit).
 */
import { operandOf } from '../../../../model/expressions';
import {
  BINDING_KINDS,
  bindingRow,
  type ExpressionRow,
  MODULE_SCOPE,
  NO_TEXT,
  NONE,
  operatorCode,
  type ScopeRow,
  type SymbolRow,
  symbolRow,
} from '../../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../../model/ids';
import { MODIFIERS, symbolKindCode } from '../../../../model/nodes';
import type { Evaluator, Injection } from '../../evaluate/evaluator';
import type { FileState } from '../../fileState';
import { DECORATED_UNIT } from '../../interfaceHash';
import { VALUE } from '../../values';
import { decoratedSetUps, decoratorName } from '../setUps';
import { projectFolder } from './projects';

/** Attributes on methods that run around the cases of their class, by their long names. */
const SET_UPS: ReadonlySet<string> = new Set(
  'SetUp TearDown OneTimeSetUp OneTimeTearDown TestInitialize TestCleanup ClassInitialize ClassCleanup'.split(' ').map(name => `${name}Attribute`),
);
/** Attributes on methods that run around all cases of a project (MSTest). */
const ASSEMBLY_SET_UPS: ReadonlySet<string> = new Set(['AssemblyInitializeAttribute', 'AssemblyCleanupAttribute']);
/** Attributes on classes whose set-ups run around all cases of their namespace and those in it (NUnit). */
const NAMESPACE_FIXTURES: ReadonlySet<string> = new Set(['SetUpFixtureAttribute']);
const FIXTURES = /^I(?:Class|Collection|Assembly)Fixture`1$/;
const CONSTRUCTOR = symbolKindCode.constructor;
const PARAMETER = BINDING_KINDS.indexOf('parameter');

export function injectedFixtures(ev: Evaluator, file: FileState): readonly Injection[] {
  if (!file.isTest) return [];
  const { symbols } = file.facts;
  const found = [...decoratedSetUps(ev, file, SET_UPS)];
  const classes = new Set<SymbolRow>();
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const parent = symbols.parent[row] ?? NONE;
    if (parent !== NONE && ((symbols.modifiers[row] ?? 0) & MODIFIERS.test) !== 0) classes.add(parent);
  }
  for (const from of classes) {
    ev.inBody(ev.unitOfSymbol(file, from), () => {
      for (const node of setUpsAround(ev, file, from)) found.push({ from, node });
      const types = [...constructorTypes(file, from), ...fixtureTypes(file, from)];
      const nodes = new Set(types.flatMap(type => madeBy(ev, file, type)));
      for (const node of nodes) found.push({ from, node });
    });
  }
  return found;
}

/** Set-ups of whole namespaces (NUnit) and of the project (MSTest) in the namespaces around a class. */
function* setUpsAround(ev: Evaluator, file: FileState, type: SymbolRow): Generator<NodeHandle> {
  const { manifests } = ev.modules;
  const scope = file.facts.symbols.scope[type] ?? MODULE_SCOPE;
  const home = projectFolder(manifests, file.path);
  let namespace = ev.packages.nameOf(ev.packages.packageOf(file, scope));
  for (;;) {
    const number = ev.packages.named(file, namespace);
    ev.dependencies.consult(ev.dependencies.bearers(number));
    for (const other of ev.packages.files(number)) {
      if (!other.isTest || projectFolder(manifests, other.path) !== home) continue;
      ev.dependencies.consult(ev.dependencies.unit(other.id, ev.nameOf(DECORATED_UNIT)));
      for (const row of wideSetUps(ev, other)) {
        const owner = other.facts.symbols.parent[row] ?? NONE;
        if (ev.packages.packageOf(other, other.facts.symbols.scope[owner] ?? MODULE_SCOPE) === number) yield other.symbolNodes[row] ?? NO_NODE;
      }
    }
    if (namespace === '') return;
    namespace = namespace.slice(0, Math.max(0, namespace.lastIndexOf('.')));
  }
}

const WIDE = Symbol('set-ups of more than a class');

/** Methods of a file that run around the cases of more than their class. */
function wideSetUps(ev: Evaluator, file: FileState): readonly SymbolRow[] {
  const kept = ev.kept(WIDE);
  const known = kept.get(file.id) as readonly SymbolRow[] | undefined;
  if (known !== undefined) return known;
  const has = (row: SymbolRow, names: ReadonlySet<string>): boolean => file.decoratorsOf(row).some(decorator => names.has(decoratorName(file, decorator)));
  const found: SymbolRow[] = [];
  const { symbols } = file.facts;
  for (let row = symbolRow(0); row < symbols.count; row++) {
    const owner = symbols.parent[row] ?? NONE;
    if (owner !== NONE && (has(row, ASSEMBLY_SET_UPS) || (has(row, SET_UPS) && has(owner, NAMESPACE_FIXTURES)))) found.push(row);
  }
  kept.set(file.id, found);
  return found;
}

/** Types of what the constructors of a class take. */
function constructorTypes(file: FileState, type: SymbolRow): readonly ExpressionRow[] {
  const { bindings, scopes, symbols } = file.facts;
  const isOwn = (scope: ScopeRow): boolean => {
    if (scope === symbols.scope[type]) return true;
    const symbol = scopes.symbol[scope] ?? NONE;
    return symbol !== NONE && symbols.parent[symbol] === type && symbols.kind[symbol] === CONSTRUCTOR;
  };
  const found: ExpressionRow[] = [];
  for (let row = bindingRow(0); row < bindings.count; row++) {
    const spelled = bindings.type[row] ?? NONE;
    if (bindings.kind[row] === PARAMETER && spelled !== NONE && isOwn(bindings.scope[row] ?? NONE)) found.push(spelled);
  }
  return found;
}

/** `T` of each `IClassFixture<T>` among the bases of a class. */
function fixtureTypes(file: FileState, type: SymbolRow): readonly ExpressionRow[] {
  const { expressions, heritage, lists } = file.facts;
  return file.heritageOf(type).flatMap(line => {
    const row = heritage.expression[line] ?? NONE;
    const base = row === NONE || expressions.operator[row] !== operatorCode.generic ? NONE : operandOf.inner(expressions, row);
    const argument = row === NONE ? NONE : (lists[expressions.listStart[row] ?? 0] ?? NONE);
    return base !== NONE && argument !== NONE && FIXTURES.test(file.text(expressions.text[base] ?? NO_TEXT)) ? [argument as ExpressionRow] : [];
  });
}

/** Classes of the project that a type means. */
function madeBy(ev: Evaluator, file: FileState, type: ExpressionRow): readonly NodeHandle[] {
  return ev.values.members(ev.typeOf(file, type)).flatMap(value => (ev.values.kindOf(value) === VALUE.instance ? [ev.values.node(value)] : []));
}
