/**
 * Every command that the manifest contributes is run in the real editor where it belongs, and does what it says: those of `ELSEWHERE` by the
 * checks of other files, all others here, from palette, views, menus and titles.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { changeSettings } from './codeServer.mjs';
import { heading, panel } from './graphPanel.mjs';
import { startAgent } from './knowledgeTests.mjs';
import { retry } from './workbench.mjs';

const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const WAIT_MS = 30_000;
const PRESS_MS = 4000;
const VIEWS = ['Impact', 'Structure', 'Services', 'Knowledge', 'Work', 'Agents'];
const BRANCH = 'Impact of My Branch';
/** The row of what the branch has changed. */
const CHANGED = /^totalOf.*dependents/;

/** The file whose checks run a command, and the words with which they do. */
const ELSEWHERE = {
  'lattice.search': ['featureTests.mjs', "'Lattice: Search Code'"],
  'lattice.showImpact': ['featureTests.mjs', "'Lattice: Show Impact'"],
  'lattice.showImpactOfChanges': ['featureTests.mjs', "'Show Impact of Uncommitted Changes'"],
  'lattice.exportImpact': ['featureTests.mjs', "'Lattice: Export Impact'"],
  'lattice.pinImpact': ['featureTests.mjs', "'Pin'"],
  'lattice.unpinImpact': ['featureTests.mjs', "'Unpin'"],
  'lattice.runAffectedTests': ['featureTests.mjs', "'Run Affected Tests'"],
  'lattice.showActions': ['featureTests.mjs', "'Lattice: Show Actions'"],
  'lattice.setUpAgents': ['featureTests.mjs', "'Lattice: Set Up Agents'"],
  'lattice.preview.write': ['featureTests.mjs', "'Write File'"],
  'lattice.restartServer': ['featureTests.mjs', "'Lattice: Restart Language Server'"],
  'lattice.showBranchImpact': ['featureTests.mjs', "'Lattice: Show Impact of My Branch'"],
  'lattice.copyChanges': ['featureTests.mjs', "'Copy Changes as Markdown'"],
  'lattice.explainSymbol': ['pageTests.mjs', "'Lattice: Explain Symbol'"],
  'lattice.showHealth': ['pageTests.mjs', "'Lattice: Show Index Health'"],
  'lattice.openReport': ['pageTests.mjs', "'Lattice: Open Index Report'"],
  'lattice.copyMcpConfiguration': ['pageTests.mjs', "'Lattice: Copy MCP Configuration'"],
  'lattice.setEmbedderKey': ['keyTests.mjs', "'Lattice: Set Embedding Service API Key'"],
  'lattice.rebuildIndex': ['suites/shop.cjs', "'lattice.rebuildIndex'"],
  'lattice.architecture.acceptViolation': ['suites/shop.cjs', "'Accept this violation'"],
  'lattice.architecture.goToRule': ['suites/shop.cjs', "'Go to rule'"],
  'lattice.openGraph': ['graphTests.mjs', "'Lattice: Show in Graph'"],
  'lattice.openWorkspaceGraph': ['graphTests.mjs', "'Lattice: Show Workspace Graph'"],
  'lattice.openSearchGraph': ['graphTests.mjs', "'Lattice: Show Search Results in Graph'"],
  'lattice.openImpactGraph': ['realCodeTests.mjs', "'Lattice: Show Impact Graph'"],
  'lattice.openChangesGraph': ['graphTests.mjs', "'Lattice: Show Impact Graph of Uncommitted Changes'"],
  'lattice.openRangeGraph': ['graphTests.mjs', "'Lattice: Show Impact Graph of Commits'"],
  'lattice.openCommunityGraph': ['graphTests.mjs', "'Lattice: Show Community in Graph'"],
  'lattice.openPathGraph': ['graphTests.mjs', "'Lattice: Show Path Between Symbols'"],
  'lattice.openSavedGraph': ['graphTests.mjs', "'Lattice: Open Saved Graph'"],
  'lattice.openServiceGraph': ['servicesTests.mjs', "'Lattice: Show Service Map'"],
  'lattice.openFlowGraph': ['servicesTests.mjs', "'Lattice: Show Flow of Endpoint'"],
  'lattice.showServicePlaces': ['servicesTests.mjs', "lens('calls GET /orders/{id} · orders').locator('a').click()"],
  'lattice.writeServiceContext': ['servicesTests.mjs', "'Lattice: Write Service Context to Agent Instructions'"],
  'lattice.removeServiceContext': ['servicesTests.mjs', "'Lattice: Remove Service Context from Agent Instructions'"],
  'lattice.newMolecule': ['knowledgeTests.mjs', "'Lattice: New Molecule'"],
  'lattice.newAtom': ['knowledgeTests.mjs', "'Lattice: New Atom'"],
  'lattice.editKnowledge': ['knowledgeTests.mjs', "'Edit Knowledge'"],
  'lattice.showKnowledgeChangelog': ['knowledgeTests.mjs', "'Show Knowledge Changelog'"],
  'lattice.showKnowledgeVersions': ['knowledgeTests.mjs', "'Show Knowledge Versions'"],
  'lattice.restoreKnowledge': ['knowledgeTests.mjs', "'Lattice: Restore Deleted Knowledge'"],
  'lattice.deleteKnowledge': ['knowledgeTests.mjs', "'Delete Knowledge'"],
  'lattice.saveMergedKnowledge': ['knowledgeTests.mjs', "'Save Merged Knowledge'"],
  'lattice.exportKnowledge': ['knowledgeTests.mjs', "'Lattice: Export Knowledge'"],
  'lattice.importKnowledge': ['knowledgeTests.mjs', "'Lattice: Import Knowledge'"],
  'lattice.resolveKnowledge': ['knowledgeTests.mjs', "'Lattice: Resolve Knowledge Conflict'"],
  'lattice.newTask': ['workTests.mjs', "'Lattice: New Task'"],
  'lattice.filterWork': ['workTests.mjs', "'Filter Work'"],
  'lattice.startWork': ['workTests.mjs', "'Start Work'"],
  'lattice.completeWork': ['workTests.mjs', "'Complete Work'"],
  'lattice.blockWork': ['workTests.mjs', '/^Block/'],
  'lattice.unblockWork': ['workTests.mjs', "'Unblock Work'"],
  'lattice.reopenWork': ['workTests.mjs', '/^Reopen/'],
  'lattice.groupChangesByReach': ['changesTests.mjs', "'Sort by Reach'"],
  'lattice.groupChangesByFile': ['changesTests.mjs', "'Group by File'"],
  'lattice.groupChangesByAuthor': ['changesTests.mjs', "'Group by Author'"],
  'lattice.showHistory': ['changesTests.mjs', "'Lattice: Show History'"],
  'lattice.compareGraph': ['changesTests.mjs', "'Lattice: Compare Graph with'"],
  'lattice.showChangesSince': ['changesTests.mjs', "'Lattice: Show Changes Since'"],
  'lattice.markCheckpoint': ['changesTests.mjs', "'Lattice: Mark Checkpoint'"],
  'lattice.clearHistory': ['changesTests.mjs', "'Lattice: Clear History'"],
};

/** `workspace` is the sample shop with services beside it, in a repository whose branch has changed `totalOf`. */
export async function commandTests(report, { window, folders, workspace }) {
  const { contributes } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
  const words = JSON.parse(readFileSync(join(project, 'package.nls.json'), 'utf8'));
  const titles = new Map(contributes.commands.map(({ command, title }) => [command, (words[title.slice(1, -1)] ?? title).replace(/\.\.\.$/, '')]));
  const check = window.checks(report);
  const ran = new Set();
  /** The check of a command; `run` gets its title. */
  const command = (id, run) => {
    const title = titles.get(id);
    ran.add(id);
    return check(`${title ?? id} does what it says`, () => run(title));
  };
  const parts = { window, page: window.page, folders, workspace, command };
  const agent = await startAgent({ workspace, folders });
  try {
    await remember(agent);
    await editorCommands(parts);
    await testCommands(parts);
    await treeCommands(parts);
    await changesCommands(parts);
    await knowledgeCommands({ ...parts, agent });
    await workCommands({ ...parts, agent });
    await agentCommands({ ...parts, agent });
  } finally {
    await agent.close();
  }
  await check('every contributed command is run by a check', () => {
    for (const [id, [file, text]] of Object.entries(ELSEWHERE))
      assert.ok(readFileSync(join(project, 'test', 'editor', file), 'utf8').includes(text), `${file} does not run ${id}`);
    assert.deepEqual(new Set([...ran, ...Object.keys(ELSEWHERE)]), new Set(titles.keys()));
  });
}

/** Something of each kind that the views show. */
async function remember(agent) {
  const decide = (title, content) =>
    agent.call('episode_add', {
      agentId: 'ada',
      type: 'DECISION',
      content,
      metadata: { title, rationale: 'measured', tradeoffs: ['none'], affectedFiles: ['api/src/money.ts'] },
    });
  await decide('Cents only', 'Amounts are whole cents.');
  await decide('No rounding', 'Nothing is rounded twice.');
  await decide('One currency', 'An order has one currency.');
  await agent.call('agent_claim', { agentId: 'ada', targetId: 'api/src/money.ts', claimType: 'file', intent: 'Hash the keys' });
  const { id: moleculeId } = await agent.call('manage_graph', { operation: 'create', entityType: 'molecule', name: 'Prices', createdByTaskId: 'manual' });
  const atom = { entityType: 'atom', name: 'Sums', paths: ['api/src/money.ts'], knowledge: 'In cents.', moleculeId, createdByTaskId: 'manual' };
  await agent.call('manage_graph', { operation: 'create', ...atom });
  for (const name of ['Expire baskets', 'Split the order'])
    await agent.call('manage_container', { operation: 'create', containerType: 'task', name, summary: 'As decided.\nSee above.' });
  const { items } = await agent.call('query_container', { operation: 'search', containerType: 'task', query: 'Split the order' });
  await agent.call('task_update', { taskId: items[0].id, status: 'in_progress' });
}

async function editorCommands({ command, page, window, workspace }) {
  const tab = name => page.locator('.tab.active', { hasText: name });
  const atSymbol = () => window.openFile('api/src/money.ts', 12, 4);
  const peek = page.locator('.peekview-widget');

  await command('lattice.showReferences', async title => {
    await atSymbol();
    await window.command(`Lattice: ${title}`);
    for (const file of ['pricing.ts', 'labels.ts']) await peek.getByText(file).first().waitFor();
    await window.screenshot('commands-references');
    await window.escape(peek);
  });

  await command('lattice.showTests', async title => {
    await atSymbol();
    await window.command(`Lattice: ${title}`);
    await peek.getByText('orders.test.ts').first().waitFor();
    await window.escape(peek);
  });

  await command('lattice.acceptArchitectureBaseline', async title => {
    await window.command(`Lattice: ${title}`);
    await tab('architecture-baseline.json').waitFor();
    await window.notification('Do you want to accept').waitFor();
    await window.dismissNotifications();
  });

  await command('lattice.preview.discard', async title => {
    await page.getByRole('button', { name: title }).first().click();
    await tab('architecture-baseline.json').waitFor({ state: 'detached' });
    assert.equal(existsSync(join(workspace, '.lattice', 'architecture-baseline.json')), false);
  });

  await command('lattice.proposeArchitectureRules', async title => {
    const place = join(workspace, '.lattice', 'architecture.yaml');
    await window.command(`Lattice: ${title}`);
    await tab('architecture.yaml').waitFor();
    await window.screenshot('commands-rules');
    await window.notification('The code follows these rules').getByRole('button', { name: 'Write File' }).click();
    await retry(() => assert.match(readFileSync(place, 'utf8'), /^version: 1\nlayers:/), WAIT_MS);
    await window.dismissNotifications();
    await window.closeEditors();
  });

  await command('lattice.architecture.addException', async () => {
    const place = join(workspace, '.lattice', 'architecture.yaml');
    const rule = '{id: no-money, type: forbid, from: {path: api/src/pricing.ts}, to: {path: api/src/money.ts}, edges: [IMPORTS]}';
    writeFileSync(place, `version: 1\nrules:\n  - ${rule}\n`);
    await window.openFile('api/src/pricing.ts', 2, 2);
    await page.locator('.squiggly-error, .squiggly-warning').first().waitFor();
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'Add exception to no-money' });
    await retry(async () => {
      await window.command('Quick Fix...');
      await fix.waitFor({ timeout: PRESS_MS });
    }, WAIT_MS);
    await fix.click();
    await window.answer('Add Exception to no-money for api/src/pricing.ts', 'Prices are money');
    await retry(() => assert.match(readFileSync(place, 'utf8'), /Prices are money/), WAIT_MS);
    await page.locator('.tab.active', { hasText: 'architecture.yaml' }).waitFor();
    await window.closeEditors();
  });

  await command('lattice.openResourceGraph', async title => {
    await window.openFile('api/src/money.ts', 12, 4);
    await window.command('File: Reveal Active File in Explorer View');
    const row = page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'money.ts' }).first();
    await row.waitFor();
    await window.choose(row, title);
    await heading(await panel(window), 'money.ts');
    await window.closeEditors();
  });

  await command('lattice.showLog', async title => {
    await window.command(`Lattice: ${title}`);
    await page.locator('.part.panel .action-item.checked', { hasText: 'Output' }).waitFor();
    await page.locator('.part.panel select, .part.panel .monaco-select-box', { hasText: 'Lattice' }).first().waitFor();
    await window.command('View: Hide Panel');
  });
}

async function testCommands({ command, folders, page, window }) {
  await changeSettings(folders, { 'lattice.tests.allowRun': true });

  await command('lattice.approveTestCommand', async title => {
    await window.command(`Lattice: ${title}`);
    await window.step('Approve Test Command');
    await window.screenshot('commands-approve');
    await window.pick('pytest');
    await page.locator('.monaco-dialog-box').getByRole('button', { name: 'Approve' }).click();
    await retry(async () => {
      await window.leaveQuickInput();
      await window.command(`Lattice: ${title}`);
      await window.notification('All test commands are already approved.').waitFor({ timeout: PRESS_MS });
    }, WAIT_MS);
    await window.dismissNotifications();
  });

  // Whether pytest is installed here does not matter: the run says what came of it.
  await command('lattice.runTestsThatReach', async title => {
    await window.openFile('worker/bookshop/parcels.py', 22, 9);
    await window.choose(page.locator('.editor-instance .line-numbers', { hasText: /^22$/ }), title);
    const results = page.locator('.part.panel .monaco-list-row');
    await results.filter({ hasText: 'Tests that reach weight' }).first().waitFor();
    await results.filter({ hasText: 'test_heavy_items_are_split' }).first().waitFor();
    await window.screenshot('commands-tests-that-reach');
    await window.command('View: Hide Panel');
    await window.closeEditors();
  });
}

/** The rows of a view; `open` shows it with the others folded. */
function viewOf(window, name) {
  const { page } = window;
  const pane = page.locator('.pane', { has: page.locator(`.pane-header[aria-label^="${name}" i]`) });
  const row = text => pane.locator('.monaco-list-row', { hasText: text }).first();
  const open = async () => {
    await window.openView(
      name,
      VIEWS.filter(each => each !== name),
    );
    await pane.locator('.monaco-list-row').first().waitFor();
  };
  /** Presses a button of the title, or takes the entry of its menu. */
  const press = async title => {
    const button = pane.locator('.pane-header').getByRole('button', { name: new RegExp(`^${title}(\\.{3})?$`) });
    const entry = page.getByRole('menuitem', { name: title });
    await retry(async () => {
      await pane.locator('.pane-header').first().hover({ timeout: PRESS_MS });
      if ((await button.count()) > 0) return button.first().click({ timeout: PRESS_MS });
      if ((await entry.count()) === 0)
        await pane
          .getByRole('button', { name: /More Actions/ })
          .first()
          .click({ timeout: PRESS_MS });
      await entry.click({ timeout: PRESS_MS });
      await entry.waitFor({ state: 'detached', timeout: PRESS_MS });
    }, WAIT_MS);
  };
  /** Opens the groups above a row until it is there. */
  const reveal = text =>
    retry(async () => {
      if ((await row(text).count()) === 0) {
        const folded = pane.locator('.monaco-list-row[aria-expanded="false"]').first();
        if ((await folded.count()) > 0) await folded.locator('.monaco-tl-twistie').click({ timeout: PRESS_MS });
      }
      await row(text).waitFor({ timeout: PRESS_MS });
    }, WAIT_MS);
  const choose = async (text, title) => {
    await reveal(text);
    await window.choose(row(text), title);
  };
  /** Presses what refreshes the view, and waits until its rows were drawn anew. */
  const refresh = async title => {
    await row(/./).waitFor();
    await page.evaluate(selector => {
      globalThis.drawnAnew = 0;
      const icons = '.custom-view-tree-node-item-icon';
      const observer = new MutationObserver(changes => {
        globalThis.drawnAnew += changes.filter(({ target }) => target instanceof Element && target.matches(icons)).length;
      });
      for (const header of document.querySelectorAll(selector))
        observer.observe(header.closest('.pane'), { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
    }, `.pane-header[aria-label^="${name}" i]`);
    const isDrawnAnew = async () => assert.ok((await page.evaluate(() => globalThis.drawnAnew)) > 0, 'no row was drawn anew');
    // A title that has just moved may miss the press.
    await retry(async () => {
      await press(title);
      await retry(isDrawnAnew, PRESS_MS);
    }, WAIT_MS);
    await row(/./).waitFor();
  };
  return { pane, row, open, press, reveal, choose, refresh };
}

async function treeCommands({ command, window }) {
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

async function changesCommands({ command, page, window }) {
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

async function knowledgeCommands({ agent, command, window }) {
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

async function workCommands({ agent, command, page, window }) {
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

async function agentCommands({ command, page, window }) {
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
