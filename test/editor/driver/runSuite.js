'use strict';
const assert = require('node:assert/strict');
const fs = require('node:fs');

const TEST_TIMEOUT_MS = 60_000;

/**
 * Runs the tests a suite file registers, one after the other. A suite exports `(tools) => void | Promise<void>`.
 * Returns `{ tests: [{ name, problem? }], figures }`; never rejects.
 */
exports.runSuite = async (file, vscode) => {
  const registered = [];
  const figures = {};
  const tools = { vscode, assert, until, undisturbed, figure: (name, value) => (figures[name] = value), test: (name, run) => registered.push({ name, run }) };
  const tests = [];
  try {
    await require(file)(tools);
  } catch (error) {
    tests.push({ name: `${file} loads`, problem: describe(error) });
  }
  for (const { name, run } of registered) {
    try {
      await within(TEST_TIMEOUT_MS, run());
      tests.push({ name });
    } catch (error) {
      tests.push({ name, problem: describe(error) });
    }
  }
  return { tests, figures };
};

/** Asks again until `probe` gives something other than `undefined` or `false`; the last answer is in the error. */
async function until(what, probe, timeoutMs = 30_000) {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await probe();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`waited ${timeoutMs} ms for ${what}`);
    await new Promise(resolve => setTimeout(resolve, 50));
  }
}

/** Milliseconds that `run` takes, without those in which this thread could have gone on and others had the processor (told by Linux only). */
async function undisturbed(run) {
  const start = performance.now();
  const waited = waitedMs();
  await run();
  return performance.now() - start - (waitedMs() - waited);
}

function waitedMs() {
  const [, nanoseconds] = process.platform === 'linux' ? fs.readFileSync('/proc/self/schedstat', 'utf8').split(' ') : [];
  return Number(nanoseconds ?? 0) / 1e6;
}

function within(timeoutMs, promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${timeoutMs} ms`)), timeoutMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function describe(error) {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
