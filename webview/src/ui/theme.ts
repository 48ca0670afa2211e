/** Colours the canvas needs, read from the page's own style so that light, dark and high contrast follow the host. */
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
  readonly kinds: Readonly<Record<KindFamily, string>>;
}

export type KindFamily = 'code' | 'type' | 'file' | 'data';

export function readTheme(): Theme {
  const style = getComputedStyle(document.documentElement);
  const value = (name: string): string => style.getPropertyValue(name).trim();
  return {
    foreground: value('--text'),
    muted: value('--text-muted'),
    background: value('--ground'),
    raised: value('--raised'),
    accent: value('--accent'),
    border: value('--line'),
    focus: value('--focus'),
    start: value('--start'),
    onStart: value('--on-start'),
    incoming: value('--incoming'),
    outgoing: value('--outgoing'),
    fact: value('--fact'),
    maybe: value('--maybe'),
    fresh: value('--fresh'),
    isHighContrast: document.body.className.includes('high-contrast') || matchMedia('(prefers-contrast: more)').matches,
    font: value('--mono'),
    kinds: { code: value('--kind-code'), type: value('--kind-type'), file: value('--kind-file'), data: value('--kind-data') },
  };
}

/** Calls back when the page's colours change. */
export function onThemeChange(listener: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listener);
  const observer = new MutationObserver(listener);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-kind', 'data-vscode-theme-id'] });
  // The editor writes its colours into the style of the root.
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
}

export function prefersStill(): boolean {
  return matchMedia('(prefers-reduced-motion: reduce)').matches || document.body.classList.contains('vscode-reduce-motion');
}

/** Family of a kind: what shares a colour and a shape. */
export function familyOf(kind: string): KindFamily {
  if (kind === 'function' || kind === 'method' || kind === 'constructor') return 'code';
  if (kind === 'class' || kind === 'interface' || kind === 'type' || kind === 'enum' || kind === 'struct' || kind === 'trait') return 'type';
  if (['file', 'folder', 'package', 'community', 'module', 'namespace'].includes(kind)) return 'file';
  return 'data';
}
