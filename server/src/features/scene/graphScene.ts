/**
 * Scenes for the graph panel: a part of the graph that a person can look at, from whatever they start with.
 * Knows nothing of screens, positions or colors. The same graph and question give the same scene on every machine,
 * and no scene holds more edges than its budget: what is left out is counted, in bundles or in `omitted`.
 */

import { counted, figure } from '../../../protocol/figures';
import type { SceneStart } from '../../../protocol/graphView';
import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { kindRow } from '../../model/kinds';
import { RELATIONS } from '../../model/relations';
import type { Workspace } from '../../workspace/snapshot';
import { type ImpactAnswer, impact } from '../impact/impact';
import { EXACT, FIGURES_DEPTH, impactFigures } from '../impact/impactFigures';
import { usesOf } from '../impact/uses';
import { communitiesReady } from '../query/communities';
import { findPath } from '../query/findPath';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Draft, type Stamped } from '../shared/fresh';
import { isStructure, linksAround } from '../shared/links';
import { withMentions } from '../testSelection/reach/mentionedMembers';
import { areasOf, atomOf } from './areas/sceneAreas';
import { withClaims } from './areas/sceneClaims';
import { withKnowledge } from './areas/sceneKnowledge';
import { communityScene, folderScene, searchScene, workspaceScene } from './boxes/boxStarts';
import { ColumnScene } from './columns/columnScene';
import { FocusScene } from './columns/focusScene';
import { compareScene } from './compareScene';
import { flowScene } from './flowScene';
import { ImpactScene, impactFields, impactSummary } from './impactScene';
import { appearanceOf } from './overview/appearance';
import { sceneSources } from './overview/sceneSources';
import { violationsOf } from './overview/violations';
import { emptyScene, targetThen } from './pastTarget';
import { Question, type Scene } from './question';
import { SceneFilter } from './sceneFilter';
import { labelOf, withDistinctLabels } from './sceneNodes';
import { type SceneDto, type SceneParams, sceneDtoShape, sceneParams } from './sceneShapes';

type Answer = Result<Stamped<Omit<SceneDto, 'stamp'>>, FeatureFailure>;

export async function graphScene(workspace: Workspace, params: SceneParams, token: CancellationToken): Promise<Answer> {
  const { start } = params;
  if (start === 'impact' || start === 'changes') return impactScene(workspace, params, token);
  if (start === 'compare') return comparison(workspace, params, token);
  if (start === 'path') return pathScene(workspace, params, token);
  if (params.groupBy === 'community' || params.colorBy === 'community' || start === 'community') await communitiesReady(workspace);
  const sources = await sceneSources(workspace, params, token);
  return answerFresh(workspace, [], token, async snapshot => {
    const isViolation = await violationsOf(workspace, snapshot.graph, sources.rules, token);
    const question = new Question(workspace, snapshot, params, { ...sources, isViolation });
    const scene = await withMentions(workspace, snapshot.graph, token, () => SCENES[start](question));
    return scene.ok ? ok(drafted(question, scene.value)) : scene;
  });
}

type Draw = (question: Question) => Result<Scene, FeatureFailure>;

const SCENES: Readonly<Record<Exclude<SceneStart, 'path' | 'impact' | 'changes' | 'compare'>, Draw>> = {
  workspace: workspaceScene,
  folder: folderScene,
  focus: focusScene,
  search: searchScene,
  community: communityScene,
  flow: flowScene,
};

function focusScene(question: Question): Result<Scene, FeatureFailure> {
  const { graph, workspace, snapshot, params, expansions } = question;
  const target = targetThen(snapshot, workspace, params.target ?? '');
  if (!target.ok) return target;
  if (target.value === undefined) return ok(emptyScene(params.target ?? ''));
  const { node } = target.value;
  const isFile = graph.fileNodeOf(node) === node;
  // Files are shown for their symbols, so that a filter by kinds of symbols would leave nothing.
  const filter = isFile ? new SceneFilter(graph, { ...params, kinds: [] }) : isAbove(graph, node) ? aroundAbove(graph, node, params) : question.filter;
  const { groupBy = 'none' } = params;
  const scene = new FocusScene({
    ...question.parts,
    filter,
    start: node,
    groups: groupBy === 'none' ? undefined : question.groups(groupBy),
    depth: question.depth,
    keep: question.keep,
  });
  const drawn = scene.draw();
  const own = graph.node(node);
  const name = labelOf(own.id, own.name, own.nodeType === 'symbol');
  const summary = isAbove(graph, node)
    ? `${counted(scene.around('out').length, 'outgoing link')}, ${scene.around('in').length} incoming.`
    : focusSummary(graph, node);
  return ok({ ...drawn, layout: 'sheet', title: name, summary, starts: [own.id], expanded: expansions.keys });
}

/** The figures of hovers and lenses, and the tests of its impact: as many as there are, where those say that there are at least so many. */
function focusSummary(graph: GraphView, node: NodeHandle): string {
  const { counts } = impactFigures(graph, node, FIGURES_DEPTH, EXACT);
  const { certain, outside, possible } = usesOf(graph, node);
  const uses = `${figure(certain)}${outside === 0 ? '' : ` (${figure(outside)} outside the workspace)`}`;
  return `${counted(counts.direct, 'user')}, ${counted(counts.directTests + counts.transitiveTests, 'test')}; uses ${uses}${possible === 0 ? '' : `, ${figure(possible)} more possible`}.`;
}

function isAbove(graph: GraphView, node: NodeHandle): boolean {
  return kindRow(graph.kindOf(node)).layer !== 'code';
}

/** What an atom, a task or a community leads to, whatever kinds of code are asked for. */
function aroundAbove(graph: GraphView, node: NodeHandle, params: SceneParams): SceneFilter {
  const { kinds } = linksAround(graph, [node], params.relations);
  const named = RELATIONS.flatMap((row, code) => (kinds[code] === 1 && (row.layer !== 'code' || row.dependency) ? [row.name] : []));
  return new SceneFilter(graph, { ...params, kinds: [], relations: named });
}

async function pathScene(workspace: Workspace, params: SceneParams, token: CancellationToken): Promise<Answer> {
  const { target: from = '', to = '', relations, minConfidence, colorBy } = params;
  if (colorBy === 'community') await communitiesReady(workspace);
  const asked = { from, to, ...(relations === undefined ? {} : { relations }), ...(minConfidence === undefined ? {} : { minConfidence }) };
  const along = await findPath(workspace, asked, token);
  if (!along.ok) return along;
  const either = along.value.nodes.length > 0 ? along : await findPath(workspace, { ...asked, undirected: true }, token);
  if (!either.ok) return either;
  const path = either.value;
  return answerFresh(workspace, [], token, snapshot => {
    const question = new Question(workspace, snapshot, params);
    const { graph } = question;
    const ids = path.nodes.length > 0 ? path.nodes.map(row => row.id) : [path.from.id, path.to.id];
    const starts = ids.map(id => graph.find(id)).filter(node => node !== undefined);
    const alone = { starts, shownFor: (node: NodeHandle) => node, standsFor: (node: NodeHandle) => [node] };
    const relationsOfPath = path.edges.map(edge => edge.relation).filter(relation => !question.filter.relations.includes(relation));
    const filter = new SceneFilter(graph, { ...params, relations: [...question.filter.relations, ...relationsOfPath] });
    const drawn = new ColumnScene({
      ...question.parts,
      graph,
      filter,
      projection: alone,
      groups: question.groups('none'),
      depth: 0,
      keep: question.keep,
      inARow: true,
    }).draw();
    const direction = along.value.nodes.length > 0 ? '' : ', against the direction of some links';
    const summary =
      path.nodes.length === 0 ? 'No path found.' : `${counted(path.edges.length, 'step')}, ${Math.round(path.confidence * 100)}% confidence${direction}.`;
    return ok(
      drafted(question, {
        ...drawn,
        layout: 'blocks',
        title: `${path.from.name} → ${path.to.name}`,
        summary,
        starts: ids,
        expanded: question.expansions.keys,
      }),
    );
  });
}

/** Rows of impact that a scene chooses from. */
const MAX_IMPACTED = 20_000;

async function impactScene(workspace: Workspace, params: SceneParams, token: CancellationToken): Promise<Answer> {
  const { start, depth, relations, groupBy, colorBy } = params;
  if (groupBy === 'community' || colorBy === 'community') await communitiesReady(workspace);
  const then = await workspace.snapshot([], token);
  if (!then.ok) return err(fromEngine(then.error));
  const isPast = start === 'impact' && then.value.stamp.asOf !== undefined;
  const there = isPast ? targetThen(then.value, workspace, params.target ?? '') : undefined;
  if (there?.ok === true && there.value === undefined) {
    const question = new Question(workspace, then.value, params);
    return ok({ ...drafted(question, emptyScene(params.target ?? '')).value, stamp: then.value.stamp });
  }
  const target = there?.ok === true && there.value !== undefined ? then.value.graph.idOf(there.value.node) : (params.target ?? '');
  const seeds = start === 'changes' ? { since: target } : { target };
  const maxDepth = depth ?? FIGURES_DEPTH;
  const answer = await impact(workspace, { ...seeds, maxDepth, limit: MAX_IMPACTED, ...(relations === undefined ? {} : { relations }) }, token);
  if (!answer.ok) return answer;
  const { stamp, ...found } = answer.value;
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const question = new Question(workspace, snapshot.value, params, await sceneSources(workspace, params, token));
  const { graph } = question;
  const byGroup = groupBy === undefined || groupBy === 'none' || groupBy === 'folder' ? undefined : question.groups(groupBy);
  const impacted = new ImpactScene({ ...question.parts, graph, answer: found, groups: byGroup, maxDepth });
  const drawn = impacted.draw();
  const scene: Scene = {
    ...drawn,
    layout: 'sheet',
    title: `Impact of ${start === 'changes' ? changesText(target) : targetText(graph, found.targets[0])}`,
    summary: start === 'changes' ? changesSummary(found) : impactSummary(found),
    starts: found.targets,
    expanded: question.expansions.keys,
    ...impactFields(found),
    spread: impacted.spread(),
  };
  return ok({ ...drafted(question, scene).value, stamp: { ...stamp, revision: snapshot.value.revision } });
}

function changesSummary(found: ImpactAnswer): string {
  const count = found.targets.length;
  return count === 0 ? 'No indexed code has changed.' : `${counted(count, 'changed symbol or file', 'changed symbols and files')}. ${impactSummary(found)}`;
}

function changesText(since: string): string {
  return since === '' || since === 'HEAD' ? 'uncommitted changes' : `changes since ${since}`;
}

function targetText(graph: GraphView, id = ''): string {
  const node = graph.find(id);
  return node === undefined ? id : labelOf(id, graph.node(node).name, graph.node(node).nodeType === 'symbol');
}

async function comparison(workspace: Workspace, params: SceneParams, token: CancellationToken): Promise<Answer> {
  const compared = await compareScene(workspace, params, token);
  if (!compared.ok) return compared;
  const { question, scene, stamp } = compared.value;
  return ok({ ...drafted(question, scene).value, stamp });
}

function drafted(question: Question, drawn: Scene): Draft<Omit<SceneDto, 'stamp'>> {
  const { graph, workspace, params, sources } = question;
  const complete = params.knowledge === true ? withKnowledge(graph, drawn) : drawn;
  // On a sheet the file stands above its symbols.
  const nodes = withClaims(workspace, complete.layout === 'sheet' ? complete.nodes : withDistinctLabels(complete.nodes));
  const scene = { ...complete, nodes };
  const { colorBy = 'kind', atom: asked = '' } = params;
  const atom = asked === '' ? undefined : atomOf(workspace, graph, scene.nodes, asked, sources);
  const tally = graph.tally();
  const facets = {
    relations: tally.relations.filter(row => row.facts + row.maybes > 0 && !isStructure(row.relation)).map(row => row.relation),
    kinds: ['file', ...Object.keys(tally.symbolsByKind)],
    languages: tally.languages.filter(row => row.language !== 'other').map(row => row.language),
  };
  const start = scene.nodes.filter(node => node.role === 'start').map(node => node.path);
  const hasAreas = colorBy === 'molecule' || colorBy === 'community' || colorBy === 'owner';
  const areas = hasAreas ? { areas: areasOf(workspace, graph, scene.nodes, colorBy, sources) } : {};
  return {
    value: { ...scene, ...appearanceOf(question, scene), facets, ...areas, ...(atom === undefined ? {} : { atom }) },
    touched: [...start, ...scene.nodes.map(node => node.path)].filter(path => graph.fileOf(path) !== undefined),
  };
}

export const graphSceneFeature = feature({
  name: 'graphScene',
  about: 'A subgraph for display, within a budget of edges.',
  params: sceneParams,
  answer: sceneDtoShape,
  run: graphScene,
});
