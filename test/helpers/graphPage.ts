import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { panelHtml } from '../../client/src/graph/panelHtml';
import { timelineOf } from '../../client/src/graph/timelineOf';
import type { SceneParams } from '../../server/protocol/features';
import type { ExtensionMessage, PageMessage, PanelState } from '../../server/protocol/graphPanel';
import type { FeatureName } from '../../server/src/features/catalogue/catalogue';
import type { Workspace } from '../../server/src/workspace/snapshot';
import { askFeature } from './askFeature';
import { newPage } from './browser';
import { THEMES, type ThemeName } from './editorThemes';

const ORIGIN = 'https://lattice.test';
const dist = join(import.meta.dirname, '..', '..', 'dist');

export interface GraphPageOptions {
  readonly workspace: Workspace;
  /** Answers scenes, details and timelines in place of the workspace. */
  readonly ask?: (view: 'scene' | 'details' | 'timeline', params: Readonly<Record<string, unknown>>) => Promise<unknown>;
  readonly query?: SceneParams;
  readonly theme?: ThemeName;
  /** What an earlier page had kept. */
  readonly state?: PanelState;
  readonly size?: { readonly width: number; readonly height: number };
  /** Pixels of the screen in one of the page. */
  readonly scale?: number;
  readonly reducedMotion?: boolean;
  /** The built page; that of this repository when absent. */
  readonly dist?: string;
  /** The operating system decides on the colors. */
  readonly isForced?: boolean;
}

/** The built page of the graph panel in a browser, with features of a workspace in memory behind it in place of the extension. */
export class GraphPage {
  /** Whatever went wrong: errors, refusals of the security policy, requests to anywhere else. */
  readonly complaints: string[] = [];
  /** Requests other than scenes and details, as the extension would get them. */
  readonly requests: { readonly method: string; readonly params: Readonly<Record<string, unknown>> }[] = [];
  readonly queries: SceneParams[] = [];
  workspace: Workspace;
  readonly #ask: GraphPageOptions['ask'];

  private constructor(
    readonly page: Page,
    options: GraphPageOptions,
  ) {
    this.workspace = options.workspace;
    this.#ask = options.ask;
  }

  static async open(browser: Browser, options: GraphPageOptions): Promise<GraphPage> {
    const page = await newPage(browser, {
      viewport: options.size ?? { width: 1280, height: 800 },
      deviceScaleFactor: options.scale ?? 1,
      forcedColors: options.isForced === true ? 'active' : 'none',
      reducedMotion: options.reducedMotion === false ? 'no-preference' : 'reduce',
      colorScheme: options.theme?.endsWith('light') === true ? 'light' : 'dark',
    });
    const opened = new GraphPage(page, options);
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') opened.complaints.push(message.text());
    });
    page.on('pageerror', error => opened.complaints.push(error.message));
    await page.route('**/*', async route => {
      const url = route.request().url();
      if (url === `${ORIGIN}/`) {
        const html = panelHtml({ nonce: 'n0nce', source: ORIGIN, script: '/webview.js', controls: '/controls.js', style: '/webview.css' });
        await route.fulfill({ contentType: 'text/html', body: html });
      } else if (url.startsWith(`${ORIGIN}/`) && !url.endsWith('.map')) {
        const type = url.endsWith('.css') ? 'text/css' : 'text/javascript';
        await route.fulfill({ contentType: type, body: readFileSync(join(options.dist ?? dist, new URL(url).pathname)) });
      } else {
        if (!url.startsWith('blob:') && !url.endsWith('favicon.ico')) opened.complaints.push(`asked for ${url}`);
        await route.abort();
      }
    });
    await page.exposeFunction('latticeReceive', (message: PageMessage) => opened.#received(message, options.query));
    await page.addInitScript(standIn, { state: options.state, variables: THEMES[options.theme ?? 'dark'], theme: options.theme ?? 'dark' });
    await page.goto(`${ORIGIN}/`);
    if (options.query !== undefined || options.state !== undefined) await opened.drawn();
    return opened;
  }

  /** The part of the page that takes the keys: what the view is about, or the map. */
  get keys(): Locator {
    return this.page.locator('.canvas:not([hidden]), .sheet:not([hidden]) .sheet-row.start, .blocks:not([hidden]) .block').first();
  }

  /** The row of a node on a sheet. */
  row(id: string): Locator {
    return this.page.locator(`.sheet .sheet-row[data-id="${id}"]`);
  }

  tell(message: ExtensionMessage): Promise<void> {
    return this.page.evaluate(told => window.postMessage(told, '*'), message);
  }

  show(query: SceneParams): Promise<void> {
    return this.tell({ type: 'show', query, folder: 'file:///home/ada/shop' });
  }

  /** Resolves when nothing is being asked and the last scene is drawn. */
  async drawn(): Promise<void> {
    await this.page.locator('.canvas[data-drawn]:not([hidden]), .sheet[data-drawn]:not([hidden]), .blocks[data-drawn]:not([hidden])').waitFor();
    await this.page.locator('#app:not([aria-busy])').waitFor();
  }

  /** Resolves when the picture fits the new size, given in CSS pixels. */
  async resize(size: { readonly width: number; readonly height: number }): Promise<void> {
    await this.page.setViewportSize(size);
    // The page is told of its size in one frame and draws in the next.
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 4; frame++) await new Promise(resolve => requestAnimationFrame(resolve));
    });
    await this.drawn();
  }

  state(): Promise<PanelState> {
    return this.page.evaluate(() => (window as unknown as { readonly latticeState: PanelState }).latticeState);
  }

  async #received(message: PageMessage, query: SceneParams | undefined): Promise<void> {
    if (message.type === 'violation') this.complaints.push(`refused: ${message.text}`);
    else if (message.type === 'ready') {
      if (query !== undefined) await this.show(query);
    } else
      await this.tell({ type: 'reply', number: message.number, ...(await this.#answer(message.method, message.params as Readonly<Record<string, unknown>>)) });
  }

  async #answer(method: string, params: Readonly<Record<string, unknown>>): Promise<{ readonly answer?: unknown; readonly problem?: string }> {
    if (this.#ask !== undefined && (method === 'scene' || method === 'details' || method === 'timeline')) return { answer: await this.#ask(method, params) };
    if (method === 'scene') {
      this.queries.push(params as unknown as SceneParams);
      return this.#run('graphScene', params);
    }
    if (method === 'details') return this.#run('explain', { target: params['id'], ...(params['asOf'] === undefined ? {} : { asOf: params['asOf'] }) });
    if (method === 'timeline') return { answer: await this.#timeline(params) };
    if (method === 'search') return this.#run('search', { query: params['text'], limit: 20 });
    this.requests.push({ method, params });
    return { answer: method === 'save' ? 'graph.txt' : method === 'saveView' ? 'My view' : null };
  }

  /** As the extension makes it. */
  async #timeline({ id }: Readonly<Record<string, unknown>>): Promise<unknown> {
    const points = await askFeature('points', this.workspace, {});
    const history = await askFeature('history', this.workspace, { id });
    return points.ok ? timelineOf(points.value, history.ok ? history.value : undefined) : [];
  }

  async #run(feature: FeatureName, params: unknown): Promise<{ readonly answer?: unknown; readonly problem?: string }> {
    const found = await askFeature(feature, this.workspace, params);
    return found.ok ? { answer: found.value } : { problem: found.error.message };
  }
}

/** Runs in the page before its own scripts: the editor's colors and its messaging. */
function standIn({ state, variables, theme }: { readonly state: unknown; readonly variables: Readonly<Record<string, string>>; readonly theme: string }): void {
  const page = window as unknown as {
    latticeState: unknown;
    latticeReceive(message: unknown): Promise<void>;
    acquireVsCodeApi(): unknown;
  };
  page.latticeState = state;
  page.acquireVsCodeApi = () => ({
    postMessage: (message: unknown) => void page.latticeReceive(message),
    getState: () => page.latticeState,
    setState: (kept: unknown) => {
      page.latticeState = kept;
    },
  });
  const dress = (): void => {
    if (document.body === null) return;
    for (const [name, value] of Object.entries(variables)) document.documentElement.style.setProperty(name, value);
    document.body.classList.add(`vscode-${theme}`);
    // The editor names a light theme of high contrast both ways.
    if (theme.startsWith('high-contrast')) document.body.classList.add('vscode-high-contrast');
    observer.disconnect();
  };
  const observer = new MutationObserver(dress);
  observer.observe(document, { childList: true, subtree: true });
}
