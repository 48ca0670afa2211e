/** Runs in a window in Restricted Mode. */
'use strict';

module.exports = ({ vscode, assert, undisturbed, figure, test }) => {
  const extension = vscode.extensions.getExtension('lattice.lattice-graph');

  test('Restricted Mode is on', () => assert.equal(vscode.workspace.isTrusted, false));

  test('files are indexed without trust', async () => {
    figure('activationMs', await undisturbed(() => extension.activate()));
    const folders = await extension.exports.whenIndexed();
    assert.deepEqual(
      folders.map(folder => folder.phase),
      ['ready'],
    );
  });
};
