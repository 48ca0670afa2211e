/**
 * How smoothly the graph panel draws: `node test/bench/graphFrames.mjs [--edges 600] [--against DIST] [FOLDER#SYMBOL ...]` after `npm run build`.
 * Loads the built page in headless Chromium, moves over the picture for some seconds, and reads from a trace how long the page's scripts took in each frame.
 * Also tells the time from the answer to the first picture, and how long a key press takes to be answered (`keyMs` by the clock, `keyBusyMs` of the processor).
 *
 * Draws a map of that many edges and the overview of a workspace of 5,000 nodes; of a folder its overview, and focus and impact of the symbol (an ID, as
 * `src/context.ts::Context`), with its index in `LATTICE_HOME`. With `--against` each is also drawn by the page of another build, in turn, and the figures
 * of this one are given as shares of the other's (`ratios`). Exits with 1 when p95 of scripting per frame is above 16 ms.
 */
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { bundleHelpers } from '../helpers/bundleHelpers.mjs';
import { removeFolder } from '../helpers/removeFolder.mjs';
import { openViews } from '../helpers/viewServer.mjs';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { edges: { type: 'string' }, against: { type: 'string' } } });
const EDGES = Number(values.edges ?? 600);
/** Each picture is drawn so often by each build. */
const ROUNDS = values.against === undefined ? 1 : 3;
const FRAMES = 180;
const LIMIT_MS = 16;
const SCRIPTS = new Set(['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'EventDispatch', 'RunMicrotasks', 'v8.compile']);
/** Each moves on in a map and in pages. */
const KEYS = ['ArrowDown', 'ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowUp', 'ArrowLeft'];
const KEY_MARK = 'lattice:key';
const PLACES = [process.env.LATTICE_TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

const folder = mkdtempSync(join(tmpdir(), 'lattice-frames-'));
try {
  process.exitCode = await run();
} finally {
  removeFolder(folder);
}

async function run() {
  const helpers = await bundleHelpers(['graphPage', 'bigShop', 'workspaceOf'], folder);
  const executablePath = PLACES.find(place => place !== undefined && existsSync(place));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  const opened = [];
  try {
    const pictures = generated(helpers);
    for (const place of positionals) {
      const [path = '', symbol] = place.split('#');
      const views = await openViews(resolve(path), process.env);
      opened.push(views);
      pictures.push(...real(helpers, path, symbol, views.ask));
    }
    let isSmooth = true;
    for (const picture of pictures) {
      const [own, others] = [[], []];
      for (let round = 0; round < ROUNDS; round++) {
        own.push(await measured(browser, helpers.GraphPage, picture));
        if (values.against !== undefined) others.push(await measured(browser, helpers.GraphPage, { ...picture, dist: resolve(values.against) }));
      }
      const row = { picture: picture.name, ...own[0], ...(others.length === 0 ? {} : { ratios: ratiosOf(own, others) }) };
      console.log(JSON.stringify(row, undefined, 2));
      isSmooth &&= row.scriptMs.p95 <= LIMIT_MS;
    }
    return isSmooth ? 0 : 1;
  } finally {
    for (const { close } of opened) await close();
    await browser.close();
  }
}

/** Pictures of a workspace of 5,000 nodes. */
function generated({ bigShop, workspaceOf }) {
  const workspace = workspaceOf(bigShop({ areas: 12, filesPerArea: 20, functionsPerFile: 20, calls: 4 }));
  const nodesBehind = workspace.current().graph.nodeCount;
  const areas = ['orders', 'billing', 'stock', 'mail', 'users', 'search', 'export', 'audit', 'tax', 'cart', 'media', 'admin'];
  const open = areas.flatMap(area => [`open:folder:src/${area}`, `open:src/${area}/index.ts`]);
  const map = { start: 'workspace', edgeBudget: EDGES, expand: ['open:folder:src', ...open] };
  return [
    { name: `map of ${nodesBehind} nodes`, workspace, query: map, links: EDGES },
    { name: `overview of ${nodesBehind} nodes`, workspace, query: { start: 'workspace' } },
  ];
}

function real({ workspaceOf }, path, symbol, ask) {
  const queries = [
    { start: 'workspace' },
    ...(symbol === undefined
      ? []
      : [
          { start: 'focus', target: symbol },
          { start: 'impact', target: symbol },
        ]),
  ];
  return queries.map(query => ({ name: `${query.start} of ${symbol ?? path}`, workspace: workspaceOf({}), ask, query }));
}

/** One picture drawn and moved by one build of the page. */
async function measured(browser, GraphPage, { ask, dist, links, query, workspace }) {
  const graph = await GraphPage.open(browser, {
    workspace,
    query,
    reducedMotion: false,
    ...(ask === undefined ? {} : { ask }),
    ...(dist === undefined ? {} : { dist }),
  });
  try {
    const shown = (await graph.page.locator('.status').innerText()).split('\n')[0];
    if (links !== undefined && !shown.includes(` ${links} links`))
      throw new Error(`the scene shows "${shown}", not ${links} links: the figures would be of another picture`);
    const marks = new Map(await graph.page.evaluate(() => performance.getEntriesByType('mark').map(mark => [mark.name, mark.startTime])));
    // Frames in which nothing is drawn would flatter the figure.
    const frames = framesOf(await trace(browser, graph.page, () => move(graph.page))).filter(ms => ms >= 1);
    const keys = await latency(graph);
    const recorded = await trace(browser, graph.page, () => latency(graph));
    return {
      shown,
      firstPaintMs: round(marks.get('lattice:drawn') - marks.get('lattice:data')),
      frames: frames.length,
      scriptMs: spread(frames),
      keyScriptMs: spread(framesOf(recorded).filter(ms => ms > 0)),
      keyBusyMs: spread(busyOf(recorded)),
      keyMs: spread(keys),
    };
  } finally {
    await graph.page.close();
  }
}

/** Medians of this build over those of the other. */
function ratiosOf(own, others) {
  const middle = (rows, of) => spread(rows.map(of)).p50;
  const ratio = of => Math.round((middle(own, of) / middle(others, of)) * 100) / 100;
  return { firstPaint: ratio(row => row.firstPaintMs), scriptP95: ratio(row => row.scriptMs.p95), keyBusyP50: ratio(row => row.keyBusyMs.p50) };
}

/** Pans a map back and forth and zooms in and out, a step per frame; points at what is on a page and scrolls it. */
async function move(page) {
  const part = page.locator(':is(.canvas, .sheet, .blocks):not([hidden])');
  const box = await part.boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + 12];
  if (!(await part.evaluate(own => own.matches('.canvas')))) {
    for (let step = 0; step < FRAMES / 2; step++) await page.mouse.move(x + Math.sin(step / 12) * box.width * 0.4, y + ((step * 17) % (box.height - 24)));
    for (let step = 0; step < FRAMES / 2; step++) await page.mouse.wheel(0, step % 40 < 20 ? 60 : -60);
    return;
  }
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < FRAMES / 2; step++) await page.mouse.move(x + Math.sin(step / 12) * 240, y + Math.sin(step / 9) * 10 + 6);
  await page.mouse.up();
  for (let step = 0; step < FRAMES / 2; step++) await page.mouse.wheel(0, step % 40 < 20 ? -60 : 60);
}

/** What the page's main thread did while `action` ran: its events, when it handed frames on, and when keys were pressed; sorted by time. */
async function trace(browser, page, action) {
  const place = join(folder, 'trace.json');
  await browser.startTracing(page, {
    path: place,
    categories: ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'devtools.timeline.frame', 'blink.user_timing', '__metadata'],
  });
  await action();
  await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await browser.stopTracing();
  const { traceEvents } = JSON.parse(readFileSync(place, 'utf8'));
  const fires = traceEvents.filter(event => event.name === 'FireAnimationFrame' && event.ph === 'X');
  const threads = new Map();
  for (const { pid, tid } of fires) threads.set(`${pid}:${tid}`, (threads.get(`${pid}:${tid}`) ?? 0) + 1);
  const [main] = [...threads].sort((a, b) => b[1] - a[1])[0] ?? [''];
  const own = traceEvents.filter(event => `${event.pid}:${event.tid}` === main).sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const named = name => own.filter(event => event.name === name).map(event => event.ts);
  return { events: own.filter(event => event.ph === 'X'), commits: named('BeginCommitCompositorFrame'), presses: named(KEY_MARK) };
}

/** Scripting per frame: what lies between two frames. Calls inside calls count once; time on the processor, so that other programs do not count. */
function framesOf({ events, commits }) {
  const outer = [];
  let end = 0;
  for (const event of events.filter(({ name }) => SCRIPTS.has(name))) {
    if (event.ts < end) continue;
    end = event.ts + event.dur;
    outer.push(event);
  }
  return perStretch(commits, outer);
}

/** Time on the processor between one key press and the next: scripts, layout and drawing by software together. */
function busyOf({ events, presses }) {
  return perStretch(
    presses,
    events.filter(event => event.name === 'RunTask'),
  );
}

function perStretch(starts, events) {
  return starts.map((ts, index) => {
    const next = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    return events.filter(event => event.ts >= ts && event.ts < next).reduce((sum, event) => sum + (event.tdur ?? event.dur) / 1000, 0);
  });
}

/** From each of forty key presses to the frame that shows what it changed, as the page itself sees it. */
async function latency({ keys, page }) {
  await keys.focus();
  await page.evaluate(mark => {
    window.keyTimes = [];
    window.onKey ??= event => {
      performance.mark(mark);
      // What is posted in a frame runs once the frame is drawn.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.keyTimes.push(performance.now() - event.timeStamp);
        port2.postMessage(0);
      });
    };
    window.addEventListener('keydown', window.onKey, { capture: true });
  }, KEY_MARK);
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press(KEYS[step % KEYS.length]);
    await page.waitForFunction(count => window.keyTimes.length === count, step + 1);
  }
  return page.evaluate(() => window.keyTimes);
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const of = share => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
  return { p50: of(0.5), p95: of(0.95), max: of(1) };
}

function round(value) {
  return Math.round(value * 10) / 10;
}
