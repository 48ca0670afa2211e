import { expect, test } from 'vitest';
import { type Import, type Law, roomOf, roomViolations } from './roomLaw.mjs';

const LAW: Law = {
  rooms: { base: [], store: ['base'], 'store/upkeep': ['store'], tools: ['store'], main: ['*'] },
  nodeRooms: ['store'],
  libraries: { zod: ['tools'] },
};

const inside = (from: string, to: string): Import => ({ from: `server/src/${from}`, to: `server/src/${to}`, core: false, library: '' });
const node = (from: string): Import => ({ from: `server/src/${from}`, to: 'fs', core: true, library: '' });
const library = (from: string, name: string): Import => ({ from: `server/src/${from}`, to: `node_modules/${name}/index.js`, core: false, library: name });

/** Imports that use every permission of `LAW` and no other. */
const LAWFUL: readonly Import[] = [
  inside('store/disk.ts', 'base/path.ts'),
  inside('store/upkeep/backups.ts', 'store/disk.ts'),
  inside('tools/tool.ts', 'store/disk.ts'),
  inside('main/compose.ts', 'store/upkeep/backups.ts'),
  node('store/disk.ts'),
  library('tools/tool.ts', 'zod'),
];

test('what the table says is lawful, and the innermost room counts', () => {
  expect(roomViolations(LAW, LAWFUL)).toEqual([]);
  expect(roomOf(LAW.rooms, 'server/src/store/upkeep/deep/backups.ts')).toBe('store/upkeep');
  expect(roomOf(LAW.rooms, 'server/src/elsewhere/file.ts')).toBeUndefined();
});

test.each<[string, readonly Import[], string]>([
  [
    'a room stands for itself, not for the rooms inside it',
    [inside('tools/tool.ts', 'store/upkeep/backups.ts')],
    'server/src/tools/tool.ts imports server/src/store/upkeep/backups.ts: tools may not import store/upkeep',
  ],
  [
    'a room inside another is not that other',
    [inside('store/disk.ts', 'store/upkeep/backups.ts')],
    'server/src/store/disk.ts imports server/src/store/upkeep/backups.ts: store may not import store/upkeep',
  ],
  [
    'a folder without a row',
    [inside('elsewhere/file.ts', 'base/path.ts')],
    'server/src/elsewhere/file.ts is in no room: every folder of server/src takes a row in law.cjs',
  ],
  [
    'Node in the core, inner rooms included',
    [node('store/upkeep/backups.ts')],
    'server/src/store/upkeep/backups.ts imports fs: Node belongs to the rooms of nodeRooms',
  ],
  ['a library away from its room', [library('store/disk.ts', 'zod')], 'server/src/store/disk.ts imports zod, which lives in tools'],
])('%s is a violation', (_, more, violation) => {
  expect(roomViolations(LAW, [...LAWFUL, ...more])).toEqual([violation]);
});

test('a permission that nobody uses is a violation', () => {
  const law: Law = {
    rooms: { ...LAW.rooms, tools: ['base', 'store', 'nowhere'] },
    nodeRooms: ['store', 'base'],
    libraries: { zod: ['tools', 'store'] },
  };
  expect(roomViolations(law, LAWFUL)).toEqual([
    'law.cjs: tools may import base and does not',
    'law.cjs: tools may import nowhere, which is no room',
    'law.cjs: base may use Node and does not',
    'law.cjs: zod may be imported in store and is not',
  ]);
});

test('rooms in a cycle are a violation, whatever the table allows', () => {
  const law: Law = { ...LAW, rooms: { ...LAW.rooms, base: ['tools'] } };
  expect(roomViolations(law, [...LAWFUL, inside('base/path.ts', 'tools/tool.ts')])).toEqual(['law.cjs: rooms in a cycle: base → tools → store → base']);
});
