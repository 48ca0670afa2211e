/**
 * A reporter of vitest that keeps in one file (`LATTICE_OUTCOMES`), at any moment of a run, how many tests passed, which failed and why, and which
 * files are being run: so that it is known also of a run that was broken off.
 */
import { writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';

const MAX_LINES = 8;
const MAX_COLUMNS = 240;

export default class Outcomes {
  #passed = 0;
  #failures = [];
  #running = new Set();

  onTestModuleStart({ relativeModuleId }) {
    this.#running.add(relativeModuleId);
    this.#keep();
  }

  onTestCaseResult(test) {
    const { errors = [], state } = test.result();
    if (state === 'passed') this.#passed++;
    else if (state === 'failed') this.#fail(`${test.module.relativeModuleId}: ${test.fullName}`, errors);
  }

  onTestModuleEnd(module) {
    this.#running.delete(module.relativeModuleId);
    // A file that does not load, or whose set-up fails, has no failed test of its own; nor has a group of tests.
    for (const part of [module, ...module.children.allSuites()]) {
      const errors = part.errors();
      const name = part === module ? module.relativeModuleId : `${module.relativeModuleId}: ${part.fullName}`;
      if (errors.length > 0) this.#fail(name, errors);
    }
    this.#keep();
  }

  onTestRunEnd(_modules, unhandled) {
    for (const error of unhandled) this.#fail('outside of any test', [error]);
    this.#running.clear();
    this.#keep();
  }

  #fail(name, errors) {
    this.#failures.push({ name, why: errors.flatMap(linesOf).slice(0, MAX_LINES) });
    this.#keep();
  }

  #keep() {
    const { LATTICE_OUTCOMES: file } = process.env;
    if (file !== undefined) writeFileSync(file, JSON.stringify({ passed: this.#passed, failures: this.#failures, running: [...this.#running] }));
  }
}

/** What was wrong, what differed, and where in the tests. */
function linesOf({ diff, message, stack }) {
  const where = stack?.split('\n').find(line => /[\\/]test[\\/]/.test(line) && !line.includes('node_modules'));
  const lines = `${message ?? ''}\n${diff ?? ''}`.split('\n').filter(line => line.trim() !== '');
  return [...lines.slice(0, MAX_LINES - 1), ...(where === undefined ? [] : [where.trim()])].map(line => stripVTControlCharacters(line).slice(0, MAX_COLUMNS));
}
