import type cytoscape from 'cytoscape';
import { iconImage, iconOfKind } from '../ui/icons';
import type { KindFamily, Theme } from '../ui/theme';

/** Shapes, lines and colours. Whatever a colour says is also said by a shape, a line or a picture. */
export function styleOf(theme: Theme): cytoscape.StylesheetJson {
  const pictures = new Map<string, string>();
  const picture = (kind: string, colour: string): string => {
    const key = `${kind} ${colour}`;
    const known = pictures.get(key);
    if (known !== undefined) return known;
    const made = iconImage(iconOfKind(kind), colour);
    pictures.set(key, made);
    return made;
  };
  const family = (name: KindFamily, shape: cytoscape.Css.NodeShape): cytoscape.StylesheetJsonBlock => ({
    selector: `node.${name}`,
    style: {
      'border-color': theme.kinds[name],
      shape,
      'background-image': (node: cytoscape.NodeSingular) => picture(String(node.data('kind')), theme.kinds[name]),
    },
  });
  return [
    { selector: 'core', style: { 'active-bg-opacity': 0, 'selection-box-opacity': 0, 'outside-texture-bg-opacity': 0 } as unknown as cytoscape.Css.Core },
    ...nodes(theme),
    family('code', 'round-rectangle'),
    family('type', 'cut-rectangle'),
    family('file', 'rectangle'),
    family('data', 'barrel' as cytoscape.Css.NodeShape),
    ...roles(theme, picture),
    ...edges(theme),
    ...states(theme),
  ];
}

function nodes(theme: Theme): cytoscape.StylesheetJsonBlock[] {
  const line = theme.isHighContrast ? 2 : 1.5;
  return [
    {
      selector: 'node',
      style: {
        label: 'data(label)',
        color: theme.foreground,
        'font-size': 12,
        'font-family': theme.font,
        'text-valign': 'center',
        'text-halign': 'center',
        'text-margin-x': 9,
        'text-wrap': 'wrap',
        'line-height': 1.25,
        'background-color': theme.raised,
        'background-image-containment': 'over',
        'background-fit': 'none',
        'background-width': '15px',
        'background-height': '15px',
        'background-position-x': '8px',
        'background-position-y': '50%',
        'border-width': line,
        width: 'data(width)',
        height: 'data(height)',
        'z-index': 10,
        'overlay-opacity': 0,
        'min-zoomed-font-size': 5,
      },
    },
  ];
}

function roles(theme: Theme, picture: (kind: string, colour: string) => string): cytoscape.StylesheetJsonBlock[] {
  return [
    {
      selector: 'node.start',
      style: {
        'background-color': theme.start,
        'border-color': theme.start,
        color: theme.onStart,
        'font-weight': 'bold',
        'background-image': (node: cytoscape.NodeSingular) => picture(String(node.data('kind')), theme.onStart),
      },
    },
    {
      selector: 'node.bundle',
      style: {
        'border-style': 'dotted',
        'border-color': theme.muted,
        color: theme.muted,
        shape: 'round-rectangle',
        'background-color': theme.background,
        'font-style': 'italic',
      },
    },
    { selector: 'node.box', style: { 'border-width': 2 } },
    { selector: 'node.test', style: { 'border-style': 'double', 'border-width': 4 } },
    { selector: 'node.fact', style: { 'border-color': theme.fact } },
    { selector: 'node.maybe', style: { 'border-style': 'dashed' } },
    { selector: 'node.maybe.certain-view', style: { 'border-color': theme.maybe } },
    { selector: 'node.start.fact', style: { 'border-color': theme.start } },
    {
      selector: 'node.frame',
      style: {
        shape: 'round-rectangle',
        'background-color': theme.accent,
        'background-opacity': theme.isHighContrast ? 0 : 0.05,
        'background-image': 'none',
        'border-color': theme.border,
        'border-width': 1,
        'text-valign': 'top',
        'text-margin-y': 20,
        'text-margin-x': (node: cytoscape.NodeSingular) => 12 + String(node.data('label')).length * 3.4 - Number(node.data('width')) / 2,
        color: theme.muted,
        'font-size': 11.5,
        'z-index': 1,
      },
    },
    {
      selector: 'node.caption',
      style: {
        'background-opacity': 0,
        'border-width': 0,
        'background-image': 'none',
        color: theme.muted,
        'font-size': 12,
        'text-margin-x': 0,
        'z-index': 2,
        events: 'no',
      },
    },
  ];
}

function edges(theme: Theme): cytoscape.StylesheetJsonBlock[] {
  return [
    {
      selector: 'edge',
      style: {
        width: 'data(width)',
        'line-color': theme.muted,
        'line-opacity': theme.isHighContrast ? 1 : 0.5,
        'target-arrow-color': theme.muted,
        'target-arrow-shape': 'triangle',
        'arrow-scale': 0.8,
        'curve-style': 'straight',
        'z-index': 5,
        events: 'no',
        'overlay-opacity': 0,
      },
    },
    {
      selector: 'edge.curved',
      style: {
        'curve-style': 'unbundled-bezier',
        'edge-distances': 'endpoints',
        'control-point-weights': (edge: cytoscape.EdgeSingular) => edge.data('weights') as number[],
        'control-point-distances': (edge: cytoscape.EdgeSingular) => edge.data('distances') as number[],
        'source-endpoint': (edge: cytoscape.EdgeSingular) => String(edge.data('from')),
        'target-endpoint': (edge: cytoscape.EdgeSingular) => String(edge.data('to')),
      } as unknown as cytoscape.Css.Edge,
    },
    { selector: 'edge.maybe', style: { 'line-style': 'dashed', 'target-arrow-shape': 'vee' } },
    { selector: 'edge.aside', style: { 'line-opacity': theme.isHighContrast ? 0.6 : 0.2 } },
    { selector: 'edge.to-bundle', style: { 'line-style': 'dotted', 'target-arrow-shape': 'none' } },
  ];
}

function states(theme: Theme): cytoscape.StylesheetJsonBlock[] {
  return [
    { selector: 'edge.incoming', style: { 'line-color': theme.incoming, 'target-arrow-color': theme.incoming, 'line-opacity': 1, 'z-index': 8 } },
    { selector: 'edge.outgoing', style: { 'line-color': theme.outgoing, 'target-arrow-color': theme.outgoing, 'line-opacity': 1, 'z-index': 8 } },
    { selector: 'edge.on-way', style: { 'line-color': theme.accent, 'target-arrow-color': theme.accent, 'line-opacity': 1, width: 3, 'z-index': 9 } },
    { selector: '.muted', style: { opacity: theme.isHighContrast ? 0.35 : 0.18 } },
    { selector: 'node.fresh', style: { 'underlay-color': theme.fresh, 'underlay-opacity': 0.35, 'underlay-padding': 5 } },
    { selector: 'node.pinned', style: { 'border-width': 3 } },
    { selector: 'node.found', style: { 'underlay-color': theme.accent, 'underlay-opacity': 0.3, 'underlay-padding': 5 } },
    {
      selector: 'node.selected',
      style: { 'outline-color': theme.focus, 'outline-width': 2, 'outline-offset': 3, 'outline-opacity': 1 } as unknown as cytoscape.Css.Node,
    },
  ];
}
