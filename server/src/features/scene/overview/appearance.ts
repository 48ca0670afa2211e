/** What an overview says of its parts beside their links: the layers that rules put them in, how much they change, how much of them tests run. */

import { counted } from '../../../../protocol/figures';
import type { NodeHandle } from '../../../code/graph/graphView';
import { CodeMap } from '../../architecture/codeMap';
import type { Layer } from '../../architecture/rules';
import { linesCovered } from '../../shared/coverage';
import { NodeParts } from '../areas/sceneAreas';
import type { Question, Scene } from '../question';
import type { SceneNodeDto, SceneShades } from '../sceneShapes';

/** The looks of an overview; nothing for other scenes. */
export function appearanceOf(question: Question, scene: Scene): Pick<Scene, 'nodes'> & Pick<Partial<Scene>, 'layers' | 'shades'> {
  const { colorBy } = question.params;
  const { nodes } = scene;
  if (scene.grouping === undefined) return { nodes };
  const parts = new NodeParts(question.graph, question.sources);
  const shades = colorBy === 'churn' ? churnOf(question, nodes, parts) : colorBy === 'coverage' ? coverageOf(question, nodes, parts) : undefined;
  // What people or algorithms group lies across layers.
  const isPlaced = scene.grouping === 'folder' || scene.grouping === 'package';
  return { ...(isPlaced ? inLayers(question, nodes, parts) : { nodes }), ...(shades === undefined ? {} : { shades }) };
}

/** Nodes with the layer that most of their files are in, and the layers that are there. */
function inLayers({ graph, sources }: Question, nodes: readonly SceneNodeDto[], parts: NodeParts): Pick<Scene, 'nodes'> & Pick<Partial<Scene>, 'layers'> {
  const layers = inOrder(sources.rules.layers);
  if (layers.length === 0) return { nodes: [...nodes] };
  const map = new CodeMap(graph, sources.rules);
  const placed = nodes.map(node => {
    const counts = new Map<Layer, number>();
    for (const file of parts.files(node)) {
      const layer = map.layerOf(file);
      if (layer !== undefined) counts.set(layer, (counts.get(layer) ?? 0) + 1);
    }
    const [most] = [...counts].sort((a, b) => b[1] - a[1] || layers.indexOf(a[0]) - layers.indexOf(b[0]));
    return most === undefined ? node : { ...node, layer: layers.indexOf(most[0]) };
  });
  return placed.some(node => 'layer' in node) ? { nodes: placed, layers: layers.map(layer => layer.id) } : { nodes: placed };
}

/** Layers so that those that may use others come first; those that the rules leave in a cycle, or say nothing of, as they are declared. */
function inOrder(layers: readonly Layer[]): Layer[] {
  const ordered: Layer[] = [];
  const rest = [...layers];
  while (rest.length > 0) {
    const isFree = (layer: Layer): boolean => !rest.some(other => other !== layer && other.mayDependOn?.includes(layer.id) === true);
    const next = rest.find(isFree) ?? rest[0];
    if (next === undefined) break;
    ordered.push(next);
    rest.splice(rest.indexOf(next), 1);
  }
  return ordered;
}

const YEAR_SECONDS = 365 * 24 * 3600;

/** Commits that changed symbols of each part within the last year of work. */
function churnOf({ graph, workspace }: Question, nodes: readonly SceneNodeDto[], parts: NodeParts): SceneShades {
  const past = workspace.pastChanges?.();
  const [newest] = past?.commits ?? [];
  if (past === undefined || newest === undefined)
    return { by: 'churn', about: 'The history has not been read yet, or this folder is not in a Git repository.', of: {} };
  const isRecent = (place: number): boolean => past.commits[place]?.isPlainMerge === false && past.commits[place].time > newest.time - YEAR_SECONDS;
  const ofFile = (file: NodeHandle): number[] => [file, ...graph.symbolsOf(file)].flatMap(node => [...past.of(graph.idOf(node))].filter(isRecent));
  const figures = nodes.flatMap((node): [string, number][] => {
    const own = graph.find(node.id);
    const isSymbol = own !== undefined && graph.fileNodeOf(own) !== own;
    const commits = isSymbol ? [...past.of(node.id)].filter(isRecent) : parts.files(node).flatMap(ofFile);
    return node.role === 'bundle' ? [] : [[node.id, new Set(commits).size]];
  });
  const most = Math.max(1, ...figures.map(([, count]) => count));
  const of = figures.map(([id, count]) => [id, { level: Math.min(4, Math.round(4 * Math.sqrt(count / most))), text: counted(count, 'commit') }]);
  return { by: 'churn', about: 'Commits in the year up to HEAD', of: Object.fromEntries(of) };
}

/** Share of the lines of each part that tests ran, as coverage reports say. */
function coverageOf({ graph, sources, workspace }: Question, nodes: readonly SceneNodeDto[], parts: NodeParts): SceneShades {
  const covered = linesCovered(workspace.root, graph, sources.reports);
  if (covered.size === 0) return { by: 'coverage', about: 'No coverage report found in the workspace.', of: {} };
  const of = nodes.flatMap(node => {
    const own = graph.find(node.id);
    const { endLine = 0, startLine = 0, nodeType } = own === undefined ? {} : graph.node(own);
    const isInside = (line: number): boolean => nodeType !== 'symbol' || (line >= startLine && line <= endLine);
    const lines = parts.files(node).flatMap(file => [...(covered.get(graph.idOf(file))?.lines ?? [])].filter(([line]) => isInside(line)));
    if (lines.length === 0) return [];
    const share = lines.filter(([, ran]) => ran).length / lines.length;
    return [[node.id, { level: Math.min(4, Math.floor(share * 5)), text: `${Math.round(share * 100)}% covered` }]];
  });
  return { by: 'coverage', about: 'Lines that tests ran, from the coverage reports in the workspace', of: Object.fromEntries(of) };
}
