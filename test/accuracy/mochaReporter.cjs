/** A reporter of mocha: one line of JSON for each case that ended, as soon as it has. */
module.exports = class {
  constructor(runner) {
    const report = passed => test => process.stdout.write(`${JSON.stringify({ mocha: test.file, title: test.fullTitle(), passed })}\n`);
    runner.on('pass', report(true)).on('fail', report(false));
  }
};
