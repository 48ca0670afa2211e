import { afterEach, expect, test } from 'vitest';
import { type LspDoor, lspDoor } from './lspDoor';

let door: LspDoor;
afterEach(() => door.close());

const COMMANDS = ['lattice.editKnowledge', 'lattice.newAtom'];
const symbol = { lines: ['**function `a`**'], id: 'src/a.ts::a', name: 'a', path: 'src/a.ts' };

async function hoverLines(answer: object, settings: Readonly<Record<string, unknown>>, trusted = true): Promise<string[]> {
  door = lspDoor({ hover: () => ({ ...symbol, ...answer }) });
  await door.initialize({ commands: COMMANDS });
  await door.client.sendNotification('lattice/settingsChanged', { settings: {}, folders: [{ uri: door.folder, settings, exclude: [] }], trusted });
  const place = { textDocument: { uri: door.file }, position: { line: 0, character: 16 } };
  const hover = await door.client.sendRequest<{ contents: { value: string } }>('textDocument/hover', place);
  return hover.contents.value.split('  \n').map(decodeURIComponent);
}

test('a hover has a line for each atom of the file, with a link that opens it', async () => {
  const lines = await hoverLines({ atoms: [{ id: 'atom::1', line: 'Known: **A**' }] }, {});
  expect(lines).toEqual([symbol.lines[0], `Known: **A** [Open](command:lattice.editKnowledge?[{"id":"atom::1","folder":"${door.folder}"}])`]);
});

test.each([
  [true, true, [expect.stringMatching(/^Not covered by knowledge \[Create atom\]\(command:lattice\.newAtom\?\[\{"path":"src\/a\.ts","folder":"file:/)]],
  [false, true, []],
  [true, false, []],
])('with lattice.knowledge.hoverGaps = %s, trusted = %s, a file without atoms', async (hoverGaps, trusted, more) => {
  expect(await hoverLines({ atoms: [] }, { 'lattice.knowledge.hoverGaps': hoverGaps }, trusted)).toEqual([symbol.lines[0], ...more]);
});

test.each([
  ['manage_graph', false, true],
  ['manage_changelog', false, true],
  ['query_graph', false, false],
  ['manage_graph', true, false],
])('%s in a window with trust %s is refused: %s', async (name, trusted, refused) => {
  door = lspDoor({});
  await door.initialize();
  await door.client.sendNotification('lattice/settingsChanged', { settings: {}, folders: [], trusted });
  const answer = await door.client.sendRequest<{ envelope: { errorCode?: string; hint?: string } }>('lattice/callTool', { name, input: {}, uri: door.folder });
  const isRefused = answer.envelope.errorCode === 'READ_ONLY';
  expect(isRefused).toBe(refused);
  expect(door.host.gateway.calls.map(call => call.name)).toEqual(refused ? [] : [name]);
});
