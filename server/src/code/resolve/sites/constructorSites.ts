/**
 * Making an instance runs a constructor. Where a class has its own, a call of it stands beside each site that makes the class;
 * a class without one takes over that of a base, which is said once, at the class: `USES_DEFAULT`.
 */
import { NO_TEXT, NONE, type SymbolRow } from '../../../model/facts';
import { NO_NODE, type NodeHandle } from '../../../model/ids';
import { symbolKindCode } from '../../../model/nodes';
import { relationCode } from '../../../model/relations';
import type { Arguments, DeclaredSymbol, Evaluator } from '../evaluate/evaluator';
import { superclassOf } from '../evaluate/hierarchy';
import { findMember } from '../evaluate/members';
import { selectedOverload } from '../evaluate/packages/overloads';
import type { FileState } from '../fileState';
import { definedNode } from './callTargets';
import { candidate } from './reached';
import type { SiteContext } from './siteContext';
import type { Candidate } from './siteWriter';
import { isInTest, writeTests } from './testSites';

/** Writes the calls of the constructors that the classes of a site run, one site for each method that runs, with the confidences of the classes. */
export function writeConstructors(
  context: SiteContext,
  site: { readonly from: NodeHandle; readonly line: number; readonly column: number; readonly length: number },
  classes: readonly Candidate[],
  args: Arguments | undefined,
): void {
  if (classes.length === 0) return;
  const { ev, file, writer } = context;
  const steps: Candidate[][] = [];
  for (const made of classes) {
    constructorsOf(ev, made.node, args)
      .filter(({ owner }) => owner === made.node)
      .forEach(({ node }, step) => {
        steps[step] ??= [];
        steps[step].push({ ...made, node });
      });
  }
  const isTest = file.isTest || isInTest(file, ev.project.rowOf(site.from), site.from);
  for (const candidates of steps) {
    writer.add(relationCode.CALLS, site.from, site.line, site.column, site.length, candidates);
    if (isTest) writeTests(context, site, candidates);
  }
}

/** Writes the constructors that the class of a row takes over from its bases. */
export function writeInheritedConstructors(context: SiteContext, row: SymbolRow): void {
  const { ev, file, writer } = context;
  const { symbols } = file.facts;
  const node = file.symbolNodes[row] ?? NO_NODE;
  if (!CLASSES.has(symbols.kind[row] ?? 0) || file.heritageOf(row).length === 0 || node !== ev.canonical(file, row)) return;
  const { constructorName, constructorParts = [] } = file.rules;
  if (constructorName === '' && constructorParts.length === 0 && file.rules.includes !== true) return;
  ev.inBody(ev.unitOfSymbol(file, row), () => {
    const length = file.text(symbols.name[row] ?? NO_TEXT).length;
    for (const inherited of constructorsOf(ev, node, { file, row: NONE, rows: [] })) {
      if (inherited.owner === node) continue;
      writer.add(relationCode.USES_DEFAULT, node, symbols.nameLine[row] ?? 0, symbols.nameColumn[row] ?? 0, length, [candidate(inherited.node, 'type')]);
    }
  });
}

const CLASSES: ReadonlySet<number> = new Set([symbolKindCode.class, symbolKindCode.struct]);

/** A method that making an instance runs, and the class that declares it. */
interface Run {
  readonly node: NodeHandle;
  readonly owner: NodeHandle;
}

/** What making an instance of a class runs, its own or inherited: the constructor that fits the arguments first. */
function constructorsOf(ev: Evaluator, node: NodeHandle, args: Arguments | undefined): readonly Run[] {
  const file = ev.project.ownerOf(node);
  if (file === undefined || !file.isContainer(ev.project.rowOf(node))) return [];
  const { constructorName, constructorParts = [] } = file.rules;
  const runs = constructorName === '' ? namedConstructor(ev, file, node, args) : constructorCalled(ev, node, constructorName, args);
  for (const part of constructorParts) {
    const hit = findMember(ev, node, ev.nameOf(part))[0];
    if (hit !== undefined) runs.push({ node: nodeOf(ev, hit), owner: hit.owner });
  }
  return runs;
}

/** The constructor of the class, else of the nearest base that has one. */
function constructorCalled(ev: Evaluator, node: NodeHandle, constructorName: string, args: Arguments | undefined): Run[] {
  const hits = findMember(ev, node, ev.nameOf(constructorName));
  const hit = hits[0]?.file.rules.lastDefinitionCounts === true ? hits[hits.length - 1] : hits[0];
  if (hit === undefined) return [];
  const { owner } = hit;
  const first = nodeOf(ev, hit);
  const { values } = ev;
  const isOverloaded = args !== undefined && hit.file.rules.overloads === true;
  return [{ node: isOverloaded ? values.node(selectedOverload(ev, values.functionOf(first, values.instance(owner)), args)) : first, owner }];
}

/** The same where a constructor bears the name of its class. */
function namedConstructor(ev: Evaluator, file: FileState, node: NodeHandle, args: Arguments | undefined): Run[] {
  const { values } = ev;
  for (let at = node, owner: FileState | undefined = file, depth = 0; owner !== undefined && depth < MAX_DEPTH; depth++) {
    const { kind } = owner.facts.symbols;
    const row = ev.project.rowOf(at);
    ev.dependencies.consult(ev.unitOfSymbol(owner, row));
    const own = owner.childrenOf(row).find(child => kind[child] === symbolKindCode.constructor);
    if (own !== undefined) {
      const first = values.functionOf(owner.symbolNodes[own] ?? at);
      return [{ node: definedNode(ev, values.node(args === undefined ? first : selectedOverload(ev, first, args))), owner: at }];
    }
    at = superclassOf(ev, at);
    owner = at < 0 ? undefined : ev.project.ownerOf(at);
  }
  return [];
}

/** Bases that are asked for a constructor. */
const MAX_DEPTH = 16;

function nodeOf(ev: Evaluator, { file, row }: DeclaredSymbol): NodeHandle {
  return definedNode(ev, file.symbolNodes[row] ?? NO_NODE);
}
