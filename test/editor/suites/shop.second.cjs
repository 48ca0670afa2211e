/** Runs in a second window on the same folder, beside the first. */
'use strict';

module.exports = ({ vscode, assert, undisturbed, figure, test }) => {
  const extension = vscode.extensions.getExtension('lattice.lattice-graph');

  test('a second window shares the index', async () => {
    figure('activationMs', await undisturbed(() => extension.activate()));
    const folders = await extension.exports.whenIndexed();
    figure('role', folders[0].role);
    const answer = await extension.exports.callTool('search_code', { query: 'formatMoney' });
    assert.equal(answer.envelope.data.results[0].chunk_id, 'api/src/money.ts::formatMoney');
  });
};
