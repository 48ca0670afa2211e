import { counted } from '../../../../protocol/figures';
import { dirname, isWithin, type WorkspacePath } from '../../../base/path';
import { err, ok, type Result } from '../../../base/result';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import { paramRef, phrase } from '../../../model/hints';
import type { ServiceModel } from '../../../services/model';
import { searchIn } from '../../search/searchCode';
import { type FeatureFailure, invalid, notFound } from '../../shared/failure';
import { workspacePath } from '../../shared/spelling';
import type { DrawnScene } from '../columns/columnScene';
import { type BesideCounts, codeFiles } from '../overview/beside';
import { FolderTree, fileLevels, groupLevels, outsideLevel, symbolLevel, topSymbol } from '../overview/levels';
import { Packages } from '../overview/packages';
import { serviceMapOf } from '../overview/serviceMap';
import { Expansions, openKey, type Question, type Scene } from '../question';
import type { SceneFilter } from '../sceneFilter';
import { type Group, Groups } from '../sceneGroups';
import { placeholderNode } from '../sceneNodes';
import { BoxScene, type Level } from './boxScene';

export function workspaceScene(question: Question): Result<Scene, FeatureFailure> {
  const { graph, filter, params } = question;
  const { accept, leftOut } = codeFiles(graph, params.beside === true);
  const isShared = (file: NodeHandle): boolean => isSharedCode(question, file);
  const isShown = (file: NodeHandle): boolean => filter.file(file) && accept(file) && !isShared(file);
  const packages = new Packages(graph, isShown);
  const grouping = params.groupBy === undefined || params.groupBy === 'none' ? (packages.isMonorepo ? 'package' : 'folder') : params.groupBy;
  const { levelsOf, first } = grouping === 'folder' ? byFolder(graph, isShown) : grouping === 'package' ? packages : byGroup(question, grouping);
  const expansions = params.expand === undefined ? new Expansions(first) : question.expansions;
  const services = grouping === 'service' ? question.sources.services : undefined;
  const map = services === undefined ? undefined : serviceMapOf(services, graph);
  const drawn = new BoxScene({
    ...question.parts,
    graph,
    filter,
    expansions,
    members: membersOf(graph, filter, isShown),
    levelsOf,
    isOpen: () => false,
    isMinor: ({ kind }, size) => kind === 'community' && size < MIN_MEMBERS,
    map: params.relations === undefined ? map : undefined,
    isOverview: true,
    isViolation: question.sources.isViolation,
    starts: new Set(),
  }).draw();
  return ok({
    ...drawn,
    layout: layoutOf(drawn),
    title: question.workspace.name,
    summary:
      missingOwners(question, grouping) +
      servicesSummary(services) +
      overviewSummary(
        [...graph.files()].filter(isShown).length,
        drawn.nodes.length,
        params.beside === true ? undefined : leftOut,
        [...graph.files()].filter(file => filter.file(file) && accept(file) && isShared(file)).length,
      ),
    starts: [],
    expanded: expansions.keys,
    grouping,
    beside: leftOut,
  });
}

interface Grouped {
  readonly levelsOf: (node: NodeHandle) => readonly Level[];
  /** What is open before anything was chosen. */
  readonly first: readonly string[];
}

function byFolder(graph: GraphView, accept: (file: NodeHandle) => boolean): Grouped {
  const tree = new FolderTree(graph, accept);
  const isCrowded = tree.hasFolders && tree.filesAtTop > MAX_TOP_FILES;
  const topFiles = (path: WorkspacePath): readonly Level[] => (isCrowded && dirname(path) === '' ? [TOP_FILES] : []);
  return {
    levelsOf: node => [...topFiles(graph.node(node).path), ...tree.levelsOf(dirname(graph.node(node).path)), ...fileLevels(graph, node)],
    first: isCrowded && tree.isFlat ? [openKey(TOP_FILES.id)] : tree.firstOpen(),
  };
}

function byGroup({ graph, sources }: Question, grouping: 'service' | 'owner' | 'community'): Grouped {
  const groups = new Groups(graph, grouping, sources);
  return { levelsOf: node => groupLevels(graph, groups, grouping, node), first: [] };
}

/** A picture of more parts than this is a map to zoom into: as blocks they would fill many screens. */
const MAX_BLOCKS = 600;

function layoutOf({ nodes }: DrawnScene): 'blocks' | 'boxes' {
  return nodes.length > MAX_BLOCKS ? 'boxes' : 'blocks';
}

function missingOwners({ sources }: Question, grouping: string): string {
  return grouping === 'owner' && !sources.hasOwners ? 'No CODEOWNERS file found. ' : '';
}

function servicesSummary(model: ServiceModel | undefined): string {
  if (model === undefined) return '';
  const { calls, events, services } = model;
  const between = events.filter(({ consumers, publishers }) => publishers.length > 0 && consumers.length > 0);
  const counts = [counted(services.length, 'service'), ...(calls.length > 0 ? [counted(calls.length, 'call')] : [])];
  return `${[...counts, ...(between.length > 0 ? [counted(between.length, 'event')] : [])].join(', ')}. `;
}

/** On a map of services, code that belongs to none of them: all use it, and its lines would hide who calls whom. */
function isSharedCode({ graph, params, sources }: Question, file: NodeHandle): boolean {
  const { services } = sources;
  return params.groupBy === 'service' && services !== undefined && services.services.length > 0 && services.serviceOf(graph.idOf(file)) === '';
}

function overviewSummary(files: number, parts: number, leftOut: BesideCounts | undefined, shared = 0): string {
  const { tests = 0, docs = 0, other = 0 } = leftOut ?? {};
  const hidden = [
    ...(shared > 0 ? [`${counted(shared, 'file')} of no service`] : []),
    ...(tests > 0 ? [counted(tests, 'test file')] : []),
    ...(docs > 0 ? [counted(docs, 'document')] : []),
    ...(other > 0 ? [counted(other, 'other file')] : []),
  ];
  return `${counted(files, 'file')} in ${counted(parts, 'part')}.${hidden.length === 0 ? '' : ` Not shown: ${hidden.join(', ')}.`}`;
}

/** Communities with fewer members are shown when more is asked for: each file that is linked with nothing is one. */
const MIN_MEMBERS = 3;
/** So many files beside the folders are one box: they are there to configure things. */
const MAX_TOP_FILES = 6;
const TOP_FILES: Level = { id: 'folder:.', label: '(root folder)', kind: 'folder' };

export function folderScene(question: Question): Result<Scene, FeatureFailure> {
  const { graph, filter, params, expansions } = question;
  const asked = (params.target ?? '').replace(/\/$/, '');
  const folder = asked === '' || asked === '.' ? ok('') : workspacePath(question.workspace, asked);
  if (!folder.ok) return folder;
  const root: WorkspacePath = folder.value;
  const isInside = (file: NodeHandle): boolean => isWithin(graph.idOf(file), root);
  const { accept, leftOut } = codeFiles(graph, params.beside === true);
  // Of a folder of tests or documents, these are what was asked for.
  const isCode = [...graph.files()].some(file => isInside(file) && accept(file));
  const isShown = (file: NodeHandle): boolean => filter.file(file) && (accept(file) || (!isCode && isInside(file)));
  const tree = new FolderTree(graph, isShown, root);
  const own: Level = { id: `folder:${root}`, label: root === '' ? question.workspace.name : root, kind: 'folder' };
  const inside = (node: NodeHandle): boolean => isWithin(graph.node(node).path, root);
  if (![...graph.files()].some(inside)) return err(notFound(asked, []));
  const drawn = new BoxScene({
    ...question.parts,
    graph,
    filter,
    expansions,
    members: membersOf(graph, filter, isShown),
    levelsOf: node =>
      inside(node)
        ? [own, ...tree.levelsOf(dirname(graph.node(node).path)), ...fileLevels(graph, node)]
        : [outsideLevel(graph, graph.fileNodeOf(node) ?? node, root)],
    isOpen: level => level.id === own.id,
    isOverview: true,
    isViolation: question.sources.isViolation,
    starts: new Set(),
  }).draw();
  const linked = new Set(drawn.edges.flatMap(edge => [edge.source, edge.target]));
  const nodes = drawn.nodes.filter(node => node.parent !== undefined || linked.has(node.id));
  const files = [...graph.files()].filter(file => isShown(file) && isInside(file)).length;
  return ok({
    ...drawn,
    nodes,
    layout: layoutOf(drawn),
    title: own.label,
    summary: `${counted(files, 'file')} and related files.`,
    starts: [own.id],
    expanded: expansions.keys,
    grouping: 'folder',
    beside: leftOut,
  });
}

/** Hits of a search that are shown at first, and what asking for more adds. */
const HITS = 30;
const MORE_HITS = 'more:hits';

export function searchScene(question: Question): Result<Scene, FeatureFailure> {
  const { snapshot, params, graph } = question;
  const words = params.target ?? '';
  if (words.trim() === '') return err(invalid('target', phrase`${paramRef('target')} is empty.`, 'Enter search terms.'));
  const found = searchIn(snapshot, { query: words, limit: HITS * (1 + question.expansions.times(MORE_HITS)) });
  const hits = found.hits.map(hit => graph.find(hit.id)).filter(node => node !== undefined);
  const drawn = setScene(question, hits);
  const rest = found.total - found.hits.length;
  const bundle = placeholderNode({
    id: `bundle:${MORE_HITS}`,
    label: `${counted(rest, 'more result')}`,
    kind: 'bundle',
    role: 'bundle',
    size: rest,
    expand: MORE_HITS,
  });
  const best = rest > 0 ? `Showing the best ${drawn.nodes.length} and their links.` : 'Showing their links.';
  const summary = found.total === 0 ? 'No results found.' : `${counted(found.total, 'result')}. ${best}`;
  return ok({
    ...drawn,
    nodes: rest > 0 ? [...drawn.nodes, bundle] : drawn.nodes,
    omitted: { ...drawn.omitted, nodes: drawn.omitted.nodes + Math.max(0, rest) },
    layout: layoutOf(drawn),
    title: `“${words}”`,
    summary,
    starts: [],
    expanded: question.expansions.keys,
  });
}

export function communityScene(question: Question): Result<Scene, FeatureFailure> {
  const { graph, params } = question;
  const id = Number(params.target);
  const found = graph.describedCommunities().find(community => community.id === id);
  if (found === undefined) return err(invalid('target', `Unknown community: ${params.target ?? ''}.`, 'Use an ID from the list of communities.'));
  const members = [...new Set(graph.membersOf(id).map(node => topSymbol(graph, node)))];
  const drawn = setScene(question, members, members.length <= MAX_OPEN);
  const title = new Groups(graph, 'community').communityGroup(id)?.label ?? found.label;
  return ok({ ...drawn, layout: layoutOf(drawn), title, summary: found.summary, starts: [], expanded: question.expansions.keys });
}

/** A community with more members begins with its folders closed: all at once would be too small to read. */
const MAX_OPEN = 60;

/** Some nodes with the links between them, in frames by group. */
function setScene(question: Question, nodes: readonly NodeHandle[], isOpen = true): DrawnScene {
  const { graph, filter, expansions } = question;
  const groups = question.groups('folder');
  const members = nodes.filter(node => filter.node(node));
  const inside = new Set(members);
  return new BoxScene({
    ...question.parts,
    graph,
    filter,
    expansions,
    members,
    levelsOf: node => (inside.has(node) ? setLevels(graph, groups.of(node), node) : []),
    isOpen: level => isOpen && level.node === undefined,
    starts: new Set(),
  }).draw();
}

function setLevels(graph: GraphView, group: Group | undefined, node: NodeHandle): Level[] {
  return group === undefined ? [symbolLevel(graph, node)] : [group, symbolLevel(graph, node)];
}

/** Files and symbols that may be part of a scene of groups. */
function* membersOf(graph: GraphView, filter: SceneFilter, accept: (file: NodeHandle) => boolean): Generator<NodeHandle> {
  for (const file of graph.files()) {
    if (!accept(file) || !filter.file(file)) continue;
    yield file;
    for (const symbol of graph.symbolsOf(file)) if (filter.kind(symbol)) yield symbol;
  }
}
