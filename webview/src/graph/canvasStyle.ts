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
        // The ground is below the lines: the painter's.
        'background-opacity': 0,
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

function states(theme: Theme): cytoscape.StylesheetJsonBlock[] {
  return [
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
