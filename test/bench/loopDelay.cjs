/**
 * Loaded before the program under measurement: how long its main thread did not get back to its event loop, in milliseconds,
 * written to the file named in LATTICE_BENCH_LOOP at each SIGUSR2, which also begins anew.
 */
const { isMainThread } = require('node:worker_threads');
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { renameSync, writeFileSync } = require('node:fs');

const file = process.env.LATTICE_BENCH_LOOP;
if (isMainThread && file !== undefined) {
  const RESOLUTION_MS = 1;
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  const inMs = nanoseconds => Math.round(Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS) * 10) / 10;
  process.on('SIGUSR2', () => {
    const { max } = histogram;
    const [p50, p99, p999] = [50, 99, 99.9].map(share => inMs(histogram.percentile(share)));
    writeFileSync(`${file}.part`, JSON.stringify({ samples: histogram.count, p50, p99, p999, max: inMs(max) }));
    renameSync(`${file}.part`, file);
    histogram.reset();
  });
}
