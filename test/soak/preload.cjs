/**
 * Loaded into every process of a soak run (`NODE_OPTIONS`): a clock that is off, a disk that is full, and a note of each time the main loop was held.
 * LATTICE_SOAK_CLOCK: milliseconds to add to the clock. LATTICE_SOAK_FULL: while this file is there, no file can be written.
 * LATTICE_SOAK_BLOCKS: file for lines of JSON with milliseconds of processor time that one turn of the main loop took.
 */
const fs = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const off = Number(process.env.LATTICE_SOAK_CLOCK ?? 0);
if (off !== 0) {
  const now = Date.now;
  Date.now = () => now() + off;
}

const full = process.env.LATTICE_SOAK_FULL;
if (full !== undefined) {
  const refuse = () => {
    if (fs.existsSync(full)) throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', errno: -28, syscall: 'write' });
  };
  void fs.promises.open(__filename, 'r').then(handle => {
    const prototype = Object.getPrototypeOf(handle);
    for (const name of ['write', 'writev', 'writeFile', 'appendFile']) {
      const original = prototype[name];
      prototype[name] = async function (...parts) {
        refuse();
        return original.apply(this, parts);
      };
    }
    return handle.close();
  });
}

const blocks = process.env.LATTICE_SOAK_BLOCKS;
if (blocks !== undefined && isMainThread && process.platform === 'linux') {
  const TICK_MS = 25;
  const TOLD_MS = 100;
  /** Processor time of this thread in milliseconds. */
  const used = () => Number(fs.readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e6;
  let before = used();
  let most = TOLD_MS;
  const began = performance.now();
  const timer = setInterval(() => {
    const now = used();
    const took = now - before;
    before = now;
    // Loading the program is not what a user waits for twice.
    if (took <= most || performance.now() - began < 3000) return;
    most = took;
    fs.appendFileSync(blocks, `${JSON.stringify({ pid: process.pid, ms: Math.round(took) })}\n`);
  }, TICK_MS);
  timer.unref();
}
