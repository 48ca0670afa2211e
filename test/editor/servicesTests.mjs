/** What a person sees of services: the view, the map, flows, problems, what stands above and in the hovers of their code, and that all of it follows an edit. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { changeSettings } from './codeServer.mjs';
import { heading, opened, panel } from './graphPanel.mjs';
import { retry } from './workbench.mjs';

const TIMEOUT_MS = 30_000;
/** Themes with the class that the workbench then has. */
const THEMES = { light: ['Light Modern', 'vs'], 'high-contrast': ['Default High Contrast', 'hc-black'], dark: ['Dark Modern', 'vs-dark'] };

export async function servicesTests(report, { window, folders, workspace }) {
  const { page } = window;
  const check = window.checks(report);
  const pane = page.locator('.pane', { has: page.locator('.pane-header[aria-label^="Services"]') });
  const row = text => pane.locator('.monaco-list-row', { hasText: text }).first();
  const lens = text => page.locator('.codelens-decoration:visible', { hasText: text }).first();
  /** Opens a row, however often it takes until the row below it stands there. */
  const open = async (text, below) => {
    await retry(async () => {
      if ((await row(text).getAttribute('aria-expanded')) !== 'true') {
        await row(text).click({ timeout: 5000 });
        await page.keyboard.press('ArrowRight');
      }
      await row(below).waitFor({ timeout: 2000 });
    }, TIMEOUT_MS);
  };
  const inThemes = async name => {
    for (const [suffix, [theme, marker]] of Object.entries(THEMES)) {
      await changeSettings(folders, { 'workbench.colorTheme': theme });
      await page.locator(`.monaco-workbench.${marker}`).waitFor();
      await window.screenshot(`${name}-${suffix}`);
    }
    await changeSettings(folders, { 'workbench.colorTheme': null });
  };

  await check('the Services view lists the services, what each offers, and who calls it', async () => {
    await window.openView('Services', ['Impact', 'Structure', 'Work', 'Knowledge']);
    await row('billing').waitFor();
    await row('web').waitFor();
    await open('orders', 'Endpoints');
    await open('Endpoints', 'GET /orders/{id}');
    assert.match(await row('GET /orders/{id}').innerText(), /called by web/);
    await inThemes('services');
  });

  await check('an endpoint leads to its handler, which has its contract and callers above it and in its hover', async () => {
    await changeSettings(folders, { 'lattice.codeLens.enable': true });
    await row('POST /orders').click();
    await page.locator('.tab.active', { hasText: 'app.py' }).waitFor();
    await lens('GET /orders/{id} · contract orders/openapi.yaml:').waitFor();
    await lens('publishes order.created · consumed by billing').waitFor();
    await window.openFile('orders/app.py', 9, 6);
    assert.match(await window.hoverText('Serves'), /GET \/orders\/\{id\}/);
    await window.screenshot('services-handler');
  });

  await check('code that sends a request names the handler that answers it and leads there; code that publishes names who consumes', async () => {
    await window.openFile('orders/app.py', 14, 6);
    assert.match(await window.hoverText('Publishes'), /order\.created.*consumed by billing/s);
    await window.openFile('web/src/orders.ts', 4, 24);
    assert.match(await window.hoverText('Calls'), /orders\/app\.py/);
    await lens('calls GET /orders/{id} · orders').locator('a').click();
    await page.locator('.tab.active', { hasText: 'app.py' }).waitFor();
    await page.locator('.statusbar-item', { hasText: 'Ln 9, Col 1' }).waitFor();
  });

  await check('a handler without a name has a lens as well', async () => {
    await window.openFile('web/src/server.ts', 6, 1);
    await lens('GET /pages/:id').waitFor();
  });

  await check('the map shows services with the calls and events between them, and opens one in place', async () => {
    await window.closeEditors();
    const graph = await opened(window, 'Lattice: Show Service Map', 'shop');
    await graph.locator('.traffic', { hasText: '1 call' }).waitFor();
    await graph.locator('.traffic', { hasText: '1 event' }).waitFor();
    await graph.locator('.block', { hasText: 'db (postgresql)' }).waitFor();
    await inThemes('service-map');
    await graph.locator('.block', { hasText: 'orders' }).dblclick();
    await graph.locator('.block', { hasText: 'app.py' }).waitFor();
    await graph.locator('.traffic', { hasText: '1 call' }).waitFor();
    await window.screenshot('service-map-open');
  });

  await check('the flow of an endpoint is a picture from its handler to what it sets off', async () => {
    await window.command('Lattice: Show Flow of Endpoint');
    await window.step('Show Flow of Endpoint');
    await window.pick('GET /pages/:id');
    const graph = await panel(window);
    await heading(graph, 'GET /pages/:id');
    // What a flow begins with is chosen from the start: nothing fades for that.
    await page.mouse.move(1, 1);
    await graph.locator('.block-line').first().waitFor({ state: 'attached' });
    await graph.locator('.block-lines.pointing').waitFor({ state: 'detached' });
    await graph.getByRole('tab', { name: 'List' }).click();
    await graph.locator('.lists .row', { hasText: 'GET /orders/{id}' }).first().waitFor();
    await inThemes('service-flow');
  });

  await check('a request that the other service does not answer is a problem with a fix', async () => {
    await window.closeEditors();
    const place = join(workspace, 'web', 'src', 'orders.ts');
    const text = readFileSync(place, 'utf8');
    writeFileSync(place, text.replace('/orders/', '/order/'));
    await window.openFile('web/src/orders.ts', 5, 30);
    await page.locator('.squiggly-warning').first().waitFor();
    await window.screenshot('services-problem');
    await retry(async () => {
      await window.command('Quick Fix...');
      await page.locator('.action-widget', { hasText: 'Change to /orders' }).waitFor({ timeout: 5000 });
    }, TIMEOUT_MS);
    await window.screenshot('services-fix');
    await page.locator('.action-widget .monaco-list-row', { hasText: 'Change to /orders' }).click();
    await window.editorText.filter({ hasText: '/orders/$' }).waitFor();
    await window.command('File: Save');
    await retry(async () => assert.equal(readFileSync(place, 'utf8'), text), TIMEOUT_MS);
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
  });

  await check('an edit of a route or a contract that breaks a caller is a problem before it is saved', async () => {
    await window.closeEditors();
    const breaks = async (file, line, column, type) => {
      await window.openFile(file, line, column);
      await type();
      await page.locator('.tab.active.dirty').waitFor();
      await page.locator('.squiggly-warning').first().waitFor();
      await retry(async () => {
        await window.command('Go to Next Problem (Error, Warning, Info)');
        const shown = page.locator('.marker-widget', { hasText: 'If this change is saved' });
        await shown.filter({ hasText: 'Called by web' }).waitFor({ timeout: 5000 });
      }, TIMEOUT_MS);
      await window.screenshot(`services-unsaved-${file.endsWith('.py') ? 'route' : 'contract'}`);
      await page.keyboard.press('Escape');
      await window.command('File: Revert File');
      await page.locator('.tab.active.dirty').waitFor({ state: 'detached' });
    };
    await breaks('orders/app.py', 8, 17, () => page.keyboard.press('Delete'));
    await page.locator('.squiggly-warning').first().waitFor({ state: 'detached' });
    await breaks('orders/openapi.yaml', 10, 28, () => page.keyboard.type('\nparameters: [{name: day, in: query, required: true, schema: {type: string}}]'));
  });

  await check('a contract that no code answers is a problem, until it is mended', async () => {
    await open('orders', 'Problems');
    await open('Problems', 'No code in orders');
    const place = join(workspace, 'orders', 'app.py');
    writeFileSync(place, `${readFileSync(place, 'utf8')}\n\n@app.delete("/orders/<order_id>")\ndef cancel_order(order_id):\n    return "", 204\n`);
    await retry(async () => assert.equal(await pane.locator('.monaco-list-row', { hasText: 'handles DELETE' }).count(), 0), TIMEOUT_MS);
  });

  await check('the context of the services goes into instruction files after a preview, once, and out again', async () => {
    const file = join(workspace, 'orders', 'AGENTS.md');
    await changeSettings(folders, { 'lattice.services.contextFiles': ['AGENTS.md'] });
    /** Agrees to the preview whose question is this. */
    const agree = async question => {
      const asked = window.notification(question);
      await asked.getByRole('button', { name: 'Write File' }).click();
      await asked.waitFor({ state: 'detached' });
    };
    await window.command('Lattice: Write Service Context to Agent Instructions');
    for (const service of ['billing', 'orders', 'web']) {
      await window.notification(`create ${service}/AGENTS.md`).waitFor();
      if (service === 'orders') await window.screenshot('service-context-preview');
      await agree(`create ${service}/AGENTS.md`);
      await retry(async () => assert.ok(existsSync(join(workspace, service, 'AGENTS.md'))), TIMEOUT_MS);
    }
    const text = readFileSync(file, 'utf8');
    assert.match(text, /^<!-- lattice:service-context -->\n## Graph RAG Context: orders\n/);
    await window.command('Lattice: Write Service Context to Agent Instructions');
    await window.notification('is up to date').waitFor();
    assert.equal(readFileSync(file, 'utf8'), text);
    writeFileSync(file, `# Orders\n\n${text}\nThe end.\n`);
    await window.command('Lattice: Remove Service Context from Agent Instructions');
    await agree('delete billing/AGENTS.md');
    await agree('change orders/AGENTS.md');
    await retry(async () => assert.equal(readFileSync(file, 'utf8'), '# Orders\n\nThe end.\n'), TIMEOUT_MS);
    assert.equal(existsSync(join(workspace, 'billing', 'AGENTS.md')), false);
    await agree('delete web/AGENTS.md');
    await retry(async () => assert.equal(existsSync(join(workspace, 'web', 'AGENTS.md')), false), TIMEOUT_MS);
    await window.dismissNotifications();
  });

  await check('@lattice /services lists the services and shows one', async () => {
    const answer = page.locator('.interactive-session .monaco-list-row[data-last-element="true"] .interactive-response');
    await window.askChat(folders, '@lattice /services');
    await answer.filter({ hasText: /orders: .*publishes order\.created/ }).waitFor();
    await window.askChat(folders, '@lattice /services orders');
    await answer
      .filter({ hasText: 'Endpoints' })
      .or(answer.filter({ hasText: 'GET /orders/{id}' }))
      .waitFor();
    await window.screenshot('services-chat');
  });
}
