/**
 * Runs a suite inside the extension host. The suite is the file in `LATTICE_TEST_SUITES` that is named like the opened folder;
 * its results go to `LATTICE_TEST_RESULTS/<suite>.json`, whole or not at all.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { runSuite } = require('./runSuite');
const { registerScriptedModel } = require('./scriptedModel');

exports.activate = context => {
  const folder = vscode.workspace.workspaceFolders?.[0];
  const { LATTICE_TEST_SUITES: suites, LATTICE_TEST_RESULTS: results } = process.env;
  if (folder === undefined || results === undefined) return;
  // A second window on the same folder runs the second suite.
  const name = [folder.name, `${folder.name}.second`].find(
    each => fs.existsSync(path.join(suites ?? '', `${each}.cjs`)) && !fs.existsSync(path.join(results, `${each}.json`)),
  );
  context.subscriptions.push(registerScriptedModel(results));
  // What the tests ask of the first window is not done by another, which may be closing.
  if (name === undefined || name === folder.name) context.subscriptions.push(obeySettingChanges(results));
  // Without suites the one that started the editor runs them (`npm run test:electron`).
  if (suites === undefined) return;
  if (name === undefined) return;
  void runSuite(path.join(suites, `${name}.cjs`), vscode).then(outcome => {
    const place = path.join(results, `${name}.json`);
    fs.writeFileSync(`${place}.tmp`, JSON.stringify(outcome));
    fs.renameSync(`${place}.tmp`, place);
  });
};

const now = Date.now.bind(Date);

/** Does what `settings.change` in the folder of results asks for, then removes it. */
function obeySettingChanges(results) {
  const place = path.join(results, 'settings.change');
  let busy = false;
  const apply = async () => {
    try {
      for (const [key, value] of Object.entries(JSON.parse(fs.readFileSync(place, 'utf8')))) {
        // Not a setting but a question for the chat view.
        if (key === 'chat') {
          await vscode.commands.executeCommand('workbench.action.chat.open', { query: value, mode: 'ask' });
          continue;
        }
        // Nor is the clock of this process: so many milliseconds ahead.
        if (key === 'clock') {
          Date.now = () => now() + value;
          continue;
        }
        // What this window's server is to the workspace by now, for a file of that name.
        if (key === 'role') {
          const [{ role }] = await vscode.extensions.getExtension('lattice.lattice-graph').exports.whenIndexed();
          fs.writeFileSync(path.join(results, value), role);
          continue;
        }
        await vscode.workspace.getConfiguration().update(key, value ?? undefined, vscode.ConfigurationTarget.Global);
      }
    } finally {
      fs.rmSync(place, { force: true });
      busy = false;
    }
  };
  const timer = setInterval(() => {
    if (busy || !fs.existsSync(place)) return;
    busy = true;
    void apply();
  }, 100);
  return { dispose: () => clearInterval(timer) };
}
