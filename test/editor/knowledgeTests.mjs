/** What a person sees of knowledge: the tree, documents and their conflicts, moves, renames; and that all of it follows what an agent writes. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { changeSettings } from './codeServer.mjs';
import { retry } from './workbench.mjs';

const TIMEOUT_MS = 30_000;
/** Themes with the class that the workbench then has. */
const THEMES = { light: ['Light Modern', 'vs'], 'high-contrast': ['Default High Contrast', 'hc-black'], dark: ['Dark Modern', 'vs-dark'] };

/** An agent beside the editor: the installed MCP server on the same project. */
export async function startAgent({ workspace, folders }) {
  const extension = readdirSync(folders.extensions).find(name => /^lattice\.lattice-graph-\d/.test(name));
  assert.ok(extension, 'the extension is installed');
  const args = [join(folders.extensions, extension, 'dist', 'mcp.js'), '--workspace', workspace, '--tools', 'full'];
  const env = { PATH: process.env.PATH ?? '', HOME: folders.home, LATTICE_HOME: folders.data };
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd: workspace, env, stderr: 'pipe' });
  const client = new Client({ name: 'lattice-editor-tests', version: '1.0.0' });
  await client.connect(transport, { timeout: TIMEOUT_MS });
  const call = async (name, input) => {
    const { structuredContent } = await client.callTool({ name, arguments: input }, { timeout: TIMEOUT_MS });
    assert.ok(structuredContent.ok, JSON.stringify(structuredContent));
    return structuredContent.data;
  };
  return { call, close: () => client.close() };
}

export async function knowledgeTests(report, { window, folders, workspace }) {
  const { page } = window;
  const check = window.checks(report);
  const pane = page.locator('.pane', { has: page.locator('.pane-header[aria-label*="Knowledge"]') });
  const row = text => pane.locator('.monaco-list-row', { hasText: text });
  const choose = (text, title) => window.choose(row(text).first(), title);
  const agent = await startAgent({ workspace, folders });
  const find = async (entityType, query) => (await agent.call('query_graph', { operation: 'search', entityType, query })).items[0];
  const read = async (entityType, id) => (await agent.call('query_graph', { operation: 'get', entityType, id, profile: 'debug' }))[entityType];
  const make = fields => agent.call('manage_graph', { operation: 'create', createdByTaskId: 'manual', ...fields });

  try {
    await check('before anything is known the Knowledge view says what it is for', async () => {
      await window.openView('Knowledge', ['Impact', 'Structure', 'Work']);
      await page.getByText('Keep notes on what the code does not say').first().waitFor();
      await window.screenshot('knowledge-welcome');
    });

    await check('a molecule is named, written as a document, and saved', async () => {
      await window.command('Lattice: New Molecule');
      await window.answer('New Molecule', 'Money');
      await page.locator('.tab.active', { hasText: 'Money.md' }).waitFor();
      await window.write('Amounts are in cents.');
      await page.keyboard.press('Control+S');
      await retry(async () => assert.equal((await read('molecule', (await find('molecule', 'Money')).id)).knowledge, 'Amounts are in cents.'), TIMEOUT_MS);
      await row('Money').first().waitFor();
    });

    await check('an atom tells how many files it matches while its patterns are typed', async () => {
      await window.command('Lattice: New Atom');
      await window.step('New Atom: Files');
      await window.type('api/src/[z-a].ts');
      await window.quickInput.locator('.quick-input-message', { hasText: 'broken' }).waitFor();
      await window.type('nothing/**');
      await window.quickInput.locator('.quick-input-message', { hasText: '0 indexed files match' }).waitFor();
      await window.type('api/src/money.ts, api/src/{orders,pricing}.ts');
      await window.quickInput.locator('.quick-input-message', { hasText: '3 indexed files match' }).waitFor();
      await window.screenshot('knowledge-patterns');
      // Who types on before Enter is answered has not accepted what is typed then.
      await window.quickInputBox.evaluate((box, text) => {
        box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', keyCode: 13, bubbles: true, cancelable: true }));
        box.value = text;
        box.dispatchEvent(new Event('input', { bubbles: true }));
      }, 'api/src/[z-a].ts');
      await window.quickInput.locator('.quick-input-message', { hasText: 'broken' }).waitFor();
      await window.type('api/src/money.ts, api/src/{orders,pricing}.ts');
      await window.quickInput.locator('.quick-input-message', { hasText: '3 indexed files match' }).waitFor();
      await window.accept();
      await window.answer('New Atom', 'Prices');
      await window.step('New Atom', 'Select a template');
      await window.screenshot('knowledge-templates');
      await window.pick('Empty');
      await page.locator('.tab.active', { hasText: 'Prices.md' }).waitFor();
      await row('Orphan Atoms').first().waitFor();
      await row('Prices').first().waitFor();
      await row(/Without Knowledge/)
        .first()
        .waitFor();
    });

    await check('an atom is dragged into a molecule', async () => {
      await row('Prices').first().dragTo(row('Money').first());
      const { id } = await find('molecule', 'Money');
      await retry(async () => assert.equal((await find('atom', 'Prices')).moleculeId, id), TIMEOUT_MS);
      await row('Orphan Atoms').first().waitFor({ state: 'detached' });
    });

    await check('tree, badge and hover follow what an agent writes, without being asked', async () => {
      await make({ entityType: 'atom', name: 'Worker', paths: ['worker/**'], knowledge: 'Runs at night. [Run](command:workbench.action.quit) <b>x</b>' });
      await row('Worker').first().waitFor();
      const molecule = row('Money').first();
      if ((await molecule.getAttribute('aria-expanded')) === 'false') await molecule.locator('.monaco-tl-twistie').click();
      await row('Prices').first().locator('.monaco-tl-twistie').click();
      await row('api/src/money.ts').first().waitFor();
      await row('{orders,pricing}').first().locator('.monaco-tl-twistie').click();
      await row('orders.ts').first().waitFor();
      await row(/Without Knowledge/)
        .first()
        .locator('.monaco-tl-twistie')
        .click();
      await row('web/src').first().waitFor();
      assert.equal(await row('worker/bookshop').count(), 0);
      assert.match(await pane.locator('.pane-header').innerText(), /\d+ atoms/i);
      for (const [name, [theme, shown]] of Object.entries(THEMES)) {
        await changeSettings(folders, { 'workbench.colorTheme': theme });
        await page.locator(`.monaco-workbench.${shown}`).first().waitFor();
        await window.screenshot(`knowledge-${name}`);
      }
      await window.openFile('worker/bookshop/parcels.py', 22, 9);
      const text = await window.hoverText('Knowledge: Worker');
      assert.match(text, /Runs at night\. \[Run\]\(command:workbench\.action\.quit\)/);
      const links = await page.locator('.monaco-hover:not(.hidden) a[data-href^="command:workbench"]').count();
      assert.equal(links, 0);
      await window.screenshot('knowledge-hover');
      await page.keyboard.press('Escape');
    });

    await check('a hover of a file that nothing covers offers an atom when gaps are to be told', async () => {
      await changeSettings(folders, { 'lattice.knowledge.hoverGaps': true });
      await window.openFile('web/src/labels.ts', 3, 20);
      await window.hoverText('Not covered by knowledge');
      await page.locator('.monaco-hover:not(.hidden) a', { hasText: 'Create atom' }).first().click();
      await window.answer('New Atom: Files', undefined, '1 indexed file matches');
      await window.quickInput.locator('.quick-input-message', { hasText: 'Name of the atom' }).waitFor();
      await window.leaveQuickInput();
      await changeSettings(folders, { 'lattice.knowledge.hoverGaps': null });
    });

    await check('a document that somebody else has changed is compared, merged and saved', async () => {
      const atom = await find('atom', 'Prices');
      await window.closeEditors();
      await row('Prices').first().click();
      await row('Prices').first().hover();
      await row('Prices').first().getByRole('button', { name: 'Edit Knowledge' }).click();
      await page.locator('.tab.active', { hasText: 'Prices.md' }).waitFor();
      await window.write('Mine.');
      await page.locator('.tab.active.dirty', { hasText: 'Prices.md' }).waitFor();
      const before = await read('atom', atom.id);
      await agent.call('manage_graph', {
        operation: 'update',
        entityType: 'atom',
        id: atom.id,
        version: before.version,
        knowledge: 'Theirs.',
        lastTaskId: 'manual',
      });
      await page.keyboard.press('Control+S');
      await page.locator('.tab.active', { hasText: 'Stored ↔ Yours' }).waitFor();
      await page.locator('.editor.original', { hasText: 'Theirs.' }).waitFor();
      assert.equal((await read('atom', atom.id)).knowledge, 'Theirs.');
      await window.screenshot('knowledge-conflict');
      await page.getByRole('button', { name: 'Save Merged Knowledge' }).first().click();
      await retry(async () => assert.equal((await read('atom', atom.id)).knowledge, 'Mine.'), TIMEOUT_MS);
      await window.closeEditors();
    });

    await check('the versions of an atom are listed with what each changed, compared, and restored', async () => {
      const { id } = await find('atom', 'Prices');
      const { history } = await agent.call('query_graph', { operation: 'get', entityType: 'atom', id, history: true });
      const { version } = history[0];
      await choose('Prices', 'Show Knowledge Versions');
      await window.step('Versions of Prices');
      await window.quickPickRow(`Version ${version}`).waitFor();
      assert.equal(await window.quickInputRows.count(), history.length);
      await window.screenshot('knowledge-versions');
      await window.pick(`Version ${version}`);
      await page.locator('.tab.active', { hasText: `Prices: version ${version - 1} ↔ ${version}` }).waitFor();
      await page.locator('.editor.original', { hasText: 'Theirs.' }).waitFor();
      await page.locator('.editor.modified', { hasText: 'Mine.' }).waitFor();
      await window.screenshot('knowledge-version-diff');
      await window.closeEditors();
      await choose('Prices', 'Show Knowledge Versions');
      const before = window.quickPickRow(`Version ${version - 1}`);
      await before.hover();
      await before.getByRole('button', { name: 'Restore This Version' }).click();
      await retry(async () => assert.deepEqual([(await read('atom', id)).knowledge, (await read('atom', id)).version], ['Theirs.', version + 1]), TIMEOUT_MS);
    });

    await check('the history of an atom is shown', async () => {
      const { id } = await find('atom', 'Worker');
      await agent.call('manage_changelog', { operation: 'append', parentType: 'atom', parentId: id, taskId: 'manual', summary: 'Moved to *nights*.' });
      // The tree may be drawn anew between the press and the choice: then the command asks for what it was to show.
      await retry(async () => {
        await window.leaveQuickInput();
        await choose('Worker', 'Show Knowledge Changelog');
        await (await window.webview('Moved to *nights*.')).locator('body').waitFor();
      }, 3 * TIMEOUT_MS);
      await window.closeEditors();
    });

    await check('when a file is renamed, the pattern that lost it is offered to follow', async () => {
      await make({ entityType: 'atom', name: 'Layout', paths: ['worker/bookshop/layout.py'] });
      await window.openFile('worker/bookshop/layout.py');
      await window.command('File: Reveal Active File in Explorer View');
      await page.locator('.explorer-folders-view .monaco-list:focus .monaco-list-row.focused', { hasText: 'layout.py' }).waitFor();
      await page.keyboard.press('F2');
      const input = page.locator('.explorer-item-edited input');
      await input.fill('page_layout.py');
      await input.press('Enter');
      const toast = window.notification('no longer match any files');
      await toast.waitFor();
      await window.screenshot('knowledge-rename');
      await toast.getByRole('button', { name: 'Update Patterns' }).click();
      await retry(async () => assert.deepEqual((await find('atom', 'Layout')).paths, ['worker/bookshop/page_layout.py']), TIMEOUT_MS);
    });

    await check('deleting a molecule names its atoms and keeps them when told to', async () => {
      await window.command('Focus on Knowledge View');
      const dialog = page.locator('.monaco-dialog-box');
      await choose('Money', 'Delete Knowledge');
      await dialog.getByText('• Prices').waitFor();
      await window.screenshot('knowledge-delete');
      await dialog.getByRole('button', { name: 'Delete Molecule Only' }).click();
      await retry(async () => assert.equal((await find('atom', 'Prices')).moleculeId, null), TIMEOUT_MS);
      await row('Money').first().waitFor({ state: 'detached' });
    });

    await check('what was deleted is listed, and comes back', async () => {
      await window.command('Lattice: Restore Deleted Knowledge');
      await window.quickPickRow('Money').waitFor();
      await window.screenshot('knowledge-deleted');
      await window.pick('Money');
      await row('Money').first().waitFor();
      assert.equal((await read('molecule', (await find('molecule', 'Money')).id)).knowledge, 'Amounts are in cents.');
    });

    await check('an atom made from a template has its headings at once, and is filled in place by place', async () => {
      await window.command('Lattice: New Atom');
      await window.answer('New Atom: Files', 'web/src/*.tsx', '2 indexed files match');
      await window.answer('New Atom', 'Whole cents');
      await window.step('New Atom', 'Select a template');
      await window.pick('Decision');
      await page.locator('.tab.active.dirty', { hasText: 'Whole cents.md' }).waitFor();
      const { id } = await find('atom', 'Whole cents');
      assert.equal((await read('atom', id)).knowledge, '## Decision\n\n## Reasons\n\n## Alternatives\n\n## Consequences');
      await window.editorText.filter({ hasText: 'What was decided?' }).waitFor();
      await window.screenshot('knowledge-template');
      await page.keyboard.type('Prices are whole cents.');
      await page.keyboard.press('Tab');
      await page.keyboard.type('Tills round.');
      await page.keyboard.press('Control+S');
      await retry(
        async () => assert.match((await read('atom', id)).knowledge, /^## Decision\n\nPrices are whole cents\.\n\n## Reasons\n\nTills round\.\n/),
        TIMEOUT_MS,
      );
      await agent.call('manage_graph', { operation: 'delete', entityType: 'atom', id, version: (await read('atom', id)).version });
      await row('Whole cents').first().waitFor({ state: 'detached' });
      await window.closeEditors();
    });

    await sharingTests({ check, window, workspace, row, agent, find, read });
  } finally {
    await agent.close();
  }
}

/** Knowledge and its files: what both sides changed is resolved in the merge editor, and row and file then agree. */
async function sharingTests({ check, window, workspace, row, agent, find, read }) {
  const { page } = window;
  const shared = join(workspace, '.lattice', 'knowledge', 'atoms');
  const fileOf = name => {
    const found = existsSync(shared) ? readdirSync(shared).find(file => file.startsWith(name)) : undefined;
    return found === undefined ? '' : readFileSync(join(shared, found), 'utf8');
  };
  const changeFile = (name, from, to) => {
    const place = join(
      shared,
      readdirSync(shared).find(file => file.startsWith(name)),
    );
    const text = readFileSync(place, 'utf8');
    assert.ok(text.includes(from), text);
    writeFileSync(place, text.replace(from, to));
  };
  const write = async (id, knowledge) => {
    const { version } = await read('atom', id);
    await agent.call('manage_graph', { operation: 'update', entityType: 'atom', id, version, knowledge, lastTaskId: 'manual' });
  };
  /** Both sides change the text of an atom differently, and the files are imported. */
  const disagree = async (id, name, before, mine, theirs) => {
    await write(id, mine);
    changeFile(name, before, theirs);
    await window.command('Lattice: Import Knowledge');
    await window.notification('1 conflict').waitFor();
    await window.dismissNotifications();
    await row('Conflicts').first().waitFor();
  };

  await check('knowledge is written to files, and an import of the same files changes nothing', async () => {
    await write((await find('atom', 'Worker')).id, 'Runs at night.\n\nNever twice.');
    await window.command('Lattice: Export Knowledge');
    await retry(() => assert.match(fileOf('worker'), /name: "Worker"[\s\S]*Runs at night\.\n\nNever twice\.\n$/), TIMEOUT_MS);
    const { version } = await find('atom', 'Worker');
    await window.command('Lattice: Import Knowledge');
    await page.locator('.statusbar-item', { hasText: 'Knowledge is up to date.' }).waitFor();
    assert.equal((await find('atom', 'Worker')).version, version);
  });

  await check('a conflict with a file is shown, merged in the merge editor, and row and file then agree', async () => {
    const { id } = await find('atom', 'Worker');
    await disagree(id, 'worker', 'Runs at night.', 'Runs at dawn.\n\nNever twice.', 'Runs at noon.');
    assert.equal((await read('atom', id)).knowledge, 'Runs at dawn.\n\nNever twice.');
    assert.match(fileOf('worker'), /Runs at noon\./);
    await window.command('Focus on Knowledge View');
    const conflict = page.locator('.pane .monaco-list-row[aria-level="2"]', { hasText: 'Worker' }).first();
    await conflict.hover();
    await window.screenshot('knowledge-import-conflict');
    await conflict.getByRole('button', { name: 'Resolve Knowledge Conflict' }).click();
    await window.quickPickRow('Merge…').waitFor();
    await window.screenshot('knowledge-resolve');
    await window.pick('Merge…');
    await page.locator('.merge-editor').first().waitFor();
    for (const text of ['Runs at dawn.', 'Runs at noon.']) await page.locator('.merge-editor', { hasText: text }).first().waitFor();
    await window.screenshot('knowledge-merge');
    await page.getByText('1 Conflict Remaining').waitFor();
    await page.locator('.merge-editor .view-lines').last().click();
    await page.keyboard.press('Control+S');
    await window.notification('The conflict is not resolved').waitFor();
    await window.dismissNotifications();
    assert.equal((await read('atom', id)).knowledge, 'Runs at dawn.\n\nNever twice.');
    await page.locator('.merge-editor a', { hasText: 'Accept File' }).first().click();
    await page.getByText('0 Conflicts Remaining').waitFor();
    await window.screenshot('knowledge-merged');
    await page.locator('.merge-editor .view-lines').last().click();
    await page.keyboard.press('Control+S');
    await retry(async () => assert.equal((await read('atom', id)).knowledge, 'Runs at noon.\n\nNever twice.'), TIMEOUT_MS);
    await retry(() => assert.match(fileOf('worker'), /Runs at noon\.\n\nNever twice\.\n$/), TIMEOUT_MS);
    await row('Conflicts').first().waitFor({ state: 'detached' });
    await window.closeEditors();
  });

  await check('a conflict is ended by one side alone', async () => {
    const { id } = await find('atom', 'Worker');
    await disagree(id, 'worker', 'Runs at noon.', 'Mine alone.', 'Theirs alone.');
    await window.command('Lattice: Resolve Knowledge Conflict');
    await window.step('Resolve Conflict');
    await window.pick('Worker');
    await window.pick('Keep Mine');
    await retry(() => assert.match(fileOf('worker'), /Mine alone\./), TIMEOUT_MS);
    assert.equal((await read('atom', id)).knowledge, 'Mine alone.');
    await row('Conflicts').first().waitFor({ state: 'detached' });
  });

  await check('conflict markers in a file are a problem of the file, and never become knowledge', async () => {
    const { id } = await find('atom', 'Worker');
    changeFile('worker', 'Mine alone.', '<<<<<<< HEAD\nMine alone.\n=======\nTheirs.\n>>>>>>> branch');
    await window.command('Lattice: Import Knowledge');
    await window.notification('1 file with problems').getByRole('button', { name: 'Show Problems' }).click();
    await page.locator('.markers-panel', { hasText: 'worker' }).first().waitFor();
    await window.screenshot('knowledge-problems');
    assert.equal((await read('atom', id)).knowledge, 'Mine alone.');
    await window.command('View: Toggle Problems');
  });
}
