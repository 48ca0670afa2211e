import { basename, type WorkspacePath } from '../../base/path';
import { runAtOnce } from '../../base/steps';
import { compareText, wordPattern } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';
import { traitsOf } from '../../model/languages';
import { RELATIONS } from '../../model/relations';
import { CodeMap, type Link, linksAlong } from '../architecture/codeMap';
import { cyclesAmong } from '../architecture/cycles';
import { ErasedImports, importCycles } from '../shared/links';
import { parameterCount } from './parameters';
import { CALLABLES, CLASSES, matchOf, type Pattern, type PatternContext, type PatternMatch, symbolsOf, targetsOf, worstFirst } from './pattern';

/** Shapes that may be wrong. */
export const SMELLS: readonly Pattern[] = [
  {
    id: 'type-cycle',
    title: 'Circular imports of types',
    severity: 'info',
    fix: 'The cycle does not exist at run time. To remove it, move the shared types into a separate file.',
    words: /\btype[- ](?:only )?(?:cycles?|circles?)\b/,
    find: typeCycles,
  },
  {
    id: 'circular-dependency',
    title: 'Circular imports between files',
    severity: 'error',
    fix: 'Move the shared code into a separate file, or invert one dependency with an interface.',
    words: /\b(?:circular|cyclic|cycles?|import loops?)\b/,
    find: cycles,
  },
  {
    id: 'god-class',
    title: 'Classes that do too much',
    severity: 'warning',
    fix: 'Split it by the groups of fields that its methods use together.',
    words: /\bgod (?:class|object)s?\b|\b(?:large|huge|too big) class(?:es)?\b/,
    find: godClasses,
  },
  {
    id: 'hub',
    title: 'Code with many dependents',
    severity: 'warning',
    fix: 'Keep its interface small and stable, or split it by its users.',
    words: /\bhubs?\b|\bhot ?spots?\b/,
    find: hubs,
  },
  {
    id: 'deep-inheritance',
    title: 'Deep inheritance',
    severity: 'warning',
    fix: 'Use composition instead of inheritance where a class only reuses code.',
    words: /\bdeep (?:inheritance|hierarch)/,
    find: deepInheritance,
  },
  {
    id: 'long-parameter-list',
    title: 'Functions with many parameters',
    severity: 'info',
    fix: 'Pass an object with named fields instead.',
    words: /\b(?:long parameter lists?|too many (?:parameters|arguments))\b/,
    find: longLists,
  },
  {
    id: 'unused-export',
    title: 'Unused exports',
    severity: 'warning',
    fix: 'Delete it, or remove the export, unless code outside the workspace uses it.',
    words: /\b(?:unused|dead) (?:exports?|code)\b/,
    needs: 'importers',
    find: unusedExports,
  },
];

/** Cycles of imports that load something at run time. */
function cycles({ graph }: PatternContext): PatternMatch[] {
  const erased = new ErasedImports(graph);
  const links = runAtOnce(linksAlong(graph, ['IMPORTS'])).filter(link => !erased.has(link.source, link.target));
  return cyclesOver(graph, links);
}

/** Cycles that only exist because of imports of types: groups of files that are not as large without them. */
function typeCycles({ graph }: PatternContext): PatternMatch[] {
  const loading = new Set(importCycles(graph).map(group => group.join('\n')));
  return cyclesOver(graph, runAtOnce(linksAlong(graph, ['IMPORTS'])), members => !loading.has([...members].sort(compareText).join('\n')));
}

function cyclesOver(graph: GraphView, links: readonly Link[], isWanted: (members: readonly string[]) => boolean = () => true): PatternMatch[] {
  const found = runAtOnce(cyclesAmong(new CodeMap(graph, { layers: [] }), links, 'file', () => false)).filter(cycle => isWanted(cycle.members));
  return worstFirst(found.map(cycle => ({ ...cycle, weight: cycle.members.length }))).map(({ link, members, way }) => {
    const line = graph.edge(link.source, 'IMPORTS', link.target)?.lines[0] ?? 1;
    const file = graph.idOf(link.sourceFile);
    const rest = members.length - way.length + 1;
    return { id: file, file, lines: `${line}-${line}`, evidence: `${way.join(' → ')}${rest > 0 ? ` and ${rest} more` : ''}` };
  });
}

function godClasses({ graph, thresholds }: PatternContext): PatternMatch[] {
  const rows = symbolsOf(graph, CLASSES).map(node => {
    const { startLine, endLine } = graph.node(node);
    const methods = graph.childrenOf(node).filter(member => CALLABLES.has(graph.node(member).kind ?? '')).length;
    return {
      node,
      methods,
      lines: endLine - startLine + 1,
      weight: Math.max(methods / thresholds.godClassMethods, (endLine - startLine + 1) / thresholds.godClassLines),
    };
  });
  return worstFirst(rows.filter(row => row.methods > thresholds.godClassMethods || row.lines > thresholds.godClassLines)).map(({ node, methods, lines }) =>
    matchOf(graph, node, `${methods} methods, ${lines} lines`),
  );
}

/** Share of nodes that count as the most central. */
const TOP_SHARE = 0.01;

function hubs({ graph, thresholds }: PatternContext): PatternMatch[] {
  const ranks = graph.pageRank();
  const nodes = [...graph.nodes()].filter(node => graph.node(node).nodeType !== 'external' && !graph.isTest(node));
  const sorted = nodes.map(node => ranks[node] ?? 0).sort((a, b) => b - a);
  const least = sorted[Math.max(0, Math.ceil(sorted.length * TOP_SHARE) - 1)] ?? 0;
  const rows = nodes.filter(node => (ranks[node] ?? 0) >= least).map(node => ({ node, weight: fanIn(graph, node) }));
  return worstFirst(rows.filter(row => row.weight > thresholds.hubFanIn)).map(({ node, weight }) => matchOf(graph, node, `${weight} direct dependents`));
}

function fanIn(graph: GraphView, node: NodeHandle): number {
  const { backward, live } = graph.adjacency;
  const sources = new Set<number>();
  const end = backward.ends[node] ?? 0;
  for (let at = backward.starts[node] ?? 0; at < end; at++) {
    const source = backward.targets[at] ?? NO_NODE;
    if (live[source] === 1 && RELATIONS[backward.relations[at] ?? 0]?.dependency === true) sources.add(source);
  }
  return sources.size;
}

function deepInheritance({ graph, thresholds }: PatternContext): PatternMatch[] {
  const rows = symbolsOf(graph, CLASSES).map(node => {
    const chain = chainOf(graph, node);
    return { node, chain, weight: chain.length - 1 };
  });
  return worstFirst(rows.filter(row => row.weight > thresholds.inheritanceDepth)).map(({ node, chain }) =>
    matchOf(graph, node, `${chain.length - 1} levels: ${chain.map(each => graph.node(each).name).join(' → ')}`),
  );
}

/** The longest way up from a class; each class is on it once. */
function chainOf(graph: GraphView, node: NodeHandle): readonly NodeHandle[] {
  let longest: readonly NodeHandle[] = [node];
  const open: (readonly NodeHandle[])[] = [[node]];
  for (let chain = open.pop(); chain !== undefined; chain = open.pop()) {
    if (chain.length > longest.length) longest = chain;
    if (chain.length > MAX_CHAIN) continue;
    const here = chain[chain.length - 1] ?? node;
    for (const parent of targetsOf(graph, here, 'INHERITS')) if (!chain.includes(parent)) open.push([...chain, parent]);
  }
  return longest;
}

const MAX_CHAIN = 30;

function longLists({ graph, thresholds }: PatternContext): PatternMatch[] {
  const rows = symbolsOf(graph, CALLABLES).map(node => {
    const { name, signature } = graph.node(node);
    return { node, weight: parameterCount(signature, name) };
  });
  return worstFirst(rows.filter(row => row.weight > thresholds.parameters)).map(({ node, weight }) => matchOf(graph, node, `${weight} parameters`));
}

/** Files that a program, a package or a tool begins with: what they export is used by somebody outside. */
export const ENTRY_FILE =
  /^(?:index|main|mod|lib|cli|app|server|setup|conftest|manage|wsgi|asgi|__init__|__main__|extension)\.\w+$|\.(?:config|d|stories)\.[cm]?[jt]sx?$|\.d\.ts$/i;

/** What nothing refers to; more than is told, where `importers` are not given yet. */
function unusedExports({ graph, importers }: PatternContext): PatternMatch[] {
  const found: PatternMatch[] = [];
  for (const file of graph.files()) {
    if (graph.isTest(file) || ENTRY_FILE.test(basename(graph.idOf(file)))) continue;
    const texts = importersOf(graph, file).flatMap(path => (importers.has(path) ? [{ path, text: importers.get(path) ?? '' }] : []));
    for (const node of graph.childrenOf(file)) {
      const { isExported, kind, language, modifiers, name } = graph.node(node);
      // Where everything is exported, a module's variables may be read by the code that runs it.
      if (!isExported || modifiers.includes('test') || name === 'main' || (traitsOf(language).exportsAll === true && !DECLARED.has(kind ?? ''))) continue;
      if (isUsed(graph, node) || texts.some(({ path, text }) => passesOn(path, text, name)) || isNamedAround(graph, node, importers)) continue;
      found.push(matchOf(graph, node, 'no references in the workspace'));
    }
  }
  return found;
}

const DECLARED: ReadonlySet<string> = new Set(['function', 'class']);

/** Whether its own file names it outside its declaration: in a list of classes, say, which is no link of the graph. */
function isNamedAround(graph: GraphView, node: NodeHandle, texts: ReadonlyMap<WorkspacePath, string>): boolean {
  const { endLine, name, path, startLine } = graph.node(node);
  const lines = (texts.get(path) ?? '').split('\n');
  const around = [...lines.slice(0, Math.max(0, startLine - 1)), ...lines.slice(endLine)].filter(line => !/^\s*(?:#|\/\/|\*|import\b|from\b)/.test(line));
  const word = new RegExp(wordPattern(name));
  return around.some(line => word.test(line));
}

/** Files that import a file. */
export function importersOf(graph: GraphView, file: NodeHandle): WorkspacePath[] {
  return graph.in(file).flatMap(edge => (edge.relation === 'IMPORTS' ? [graph.idOf(edge.source)] : []));
}

/** Whether a file hands a name of another file on, or takes that file as a whole, so that names of it may be used unseen. */
function passesOn(path: WorkspacePath, text: string, name: string): boolean {
  if (/export\s*\*|import\s*\*|__all__|\bimport\(|getattr\(/.test(text)) return true;
  return ENTRY_FILE.test(basename(path)) && new RegExp(wordPattern(name)).test(text);
}

/** Referred to by anything but itself and its members, even perhaps; or decorated, which registers it somewhere. */
function isUsed(graph: GraphView, node: NodeHandle): boolean {
  const own = new Set<NodeHandle>([node]);
  for (const member of own) for (const child of graph.childrenOf(member)) own.add(child);
  for (const member of own) {
    if (graph.in(member).some(edge => RELATIONS.find(row => row.name === edge.relation)?.dependency === true && !own.has(edge.source))) return true;
  }
  return false;
}
