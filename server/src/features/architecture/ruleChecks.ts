import { MAX_MATCHED_LENGTH } from '../../base/patternCost';
import { eachInSteps, type Steps } from '../../base/steps';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { RELATIONS, type Relation } from '../../model/relations';
import { ErasedImports } from '../shared/links';
import { kindOf } from '../shared/rows';
import { CodeMap, type Link, linksAlong, packageOf } from './codeMap';
import { type Cycle, cyclesAmong } from './cycles';
import { COMMUNITY_RULE, DEFAULT_EDGES, LAYERS_RULE, type Rule, type RuleSet, type Selector, type Severity } from './rules';

/** A violation before it is put into words. */
export interface RuleViolation {
  readonly ruleId: string;
  readonly severity: Severity;
  /** Line of the rule in its file, 0 for none. */
  readonly ruleLine: number;
  readonly source: NodeHandle;
  readonly target: NodeHandle | undefined;
  readonly relation: Relation | undefined;
  readonly message: string;
  readonly suggestion: string;
  readonly cycle: Cycle | undefined;
}

export interface RuleCheck {
  readonly violations: readonly RuleViolation[];
  readonly map: CodeMap;
  readonly checkedFiles: number;
  /** Facts between files, and to packages, that some rule looked at. */
  readonly checkedEdges: number;
}

export interface RuleCheckOptions {
  /** Rules that are wanted. */
  readonly wants: (ruleId: string) => boolean;
  /** Files that ways round should begin at. */
  readonly isFirst: (path: string) => boolean;
  readonly withCommunities: boolean;
}

/** Imports that carry types only and do not count where a rule ignores these. */
type IsTypeOnly = (link: Link) => boolean;

type Check = (rule: Rule, map: CodeMap, links: readonly Link[], options: RuleCheckOptions) => Steps<RuleViolation[]>;

const CHECKS: Readonly<Record<Rule['type'], Check>> = { 'no-cycle': noCycle, forbid, 'only-via': onlyVia, naming, 'max-fan-out': maxFanOut };

/** Checks the graph against rules. */
export function* checkRules(graph: GraphView, rules: RuleSet, options: RuleCheckOptions): Steps<RuleCheck> {
  const map = new CodeMap(graph, rules);
  const wanted = rules.rules.filter(rule => options.wants(rule.id));
  const judgesLayers = rules.layers.length > 0 && options.wants(LAYERS_RULE);
  const relations = new Set<Relation>([...wanted.flatMap(rule => rule.edges), ...(judgesLayers ? DEFAULT_EDGES : [])]);
  const links = yield* linksAlong(graph, relations);
  const erased = new ErasedImports(graph);
  const isTypeOnly: IsTypeOnly = link => nameOf(link) === 'IMPORTS' && erased.has(link.source, link.target);
  const violations: RuleViolation[] = [];
  const add = (more: readonly RuleViolation[]): void => {
    for (const violation of more) violations.push(violation);
  };
  if (judgesLayers) add(yield* layers(rules, map, links, isTypeOnly));
  for (const rule of wanted) {
    yield undefined;
    const own = links.filter(link => rule.edges.includes(nameOf(link)) && !(rule.ignoreTypeOnly && isTypeOnly(link)));
    add(yield* CHECKS[rule.type](rule, map, own, options));
  }
  if (options.withCommunities && rules.layers.length > 0 && options.wants(COMMUNITY_RULE)) {
    yield undefined;
    add([...strangers(map)]);
  }
  return { violations, map, checkedFiles: graph.fileCount, checkedEdges: links.length };
}

function nameOf(link: Link): Relation {
  return RELATIONS[link.relation]?.name ?? 'IMPORTS';
}

/** How a link reads: `src/a.ts calls total of src/b.ts`. */
function linkText({ graph }: CodeMap, link: Link): string {
  const verb = nameOf(link).toLowerCase().replaceAll('_', ' ');
  const target = link.targetFile === undefined ? packageOf(graph.idOf(link.target)) : graph.idOf(link.targetFile);
  const what = link.targetFile === undefined || link.target === link.targetFile ? target : `${graph.node(link.target).name} of ${target}`;
  return `${graph.idOf(link.sourceFile)} ${verb} ${what}`;
}

function* layers(rules: RuleSet, map: CodeMap, links: readonly Link[], isTypeOnly: IsTypeOnly): Steps<RuleViolation[]> {
  const found: RuleViolation[] = [];
  yield* eachInSteps(links, link => {
    if (link.targetFile === undefined || !DEFAULT_EDGES.includes(nameOf(link)) || (rules.ignoreTypeOnly && isTypeOnly(link))) return;
    const from = map.layerOf(link.sourceFile);
    const to = map.layerOf(link.targetFile);
    if (from?.mayDependOn === undefined || to === undefined || from === to || from.mayDependOn.includes(to.id)) return;
    const allowed = from.mayDependOn;
    found.push({
      ruleId: LAYERS_RULE,
      severity: 'error',
      ruleLine: from.line,
      source: link.source,
      target: link.target,
      relation: nameOf(link),
      message: `Layer ${from.id} must not depend on ${to.id}: ${linkText(map, link)}.`,
      suggestion:
        allowed.length === 0
          ? `Layer ${from.id} must not use other layers. Move the code out of ${from.id}, or pass it in as a parameter.`
          : `Use it through ${allowed.join(' or ')}, or move one of the two files.`,
      cycle: undefined,
    });
  });
  return found;
}

function violationOf(rule: Rule, link: Link, message: string, suggestion: string): RuleViolation {
  const { id: ruleId, severity, line: ruleLine } = rule;
  return { ruleId, severity, ruleLine, source: link.source, target: link.target, relation: nameOf(link), message, suggestion, cycle: undefined };
}

/** What a selector asks for, in words: `layer domain`, `src/db/**`. */
function wordsOf(selector: Selector | undefined): string {
  if (selector === undefined) return 'anything';
  const { path, ...others } = selector;
  return [
    ...path,
    ...Object.entries(others).flatMap(([key, values]) => (values.length === 0 ? [] : [`${key} ${(values as readonly string[]).join(' or ')}`])),
  ].join(', ');
}

/** Whether a selector takes a node or the file that it is in. */
function takes(map: CodeMap, selector: Selector | undefined): (node: NodeHandle, file: NodeHandle | undefined) => boolean {
  const matches = map.matcher(selector);
  return (node, file) => matches(node) || (file !== undefined && matches(file));
}

function* forbid(rule: Rule, map: CodeMap, links: readonly Link[]): Steps<RuleViolation[]> {
  const from = takes(map, rule.from);
  const to = takes(map, rule.to);
  const found: RuleViolation[] = [];
  const suggestion = `${capital(wordsOf(rule.from))} must not use ${wordsOf(rule.to)}. Pass in what is needed as a parameter, or move this code.`;
  yield* eachInSteps(links, link => {
    if (!from(link.source, link.sourceFile) || !to(link.target, link.targetFile)) return;
    found.push(violationOf(rule, link, `Forbidden by rule ${rule.id}: ${linkText(map, link)}.`, suggestion));
  });
  return found;
}

function* onlyVia(rule: Rule, map: CodeMap, links: readonly Link[]): Steps<RuleViolation[]> {
  const from = takes(map, rule.from);
  const to = takes(map, rule.to);
  const via = takes(map, rule.via);
  const found: RuleViolation[] = [];
  yield* eachInSteps(links, link => {
    const enters = to(link.target, link.targetFile) && !via(link.target, link.targetFile);
    const isOutside = !to(link.source, link.sourceFile) && !via(link.source, link.sourceFile);
    if (!enters || !isOutside || !from(link.source, link.sourceFile)) return;
    found.push(
      violationOf(
        rule,
        link,
        `Rule ${rule.id}: ${wordsOf(rule.to)} must only be used through ${wordsOf(rule.via)}, but ${linkText(map, link)}.`,
        `Use ${wordsOf(rule.via)} instead, and add exports there if necessary.`,
      ),
    );
  });
  return found;
}

function* noCycle(rule: Rule, map: CodeMap, links: readonly Link[], options: RuleCheckOptions): Steps<RuleViolation[]> {
  const matches = map.matcher(rule.select);
  const own = rule.select === undefined ? links : links.filter(link => matches(link.sourceFile) && link.targetFile !== undefined && matches(link.targetFile));
  const found = yield* cyclesAmong(map, own, rule.scope, options.isFirst);
  return found.map(cycle => {
    const rest = cycle.members.length - cycle.way.length + 1;
    const others = rest > 0 ? ` (and ${rest} more ${rest === 1 ? rule.scope : `${rule.scope}s`})` : '';
    const message = `Rule ${rule.id}: cyclic dependency between ${rule.scope}s: ${cycle.way.join(' → ')}${others}.`;
    const suggestion = `Remove one of these dependencies: move the shared code into a separate ${rule.scope}, or invert one dependency with an interface.`;
    return { ...violationOf(rule, cycle.link, message, suggestion), cycle };
  });
}

function* naming(rule: Rule, map: CodeMap): Steps<RuleViolation[]> {
  const matches = map.matcher(rule.select);
  const { match } = rule;
  const found: RuleViolation[] = [];
  if (match === undefined) return found;
  yield* eachInSteps(map.graph.nodes(), node => {
    if (!matches(node)) return;
    const { name, id } = map.graph.node(node);
    // Without a kind, a rule about a path speaks of what is declared there, not of each of its members.
    if (rule.select?.kind.length === 0 && map.graph.fileNodeOf(node) !== node && !isTopLevel(map.graph, node)) return;
    if (rule.select?.kind.length === 0 && map.graph.fileNodeOf(node) === node) return;
    if (match.test(name.slice(0, MAX_MATCHED_LENGTH))) return;
    const nameMessage = `Rule ${rule.id}: the ${kindOf(map.graph.node(node))} ${name} does not match ${match.source} (${id}).`;
    found.push({ ...bare(rule, node), message: nameMessage, suggestion: `Rename it to match ${match.source}.` });
  });
  return found;
}

function isTopLevel(graph: GraphView, node: NodeHandle): boolean {
  const parent = graph.parentOf(node);
  return parent === undefined || parent === graph.fileNodeOf(node);
}

function bare({ id: ruleId, severity, line: ruleLine }: Rule, source: NodeHandle): Omit<RuleViolation, 'message' | 'suggestion'> {
  return { ruleId, severity, ruleLine, source, target: undefined, relation: undefined, cycle: undefined };
}

/** Files that a file depends on; with a kind, the same for each symbol of that kind. */
function* maxFanOut(rule: Rule, map: CodeMap, links: readonly Link[]): Steps<RuleViolation[]> {
  const matches = map.matcher(rule.select);
  const ofSymbols = rule.select?.kind.some(kind => kind !== 'file') === true;
  const targets = new Map<NodeHandle, Set<NodeHandle>>();
  yield* eachInSteps(links, link => {
    const source = ofSymbols ? link.source : link.sourceFile;
    if (link.targetFile === undefined || !matches(source)) return;
    targets.set(source, (targets.get(source) ?? new Set()).add(link.targetFile));
  });
  const found: RuleViolation[] = [];
  for (const [source, files] of targets) {
    if (files.size <= rule.limit) continue;
    const fanOutMessage = `Rule ${rule.id}: ${map.graph.idOf(source)} depends on ${files.size} files, more than the limit of ${rule.limit}.`;
    found.push({ ...bare(rule, source), message: fanOutMessage, suggestion: 'Split it, or introduce a facade for its dependencies.' });
  }
  return found;
}

/** Share of a community's files that makes it one layer's. */
const DOMINANT = 0.6;
const MIN_FILES = 3;

/** Files whose community belongs to another layer. */
function* strangers(map: CodeMap): Iterable<RuleViolation> {
  const { graph } = map;
  const { of } = graph.communities();
  const counts = new Map<number, Map<string, number>>();
  const files = [...graph.files()].flatMap(file => {
    const layer = map.layerOf(file)?.id;
    const community = of[file] ?? -1;
    return layer === undefined || community < 0 ? [] : [{ file, layer, community }];
  });
  for (const { layer, community } of files) {
    const row = counts.get(community) ?? new Map<string, number>();
    counts.set(community, row.set(layer, (row.get(layer) ?? 0) + 1));
  }
  for (const { file, layer, community } of files) {
    const row = [...(counts.get(community) ?? [])];
    const total = row.reduce((sum, [, count]) => sum + count, 0);
    const [main, share] = row.sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))[0] ?? ['', 0];
    if (main === layer || total < MIN_FILES || share < DOMINANT * total) continue;
    yield {
      ruleId: COMMUNITY_RULE,
      severity: 'info',
      ruleLine: 0,
      source: file,
      target: undefined,
      relation: undefined,
      message: `${graph.idOf(file)} is declared in layer ${layer}, but ${Math.round((share / total) * 100)}% of its related files are in ${main}.`,
      suggestion: `Move it to ${main}, or reduce its dependencies on that layer.`,
      cycle: undefined,
    };
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
