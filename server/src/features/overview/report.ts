import type { CancellationToken } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { languageRow } from '../../model/languages';
import type { PastChanges } from '../../workspace/pastChanges';
import type { EngineHealth, Workspace } from '../../workspace/snapshot';
import { FIGURES_DEPTH, impactFigures } from '../impact/impactFigures';
import { graphScene } from '../scene/graphScene';
import type { SceneDto } from '../scene/sceneShapes';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { feature } from '../shared/feature';
import { importCycles, isStructure, reverseName } from '../shared/links';
import { noParams } from '../shared/params';
import { centralityOf, kindOf, sentenceOf } from '../shared/rows';
import { type Shaped, shape } from '../shared/shape';
import { withMentions } from '../testSelection/reach/mentionedMembers';
import { activityOf } from './activity';
import { hotspotsOf } from './hotspots';
import type { ReportGraph, ReportHotspot, ReportNode } from './reportShapes';
import { reportDataShape } from './reportShapes';

/** What the report knows of the workspace; the code that writes the page adds version and time. */
const reportAnswerShape = shape(() => reportDataShape().omit({ version: true, madeAt: true }));
export type ReportAnswer = Shaped<typeof reportAnswerShape>;

const MAX_HOTSPOTS = 12;
const MAX_CYCLES = 20;
/** Bounds that keep the page at a few megabytes. */
const MAX_NODES = 2500;
const MAX_EDGES = 12_000;
const MAX_TEXT = 160;

export async function report(workspace: Workspace, _params: object, token: CancellationToken): Promise<Result<ReportAnswer, FeatureFailure>> {
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, stamp } = snapshot.value;
  const overview = await graphScene(workspace, { start: 'workspace' }, token);
  if (!overview.ok) return overview;
  const engine = workspace.health();
  const services = await servicesOf(workspace, token);
  const tally = graph.tally();
  const sites = tally.languages.map(row => row.sites);
  const sum = (key: 'resolved' | 'unresolved' | 'external'): number => sites.reduce((total, row) => total + row[key], 0);
  const [resolved, unresolved, external] = [sum('resolved'), sum('unresolved'), sum('external')];
  return ok({
    name: workspace.name,
    head: stamp.head,
    totals: {
      files: graph.fileCount,
      symbols: tally.languages.reduce((total, row) => total + row.symbols, 0),
      edges: graph.edgeCount,
      lines: engine.languages.reduce((total, row) => total + row.lines, 0),
    },
    languages: languageRows(graph, engine),
    kinds: Object.entries(tally.symbolsByKind)
      .map(([kind, count]) => ({ kind, count }))
      .sort((a, b) => b.count - a.count || compareText(a.kind, b.kind)),
    relations: tally.relations.filter(row => row.facts + row.maybes > 0).toSorted((a, b) => b.facts - a.facts || compareText(a.relation, b.relation)),
    resolution: { resolved, unresolved, external, rate: resolved + unresolved === 0 ? 1 : resolved / (resolved + unresolved) },
    cycles: importCycles(graph).slice(0, MAX_CYCLES),
    hotspots: await withMentions(workspace, graph, token, () => hotspotRows(graph, workspace.pastChanges?.())),
    activity: activityOf(workspace.pastChanges?.(), workspace.records.now()),
    problems: Object.entries(engine.problemCounts)
      .map(([code, count]) => ({ code, count }))
      .filter(row => row.count > 0)
      .sort((a, b) => b.count - a.count || compareText(a.code, b.code)),
    overview: overview.value,
    ...(services === undefined ? {} : { services }),
    graph: subgraphOf(graph),
  });
}

/** The map of the services, none of which can be opened on a page that asks nothing; undefined where there is one service at most. */
async function servicesOf(workspace: Workspace, token: CancellationToken): Promise<SceneDto | undefined> {
  const model = await workspace.services?.model(token);
  if (model === undefined || model.services.length < 2) return undefined;
  const scene = await graphScene(workspace, { start: 'workspace', groupBy: 'service', expand: [] }, token);
  return scene.ok ? { ...scene.value, nodes: scene.value.nodes.map(unopened) } : undefined;
}

function unopened(node: SceneDto['nodes'][number]): SceneDto['nodes'][number] {
  const { expand: _, ...rest } = node;
  return rest;
}

function languageRows(graph: GraphView, engine: EngineHealth): ReportAnswer['languages'] {
  return graph
    .tally()
    .languages.map(({ language, files, symbols }) => {
      const syntax = engine.languages.find(row => row.language === language);
      return {
        language: language === 'other' ? 'Other text' : languageRow(language).name,
        files,
        symbols,
        lines: syntax?.lines ?? 0,
        errorShare: syntax === undefined || syntax.nodes === 0 ? 0 : syntax.errorNodes / syntax.nodes,
      };
    })
    .sort((a, b) => b.symbols - a.symbols || b.files - a.files || compareText(a.language, b.language));
}

function hotspotRows(graph: GraphView, changes: PastChanges | undefined): ReportHotspot[] {
  return hotspotsOf(graph, MAX_HOTSPOTS, changes).flatMap(spot => {
    const node = graph.find(spot.id);
    if (node === undefined) return [];
    const { counts } = impactFigures(graph, node, FIGURES_DEPTH);
    return {
      id: spot.id,
      name: spot.name,
      kind: spot.kind,
      file: spot.path,
      line: spot.startLine,
      score: spot.score,
      callers: counts.direct,
      dependents: counts.direct + counts.transitive,
      tests: counts.directTests + counts.transitiveTests,
      possibleTests: counts.possibleTests,
      complexity: spot.complexity,
      ...(spot.changes === undefined ? {} : { changes: spot.changes }),
      summary: sentenceOf(graph.node(node)),
    };
  });
}

/** The best-connected symbols and files with every relation of dependence between them. */
function subgraphOf(graph: GraphView): ReportGraph {
  const ranks = graph.pageRank();
  const known: NodeHandle[] = [];
  for (const node of graph.nodes()) if (graph.node(node).nodeType !== 'external') known.push(node);
  const chosen = known.toSorted((a, b) => (ranks[b] ?? 0) - (ranks[a] ?? 0) || compareText(graph.idOf(a), graph.idOf(b))).slice(0, MAX_NODES);
  const place = new Map(chosen.map((node, index) => [node, index]));
  const edges: { source: number; target: number; relation: string; confidence: number }[] = [];
  for (const [source, node] of chosen.entries()) {
    for (const edge of graph.out(node)) {
      const target = place.get(edge.target);
      if (target === undefined || target === source || isStructure(edge.relation)) continue;
      const confidence = Math.round(edge.confidence * 100) / 100;
      // Arrows of the page point to what is depended on, which is the decorator.
      if (edge.relation === 'DECORATES') edges.push({ source: target, target: source, relation: reverseName(edge.relation).toUpperCase(), confidence });
      else edges.push({ source, target, relation: edge.relation, confidence });
    }
  }
  // Between the best-connected nodes first: an edge is as important as its less important end.
  const kept = edges.length <= MAX_EDGES ? edges : edges.toSorted((a, b) => Math.max(a.source, a.target) - Math.max(b.source, b.target)).slice(0, MAX_EDGES);
  return { nodes: chosen.map(node => nodeRow(graph, node)), edges: kept, omittedNodes: known.length - chosen.length };
}

function nodeRow(graph: GraphView, handle: NodeHandle): ReportNode {
  const node = graph.node(handle);
  return {
    id: node.id,
    name: node.name,
    kind: kindOf(node),
    file: node.path,
    line: node.startLine,
    signature: node.signature.slice(0, MAX_TEXT),
    summary: sentenceOf(node).slice(0, MAX_TEXT),
    isTest: node.isTest,
    score: Math.round(centralityOf(graph, handle) * 1e4) / 1e4,
  };
}

export const reportFeature = feature({
  name: 'report',
  about: 'The data of the HTML report.',
  params: noParams,
  answer: reportAnswerShape,
  run: report,
});
