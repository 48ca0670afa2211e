/** Runs inside the extension host, in a copy of the sample workspace; also in `test/electron`. */
'use strict';
const fs = require('node:fs');

const ADD = 'api/src/money.ts::Money::add';

module.exports = ({ vscode, assert, until, undisturbed, figure, test }) => {
  const extension = vscode.extensions.getExtension('lattice.lattice-graph');
  const root = vscode.workspace.workspaceFolders[0].uri;
  const at = path => vscode.Uri.joinPath(root, ...path.split('/'));
  const data = answer => {
    assert.equal(answer.envelope.ok, true, answer.envelope.summary);
    return answer.envelope.data ?? {};
  };

  test('is installed and stays asleep until it is needed', () => {
    assert.ok(extension, 'lattice.lattice-graph is not installed');
    assert.equal(extension.isActive, false);
  });

  test('runs where the workspace is, also in a remote window', () => {
    assert.equal(extension.extensionKind, vscode.ExtensionKind.Workspace);
  });

  test('activates', async () => {
    figure('activationMs', await undisturbed(() => extension.activate()));
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

  test('lists no workspace symbol that another extension lists, and the others as before', async () => {
    const place = at('worker/bookshop/parcels.py');
    const listed = new vscode.SymbolInformation('by_weight', vscode.SymbolKind.Function, 'elsewhere', new vscode.Location(place, new vscode.Position(0, 0)));
    const other = vscode.languages.registerWorkspaceSymbolProvider({ provideWorkspaceSymbols: () => [listed] });
    const containers = async name =>
      (await vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', name))
        .filter(symbol => symbol.name === name)
        .map(symbol => symbol.containerName);
    try {
      assert.deepEqual(await containers('by_weight'), ['elsewhere']);
      assert.equal((await containers('write_invoice')).length, 1);
    } finally {
      other.dispose();
    }
    assert.deepEqual(await containers('by_weight'), ['worker/bookshop/parcels.py']);
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

  test('gives type hierarchy where nobody else does', async () => {
    const place = at('api/src/pricing.ts');
    const document = await vscode.workspace.openTextDocument(place);
    const line = document
      .getText()
      .split('\n')
      .findIndex(text => /implements|extends/.test(text) && /class/.test(text));
    assert.ok(line >= 0, 'the sample has no class with a supertype');
    const [item] = await until('type hierarchy of TypeScript', async () => {
      const items = await vscode.commands.executeCommand('vscode.prepareTypeHierarchy', place, new vscode.Position(line, 14));
      return items?.length > 0 && items;
    });
    const above = await vscode.commands.executeCommand('vscode.provideSupertypes', item);
    assert.ok(above.length > 0, `nothing above ${item.name}`);
    const below = await vscode.commands.executeCommand('vscode.provideSubtypes', above[0]);
    assert.ok(below.some(type => type.name === item.name));
  });

  test('shows code lenses when they are switched on, and only then', async () => {
    const place = at('api/src/money.ts');
    await vscode.workspace.openTextDocument(place);
    const lenses = async () => (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', place, 100)) ?? [];
    assert.deepEqual(await lenses(), []);
    const settings = vscode.workspace.getConfiguration();
    await settings.update('lattice.codeLens.enable', true, vscode.ConfigurationTarget.Global);
    const titles = await until('the lenses', async () => {
      const found = (await lenses()).map(lens => lens.command?.title ?? '');
      return found.length > 0 && found;
    });
    assert.ok(
      titles.some(title => /^\d+ refs?$/.test(title)),
      titles.join(),
    );
    assert.ok(
      titles.some(title => /^reaches (at least )?\d+ files?$/.test(title)),
      titles.join(),
    );
    await settings.update('lattice.codeLens.enable', undefined, vscode.ConfigurationTarget.Global);
    await until('the end of the lenses', async () => (await lenses()).length === 0);
  });

  test('a hover holds trusted links to commands that exist, and is quick', async () => {
    const hover = async () => {
      const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', at('api/src/money.ts'), new vscode.Position(11, 3));
      return hovers.flatMap(each => each.contents).find(content => /\(command:lattice\./.test(content.value ?? ''));
    };
    const content = await hover();
    assert.ok(content.value.split('\n').length <= 8, content.value);
    const commands = await vscode.commands.getCommands(true);
    const linked = [...content.value.matchAll(/\(command:([\w.]+)\?/g)].map(match => match[1]);
    assert.ok(linked.includes('lattice.showImpact') && linked.every(command => commands.includes(command)), linked.join());
    assert.ok(
      linked.every(command => content.isTrusted?.enabledCommands?.includes(command)),
      JSON.stringify(content.isTrusted),
    );
    const times = [];
    for (let round = 0; round < 20; round++) {
      const start = performance.now();
      await hover();
      times.push(performance.now() - start);
    }
    figure('hoverMs', times.sort((a, b) => a - b)[10]);
  });

  test('ids of nodes in prose are links', async () => {
    const place = at('notes.md');
    fs.writeFileSync(place.fsPath, 'Rounding is in `api/src/money.ts::Money::add`, not in std::vector.\n');
    try {
      await vscode.workspace.openTextDocument(place);
      const [link] = await until('the link', async () => {
        const links = await vscode.commands.executeCommand('vscode.executeLinkProvider', place);
        const found = links.filter(each => each.target?.path.endsWith('money.ts'));
        return found.length > 0 && found;
      });
      assert.match(link.target.fragment, /^L\d+,\d+$/);
    } finally {
      fs.rmSync(place.fsPath);
    }
  });

  test('keys collide with nothing', async () => {
    const defaults = await vscode.workspace.openTextDocument(vscode.Uri.parse('vscode://defaultsettings/keybindings.json'));
    const rows = [...defaults.getText().matchAll(/"key": "([^"]+)",\s+"command": "([^"]+)"(?:,\s+"when": "([^"]*)")?/g)]
      .map(([, key, command, when]) => ({ key, command, when }))
      .filter(row => row.when !== 'false');
    assert.ok(rows.length > 300, `${rows.length} default keys`);
    const ours = extension.packageJSON.contributes.keybindings;
    const taken = ours.filter(({ key }) =>
      rows.some(row => !row.command.startsWith('lattice.') && (row.key === key || key.startsWith(`${row.key} `) || row.key.startsWith(`${key} `))),
    );
    assert.deepEqual(taken, []);
    assert.ok(
      ours.every(({ command }) => rows.some(row => row.command === command)),
      'the editor knows our keys',
    );
  });

  test('offers its tools to agents of the editor', async () => {
    const declared = extension.packageJSON.contributes.languageModelTools.map(tool => tool.name);
    const offered = vscode.lm.tools.map(tool => tool.name);
    assert.ok(declared.length >= 6 && declared.every(name => offered.includes(name)), offered.join());
    const invoke = (name, input) => vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    const found = await invoke('lattice_search_code', { query: 'formatMoney' });
    assert.match(found.content[0].value, /api\/src\/money\.ts/);
    await assert.rejects(() => invoke('lattice_code_explain', { target: 'noSuchThingAnywhere' }), /noSuchThingAnywhere/);
    const short = await vscode.lm.invokeTool('lattice_search_code', {
      input: { query: 'order' },
      toolInvocationToken: undefined,
      tokenizationOptions: { tokenBudget: 320, countTokens: async text => Math.ceil(text.length / 4) },
    });
    assert.ok(short.content[0].value.length < 320 * 5, `${short.content[0].value.length} characters`);
  });

  test('an agent calls a tool and gets an answer it can use', async () => {
    const [model] = await until('the scripted model', async () => {
      const models = await vscode.lm.selectChatModels({ vendor: 'lattice-test' });
      return models.length > 0 && models;
    });
    const tools = vscode.lm.tools.filter(tool => tool.name.startsWith('lattice_'));
    const ask = vscode.LanguageModelChatMessage.User('use a tool: lattice_impact_analyze with {"target":"Money.add"}');
    const parts = async messages => {
      const found = [];
      for await (const part of (await model.sendRequest(messages, { tools })).stream) found.push(part);
      return found;
    };
    const [call] = await parts([ask]);
    assert.equal(call.name, 'lattice_impact_analyze');
    const result = await vscode.lm.invokeTool(call.name, { input: call.input, toolInvocationToken: undefined });
    const answer = await parts([
      ask,
      vscode.LanguageModelChatMessage.Assistant([call]),
      vscode.LanguageModelChatMessage.User([new vscode.LanguageModelToolResultPart(call.callId, result.content)]),
    ]);
    assert.match(answer.map(part => part.value).join(''), /^The tool says: .*\d+/);
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
    const settings = vscode.workspace.getConfiguration();
    const ours = async () => {
      const found = await vscode.commands.executeCommand('vscode.executeWorkspaceSymbolProvider', 'unsavedIdea');
      return found.filter(symbol => symbol.name === 'unsavedIdea' && symbol.containerName !== undefined && document.isDirty);
    };
    await settings.update('lattice.workspaceSymbols.enable', 'always', vscode.ConfigurationTarget.Global);
    await until('the unsaved function', async () => (await ours()).length > 0);
    await settings.update('lattice.workspaceSymbols.enable', undefined, vscode.ConfigurationTarget.Global);
    // The language's own server lists what is open.
    await until('the end of the doubles', async () => (await ours()).length === 0);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  test('refuses a tool it does not know', async () => {
    const refused = await extension.exports.callTool('no_such_tool', {}).then(
      answer => answer.envelope.ok,
      () => false,
    );
    assert.equal(refused, false);
  });

  test('shows violations of the declared architecture, accepts one and leads to its rule', async () => {
    const rules = at('.lattice/architecture.yaml');
    const baseline = at('.lattice/architecture-baseline.json');
    const pricing = at('api/src/pricing.ts');
    const violations = () => vscode.languages.getDiagnostics(pricing).filter(each => each.source === 'Lattice');
    const lines = [
      'version: 1',
      'rules:',
      '  - {id: no-money, type: forbid, from: {path: api/src/pricing.ts}, to: {path: api/src/money.ts}, edges: [IMPORTS]}',
      '',
    ];
    await vscode.workspace.openTextDocument(pricing);
    try {
      await vscode.workspace.fs.writeFile(rules, Buffer.from(lines.join('\n')));
      const [violation] = await until('the violation in Problems', () => violations().length > 0 && violations());
      assert.equal(violation.code, 'no-money');
      assert.equal(violation.range.start.line, 1);
      const actions = await until('its code actions', async () => {
        const found = await vscode.commands.executeCommand('vscode.executeCodeActionProvider', pricing, violation.range, 'quickfix');
        return found.some(action => action.title.includes('no-money')) && found;
      });
      const run = async part => {
        const { command } = actions.find(action => action.title.includes(part));
        await vscode.commands.executeCommand(command.command, ...command.arguments);
      };
      await run('Go to rule');
      assert.equal(vscode.window.activeTextEditor.document.uri.path, rules.path);
      assert.equal(vscode.window.activeTextEditor.selection.start.line, 2);
      await run('Accept this violation');
      await until('no violation in Problems', () => violations().length === 0);
      assert.match(Buffer.from(await vscode.workspace.fs.readFile(baseline)).toString(), /"rule":"no-money"/);
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await vscode.workspace.fs.delete(at('.lattice'), { recursive: true });
    }
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
