/**
 * Runs named checks one after the other, says how each went, and ends with the line `N passed, N failed`.
 *
 * A scenario in which something failed is run once more from scratch: on a busy machine a window may be late where nothing is wrong.
 * A check has failed when it failed both times. One that passed once is told as `flaky`, with the error, and has passed.
 */
/** After so many failures of a scenario, the others would take long and say little. */
const MAX_FAILURES = 6;
/** A scenario that hangs is given up. */
const SCENARIO_LIMIT_MS = 600_000;
const ERROR_LINES = 12;

export class Report {
  #outcomes = new Outcomes();
  #flaky = [];

  get figures() {
    return this.#outcomes.figures;
  }

  check(name, run, onFailure) {
    return this.#outcomes.check(name, run, onFailure);
  }

  add(suite, outcome) {
    return this.#outcomes.add(suite, outcome);
  }

  fail(name, problem) {
    this.#outcomes.fail(name, problem);
  }

  /** Runs a scenario: `run(checks, attempt)` with `attempt` 1 or 2 makes all that it needs, and `end` leaves nothing of it behind. */
  async scenario(name, run, end) {
    const first = new Outcomes({ word: 'again', maxFailures: MAX_FAILURES });
    await attempt(name, first, 1, run, end);
    if (first.failures().length === 0) return this.#outcomes.take(name, first);
    console.log(`       ${name}: ${first.failures().length} failed; it is run once more from scratch`);
    const second = new Outcomes({ earlier: first, maxFailures: MAX_FAILURES });
    await attempt(name, second, 2, run, end);
    this.#outcomes.take(name, first);
    this.#outcomes.take(name, second);
    for (const check of new Set([...first.failures(), ...second.failures()])) {
      if (first.passed(check) || second.passed(check)) {
        this.#outcomes.pass(`${name}: ${check}`);
        this.#flaky.push(`${name}: ${check}`);
      } else if (!second.has(check)) console.log(`  FAIL ${check}\n       it failed, and was not reached the second time`);
    }
  }

  /** Closes the run; sets the exit status. */
  close() {
    const failed = this.#outcomes.failures().length;
    const passed = this.#outcomes.count - failed;
    if (this.#flaky.length > 0) console.log(`flaky, passed the other time:\n${this.#flaky.map(check => `  ${check}`).join('\n')}`);
    console.log(`${passed} passed, ${failed} failed`);
    process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
  }
}

/** What checks came to, by their names; each is told as it comes. */
class Outcomes {
  /** Name to problem; `undefined` for a check that passed. */
  #problems = new Map();
  #options;
  #isOver = false;
  figures = [];

  /** `word` stands before a failure; `earlier` are the outcomes of the same checks the time before. */
  constructor(options = {}) {
    this.#options = { word: 'FAIL', maxFailures: Number.POSITIVE_INFINITY, ...options };
  }

  get count() {
    return this.#problems.size;
  }

  has(name) {
    return this.#problems.has(name);
  }

  passed(name) {
    return this.#problems.has(name) && this.#problems.get(name) === undefined;
  }

  failures() {
    return [...this.#problems.keys()].filter(name => !this.passed(name));
  }

  /**
   * Runs a check; a failure is told and does not stop the rest, unless there were too many. Returns what the check gave, `undefined`
   * after a failure. What `onFailure` resolves to is told below the error.
   */
  async check(name, run, onFailure) {
    if (this.#isOver) throw new Error('the scenario is over');
    const { earlier, maxFailures } = this.#options;
    const failures = this.failures().filter(failed => earlier?.passed(failed) !== true);
    if (failures.length >= maxFailures) throw new Error(`${maxFailures} checks failed: the others are left out`);
    const start = performance.now();
    try {
      const value = await run();
      this.#tellPassed(name, ` (${Math.round(performance.now() - start)} ms)`);
      return value;
    } catch (error) {
      if (this.#isOver) throw error;
      const seen = await Promise.resolve(onFailure?.()).catch(problem => `what was on the screen is not known: ${problem}`);
      this.fail(name, error, seen);
      return undefined;
    }
  }

  /** Takes over the outcome of a suite that ran elsewhere. */
  add(suite, { tests, figures }) {
    for (const { name, problem } of tests) {
      if (problem === undefined) this.#tellPassed(`${suite}: ${name}`, '');
      else this.fail(`${suite}: ${name}`, problem);
    }
    this.figures.push(figures);
    return figures;
  }

  pass(name) {
    this.#problems.set(name, undefined);
  }

  /** Passes a check that is made only where it had failed. */
  passAgain(name) {
    if (this.#options.earlier?.failures().includes(name)) this.#tellPassed(name, '');
  }

  fail(title, problem, seen) {
    const { word, earlier } = this.#options;
    const name = this.#unused(title);
    const text = shortened(problem);
    this.#problems.set(name, text);
    const isFlaky = earlier?.passed(name) === true;
    console.log(`  ${isFlaky ? 'flaky' : word} ${name}\n${indented(text)}${typeof seen === 'string' ? `\n${indented(seen)}` : ''}`);
  }

  /** Adds the outcomes of a scenario; those of its second time count. */
  take(scenario, other) {
    for (const [name, problem] of other.#problems) this.#problems.set(`${scenario}: ${name}`, problem);
    this.figures.push(...other.figures);
  }

  /** What still runs of a scenario that was given up is not told. */
  end() {
    this.#isOver = true;
  }

  /** Of two checks with one name none answers for the other. */
  #unused(name) {
    return this.#problems.has(name) ? this.#unused(`${name}, another`) : name;
  }

  #tellPassed(title, time) {
    const name = this.#unused(title);
    this.pass(name);
    const before = this.#options.earlier?.failures().includes(name) ? this.#options.earlier.#problems.get(name) : undefined;
    if (before === undefined) console.log(`  ok   ${name}${time}`);
    else console.log(`  flaky ${name}${time}\n       passed the second time; the first time:\n${indented(before)}`);
  }
}

async function attempt(scenario, outcomes, number, run, end) {
  const name = `the scenario ${scenario} runs to its end`;
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${SCENARIO_LIMIT_MS / 1000} s`)), SCENARIO_LIMIT_MS);
  });
  try {
    await Promise.race([run(outcomes, number), late]);
    outcomes.passAgain(name);
  } catch (error) {
    outcomes.fail(name, error);
  } finally {
    clearTimeout(timer);
    outcomes.end();
    await end();
  }
}

function shortened(problem) {
  const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
  return text.split('\n').slice(0, ERROR_LINES).join('\n');
}

function indented(text) {
  return `       ${text.split('\n').join('\n       ')}`;
}
