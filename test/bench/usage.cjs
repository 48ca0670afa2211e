/** Loaded before the program under measurement: writes what the process used to the file named in LATTICE_BENCH_USAGE. */
const { isMainThread } = require('node:worker_threads');
const { writeFileSync } = require('node:fs');

const file = process.env.LATTICE_BENCH_USAGE;
if (isMainThread && file !== undefined) {
  process.on('exit', () => {
    const usage = process.resourceUsage();
    writeFileSync(file, JSON.stringify({ cpuMs: Math.round((usage.userCPUTime + usage.systemCPUTime) / 1000), peakMb: Math.round(usage.maxRSS / 1024) }));
  });
}
