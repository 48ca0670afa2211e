/**
 * Loaded before the program under measurement: writes what the process used to the file named in LATTICE_BENCH_USAGE,
 * at each end of an index that it tells of (from the start of the process) and at its own end.
 */
const { isMainThread } = require('node:worker_threads');
const { subscribe } = require('node:diagnostics_channel');
const { writeFileSync } = require('node:fs');

const file = process.env.LATTICE_BENCH_USAGE;
if (isMainThread && file !== undefined) {
  const now = () => {
    const usage = process.resourceUsage();
    return {
      wallMs: Math.round(performance.now()),
      cpuMs: Math.round((usage.userCPUTime + usage.systemCPUTime) / 1000),
      peakMb: Math.round(usage.maxRSS / 1024),
    };
  };
  const ends = {};
  subscribe('lattice.indexEnds', ({ end }) => {
    ends[end] ??= now();
  });
  process.on('exit', () => writeFileSync(file, JSON.stringify({ ...ends, exit: now() })));
}
