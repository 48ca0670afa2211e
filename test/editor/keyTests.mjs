/** The key of an embedding service: kept among the editor's secrets, sent to the service that the settings name, and to be found nowhere else. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { changeSettings } from './codeServer.mjs';
import { retry } from './workbench.mjs';

const KEY = 'sk-only-for-this-service';
const TITLE = 'Lattice: Set Embedding Service API Key';
const WAIT_MS = 60_000;
const DIMENSION = 8;

export async function keyTests(report, { window, folders }) {
  const service = await startService();
  try {
    await window.checks(report)('the key of an embedding service reaches the service, and no file or log', () => setKey({ window, folders, service }));
  } finally {
    await service.stop();
  }
}

async function setKey({ window, folders, service }) {
  await changeSettings(folders, {
    'lattice.trace.server': 'verbose',
    'lattice.search.embedder': 'openai',
    'lattice.search.embedderModel': 'letters',
    'lattice.search.embedderEndpoint': service.url,
  });
  await window.command(TITLE);
  await window.step('Set Embedding Service API Key');
  await window.quickInput.locator('input[type="password"]').fill(KEY);
  await window.screenshot('embedder-key');
  await window.accept();
  await window.notification('saved. The language server is using it').waitFor();
  // Vectors are kept: another model is asked anew.
  await changeSettings(folders, { 'lattice.search.embedderModel': 'more-letters' });
  await retry(async () => {
    assert.ok(service.keys.includes(`Bearer ${KEY}`), `asked ${service.keys.length} times, with ${[...new Set(service.keys)].join(', ')}`);
  }, WAIT_MS);
  assert.deepEqual(
    filesWith(
      KEY,
      [folders.home, folders.userData, folders.results].filter(folder => folder !== undefined),
    ),
    [],
  );
}

/** A service on this machine that gives any text the same vector, and the keys it was asked with. */
async function startService() {
  const keys = [];
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', chunk => chunks.push(chunk));
    request.on('end', () => {
      keys.push(request.headers.authorization);
      const { input } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
      const data = input.map((_text, index) => ({ index, embedding: Array.from({ length: DIMENSION }, (_, at) => at + 1) }));
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  await new Promise(done => server.listen(0, '127.0.0.1', done));
  const stop = () => {
    server.closeAllConnections();
    return new Promise(done => server.close(done));
  };
  return { url: `http://127.0.0.1:${server.address().port}/v1`, keys, stop };
}

function filesWith(text, folders) {
  const bytes = Buffer.from(text);
  return folders.flatMap(folder =>
    readdirSync(folder, { recursive: true })
      .map(name => join(folder, name))
      .filter(path => statSync(path, { throwIfNoEntry: false })?.isFile() === true && readFileSync(path).includes(bytes)),
  );
}
