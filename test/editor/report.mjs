/** Runs named checks one after the other, says how each went, and ends with the line `N passed, N failed`. */
export class Report {
  passed = 0;
  failed = 0;
  figures = [];

  /** Runs a check; a failure is told and does not stop the rest. Returns what it gave, `undefined` after a failure. */
  async check(name, run, onFailure) {
    const start = performance.now();
    try {
      const value = await run();
      this.passed++;
      console.log(`  ok   ${name} (${Math.round(performance.now() - start)} ms)`);
      return value;
    } catch (error) {
      this.fail(name, error);
      await onFailure?.().catch(() => undefined);
      return undefined;
    }
  }

  /** Takes over the outcome of a suite that ran elsewhere. */
  add(suite, { tests, figures }) {
    for (const { name, problem } of tests) {
      if (problem === undefined) {
        this.passed++;
        console.log(`  ok   ${suite}: ${name}`);
      } else this.fail(`${suite}: ${name}`, problem);
    }
    this.figures.push(figures);
    return figures;
  }

  /** Closes the run; sets the exit status. */
  close() {
    console.log(`${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed === 0 && this.passed > 0 ? 0 : 1;
  }

  fail(name, problem) {
    this.failed++;
    const text = problem instanceof Error ? (problem.stack ?? problem.message) : String(problem);
    console.log(`  FAIL ${name}\n       ${text.split('\n').slice(0, 12).join('\n       ')}`);
  }
}
