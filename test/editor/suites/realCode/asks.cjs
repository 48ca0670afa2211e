/** What the editor's own requests say of one symbol of real code, inside the extension host. */
'use strict';

/** `file` is below the folder, `declaration` a line of it, `name` what is asked about on that line. */
module.exports =
  ({ file, declaration, name }) =>
  ({ vscode, assert, until, undisturbed, figure, test }) => {
    const extension = vscode.extensions.getExtension('lattice.lattice-graph');
    const place = vscode.Uri.joinPath(vscode.workspace.workspaceFolders[0].uri, ...file.split('/'));
    const position = async () => {
      const text = (await vscode.workspace.openTextDocument(place)).getText();
      const lines = text.split('\n');
      const line = lines.findIndex(each => each.includes(declaration));
      assert.ok(line >= 0, `${file} has no "${declaration}"`);
      return new vscode.Position(line, lines[line].indexOf(name) + 1);
    };

    test('is indexed', async () => {
      figure('activationMs', await undisturbed(() => extension.activate()));
      const folders = await extension.exports.whenIndexed();
      assert.deepEqual(
        folders.map(folder => folder.phase),
        ['ready'],
      );
    });

    test(`the hover of ${name} has links to its impact and its graph`, async () => {
      const at = await position();
      await until('the hover of Lattice', async () => {
        const hovers = await vscode.commands.executeCommand('vscode.executeHoverProvider', place, at);
        const texts = hovers.flatMap(hover => hover.contents.map(content => content.value ?? String(content)));
        return texts.some(text => text.includes('command:lattice.showImpact') && text.includes('command:lattice.openGraph'));
      });
    });

    test(`a lens above ${name} counts its references`, async () => {
      const at = await position();
      const settings = vscode.workspace.getConfiguration();
      await settings.update('lattice.codeLens.enable', true, vscode.ConfigurationTarget.Global);
      await settings.update('lattice.codeLens.symbols', 'all', vscode.ConfigurationTarget.Global);
      const lens = await until('the lens', async () => {
        const found = (await vscode.commands.executeCommand('vscode.executeCodeLensProvider', place, 1000)) ?? [];
        return found.find(each => each.range.start.line === at.line && /^[1-9]\d* refs?$/.test(each.command?.title ?? ''));
      });
      assert.equal(lens.command.command, 'lattice.showReferences');
      await settings.update('lattice.codeLens.enable', undefined, vscode.ConfigurationTarget.Global);
      await settings.update('lattice.codeLens.symbols', undefined, vscode.ConfigurationTarget.Global);
    });
  };
