import { expect, test } from 'vitest';
import { askFeature } from '../../helpers/askFeature';
import { workspaceOf } from '../../helpers/workspaceOf';
import { RULES, SKETCH } from './layeredApp';

test.each([
  ['version: 1\n', 'version: 1\nexceptions:\n  - {rule: layers, from: src/ui/page.ts, reason: "for now: legacy"}\n'],
  [
    'version: 1\nexceptions:\n    # kept\n    - {rule: layers, from: a, reason: b} # why\nbaseline: .lattice/b.json\n',
    'version: 1\nexceptions:\n    # kept\n    - {rule: layers, from: a, reason: b} # why\n    - {rule: layers, from: src/ui/page.ts, reason: "for now: legacy"}\nbaseline: .lattice/b.json\n',
  ],
  ['version: 1\nexceptions: []\n', 'version: 1\nexceptions: [ { rule: layers, from: src/ui/page.ts, reason: "for now: legacy" } ]\n'],
])('an exception is added to %j', async (text, after) => {
  const params = { kind: 'exception', rule: 'layers', from: 'src/ui/page.ts', reason: 'for now: legacy' };
  const edit = await askFeature('architectureEdit', workspaceOf(SKETCH, { texts: { [RULES]: text } }), params);
  expect(edit).toMatchObject({ ok: true, value: { path: RULES, before: text, after } });
});

test('an exception needs a reason and a rule file', async () => {
  const params = { kind: 'exception', rule: 'layers', from: 'src/ui/page.ts' };
  expect(await askFeature('architectureEdit', workspaceOf(SKETCH), { ...params, reason: ' ' })).toMatchObject({
    error: { code: 'VALIDATION_ERROR' },
  });
  expect(await askFeature('architectureEdit', workspaceOf(SKETCH), { ...params, reason: 'x' })).toMatchObject({ error: { code: 'NOT_FOUND' } });
});
