/** Commands of the views of code: Impact, Structure, Services, Impact of My Branch. */
import { panel } from '../graphPanel.mjs';
import { viewOf } from './sideBarView.mjs';

const BRANCH = 'Impact of My Branch';
/** The row of what the branch has changed. */
const CHANGED = /^totalOf.*dependents/;

export async function treeCommands({ command, window }) {
  const impact = viewOf(window, 'Impact');
  const structure = viewOf(window, 'Structure');
  const services = viewOf(window, 'Services');

  await command('lattice.refreshImpact', async title => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('Lattice: Show Impact');
    await impact.row('Dependents').waitFor();
    await impact.refresh(title);
    await impact.row('Dependents').waitFor();
  });

  await command('lattice.clearImpact', async title => {
    await impact.press(title);
    await impact.row('Dependents').waitFor({ state: 'detached' });
    await impact.pane.locator('.welcome-view-content:visible').waitFor();
  });

  await command('lattice.refreshStructure', async title => {
    await structure.open();
    await structure.refresh(title);
    await structure.row('Hotspots').waitFor();
  });

  await command('lattice.refreshServices', async title => {
    await services.open();
    await services.refresh(title);
    await services.row('billing').waitFor();
  });
}

export async function changesCommands({ command, page, window }) {
  const view = viewOf(window, BRANCH);

  await command('lattice.openChanges', async title => {
    await window.command('Lattice: Show Impact of My Branch');
    await view.reveal(CHANGED);
    await window.screenshot('commands-branch');
    await view.choose(CHANGED, title);
    await page.locator('.tab.active', { hasText: 'pricing.ts (changes)' }).waitFor();
    await window.closeEditors();
  });

  await command('lattice.openChangedFile', async title => {
    await view.choose(CHANGED, title);
    await page.locator('.tab.active', { hasText: /^pricing\.ts$/ }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Ln 30' }).waitFor();
    await window.closeEditors();
  });

  await command('lattice.refreshChanges', async title => {
    await view.refresh(title);
    await view.row('Changed Symbols').waitFor();
  });

  await command('lattice.showChangesGraph', async title => {
    await view.press(title);
    const graph = await panel(window);
    await graph.locator('.sheet-name', { hasText: 'totalOf' }).first().waitFor();
    await window.closeEditors();
  });

  await command('lattice.runTestsOfChanges', async title => {
    await view.press(title);
    // The only test that reaches the change is of a framework that the sample does not install.
    await window.notification(/framework|test/i).waitFor();
    await window.dismissNotifications();
  });
}
