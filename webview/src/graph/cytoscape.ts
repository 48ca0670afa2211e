/** The only importer of Cytoscape: draws a placed scene and reports what is pointed at. Knows nothing of where the data comes from. */
import cytoscape from 'cytoscape';
import { familyOf, type Theme } from '../ui/theme';
import type { Scene } from './focus';

export interface CanvasEvents {
  onSelect(id: string): void;
  onOpen(id: string): void;
}

export class GraphCanvas {
  readonly #graph: cytoscape.Core;

  constructor(container: HTMLElement, theme: Theme, events: CanvasEvents) {
    this.#graph = cytoscape({
      container,
      minZoom: 0.2,
      maxZoom: 2.5,
      autoungrabify: true,
      boxSelectionEnabled: false,
      style: styleOf(theme),
    });
    this.#graph.on('tap', 'node', event => events.onSelect((event.target as cytoscape.NodeSingular).id()));
    this.#graph.on('dbltap', 'node', event => events.onOpen((event.target as cytoscape.NodeSingular).id()));
    this.#graph.on('mouseover', 'node', event => this.#mute(event.target as cytoscape.NodeSingular));
    this.#graph.on('mouseout', 'node', () => this.#graph.elements().removeClass('muted'));
  }

  setTheme(theme: Theme): void {
    this.#graph.style(styleOf(theme));
  }

  show(scene: Scene): void {
    this.#graph.batch(() => {
      this.#graph.elements().remove();
      this.#graph.add([
        ...scene.nodes.map(node => ({
          group: 'nodes' as const,
          data: { id: node.id, label: shorten(node.label), size: 30 + node.weight * 22 },
          position: { ...node.position },
          classes: [node.role, familyOf(node.kind), node.isTest ? 'test' : ''].join(' '),
        })),
        ...scene.edges.map(edge => ({
          group: 'edges' as const,
          data: { id: edge.id, source: edge.source, target: edge.target, label: edge.relation, width: edge.width },
          classes: edge.maybe ? 'maybe' : '',
        })),
      ]);
    });
    this.fit();
  }

  fit(): void {
    this.#graph.resize();
    this.#graph.fit(undefined, 36);
    if (this.#graph.zoom() > 1.15) {
      this.#graph.zoom(1.15);
      this.#graph.center();
    }
  }

  #mute(node: cytoscape.NodeSingular): void {
    const near = node.closedNeighborhood();
    this.#graph.elements().difference(near).addClass('muted');
  }
}

function shorten(label: string): string {
  return label.length > 34 ? `…${label.slice(-33)}` : label;
}

function styleOf(theme: Theme): cytoscape.StylesheetJson {
  const family = (name: keyof Theme['kinds'], shape: cytoscape.Css.NodeShape): cytoscape.StylesheetJsonBlock => ({
    selector: `node.${name}`,
    style: { 'border-color': theme.kinds[name], shape },
  });
  return [
    {
      selector: 'node',
      style: {
        label: 'data(label)',
        color: theme.foreground,
        'font-size': 12,
        'font-family': 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
        'text-valign': 'center',
        'text-halign': 'center',
        'background-color': theme.raised,
        'border-width': 1.5,
        width: (node: cytoscape.NodeSingular) => Math.max(60, String(node.data('label')).length * 7.4 + 22),
        height: 30,
      },
    },
    family('code', 'round-rectangle'),
    family('type', 'cut-rectangle'),
    family('file', 'rectangle'),
    family('data', 'ellipse'),
    {
      selector: 'node.focus',
      style: { 'background-color': theme.accent, 'border-color': theme.accent, color: theme.background, 'font-weight': 'bold', height: 38 },
    },
    { selector: 'node.bundle', style: { 'border-style': 'dotted', color: theme.muted, shape: 'round-rectangle' } },
    { selector: 'node.folder', style: { height: 'data(size)', 'border-width': 2 } },
    { selector: 'node.test', style: { 'border-style': 'dashed' } },
    {
      selector: 'edge',
      style: {
        width: 'data(width)',
        'line-color': theme.muted,
        'line-opacity': 0.55,
        'target-arrow-color': theme.muted,
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.9,
        'curve-style': 'bezier',
        'font-size': 10,
        color: theme.muted,
      },
    },
    { selector: 'edge.maybe', style: { 'line-style': 'dashed', 'target-arrow-shape': 'vee' } },
    { selector: '.muted', style: { opacity: 0.16 } },
  ];
}
