/** Colours the canvas needs, read from the page's own style so that light, dark and high contrast follow the host. */
export interface Theme {
  readonly foreground: string;
  readonly muted: string;
  readonly background: string;
  readonly raised: string;
  readonly accent: string;
  readonly border: string;
  readonly kinds: Readonly<Record<'code' | 'type' | 'file' | 'data', string>>;
}

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
    kinds: { code: value('--kind-code'), type: value('--kind-type'), file: value('--kind-file'), data: value('--kind-data') },
  };
}

/** Calls back when the page's colours change. */
export function onThemeChange(listener: () => void): void {
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', listener);
  new MutationObserver(listener).observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-kind'] });
}

/** Family of a kind: what shares a colour and a shape. */
export function familyOf(kind: string): keyof Theme['kinds'] {
  if (kind === 'function' || kind === 'method' || kind === 'constructor') return 'code';
  if (kind === 'class' || kind === 'interface' || kind === 'type' || kind === 'enum' || kind === 'struct' || kind === 'trait') return 'type';
  if (kind === 'file' || kind === 'folder' || kind === 'module' || kind === 'namespace') return 'file';
  return 'data';
}
