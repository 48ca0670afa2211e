/** From what an expression may be to the candidates of a site: which nodes, how sure, known by what. */

import { confidenceOf, MAX_CONFIDENCE, SOURCES, type SourceName, sourceCode } from '../../../model/evidence';
import { operandOf } from '../../../model/expressions';
import { type ExpressionRow, NO_TEXT, NONE, OPERATORS } from '../../../model/facts';
import type { NodeHandle } from '../../../model/ids';
import { type Relation, relationCode } from '../../../model/relations';
import type { Evaluator } from '../evaluate/evaluator';
import { type FoundName, findName } from '../evaluate/packages/names';
import type { FileState } from '../fileState';
import { VALUE, type Value, type ValueSet } from '../values';
import type { SiteContext } from './siteContext';
import type { Candidate } from './siteWriter';

/** What became of a site: without candidates it is counted as external or unresolved, or is none. */
export type Outcome = 'resolved' | 'external' | 'unresolved' | 'ignored';

/** A reference row: its expression, whose it is, and where its name stands. */
export interface Site {
  readonly expression: ExpressionRow;
  readonly from: NodeHandle;
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

/** A target with what it is reached by. */
export interface Target {
  readonly node: NodeHandle;
  readonly relation: Relation;
  /** Upper bound of the confidence, where the kind of value sets one. */
  readonly atMost?: number;
}

/** What a set of values says about where a site leads. */
export interface Reached {
  readonly targets: readonly Target[];
  readonly isExternal: boolean;
  readonly isOpen: boolean;
  readonly isWeak: boolean;
  /** The targets are what one container holds, and the site reaches each of them. */
  readonly areElements?: boolean;
}

/** What one value is for a site: a target, something outside, anything, or nothing that counts. */
export type TargetPicker = (value: Value) => Target | 'external' | 'open' | undefined;

export function reach(ev: Evaluator, set: ValueSet, pick: TargetPicker): Reached {
  const targets: Target[] = [];
  let isExternal = false;
  let isOpen = false;
  let isWeak = false;
  for (const value of ev.values.members(set)) {
    if (ev.values.kindOf(value) === VALUE.weak) {
      isWeak = true;
      continue;
    }
    const picked = pick(value);
    if (picked === 'external') isExternal = true;
    else if (picked === 'open') isOpen = true;
    else if (picked !== undefined) addTarget(targets, picked);
  }
  return { targets, isExternal, isOpen, isWeak };
}

/** Of two ways to one target the surer one counts, whichever of them was found first. */
function addTarget(targets: Target[], picked: Target): void {
  const at = targets.findIndex(target => target.node === picked.node && target.relation === picked.relation);
  const known = targets[at];
  if (known === undefined) targets.push(picked);
  else if ((picked.atMost ?? 1) > (known.atMost ?? 1)) targets[at] = picked;
}

/** Outcome of a site that reached nothing. */
export function missed(reached: Reached): Outcome {
  return reached.isOpen ? 'unresolved' : reached.isExternal ? 'external' : 'ignored';
}

/** The one target of a declaration that is known. */
export function declared(node: NodeHandle, relation: Relation): Reached {
  return { targets: [{ node, relation }], isExternal: false, isOpen: false, isWeak: false };
}

export function externalTarget(ev: Evaluator, value: Value, relation: Relation): Target | 'external' {
  const name = ev.values.name(value);
  return name === 0 ? 'external' : { node: ev.project.externalNode(ev.project.names.text(name)), relation };
}

/** Confidence of a single target that is reached so. */
export function certainty(source: SourceName, { isOpen, isWeak }: Reached): number {
  const row = SOURCES[sourceCode[source]];
  if (row === undefined) return 0;
  if (isWeak) return row.weak;
  return isOpen ? row.open : row.confidence;
}

export function candidatesOf(reached: Reached, source: SourceName): Candidate[] {
  const { targets } = reached;
  const base = certainty(source, reached);
  const each = targets.length === 1 ? base : Math.min(base, ofAlternatives(source, reached));
  return targets.map(target => ({ node: target.node, confidence: Math.min(each, target.atMost ?? 1), source: sourceCode[source] }));
}

/**
 * Confidence of each of several targets. They do not exclude one another: objects of each of the types are what a site gets at different times. What a
 * variable may hold is less: which variable it is depends on the way to the site.
 */
function ofAlternatives(source: SourceName, { targets, isWeak, areElements }: Reached): number {
  if (source === 'type' || areElements === true) return MAX_CONFIDENCE.alternativeType;
  return targets.length === 2 && !isWeak ? 1 / 2 : MAX_CONFIDENCE.heldByVariable;
}

/** Writes one site with all that it reached. */
export function writeReached({ writer }: SiteContext, site: Site, relation: Relation, reached: Reached, source: SourceName): void {
  writer.add(relationCode[relation], site.from, site.line, site.column, site.length, candidatesOf(reached, source));
}

/** A single candidate that a source names. */
export function candidate(node: NodeHandle, source: SourceName): Candidate {
  return { node, confidence: confidenceOf(source), source: sourceCode[source] };
}

/** How what an expression names is known: by an import, by scope, or by the type of a receiver. */
export function evidenceOf({ ev, file }: SiteContext, expression: ExpressionRow, targets: readonly { readonly node: NodeHandle }[]): SourceName {
  const { expressions, bindings } = file.facts;
  if (OPERATORS[expressions.operator[expression] ?? 0] !== 'name') return 'type';
  const scope = operandOf.scope(expressions, expression);
  const name = file.name(expressions.text[expression] ?? NO_TEXT);
  if (!file.isModular) {
    const isNear = targets.length > 0 && targets.every(target => ev.project.ownerOf(target.node) === file);
    return isNear || !isImported(file, findName(ev, file, scope, name).found) ? 'scope' : 'import';
  }
  const found = ev.lookup(file, scope, name);
  return found === NONE || (bindings.import[found] ?? NONE) !== NONE ? 'import' : 'scope';
}

/** True for a name that an import brings in: one by one, by wildcard, by inclusion. */
function isImported(file: FileState, found: FoundName | undefined): boolean {
  const { rules } = file;
  switch (found?.kind) {
    case undefined:
      return rules.seesUnimported !== true;
    case 'binding':
      return (file.facts.bindings.import[found.row] ?? NONE) !== NONE;
    case 'entries':
      return found.isVisible ? rules.seesUnimported !== true : rules.includes === true && found.entries.every(entry => entry.file !== file);
    case 'both':
      return found.parts.some(part => isImported(file, part));
    default:
      return false;
  }
}
