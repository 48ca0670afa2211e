/** Pictures of 16 × 16 units, drawn with lines so that they take any color. */
const PATHS = {
  back: 'M10 3 5 8l5 5',
  forward: 'm6 3 5 5-5 5',
  fit: 'M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4',
  zoomIn: 'M8 3v10M3 8h10',
  zoomOut: 'M3 8h10',
  filter: 'M2 3h12L9.5 8.5V13l-3-1.5v-3z',
  side: 'M2 3h12v10H2zM9.5 3v10',
  map: 'M2 3h12v10H2zM8 8h4v3H8z',
  legend: 'M2 4h3M2 8h3M2 12h3M7.5 4H14M7.5 8H14M7.5 12H14',
  more: 'M3 7.700v.600M8 7.700v.600M13 7.700v.600',
  target: 'M8 1v3M8 12v3M1 8h3M12 8h3M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8z',
  overview: 'M2 2h5v5H2zM9 2h5v5H9zM2 9h5v5H2zM9 9h5v5H9z',
  close: 'm4 4 8 8M12 4l-8 8',
  pin: 'M6 2h4l-.5 4.5L12 9H4l2.5-2.5zM8 9v5',
  hide: 'm2 2 12 12M6.5 6.6a2 2 0 0 0 2.9 2.8M4 4.6C2.6 5.6 1.6 7 1.2 8c1 2.400 3.600 4.500 6.800 4.500 1.200 0 2.300-.3 3.300-.8M7 3.500C7.300 3.500 7.700 3.500 8 3.500c3.200 0 5.800 2.100 6.800 4.500-.3.800-.9 1.700-1.700 2.500',
  impact: 'M8 8h.01M5.200 10.800a4 4 0 0 1 0-5.600M10.800 5.200a4 4 0 0 1 0 5.600M3 13A7 7 0 0 1 3 3M13 3a7 7 0 0 1 0 10',
  code: 'M5.500 4 2 8l3.500 4M10.500 4 14 8l-3.500 4',
  refresh: 'M13 8a5 5 0 1 1-1.500-3.600M13 2v3h-3',
  function: 'M11.500 2.500c-2.200-.6-3 .6-3.300 2.500L7 11.500c-.3 1.700-1.100 2.500-2.800 2M5 6.500h6',
  class: 'M8 2.500 13.500 8 8 13.500 2.500 8z',
  interface: 'M1.500 8h5M6.500 8a3.500 3.500 0 1 1 7 0 3.500 3.500 0 0 1-7 0z',
  type: 'M3.500 4h9M8 4v9',
  enum: 'M3 4h10M3 8h10M3 12h6',
  value: 'M5 3H3v10h2M11 3h2v10h-2M6.300 6l3.400 4M9.700 6l-3.400 4',
  module:
    'M6 2.500c-2 0-2 1-2 2.500s0 2.500-1.500 3C4 8.500 4 9.500 4 11s0 2.500 2 2.500M10 2.500c2 0 2 1 2 2.500s0 2.500 1.500 3c-1.500.5-1.500 1.500-1.500 3s0 2.500-2 2.500',
  file: 'M4 2h5l3 3v9H4zM9 2v3h3',
  folder: 'M1.500 4h4.500l1.500 2h7v7h-13z',
  package: 'M8 1.800 13.500 5v6L8 14.200 2.500 11V5zM2.500 5 8 8.200 13.500 5M8 8.200v6',
  community:
    'M5.500 5.500a2 2 0 1 1 0-.01zM14 6.500a2 2 0 1 1 0-.01zM9.500 12.500a2 2 0 1 1 0-.01zM5.600 6.200l8.400.3M4.400 7.300l2.400 3.700M11.200 8.300 8.700 10.800',
  service: 'M2 3h12v4H2zM2 9h12v4H2zM4.500 5h.01M4.500 11h.01',
  store:
    'M3 4.200c0-1.200 2.200-2.200 5-2.200s5 1 5 2.200v7.600c0 1.200-2.200 2.200-5 2.200s-5-1-5-2.200zM3 4.200c0 1.200 2.200 2.200 5 2.200s5-1 5-2.200M3 8c0 1.200 2.200 2.200 5 2.200s5-1 5-2.200',
  owner: 'M8 2.500a2.700 2.700 0 1 1 0 5.400 2.700 2.700 0 0 1 0-5.400zM2.500 14c.3-3 2.500-4.500 5.500-4.500s5.200 1.500 5.500 4.500',
  atom: 'M8 4C6.500 3 4.500 2.700 2.500 3v9c2-.3 4 0 5.500 1 1.500-1 3.500-1.300 5.500-1V3c-2-.3-4 0-5.500 1zM8 4v9',
  task: 'M2.500 4l1.200 1.200L6 3M2.500 10l1.200 1.200L6 9M8.500 4.500H14M8.500 10.500H14',
  history: 'M8 4.500V8l2.500 1.500M3 8a5 5 0 1 0 1.500-3.600M3 2.500v2.500h2.500',
  external: 'M7 3H3v10h10V9M9.500 2.500h4v4M13.500 2.500 8 8',
  bundle: 'M2.500 8h.01M8 8h.01M13.500 8h.01',
  test: 'm3 8.500 3.200 3.200L13 4.500',
} as const;

export type IconName = keyof typeof PATHS;

const BY_KIND: Readonly<Record<string, IconName>> = {
  function: 'function',
  method: 'function',
  constructor: 'function' as const,
  class: 'class',
  struct: 'class',
  interface: 'interface',
  trait: 'interface',
  type: 'type',
  enum: 'enum',
  module: 'module',
  namespace: 'module',
  file: 'file',
  folder: 'folder',
  package: 'package',
  service: 'service',
  data_store: 'store',
  owner: 'owner',
  community: 'community',
  atom: 'atom',
  molecule: 'atom',
  task: 'task',
  feature: 'task',
  tx: 'history',
  external: 'external',
  bundle: 'bundle',
};

export function iconOfKind(kind: string): IconName {
  return BY_KIND[kind] ?? 'value';
}

const SVG = 'http://www.w3.org/2000/svg';

export function icon(name: IconName): SVGElement {
  const made = document.createElementNS(SVG, 'svg');
  for (const [attribute, value] of Object.entries({ viewBox: '0 0 16 16', width: '16', height: '16', 'aria-hidden': 'true', class: 'icon' }))
    made.setAttribute(attribute, value);
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', PATHS[name]);
  made.append(path);
  return made;
}

/** Letters in a frame, for the corner of a node. */
export function badgeImage(text: string, { line, ground, letter }: { readonly line: string; readonly ground: string; readonly letter: string }): string {
  const width = badgeWidth(text) * 2;
  const style = 'font: bold 20px system-ui, sans-serif; text-anchor: middle';
  const svg = `<svg xmlns="${SVG}" width="${width}" height="32" viewBox="0 0 ${width} 32"><rect x="1.5" y="1.5" width="${width - 3}" height="29" rx="9" fill="${ground}" stroke="${line}" stroke-width="3"/><text x="${width / 2}" y="23" fill="${letter}" style="${style}">${text}</text></svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}

/** In the units of positions; it is 16 high. */
export function badgeWidth(text: string): number {
  return 8 + text.length * 8;
}

/** The same picture for the canvas, in one color. */
export function iconImage(name: IconName, color: string): string {
  const svg = `<svg xmlns="${SVG}" width="32" height="32" viewBox="0 0 16 16"><path d="${PATHS[name]}" fill="none" stroke="${color}" stroke-width="1.500" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
  return `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
}
