/** Sites about types: used, caught, asserted, raised, entered, and decorators, which point at what they decorate. One row each, one writer for all. */

import { compareText } from '../../../base/text';
import type { SourceName } from '../../../model/evidence';
import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, OPERATORS, type ReferenceKind } from '../../../model/facts';
import { NO_NODE } from '../../../model/ids';
import { type Relation, relationCode } from '../../../model/relations';
import { aliasOf } from '../evaluate/declared/symbols';
import type { Evaluator } from '../evaluate/evaluator';
import { findMember } from '../evaluate/members';
import type { FileState } from '../fileState';
import type { LanguageRules } from '../languages/languageRules';
import { VALUE } from '../values';
import { callTarget } from './callTargets';
import {
  candidatesOf,
  declared,
  evidenceOf,
  externalTarget,
  missed,
  type Outcome,
  type Reached,
  reach,
  type Site,
  type TargetPicker,
  writeReached,
} from './reached';
import type { SiteContext } from './siteContext';
import type { Candidate } from './siteWriter';
import { VALUE_HOLDERS } from './variableRelations';
import { variableSite } from './variableSites';

/** One kind of site about types. */
export interface TypeSite {
  readonly relation: Relation;
  readonly targetsOf: (context: SiteContext, site: Site, relation: Relation) => Reached;
  /** How the targets are known. */
  readonly source: (context: SiteContext, site: Site, reached: Reached) => SourceName;
  /** The edge runs from the target to where the site stands. */
  readonly isReversed?: boolean;
}

export const TYPE_SITES: Readonly<Partial<Record<ReferenceKind, TypeSite>>> = {
  type: { relation: 'USES_TYPE', targetsOf: spelledTypes, source: bySpelling },
  catch: { relation: 'CATCHES', targetsOf: spelledTypes, source: bySpelling },
  assertType: { relation: 'ASSERTS_TYPE', targetsOf: spelledTypes, source: bySpelling },
  raise: { relation: 'RAISES', targetsOf: classesOfValue, source: () => 'type' },
  enter: { relation: 'USES_CONTEXT_MANAGER', targetsOf: classesOfValue, source: () => 'type' },
  decorator: { relation: 'DECORATES', targetsOf: decorators, source: byDecorator, isReversed: true },
};

export function typeSite(context: SiteContext, site: Site, { relation, targetsOf, source, isReversed }: TypeSite): Outcome {
  const { project } = context.ev;
  const isValue =
    targetsOf === spelledTypes && namesValue(context.file.rules, relation) && variableSite(context, site, undefined, VALUE_HOLDERS) === 'resolved';
  const reached = targetsOf(context, site, relation);
  // Of a value that is declared here, what its type is called outside says nothing more.
  if (isValue && reached.targets.every(({ node }) => project.ownerOf(node) === undefined)) return 'resolved';
  if (reached.targets.length === 0) return missed(reached);
  const known = source(context, site, reached);
  if (isReversed !== true) {
    writeReached(context, site, relation, reached, known);
    if (relation === 'USES_CONTEXT_MANAGER') writeProtocol(context, site, candidatesOf(reached, known));
  }
  // A site for each, in an order that all runs have.
  else
    for (const candidate of candidatesOf(reached, known).sort((left, right) => compareText(project.idText(left.node), project.idText(right.node))))
      context.writer.add(relationCode[relation], candidate.node, site.line, site.column, site.length, [{ ...candidate, node: site.from }]);
  return 'resolved';
}

/** True where the name in the place of a type may be a value: `isinstance(x, NUMBERS)`, `scope: Scope` with `Scope = dict[str, Any]`. What is named is used. */
function namesValue({ typesAreValues }: LanguageRules, relation: Relation): boolean {
  return typesAreValues === 'everywhere' || (typesAreValues === 'inTests' && (relation === 'ASSERTS_TYPE' || relation === 'CATCHES'));
}

/** Calls of the methods that entering and leaving a manager runs: those of the first protocol that its class knows. */
function writeProtocol({ ev, file, writer }: SiteContext, site: Site, managers: readonly Candidate[]): void {
  const { managerProtocols = [] } = file.rules;
  const steps: Candidate[][] = [];
  for (const manager of managers) {
    const methods = managerProtocols
      .map(names => names.flatMap(name => findMember(ev, manager.node, ev.nameOf(name)).slice(0, 1)))
      .find(hits => hits.length > 0);
    methods?.forEach((hit, step) => {
      steps[step] ??= [];
      steps[step].push({ ...manager, node: hit.file.symbolNodes[hit.row] ?? NO_NODE });
    });
  }
  for (const candidates of steps) writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, candidates);
}

/** The alias that a type names, else every class-like symbol that it stands for. */
function spelledTypes({ ev, file }: SiteContext, site: Site, relation: Relation): Reached {
  const alias = aliasOf(ev, file, site.expression);
  if (alias !== undefined) return declared(alias.file.symbolNodes[alias.row] ?? NO_NODE, relation);
  return reach(ev, ev.typeOf(file, site.expression), classPick(ev, relation));
}

/** Errors raised and managers entered: the class of the value. */
function classesOfValue({ ev, file }: SiteContext, site: Site, relation: Relation): Reached {
  return reach(ev, ev.valueOf(file, site.expression), classPick(ev, relation));
}

function classPick(ev: Evaluator, relation: Relation): TargetPicker {
  return value => {
    const kind = ev.values.kindOf(value);
    if (kind === VALUE.instance || kind === VALUE.class || kind === VALUE.namespace) return { node: ev.values.node(value), relation };
    if (kind === VALUE.external) return externalTarget(ev, value, relation);
    if (kind === VALUE.unknown) return 'open';
    return kind === VALUE.builtin || kind === VALUE.builtinClass ? 'external' : undefined;
  };
}

/** What decorates, called or not. */
function decorators({ ev, file }: SiteContext, site: Site, relation: Relation): Reached {
  return reach(ev, ev.valueOf(file, decoratorNamed(file, site)), value => {
    if (ev.values.kindOf(value) === VALUE.external) return externalTarget(ev, value, relation);
    const target = callTarget(ev, value);
    return typeof target === 'object' ? { node: target.node, relation } : target;
  });
}

function decoratorNamed(file: FileState, site: Site): ExpressionRow {
  const { expressions } = file.facts;
  return OPERATORS[expressions.operator[site.expression] ?? 0] === 'call' ? operandOf.callee(expressions, site.expression) : site.expression;
}

function byDecorator(context: SiteContext, site: Site, reached: Reached): SourceName {
  return evidenceOf(context, decoratorNamed(context.file, site), reached.targets);
}

/** An alias is known where its name is, whatever path leads there. */
function bySpelling(context: SiteContext, site: Site, reached: Reached): SourceName {
  const source = evidenceOf(context, site.expression, reached.targets);
  return source === 'type' && aliasOf(context.ev, context.file, site.expression) !== undefined ? 'scope' : source;
}
