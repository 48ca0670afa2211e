/**
 * Loaded before the program under measurement: how long its main thread did not get back to its event loop, in milliseconds, by the clock and,
 * where the system tells it (Linux), in processor time of that thread, which other programs of a busy machine do not lengthen.
 * Written to the file named in LATTICE_BENCH_LOOP at each SIGUSR2, which also begins anew.
 */
const { isMainThread } = require('node:worker_threads');
const { createHistogram, monitorEventLoopDelay } = require('node:perf_hooks');
const { openSync, readSync, renameSync, writeFileSync } = require('node:fs');

const file = process.env.LATTICE_BENCH_LOOP;
if (isMainThread && file !== undefined) {
  const RESOLUTION_MS = 1;
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delays.enable();
  const rounded = milliseconds => Math.round(milliseconds * 10) / 10;
  const figures = (histogram, inMs) => {
    const [p50, p99, p999] = [50, 99, 99.9].map(share => inMs(histogram.percentile(share)));
    return { samples: histogram.count, p50, p99, p999, max: inMs(histogram.max) };
  };
  const processor = processorTimes(RESOLUTION_MS);
  process.on('SIGUSR2', () => {
    const wall = figures(delays, nanoseconds => rounded(Math.max(0, nanoseconds / 1e6 - RESOLUTION_MS)));
    const cpu = processor === undefined ? undefined : figures(processor, microseconds => rounded(microseconds / 1e3));
    writeFileSync(`${file}.part`, JSON.stringify({ ...wall, cpu }));
    renameSync(`${file}.part`, file);
    delays.reset();
    processor?.reset();
  });
}

/** Processor time of the main thread between two turns of a timer, in microseconds. */
function processorTimes(everyMs) {
  let times;
  try {
    times = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  } catch {
    return undefined;
  }
  const histogram = createHistogram();
  const buffer = Buffer.alloc(128);
  const now = () => Number(buffer.toString('latin1', 0, readSync(times, buffer, 0, buffer.length, 0)).split(' ', 1)[0]) / 1e3;
  let before = now();
  setInterval(() => {
    histogram.record(Math.max(1, Math.round(now() - before)));
    before = now();
  }, everyMs).unref();
  return histogram;
}
