/** Runs in a window on the sample workspace where only what a person sees is tested: what that needs is there before it begins. */
'use strict';

module.exports = ({ vscode, assert, until, undisturbed, figure, test }) => {
  const extension = vscode.extensions.getExtension('lattice.lattice-graph');

  test('is indexed', async () => {
    figure('activationMs', await undisturbed(() => extension.activate()));
    const folders = await extension.exports.whenIndexed();
    assert.deepEqual(
      folders.map(folder => folder.phase),
      ['ready'],
    );
  });

  test('has the scripted model', async () => {
    await until('the scripted model', async () => (await vscode.lm.selectChatModels({ vendor: 'lattice-test' })).length > 0);
  });
};
