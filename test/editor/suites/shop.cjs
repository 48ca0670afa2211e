/** Runs inside the extension host, in a copy of the sample workspace; also in `test/electron`. */
'use strict';
const fs = require('node:fs');

const ADD = 'api/src/money.ts::Money::add';

module.exports = ({ vscode, assert, until, figure, test }) => {
  const extension = vscode.extensions.getExtension('lattice.lattice');
  const root = vscode.workspace.workspaceFolders[0].uri;
  const at = path => vscode.Uri.joinPath(root, ...path.split('/'));
  const data = answer => {
    assert.equal(answer.envelope.ok, true, answer.envelope.summary);
    return answer.envelope.data ?? {};
  };

  test('is installed and stays asleep until it is needed', () => {
    assert.ok(extension, 'lattice.lattice is not installed');
    assert.equal(extension.isActive, false);
  });

  test('activates', async () => {
    const start = performance.now();
    await extension.activate();
    figure('activationMs', performance.now() - start);
    assert.equal(extension.isActive, true);
    assert.equal(extension.exports.version, extension.packageJSON.version);
  });

  test('registers every command of the manifest', async () => {
    const known = await vscode.commands.getCommands(true);
    const missing = extension.packageJSON.contributes.commands.map(row => row.command).filter(id => !known.includes(id));
    assert.deepEqual(missing, []);
  });

  test('indexes the workspace', async () => {
    const start = performance.now();
    const folders = await extension.exports.whenIndexed();
    figure('indexMs', performance.now() - start);
    figure('role', folders[0].role);
    assert.deepEqual(
      folders.map(folder => folder.phase),
      ['ready'],
    );
  });

  test('finds code by name', async () => {
    const found = data(await extension.exports.callTool('search_code', { query: 'formatMoney' }));
    assert.equal(found.results[0].chunk_id, 'api/src/money.ts::formatMoney');
  });

  test('tells what depends on a method', async () => {
    const answer = await extension.exports.callTool('impact_analyze', { target: ADD, profile: 'debug' });
    data(answer);
    assert.match(JSON.stringify(answer.envelope.data), /api\/src\/pricing\.ts::totalOf/);
  });

  test('hovers say who depends on a symbol', async () => {
    await vscode.workspace.openTextDocument(at('api/src/money.ts'));
    const text = await until('the hover of Lattice', async () => {
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', at('api/src/money.ts'), new vscode.Position(11, 3));
      const texts = hovers.flatMap(hover => hover.contents.map(content => content.value ?? String(content)));
      return texts.find(each => each.includes('depend') || each.includes('caller') || each.includes('Used by'));
    });
    assert.ok(text.split('\n').length <= 12, `a hover of ${text.split('\n').length} lines`);
  });

  test('offers workspace symbols with their place', async () => {
    const symbols = await until('workspace symbols', async () => {
      const found = await vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', 'by_weight');
      return found.length > 0 && found;
    });
    assert.ok(symbols.some(symbol => symbol.name === 'by_weight' && symbol.location.uri.path.endsWith('worker/bookshop/parcels.py')));
  });

  test('gives call hierarchy where nobody else does', async () => {
    await vscode.workspace.openTextDocument(at('worker/bookshop/parcels.py'));
    const [item] = await until('call hierarchy of Python', async () => {
      const items = await vscode.commands.executeCommand('vscode.prepareCallHierarchy', at('worker/bookshop/parcels.py'), new vscode.Position(28, 9));
      return items?.length > 0 && items;
    });
    const calls = await vscode.commands.executeCommand('vscode.provideIncomingCalls', item);
    assert.deepEqual(
      calls.map(call => call.from.name),
      ['add', 'pack'].filter(name => calls.some(call => call.from.name === name)),
    );
    assert.ok(calls.length > 0);
  });

  test('sees a file that appears, changes and goes', async () => {
    const place = at('api/src/gift.ts');
    const hits = async query => data(await extension.exports.callTool('search_code', { query })).results.map(row => row.chunk_id);
    fs.writeFileSync(place.fsPath, "import { Money } from './money';\nexport function wrapGiftBox(): Money {\n  return Money.zero();\n}\n");
    await until('the new function', async () => (await hits('wrapGiftBox')).includes('api/src/gift.ts::wrapGiftBox'));
    fs.writeFileSync(place.fsPath, 'export function unwrapGiftBox(): void {}\n');
    await until('the renamed function', async () => (await hits('unwrapGiftBox')).includes('api/src/gift.ts::unwrapGiftBox'));
    fs.rmSync(place.fsPath);
    await until('the end of the function', async () => !(await hits('unwrapGiftBox')).includes('api/src/gift.ts::unwrapGiftBox'));
  });

  test('sees unsaved text', async () => {
    const document = await vscode.workspace.openTextDocument(at('api/src/model.ts'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit(edit => edit.insert(new vscode.Position(document.lineCount, 0), '\nexport function unsavedIdea(): number {\n  return 1;\n}\n'));
    await until('the unsaved function', async () => {
      const found = await vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', 'unsavedIdea');
      return found.some(symbol => symbol.name === 'unsavedIdea' && symbol.containerName !== undefined && document.isDirty);
    });
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('refuses a tool it does not know', async () => {
    const refused = await extension.exports.callTool('no_such_tool', {}).then(
      answer => answer.envelope.ok,
      () => false,
    );
    assert.equal(refused, false);
  });

  test('rebuilds the index', async () => {
    await vscode.commands.executeCommand('lattice.rebuildIndex');
    const found = data(await extension.exports.callTool('search_code', { query: 'formatMoney' }));
    assert.equal(found.results[0].chunk_id, 'api/src/money.ts::formatMoney');
  });

  test('starts the language server again when it dies', async () => {
    if (process.platform !== 'linux') return;
    const victim = serverProcess();
    process.kill(victim, 'SIGKILL');
    await until('another server', () => serverProcess() !== undefined && serverProcess() !== victim);
    await until('an answer', async () => {
      try {
        return data(await extension.exports.callTool('search_code', { query: 'formatMoney' })).results[0].chunk_id === 'api/src/money.ts::formatMoney';
      } catch {
        return false;
      }
    });
  });
};

/** Process id of the language server this extension host started. */
function serverProcess() {
  for (const entry of fs.readdirSync('/proc').filter(name => /^\d+$/.test(name))) {
    try {
      const parent = /^PPid:\s+(\d+)$/m.exec(fs.readFileSync(`/proc/${entry}/status`, 'utf8'))?.[1];
      if (Number(parent) === process.pid && fs.readFileSync(`/proc/${entry}/cmdline`, 'utf8').includes('dist/server.js')) return Number(entry);
    } catch {
      // The process went while it was looked at.
    }
  }
  return undefined;
}
