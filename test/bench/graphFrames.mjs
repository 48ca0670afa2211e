/**
 * How smoothly the graph panel draws: `node test/bench/graphFrames.mjs [--edges 600]` after `npm run build`.
 * Loads the built page in headless Chromium with a scene of that many edges, pans and zooms over it for some seconds, and reads from a trace how long
 * the page's scripts took in each frame. Also tells the time from the answer to the first picture, and how long a key press takes to be answered
 * while a workspace of 5,000 nodes is behind it. Exits with 1 when p95 of scripting per frame is above 16 ms.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as esbuild from 'esbuild';
import { chromium } from 'playwright-core';

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const at = process.argv.indexOf('--edges');
const EDGES = at < 0 ? 600 : Number(process.argv[at + 1]);
const FRAMES = 180;
const LIMIT_MS = 16;
const PLACES = [process.env.LATTICE_TEST_BROWSER, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/usr/bin/google-chrome-stable'];

const folder = mkdtempSync(join(tmpdir(), 'lattice-frames-'));
try {
  process.exitCode = await run();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run() {
  const { GraphPage, bigShop, workspaceOf } = await helpers();
  const executablePath = PLACES.find(place => place !== undefined && existsSync(place));
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--no-first-run'] });
  try {
    const workspace = workspaceOf(bigShop({ areas: 12, filesPerArea: 20, functionsPerFile: 20, calls: 4 }));
    const { nodeCount } = workspace.current().graph;
    const query = {
      start: 'impact',
      target: 'Money.add',
      depth: 6,
      edgeBudget: EDGES,
      expand: [1, 2, 3, 4, 5, 6].flatMap(depth => Array(5).fill(`depth:${depth}`)),
    };
    const graph = await GraphPage.open(browser, { workspace, query, reducedMotion: false });
    const drawn = await graph.page.locator('.status').innerText();
    const marks = new Map(await graph.page.evaluate(() => performance.getEntriesByType('mark').map(mark => [mark.name, mark.startTime])));
    const paint = marks.get('lattice:drawn') - marks.get('lattice:data');
    // Frames in which nothing is drawn would flatter the figure.
    const frames = (await trace(browser, graph.page, () => move(graph.page))).filter(ms => ms >= 1);
    const keys = await latency(graph.page);
    const keyScripts = await trace(browser, graph.page, () => latency(graph.page));
    const row = {
      nodesBehind: nodeCount,
      picture: drawn.split('\n')[0],
      firstPaintMs: round(paint),
      frames: frames.length,
      scriptMs: spread(frames),
      keyScriptMs: spread(keyScripts.filter(ms => ms > 0)),
      keyMs: spread(keys),
    };
    console.log(JSON.stringify(row, undefined, 2));
    return row.scriptMs.p95 <= LIMIT_MS ? 0 : 1;
  } finally {
    await browser.close();
  }
}

/** The helpers of the page tests, built to something Node runs. */
async function helpers() {
  const entry = join(folder, 'entry.ts');
  const from = name => JSON.stringify(join(root, 'test', 'helpers', name));
  writeFileSync(
    entry,
    `export { GraphPage } from ${from('graphPage')};\nexport { bigShop } from ${from('bigShop')};\nexport { workspaceOf } from ${from('workspaceOf')};\n`,
  );
  const outfile = join(folder, 'helpers.cjs');
  const define = { 'import.meta.dirname': JSON.stringify(join(root, 'test', 'helpers')) };
  await esbuild.build({ entryPoints: [entry], bundle: true, platform: 'node', format: 'cjs', outfile, define, logLevel: 'error' });
  return createRequire(import.meta.url)(outfile);
}

/** Pans back and forth and zooms in and out, a step per frame. */
async function move(page) {
  const box = await page.locator('.canvas').boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + 12];
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let step = 0; step < FRAMES / 2; step++) await page.mouse.move(x + Math.sin(step / 12) * 240, y + Math.sin(step / 9) * 10 + 6);
  await page.mouse.up();
  for (let step = 0; step < FRAMES / 2; step++) await page.mouse.wheel(0, step % 40 < 20 ? -60 : 60);
}

/** Scripting per frame while `action` runs: what lies between two frames of the page's main thread. */
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
  const scripts = new Set(['FunctionCall', 'EvaluateScript', 'FireAnimationFrame', 'TimerFire', 'EventDispatch', 'RunMicrotasks', 'v8.compile']);
  const fires = traceEvents.filter(event => event.name === 'FireAnimationFrame' && event.ph === 'X');
  const threads = new Map();
  for (const { pid, tid } of fires) threads.set(`${pid}:${tid}`, (threads.get(`${pid}:${tid}`) ?? 0) + 1);
  const [main] = [...threads].sort((a, b) => b[1] - a[1])[0] ?? [''];
  const own = traceEvents
    .filter(event => event.ph === 'X' && `${event.pid}:${event.tid}` === main && scripts.has(event.name))
    .sort((a, b) => a.ts - b.ts || b.dur - a.dur);
  // Calls inside calls count once; time on the processor, so that other programs do not count.
  const outer = [];
  let end = 0;
  for (const event of own) {
    if (event.ts < end) continue;
    end = event.ts + event.dur;
    outer.push({ ts: event.ts, ms: (event.tdur ?? event.dur) / 1000 });
  }
  const starts = traceEvents.filter(event => event.name === 'BeginCommitCompositorFrame' && `${event.pid}:${event.tid}` === main).map(event => event.ts);
  starts.sort((a, b) => a - b);
  return starts.map((ts, index) => {
    const next = starts[index + 1] ?? Number.POSITIVE_INFINITY;
    return outer.filter(event => event.ts >= ts && event.ts < next).reduce((sum, event) => sum + event.ms, 0);
  });
}

/** From a key press to the change it makes on the page. */
async function latency(page) {
  await page.locator('.canvas').focus();
  const times = [];
  for (let step = 0; step < 40; step++) {
    const before = await page.evaluate(() => performance.now());
    await page.keyboard.press(step % 8 < 4 ? 'ArrowRight' : 'ArrowLeft');
    const after = await page.evaluate(() => new Promise(resolve => requestAnimationFrame(() => resolve(performance.now()))));
    times.push(after - before);
  }
  return times;
}

function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const of = share => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
  return { p50: of(0.5), p95: of(0.95), max: of(1) };
}

function round(value) {
  return Math.round(value * 10) / 10;
}
