/**
 * Draws every view of the graph on real code, for a person to look at: `node test/webview/pictures.mjs [options] [FOLDER[#SYMBOL] ...]` after `npm run build`.
 *
 * The symbol after `#` (an ID, as `src/context.ts::Context`) is what focus and impact are about; by default the symbol that search finds first for the
 * name of the folder. Without folders: the sources that the tests use (`test/helpers/realSources.mjs`), and the sample of services.
 *   --views VIEW,…   some of `VIEWS` below
 *   --themes THEME,… dark, light, high-contrast, high-contrast-light, forced (the colors of the operating system)
 *   --sizes SIZE,…   some of `SIZES` below
 *   --out FOLDER     where to; test/output/pictures when absent
 * Indexes go to `LATTICE_HOME`, to a folder that is removed afterwards when it is not set. Prints a row for each picture with what `measurePicture` finds
 * in it, and writes an `index.html` that shows them all. Exits with 1 when a name is cut, overlaps another or is too small, too many lines cross boxes,
 * or the page complains.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleHelpers } from '../helpers/bundleHelpers.mjs';
import { measurePicture } from '../helpers/measurePicture.mjs';
import { copySources } from '../helpers/realSources.mjs';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { openViews } from '../helpers/viewServer.mjs';

const repository = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const MAX_CROSSING = 0.02;

/** Pixels; `zoom` is that of the window. */
const SIZES = {
  wide: { width: 1400, height: 900, zoom: 1 },
  beside: { width: 1100, height: 900, zoom: 1 },
  zoomed: { width: 1400, height: 900, zoom: 2 },
  narrow: { width: 560, height: 900, zoom: 1 },
  split: { width: 240, height: 900, zoom: 1 },
};
const THEMES = ['dark', 'light', 'high-contrast', 'high-contrast-light', 'forced'];

/** What is asked for, by view. A view that a repository has nothing for is left out. */
const VIEWS = {
  focus: ({ symbol }) => symbol && { start: 'focus', target: symbol },
  far: ({ symbol }) => symbol && { start: 'focus', target: symbol, depth: 2 },
  file: ({ symbol }) => symbol && { start: 'focus', target: symbol.replace(/::.*$/s, '') },
  impact: ({ symbol }) => symbol && { start: 'impact', target: symbol },
  overview: () => ({ start: 'workspace' }),
  beside: () => ({ start: 'workspace', beside: true }),
  churn: () => ({ start: 'workspace', colorBy: 'churn' }),
  coverage: () => ({ start: 'workspace', colorBy: 'coverage' }),
  owners: () => ({ start: 'workspace', colorBy: 'owner' }),
  byOwner: () => ({ start: 'workspace', groupBy: 'owner' }),
  byPackage: () => ({ start: 'workspace', groupBy: 'package' }),
  byCommunity: () => ({ start: 'workspace', groupBy: 'community' }),
  services: () => ({ start: 'workspace', groupBy: 'service' }),
  flow: ({ endpoint }) => endpoint && { start: 'flow', target: endpoint },
  search: ({ symbol }) => symbol && { start: 'search', target: symbol.replace(/^.*::/s, '') },
  compare: ({ commits }) => (commits > 40 ? { start: 'compare', target: 'HEAD~40' } : undefined),
  path: ({ symbol, last }) => symbol && last && { start: 'path', target: last, to: symbol },
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { views: { type: 'string' }, themes: { type: 'string' }, sizes: { type: 'string' }, out: { type: 'string' } },
});
const chosen = (text, all) => text?.split(',').map(name => (all.includes(name) ? name : fail(`Unknown: ${name}. There are ${all.join(', ')}.`))) ?? all;
const views = chosen(values.views, Object.keys(VIEWS));
const themes = chosen(values.themes, THEMES);
const sizes = chosen(values.sizes, Object.keys(SIZES));
const out = resolve(values.out ?? join(repository, 'test', 'output', 'pictures'));
const work = mkdtempSync(join(tmpdir(), 'lattice-pictures-'));
const env = { ...process.env, LATTICE_HOME: process.env['LATTICE_HOME'] ?? join(work, 'home'), LATTICE_LOG: 'error' };
const rows = [];

try {
  mkdirSync(out, { recursive: true });
  const { FIRST_STATE, GraphPage, openBrowser, workspaceOf } = await bundleHelpers(
    ['graphPage', 'browser', 'workspaceOf', '../../webview/src/state/panelState'],
    work,
  );
  const browser = await openBrowser();
  try {
    for (const place of positionals.length > 0 ? positionals : ownSources()) await drawAll(place, { browser, GraphPage, workspaceOf, FIRST_STATE });
  } finally {
    await browser.close();
  }
  writeFileSync(join(out, 'index.html'), pageOf(rows));
  console.log(`${rows.length} pictures in ${out}`);
  process.exitCode = rows.every(row => row.isGood) ? 0 : 1;
} finally {
  removeFolder(work);
}

function fail(text) {
  throw new Error(text);
}

/** Flask and gin where pip and Go are there, a package of npm, and the sample of services. */
function ownSources() {
  const symbols = { flask: 'src/flask/app.py::Flask::wsgi_app', gin: 'gin.go::Engine', msal: 'src/cache/CacheManager.ts::CacheManager' };
  const fetched = Object.entries(symbols).flatMap(([name, symbol]) => {
    const folder = join(work, name);
    try {
      copySources(name, folder);
    } catch (error) {
      console.warn(`NOT DRAWN ${name}: ${error.message}`);
      return [];
    }
    return [`${folder}#${symbol}`];
  });
  return [...fetched, join(repository, 'test', 'fixtures', 'workspaces', 'services')];
}

async function drawAll(place, tools) {
  const [folder = '', symbol] = place.split('#');
  const workspace = resolve(folder);
  const { ask, close } = await openViews(workspace, env);
  try {
    const known = await factsOf(workspace, ask, symbol);
    for (const view of views) {
      const query = VIEWS[view](known);
      if (query !== undefined)
        for (const theme of themes) for (const size of sizes) await draw({ name: basename(workspace), view, theme, size, query, ask }, tools);
    }
  } finally {
    await close();
  }
}

/** What the views of a repository are about: a symbol, one that is several steps from it, an endpoint, how many commits there are. */
async function factsOf(workspace, ask, symbol) {
  const commits = Number(outputOf('git', ['-C', workspace, 'rev-list', '--count', 'HEAD']) || 0);
  const around = symbol === undefined ? undefined : await ask('scene', { start: 'focus', target: symbol, depth: 2 });
  const last = around?.nodes.find(node => node.column === -2 && node.role === 'step' && !node.isTest)?.id;
  const services = await ask('scene', { start: 'workspace', groupBy: 'service' });
  const opened = await ask('scene', { start: 'workspace', groupBy: 'service', expand: services.nodes.flatMap(node => node.expand ?? []) });
  const endpoint = opened.nodes.find(node => node.kind === 'endpoint')?.label;
  return { commits, symbol, last, endpoint };
}

function outputOf(program, args) {
  try {
    return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return '';
  }
}

async function draw({ name, view, theme, size, query, ask }, { browser, FIRST_STATE, GraphPage, workspaceOf }) {
  const { zoom, ...room } = SIZES[size];
  const viewport = { width: room.width / zoom, height: room.height / zoom };
  const look = theme === 'forced' ? { isForced: true } : { theme };
  const { colorBy, ...place } = query;
  const state = { ...FIRST_STATE, history: [place], place: 0, ...(colorBy === undefined ? {} : { colorBy }) };
  const graph = await GraphPage.open(browser, { workspace: workspaceOf({}), ask, state, size: viewport, scale: zoom, ...look });
  try {
    await settled(graph.page);
    const found = await graph.page.evaluate(measurePicture);
    const file = `${name}-${view}-${theme}-${size}.png`;
    await graph.page.screenshot({ path: join(out, file) });
    const share = found.lines === 0 ? 0 : found.crossing.length / found.lines;
    const isGood = found.cut.length + found.overlapping.length + found.small.length + graph.complaints.length === 0 && share <= MAX_CROSSING;
    const text = `${found.names} names, ${found.cut.length} cut, ${found.overlapping.length} overlapping, ${found.small.length} too small, ${found.crossing.length} of ${found.lines} lines cross a box`;
    rows.push({ file, text, isGood });
    console.log(`${isGood ? 'ok ' : 'BAD'} ${file}: ${text}`);
    for (const problem of isGood ? [] : [...found.cut, ...found.overlapping, ...found.small, ...found.crossing, ...graph.complaints].slice(0, 8))
      console.log(`      ${problem}`);
  } catch (error) {
    rows.push({ file: '', text: `${name}, ${view}: ${error.message}`, isGood: false });
    console.log(`BAD ${name} ${view} ${theme} ${size}: ${error.message}`);
  } finally {
    await graph.page.close();
  }
}

/** Resolves when two pictures, a frame apart, are measured the same. */
async function settled(page) {
  let before = '';
  for (;;) {
    const now = JSON.stringify(await page.evaluate(measurePicture));
    if (now === before) return;
    before = now;
    await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))));
  }
}

function pageOf(all) {
  const escaped = text => text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
  const figures = all.map(
    ({ file, text, isGood }) =>
      `<figure><figcaption>${isGood ? '' : '<b>Look:</b> '}${escaped(file)}<br>${escaped(text)}</figcaption><a href="${escaped(file)}"><img src="${escaped(file)}" loading="lazy"></a></figure>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Pictures of the graph</title>
<style>body{font:13px system-ui;background:#888}figure{display:inline-block;width:660px;margin:8px;vertical-align:top}img{width:100%}</style>
${figures.join('\n')}
`;
}
