/** Entry that VS Code calls in its extension host: runs the suite of the editor tests and leaves the outcome in a file. */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { runSuite } = require('../editor/driver/runSuite');

exports.run = async () => {
  // The suite asks its scripted language model.
  await vscode.extensions.getExtension('lattice.lattice-test-driver').activate();
  const outcome = await runSuite(path.join(__dirname, '..', 'editor', 'suites', 'shop.cjs'), vscode);
  fs.writeFileSync(path.join(process.env['LATTICE_TEST_RESULTS'], 'shop.json'), JSON.stringify(outcome));
};
