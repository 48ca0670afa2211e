/** What the VSIX holds: nothing but what `.vscodeignore` admits, and everything the extension starts. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';

const MAX_BYTES = 6_000_000;
const REQUIRED = [
  'extension/package.json',
  'extension/package.nls.json',
  'extension/readme.md',
  'extension/LICENSE.txt',
  'extension/changelog.md',
  'extension/media/icon.png',
  'extension/media/lattice.svg',
  'extension/media/agent-plugin/plugin.json',
  'extension/media/agent-plugin/mcp.json',
  'extension/media/agent-plugin/bin/start.cjs',
  'extension/media/agent-plugin/.claude-plugin/plugin.json',
  ...[
    'client.js',
    'web.js',
    'protocolClient.js',
    'server.js',
    'mcp.js',
    'cli.js',
    'parseWorker.js',
    'vectorWorker.js',
    'serviceFileWorker.js',
    'hook.js',
    'webview.js',
    'controls.js',
    'sql-wasm.wasm',
    'web-tree-sitter.wasm',
  ].map(name => `extension/dist/${name}`),
];
const ALLOWED = [
  /^\[Content_Types\]\.xml$/,
  /^extension\.vsixmanifest$/,
  /^extension\/(package(\.nls)?\.json|readme\.md|LICENSE\.txt|changelog\.md)$/,
  /^extension\/dist\/[\w-]+\.(js|css|wasm)$/,
  /^extension\/dist\/grammars\/[\w-]+\.wasm$/,
  /^extension\/media\/(icon\.png|(lattice|graphOnLight|graphOnDark)\.svg)$/,
  /^extension\/media\/walkthrough\/[\w-]+\.(png|svg)$/,
  /^extension\/media\/agent-plugin\/(plugin\.json|mcp\.json|bin\/start\.cjs|\.claude-plugin\/(plugin|marketplace)\.json|skills\/[\w-]+\/SKILL\.md)$/,
  /^extension\/syntaxes\/[\w.-]+$/,
];

export async function packagingTests(report, vsix) {
  const entries = zipEntries(vsix);
  await report.check(`the VSIX is below ${MAX_BYTES / 1e6} MB`, () => {
    const { size } = statSync(vsix);
    console.log(`       ${(size / 1e6).toFixed(2)} MB, ${entries.length} files`);
    assert.ok(size < MAX_BYTES, `${size} bytes`);
  });
  await report.check('the VSIX holds what the extension needs and nothing else', () => {
    assert.deepEqual(
      REQUIRED.filter(name => !entries.includes(name)),
      [],
      'missing',
    );
    assert.deepEqual(
      entries.filter(name => !ALLOWED.some(pattern => pattern.test(name))),
      [],
      'not admitted',
    );
    assert.ok(
      entries.some(name => name.startsWith('extension/dist/grammars/')),
      'no grammar',
    );
  });
}

/** Names in the central directory of a zip file. */
function zipEntries(path) {
  const bytes = readFileSync(path);
  let end = bytes.length - 22;
  while (end >= 0 && bytes.readUInt32LE(end) !== 0x06054b50) end--;
  assert.ok(end >= 0, `${path} is no zip file`);
  const names = [];
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset => bytes.readUInt16LE(at + offset));
    names.push(bytes.toString('utf8', at + 46, at + 46 + nameLength));
    at += 46 + nameLength + extraLength + commentLength;
  }
  return names.filter(name => !name.endsWith('/'));
}
