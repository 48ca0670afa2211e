import { expect, test } from 'vitest';
import { interfaceRow } from '../../../client/src/changes/interfaceRow';
import type { InterfaceChange } from '../../../server/protocol/features';
import { counted } from '../../../server/protocol/figures';
import { interfaceCounts } from '../../../server/protocol/interfaceChanges';

const ADDED: InterfaceChange = { change: 'added', kind: 'endpoint', id: 'e', name: 'GET /bills', service: 'shop', path: 'shop/app.py', line: 7 };

test('what came leads to the code as it is, what went to the code as it was', () => {
  expect(interfaceRow(ADDED)).toMatchObject({
    label: 'GET /bills',
    description: 'added · shop',
    color: 'gitDecoration.addedResourceForeground',
    spoken: 'endpoint GET /bills, added · shop',
    tooltip: 'endpoint GET /bills\nadded · shop\nshop/app.py:7',
    place: { state: 'current', path: 'shop/app.py', line: 7 },
  });
  expect(interfaceRow({ ...ADDED, change: 'removed', line: 0 })).toMatchObject({
    color: 'gitDecoration.deletedResourceForeground',
    tooltip: 'endpoint GET /bills\nremoved · shop\nwas in shop/app.py',
    place: { state: 'older', path: 'shop/app.py', line: 0 },
  });
  expect(interfaceRow({ ...ADDED, path: '', service: '' })).toMatchObject({ description: 'added', tooltip: 'endpoint GET /bills\nadded' });
  expect(interfaceRow({ ...ADDED, path: '' }).place).toBeUndefined();
});

test.each<[Partial<InterfaceChange>, string, string]>([
  [{ kind: 'event', role: 'publishes' }, 'now published by shop', 'radio-tower'],
  [{ kind: 'event', role: 'consumes', change: 'removed' }, 'no longer consumed by shop', 'inbox'],
  [{ kind: 'event', role: 'publishes', change: 'removed', service: '' }, 'no longer published', 'radio-tower'],
  [{ kind: 'domain_entity' }, 'added · shop', 'symbol-structure'],
])('%o is %s', (change, description, icon) => {
  expect(interfaceRow({ ...ADDED, ...change })).toMatchObject({ description, icon });
});

test('what services offer and share and that came or went is counted by kind', () => {
  const rows = [
    { kind: 'domain_entity', change: 'removed' },
    { kind: 'endpoint', change: 'removed' },
    { kind: 'endpoint', change: 'added' },
    { kind: 'endpoint', change: 'added' },
    { kind: 'event', change: 'added' },
  ] as const;
  expect(interfaceCounts(rows, counted)).toBe('2 endpoints added, 1 endpoint removed, 1 use of events added, 1 entity removed');
  expect(interfaceCounts([], counted)).toBe('');
});
