import type cytoscape from 'cytoscape';
import { badgeImage, badgeWidth, iconImage, iconOfKind } from '../ui/icons';
import type { KindFamily, Theme } from '../ui/theme';

/** Shapes, lines and colors. Whatever a color says is also said by a shape, a line or a picture. */
export function styleOf(theme: Theme): cytoscape.StylesheetJson {
  const pictures = new Map<string, string>();
  const picture = (kind: string, color: string): string => {
    const key = `${kind} ${color}`;
    const known = pictures.get(key);
    if (known !== undefined) return known;
    const made = iconImage(iconOfKind(kind), color);
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
    family('knowledge', 'polygon'),
    // A label with a point that leaves room for the name.
    { selector: 'node.knowledge', style: { 'shape-polygon-points': '-1 -1 0.86 -1 1 0 0.86 1 -1 1' } },
    ...roles(theme, picture),
    ...areas(theme, picture),
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

function roles(theme: Theme, picture: (kind: string, color: string) => string): cytoscape.StylesheetJsonBlock[] {
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
    // Dashes leave nothing of a double line: a test that is a maybe has a second line around it.
    {
      selector: 'node.test.maybe',
      style: {
        'border-width': 1.5,
        'outline-width': 1.5,
        'outline-offset': 2,
        'outline-style': 'dashed',
        'outline-color': theme.maybe,
      } as unknown as cytoscape.Css.Node,
    },
    { selector: 'node.maybe', style: { 'border-style': 'dashed' } },
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
  ];
}

/** Colors tell areas apart: the frame and ground have the color of the first, a badge its letter. */
function areas(theme: Theme, picture: (kind: string, color: string) => string): cytoscape.StylesheetJsonBlock[] {
  const colorOf = (node: cytoscape.NodeSingular): Theme['areas'][number] => {
    const place = Number(node.data('area'));
    return (place < 0 ? undefined : theme.areas[place % theme.areas.length]) ?? { line: theme.muted, ground: theme.raised };
  };
  const badges = new Map<string, string>();
  const badge = (letters: string, line: string): string => {
    const key = `${letters} ${line}`;
    const known = badges.get(key);
    if (known !== undefined) return known;
    const made = badgeImage(letters, { line, ground: theme.background, letter: theme.foreground });
    badges.set(key, made);
    return made;
  };
  return [
    { selector: 'node[area]', style: { 'border-color': theme.muted } },
    {
      selector: 'node[letters]',
      style: {
        'border-color': (node: cytoscape.NodeSingular) => colorOf(node).line,
        'background-color': (node: cytoscape.NodeSingular) => (node.hasClass('start') ? theme.start : colorOf(node).ground),
        'background-image': (node: cytoscape.NodeSingular) => {
          const { line } = colorOf(node);
          return [picture(String(node.data('kind')), node.hasClass('start') ? theme.onStart : line), badge(String(node.data('letters')), line)];
        },
        'outline-color': (node: cytoscape.NodeSingular) => colorOf(node).line,
        'background-width': (node: cytoscape.NodeSingular) => ['15px', `${badgeWidth(String(node.data('letters')))}px`],
        'background-height': ['15px', '16px'],
        'background-fit': ['none', 'none'],
        'background-clip': ['node', 'none'],
        'background-image-containment': ['over', 'over'],
        'background-position-x': ['8px', '100%'],
        'background-position-y': ['50%', '0%'],
        'background-offset-x': ['0px', '8px'],
        'background-offset-y': ['0px', '-8px'],
        'bounds-expansion': 12,
      } as unknown as cytoscape.Css.Node,
    },
  ];
}

function states(theme: Theme): cytoscape.StylesheetJsonBlock[] {
  return [
    // Names that would be too small are written above.
    { selector: 'node.far', style: { 'text-opacity': 0 } },
    { selector: '.muted', style: { opacity: theme.isHighContrast ? 0.35 : 0.18 } },
    { selector: 'node.fresh', style: { 'underlay-color': theme.fresh, 'underlay-opacity': 0.35, 'underlay-padding': 5 } },
    { selector: 'node.pinned', style: { 'border-width': 3 } },
    { selector: '.apart', style: { opacity: theme.isHighContrast ? 0.45 : 0.3 } },
    { selector: 'node.covered', style: { 'underlay-color': theme.accent, 'underlay-opacity': 0.4, 'underlay-padding': 6 } },
    { selector: 'node.found', style: { 'underlay-color': theme.accent, 'underlay-opacity': 0.3, 'underlay-padding': 5 } },
    {
      selector: 'node.selected',
      style: { 'outline-color': theme.focus, 'outline-width': 2, 'outline-offset': 3, 'outline-opacity': 1 } as unknown as cytoscape.Css.Node,
    },
  ];
}
