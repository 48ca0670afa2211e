/** Runs in a window in Restricted Mode. */
'use strict';

module.exports = ({ vscode, assert, figure, test }) => {
  const extension = vscode.extensions.getExtension('lattice.lattice');

  test('Restricted Mode is on', () => assert.equal(vscode.workspace.isTrusted, false));

  test('files are indexed without trust', async () => {
    const start = performance.now();
    await extension.activate();
    figure('activationMs', performance.now() - start);
    const folders = await extension.exports.whenIndexed();
    assert.deepEqual(
      folders.map(folder => folder.phase),
      ['ready'],
    );
  });
};
