/** Commands of the views of what people and agents write: Knowledge, Work, Agents. */
import assert from 'node:assert/strict';
import { retry } from '../workbench.mjs';
import { viewOf } from './sideBarView.mjs';
import { PRESS_MS, WAIT_MS } from './waits.mjs';

export async function knowledgeCommands({ agent, command, window }) {
  const view = viewOf(window, 'Knowledge');
  const atom = async name => {
    const { items } = await agent.call('query_graph', { operation: 'search', entityType: 'atom', query: name });
    const { id } = items.find(item => item.name === name) ?? assert.fail(`there is no atom ${name}`);
    return (await agent.call('query_graph', { operation: 'get', entityType: 'atom', id, profile: 'debug' })).atom;
  };

  await command('lattice.refreshKnowledge', async title => {
    await view.open();
    await view.refresh(title);
    await view.row('Prices').waitFor();
  });

  await command('lattice.renameKnowledge', async title => {
    await view.choose('Sums', title);
    await window.answer('Rename Sums', 'Totals');
    await view.reveal('Totals');
  });

  await command('lattice.appendKnowledge', async title => {
    await view.choose('Totals', title);
    await window.answer('Append to Knowledge', 'Never negative.');
    await retry(async () => assert.match((await atom('Totals')).knowledge, /^In cents\.\n[\s\S]*\nNever negative\.$/), WAIT_MS);
  });

  await command('lattice.editPatterns', async title => {
    await view.choose('Totals', title);
    await window.answer('Edit Patterns of Totals', 'api/src/{money,pricing}.ts', '2 indexed files match');
    await retry(async () => assert.deepEqual((await atom('Totals')).paths, ['api/src/{money,pricing}.ts']), WAIT_MS);
  });

  await command('lattice.logKnowledgeChange', async title => {
    await view.choose('Totals', title);
    await window.answer('Add Knowledge Changelog Entry', 'Measured again');
    const { id } = await atom('Totals');
    const entries = async () => JSON.stringify(await agent.call('manage_changelog', { operation: 'search', parentType: 'atom', parentId: id }));
    await retry(async () => assert.match(await entries(), /Measured again/), WAIT_MS);
  });

  await command('lattice.moveAtom', async title => {
    await view.choose('Totals', title);
    await window.step('Move Totals');
    await window.pick('No molecule');
    await retry(async () => assert.equal((await atom('Totals')).moleculeId, null), WAIT_MS);
    await view.row('Orphan Atoms').waitFor();
  });
}

export async function workCommands({ agent, command, page, window }) {
  const view = viewOf(window, 'Work');
  const task = async name => {
    const { items } = await agent.call('query_container', { operation: 'search', containerType: 'task', query: name, profile: 'debug' });
    const { id } = items.find(item => item.name === name) ?? assert.fail(`there is no task ${name}`);
    const found = await agent.call('query_container', { operation: 'get', containerType: 'task', id, profile: 'debug' });
    return found.task;
  };

  await command('lattice.newFeature', async title => {
    await view.open();
    await view.press(title);
    await window.answer('New Feature', 'Baskets');
    await view.row('Baskets').waitFor();
  });

  await command('lattice.refreshWork', async title => {
    await view.refresh(title);
    await view.row('Expire baskets').waitFor();
  });

  await command('lattice.openWork', async title => {
    await view.choose('Split the order', title);
    await (await window.webview('Split the order')).getByText('See above.').waitFor();
    await window.closeEditors();
  });

  await command('lattice.reviewWork', async title => {
    await view.choose('Split the order', title);
    await retry(async () => assert.equal((await task('Split the order')).status, 'in_review'), WAIT_MS);
    await view.row('Split the order').getByText('in review').waitFor();
  });

  await command('lattice.renameWork', async title => {
    await view.choose('Expire baskets', title);
    await window.answer('Rename Task', 'Expire old baskets');
    await view.row('Expire old baskets').waitFor();
  });

  await command('lattice.describeWork', async title => {
    await view.choose('Expire old baskets', title);
    await window.step('Describe Expire old baskets');
    await window.screenshot('commands-describe');
    await window.answer('Describe Expire old baskets', 'After a week.');
    await retry(async () => assert.equal((await task('Expire old baskets')).summary, 'After a week.'), WAIT_MS);
  });

  await command('lattice.prioritizeWork', async title => {
    await view.choose('Expire old baskets', title);
    await window.step('Priority of Expire old baskets');
    await window.pick('critical');
    await retry(async () => assert.equal((await task('Expire old baskets')).priority, 'critical'), WAIT_MS);
  });

  await command('lattice.terminateWork', async title => {
    await view.choose('Split the order', title);
    await window.answer('Terminate Split the order', 'Too small');
    await retry(async () => assert.equal((await task('Split the order')).status, 'terminated'), WAIT_MS);
  });

  await command('lattice.deleteWork', async title => {
    await view.choose('Expire old baskets', title);
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Delete' }).click();
    await view.row('Expire old baskets').waitFor({ state: 'detached' });
    await assert.rejects(task('Expire old baskets'));
  });
}

export async function agentCommands({ command, page, window }) {
  const view = viewOf(window, 'Agents');
  const rows = text => view.pane.locator('.monaco-list-row', { hasText: text });
  const answered = async text => {
    await window.notification(text).waitFor();
    await window.dismissNotifications();
  };

  await command('lattice.refreshAgents', async title => {
    await view.open();
    await view.refresh(title);
    await view.row('Timeline').waitFor();
  });

  await command('lattice.filterAgents', async title => {
    await view.press(title);
    await window.step('Filter Timeline (1/2)');
    await window.accept();
    await window.answer('Filter Timeline (2/2)', 'rounded');
    await view
      .row('Timeline')
      .getByText(/^1 of \d+$/)
      .waitFor();
  });

  await command('lattice.openEpisode', async title => {
    await view.choose('Cents only', title);
    await (await window.webview('Amounts are whole cents.')).getByText('measured').first().waitFor();
    await window.closeEditors();
  });

  await command('lattice.editEpisode', async title => {
    await view.choose('Cents only', title);
    await window.answer('Edit Episode', 'Amounts are whole cents, always.');
    await answered('The episode was changed.');
    // The row leads to the new text once the view has heard of it.
    await retry(async () => {
      await view.row('Cents only').click({ timeout: PRESS_MS });
      await Promise.any(page.frames().map(frame => frame.locator('body', { hasText: 'whole cents, always' }).waitFor({ timeout: PRESS_MS })));
    }, WAIT_MS);
    await window.closeEditors();
  });

  await command('lattice.hideEpisode', async title => {
    await view.choose('No rounding', title);
    await answered('no longer appears');
    await rows('No rounding').first().waitFor({ state: 'detached' });
  });

  await command('lattice.deleteEpisode', async title => {
    await view.choose('One currency', title);
    await answered('The episode was deleted.');
    await rows('One currency').first().waitFor({ state: 'detached' });
  });

  await command('lattice.exportMemory', async title => {
    await view.press(title);
    await page.locator('.tab.active', { hasText: 'Memory of shop' }).waitFor();
    await page.locator('.view-lines', { hasText: 'Cents only' }).first().waitFor();
    await window.command('View: Revert and Close Editor');
    await page.locator('.tab', { hasText: 'Memory of shop' }).waitFor({ state: 'detached' });
  });

  await command('lattice.releaseAgent', async title => {
    await view.row('Hash the keys').waitFor();
    await window.choose(view.row(/^ada/), title);
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Release' }).click();
    await rows('Hash the keys').first().waitFor({ state: 'detached' });
  });
}
