import { NODE_KINDS } from '../../../server/protocol/nodeKinds';

/** Colors the canvas needs, read from the page's own style so that light, dark and high contrast follow the host. */
export interface Theme {
  readonly foreground: string;
  readonly muted: string;
  readonly background: string;
  readonly raised: string;
  readonly accent: string;
  readonly border: string;
  readonly focus: string;
  /** What a view starts with. */
  readonly start: string;
  readonly onStart: string;
  readonly incoming: string;
  readonly outgoing: string;
  readonly fact: string;
  readonly maybe: string;
  readonly fresh: string;
  readonly isHighContrast: boolean;
  readonly font: string;
  /** Narrower, for names that have little room. */
  readonly narrow: string;
  readonly kinds: Readonly<Record<KindFamily, string>>;
  /** Of areas in the order of the legend; they start anew when there are more. Each has a ground that text can be read on. */
  readonly areas: readonly { readonly line: string; readonly ground: string }[];
}

export type KindFamily = 'code' | 'type' | 'file' | 'data' | 'knowledge';

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  const isHighContrast = document.body.className.includes('high-contrast') || matchMedia('(prefers-contrast: more)').matches;
  return {
    foreground: value('--text'),
    muted: value('--text-muted'),
    background: value('--ground'),
    raised: value('--raised'),
    accent: value('--accent'),
    border: value('--line'),
    focus: value('--focus'),
    // High contrast themes give buttons the color of the ground.
    start: value(isHighContrast ? '--accent' : '--start'),
    onStart: value(isHighContrast ? '--ground' : '--on-start'),
    incoming: value('--incoming'),
    outgoing: value('--outgoing'),
    fact: value('--fact'),
    maybe: value('--maybe'),
    fresh: value('--fresh'),
    isHighContrast,
    font: value('--mono'),
    narrow: getComputedStyle(document.body).fontFamily,
    areas: AREAS.map(name => ({ line: value(name), ground: isHighContrast ? value('--ground') : mixed(value(name), value('--raised'), 0.16) })),
    kinds: {
      code: value('--kind-code'),
      type: value('--kind-type'),
      file: value('--kind-file'),
      data: value('--kind-data'),
      knowledge: value('--kind-knowledge'),
    },
  };
}

const AREAS = ['--area-1', '--area-2', '--area-3', '--area-4', '--area-5', '--area-6', '--area-7', '--area-8'];

/** A color laid thinly over another, however the two are written. */
function mixed(above: string, below: string, share: number): string {
  const pen = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
  if (pen === null) return below;
  pen.fillStyle = below;
  pen.fillRect(0, 0, 1, 1);
  pen.globalAlpha = share;
  pen.fillStyle = above;
  pen.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = pen.getImageData(0, 0, 1, 1).data;
  return `rgb(${red}, ${green}, ${blue})`;
}

/** Takes light or dark from the system, unless somebody said which (`named`). The style sheet knows it as `data-theme` of the root. */
export function followSystemTheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const { dataset } = document.documentElement;
  const apply = (): void => {
    if (dataset['themeNamed'] === undefined) dataset['theme'] = dark.matches ? 'dark' : 'light';
  };
  dark.addEventListener('change', apply);
  apply();
}

/** What stands around the page says which it is, from now on. */
export function nameTheme(theme: 'light' | 'dark'): void {
  const { dataset, style } = document.documentElement;
  dataset['theme'] = theme;
  dataset['themeNamed'] = '';
  style.colorScheme = theme;
  // The library of controls reads its colors anew when the class of the body changes.
  document.body.classList.remove('vscode-light', 'vscode-dark');
  document.body.classList.add(`vscode-${theme}`);
}

/** Calls back when the page's colors change. */
export function onThemeChange(listener: () => void): void {
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-kind', 'data-vscode-theme-id'] });
  // The editor writes its colors into the style of the root.
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style', 'data-theme'] });
}

export function prefersReducedMotion(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches || document.body.classList.contains('vscode-reduce-motion');
}

/** Family of a kind: what shares a color and a shape. */
export function familyOf(kind: string): KindFamily {
  if (kind === 'function' || kind === 'method' || kind === 'constructor') return 'code';
  if (kind === 'class' || kind === 'interface' || kind === 'type' || kind === 'enum' || kind === 'struct' || kind === 'trait') return 'type';
  if (['file', 'folder', 'package', 'service', 'owner', 'community', 'module', 'namespace'].includes(kind)) return 'file';
  return NODE_KINDS.some(({ layer, name }) => name === kind && layer === 'memory') ? 'knowledge' : 'data';
}
