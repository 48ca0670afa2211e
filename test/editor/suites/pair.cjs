/** Runs in a window on two folders: `pair`, a copy of the sample workspace, and `depot`, one Python file. */
'use strict';
const fs = require('node:fs');

module.exports = ({ vscode, assert, until, undisturbed, figure, test }) => {
  const extension = vscode.extensions.getExtension('lattice.lattice-graph');
  const [pair, depot] = vscode.workspace.workspaceFolders.map(folder => folder.uri);
  const inDepot = vscode.Uri.joinPath(depot, 'shelf.py');
  const ask = async (name, input, folder) => {
    const { envelope } = await extension.exports.callTool(name, input, folder.toString());
    assert.equal(envelope.ok, true, envelope.summary);
    return envelope.data ?? {};
  };
  const found = async (query, folder) => (await ask('search_code', { query }, folder)).results.map(row => row.chunk_id);
  const symbols = query => vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', query);

  test('both folders of a window are indexed', async () => {
    figure('activationMs', await undisturbed(() => extension.activate()));
    const folders = await extension.exports.whenIndexed();
    assert.deepEqual(folders.map(({ folder, phase, role }) => [folder, phase, role]).sort(), [
      ['depot', 'ready', 'owner'],
      ['pair', 'ready', 'owner'],
    ]);
  });

  test('a question goes to the folder it speaks of', async () => {
    assert.equal((await found('formatMoney', pair))[0], 'api/src/money.ts::formatMoney');
    assert.equal((await found('stack_shelf', depot))[0], 'shelf.py::stack_shelf');
    assert.equal((await found('stack_shelf', pair)).includes('shelf.py::stack_shelf'), false);
    assert.match(JSON.stringify(await ask('impact_analyze', { target: 'shelf.py::stack_shelf', profile: 'debug' }, inDepot)), /shelf\.py::restock/);
  });

  test('workspace symbols come from both folders, each with its own place', async () => {
    const place = async query => {
      const all = await until(`the symbol ${query}`, async () => {
        const hits = await symbols(query);
        return hits.some(hit => hit.name === query) && hits;
      });
      return all.find(hit => hit.name === query).location.uri.toString();
    };
    assert.equal(await place('stack_shelf'), inDepot.toString());
    assert.ok((await place('formatMoney')).startsWith(pair.toString()));
  });

  test('hovers work in the second folder', async () => {
    await vscode.workspace.openTextDocument(inDepot);
    await until('the hover of Lattice', async () => {
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', inDepot, new vscode.Position(0, 6));
      return hovers.flatMap(hover => hover.contents.map(content => content.value ?? String(content))).some(text => /depend|caller|Used by/.test(text));
    });
  });

  test('a change in one folder shows there alone', async () => {
    fs.appendFileSync(inDepot.fsPath, '\n\ndef count_crates():\n    return 0\n');
    await until('the new function', async () => (await found('count_crates', depot)).includes('shelf.py::count_crates'));
    assert.deepEqual(
      (await found('count_crates', pair)).filter(id => id.startsWith('shelf.py')),
      [],
    );
  });

  test('a folder that leaves the window takes its answers along, and brings them back', async () => {
    assert.equal(vscode.workspace.updateWorkspaceFolders(1, 1), true);
    await until('one folder', async () => (await extension.exports.whenIndexed()).length === 1);
    await until('no symbol of the folder that left', async () => !(await symbols('stack_shelf')).some(hit => hit.name === 'stack_shelf'));
    assert.equal((await found('formatMoney', pair))[0], 'api/src/money.ts::formatMoney');
    assert.equal(vscode.workspace.updateWorkspaceFolders(1, 0, { uri: depot }), true);
    await until('two folders', async () => (await extension.exports.whenIndexed()).length === 2);
    await until('its symbols', async () => (await found('stack_shelf', depot)).includes('shelf.py::stack_shelf'));
  });
};
