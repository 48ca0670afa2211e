/** The chat participant `@lattice` with a scripted model (`driver/scriptedModel.js`), and what it says without prose. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Commands that only have to answer with what the sample holds; the file of the cursor is `api/src/money.ts`. */
const COMMANDS = [
  { query: '@lattice /tests Money.add', expected: 'orders.test.ts', followUp: 'What breaks if add changes?' },
  { query: '@lattice /changes HEAD', expected: /git|changed/i },
  { query: '@lattice /know', expected: 'api/src/money.ts', picture: 'chat-know' },
  { query: '@lattice /why Money.add', expected: /In prose: .*(known|cover)/i, followUp: 'What is add?' },
  { query: '@lattice /remember money is counted in cents', expected: 'OBSERVATION recorded', picture: 'chat-remember' },
  { query: '@lattice /arch', expected: 'no-cycle', picture: 'chat-arch' },
  { query: '@lattice /place discounts for students', expected: 'api/src', picture: 'chat-place', followUp: 'Are there any architecture violations?' },
  { query: '@lattice /next', expected: /task/ },
  { query: '@lattice /status', expected: /files/ },
  { query: '@lattice who calls Money.add', expected: /In prose: .*add/ },
];

export async function chatTests(report, { window, folders }) {
  const { page } = window;
  const check = window.checks(report);
  const questions = page.locator('.interactive-session .monaco-list-row .interactive-request');
  // The list keeps its rows in no order.
  const lastAnswer = page.locator('.interactive-session .monaco-list-row[data-last-element="true"] .interactive-response');

  /** Asks in the chat view; gives the row of the answer once it holds `expected`. */
  const ask = async (query, expected) => {
    await window.askChat(folders, query);
    // Before the question stands there the last answer is that of the question before.
    await questions
      .filter({ hasText: new RegExp(query.split(' ').map(escaped).join('\\s*')) })
      .first()
      .waitFor();
    await lastAnswer.filter({ hasText: expected }).waitFor({ timeout: 60_000 });
    return lastAnswer;
  };

  await check('@lattice /impact answers in prose from the facts, with references and follow-ups', async () => {
    await window.openFile('api/src/money.ts', 12, 4);
    const answer = await ask('@lattice /impact Money.add', 'In prose:');
    assert.match(await answer.innerText(), /In prose: .*add/);
    await answer
      .getByText(/Used \d+ references?/)
      .first()
      .waitFor({ state: 'attached' });
    await answer
      .getByRole('button', { name: /Impact of add/ })
      .first()
      .waitFor();
    await page.getByText('Which tests cover add?').first().waitFor();
    await window.screenshot('chat-impact');
    const { texts, tools } = JSON.parse(readFileSync(join(folders.results, 'model.json'), 'utf8'));
    assert.match(texts.at(-1), /Facts from Lattice:[\s\S]*totalOf/);
    assert.ok(tools.includes('lattice_search_code') && !tools.includes('lattice_manage_graph'), tools.join());
  });

  await check('@lattice lets the model call its tools', async () => {
    const answer = await ask('@lattice /explain Money use a tool: lattice_search_code with {"query":"formatMoney"}', 'The tool says:');
    assert.match(await answer.innerText(), /The tool says: /);
  });

  await check('@lattice /find lists what is found, with links, and needs no model', async () => {
    const answer = await ask('@lattice /find formatMoney', 'money.ts');
    assert.doesNotMatch(await answer.innerText(), /In prose/);
    await answer.locator('a', { hasText: 'money.ts' }).first().waitFor();
    await window.screenshot('chat-find');
  });

  await check('@lattice shows the facts themselves when there is no model', async () => {
    const answer = await ask('@lattice /impact Money.add and the model fails', 'api/src/pricing.ts');
    const text = await answer.innerText();
    assert.doesNotMatch(text, /In prose|no model today/);
    assert.match(text, /totalOf/);
    await window.screenshot('chat-plain');
  });

  for (const { query, expected, picture, followUp } of COMMANDS) {
    await check(`${query.split(' ', 2).join(' ')} answers`, async () => {
      const answer = await ask(query, expected);
      if (followUp !== undefined) await page.getByText(followUp).first().waitFor();
      if (picture !== undefined) await window.screenshot(picture);
      await answer.waitFor();
    });
  }

  await check('@lattice says what it needs', async () => {
    const answer = await ask('@lattice /explain noSuchThingAnywhere', 'noSuchThingAnywhere');
    assert.match(await answer.innerText(), /not|no /i);
  });
}

function escaped(text) {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
