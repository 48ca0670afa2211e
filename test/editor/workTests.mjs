/** What a person sees and does in the view Work; and that it follows what an agent plans. */
import assert from 'node:assert/strict';
import { changeSettings } from './codeServer.mjs';
import { startAgent } from './knowledgeTests.mjs';
import { retry } from './workbench.mjs';

/** By the name of the picture: the theme, and the class that the workbench has in it. */
const THEMES = { light: ['Light Modern', 'vs'], 'high-contrast': ['Default High Contrast', 'hc-black'], dark: ['Dark Modern', 'vs-dark'] };

const WAIT_MS = 30_000;

export async function workTests(report, { window, folders, workspace }) {
  const { page } = window;
  const check = window.checks(report);
  const pane = page.locator('.pane', { has: page.locator('.pane-header[aria-label^="Work"]') });
  const row = text => pane.locator('.monaco-list-row', { hasText: text });
  const choose = (text, title) => window.choose(row(text).first(), title);
  const press = async (text, title) => {
    await retry(async () => {
      await row(text).first().hover({ timeout: 5000 });
      await row(text).first().getByRole('button', { name: title }).click({ timeout: 5000 });
    }, WAIT_MS);
  };
  const agent = await startAgent({ workspace, folders });
  const named = async (name, containerType = 'task') =>
    (await agent.call('query_container', { operation: 'search', containerType, query: name, profile: 'debug' })).items[0];
  const becomes = (name, status) => retry(async () => assert.equal((await named(name)).status, status), WAIT_MS);
  const make = async fields => {
    const made = await agent.call('manage_container', { operation: 'create', profile: 'debug', ...fields });
    return made.task ?? made.feature;
  };

  try {
    await check('before anything is planned the Work view says what it is for', async () => {
      await window.openView('Work', ['Impact', 'Structure', 'Knowledge']);
      await pane.getByText('Plan features and tasks here').waitFor();
      await window.screenshot('work-welcome');
    });

    await check('a task is made in the editor and is the next one', async () => {
      await window.command('Lattice: New Task');
      await window.answer('New Task', 'Round half cents');
      await row('Round half cents').getByText('next').waitFor();
      assert.equal((await named('Round half cents')).status, 'pending');
    });

    await check('the tree follows what an agent plans, without being asked', async () => {
      const feature = await make({ containerType: 'feature', name: 'Gift cards', summary: 'Cards that carry an amount.' });
      const sell = await make({ containerType: 'task', name: 'Sell a card', parentId: feature.id, priority: 'high' });
      const redeem = await make({
        containerType: 'task',
        name: 'Redeem a card',
        parentId: feature.id,
        summary: 'See <b>x</b> [run](command:workbench.action.quit).',
      });
      await agent.call('manage_dependency', { operation: 'add', fromId: sell.id, toId: redeem.id });
      await agent.call('manage_sections', { operation: 'create', containerId: redeem.id, title: 'Context Files', content: '- api/src/money.ts' });
      await row('Redeem a card').getByText('waits for Sell a card').waitFor();
      await row('Gift cards').getByText('0% of 2').waitFor();
      await row('Sell a card').getByText('next').waitFor();
      await agent.call('task_update', { taskId: sell.id, status: 'in_progress', profile: 'debug' });
      await row('Sell a card').getByText('in progress').waitFor();
      for (const [name, [theme, className]] of Object.entries(THEMES)) {
        await changeSettings(folders, { 'workbench.colorTheme': theme });
        await page.locator(`.monaco-workbench.${className}`).waitFor();
        await window.screenshot(`work-${name}`);
      }
      await changeSettings(folders, { 'workbench.colorTheme': null });
    });

    await check('a task is opened as a page: its texts, what it waits for, its history, and no command links', async () => {
      await row('Redeem a card').first().click();
      const frame = await window.webview('Redeem a card');
      await frame.getByText('waits for Sell a card').waitFor();
      await frame.getByText('version 1').first().waitFor();
      assert.equal(await frame.locator('a[href^="command:"], a[data-href^="command:"]').count(), 0);
      // It follows what an agent writes while it is open.
      const { id } = await named('Redeem a card');
      await agent.call('task_update', { taskId: id, fields: { summary: 'At the till only.' } });
      await frame.getByText('At the till only.').waitFor();
      await window.screenshot('work-page');
      await window.closeEditors();
    });

    await check('a task is started, blocked with a reason, freed and completed by hand', async () => {
      await press('Round half cents', 'Start Work');
      await becomes('Round half cents', 'in_progress');
      await choose('Round half cents', /^Block/);
      await window.answer('Block Round half cents', 'The tax office is closed');
      await row('Round half cents').getByText('The tax office is closed').waitFor();
      await window.screenshot('work-blocked');
      await press('Round half cents', 'Unblock Work');
      await becomes('Round half cents', 'in_progress');
      await press('Round half cents', 'Complete Work');
      await becomes('Round half cents', 'completed');
      await window.notification('knowledge').waitFor();
      await row('Round half cents').waitFor({ state: 'detached' });
      await window.dismissNotifications();
    });

    await check('the filter brings closed tasks back, and words narrow the tree', async () => {
      await window.command('Focus on Work View');
      await pane.locator('.pane-header').first().hover();
      await pane.getByRole('button', { name: 'Filter Work' }).click();
      await window.step('Filter Work (1/2)');
      const completed = window.quickPickRow('completed').first();
      await completed.click();
      await retry(async () => assert.equal(await completed.getByRole('checkbox').isChecked(), true), WAIT_MS);
      await window.accept();
      await window.answer('Filter Work (2/2)', 'half cents');
      await row('Round half cents').first().waitFor();
      await row('Gift cards').waitFor({ state: 'detached' });
      await choose('Round half cents', /^Reopen/);
      await becomes('Round half cents', 'in_progress');
      await window.screenshot('work-filter');
    });

    await check('a change made on an old version is refused and nothing is lost', async () => {
      await choose('Round half cents', /^Terminate/);
      await window.step('Terminate Round half cents');
      const { id } = await named('Round half cents');
      await agent.call('task_update', { taskId: id, fields: { summary: 'Of the agent' } });
      await window.answer('Terminate Round half cents', 'Nobody pays half cents');
      await window.notification('It was changed by someone else').waitFor();
      assert.equal((await named('Round half cents')).status, 'in_progress');
      await window.dismissNotifications();
    });
  } finally {
    await agent.close();
  }
}

/** In Restricted Mode the work of the project can be read and nothing in the view changes it. */
export async function distrustedWorkTests(report, { window }) {
  const { page } = window;
  await window.checks(report)('Restricted Mode shows work and offers no change of it', async () => {
    await window.openView('Work', []);
    const pane = page.locator('.pane', { has: page.locator('.pane-header[aria-label^="Work"]') });
    await pane.getByText('Trust this workspace to add some').waitFor();
    await pane.locator('.pane-header').first().hover();
    await pane.getByRole('button', { name: 'Filter Work' }).waitFor();
    assert.equal(await pane.getByRole('button', { name: 'New Task' }).count(), 0);
    await window.screenshot('work-untrusted');
  });
}
