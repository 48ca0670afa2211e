import { expect, test } from 'vitest';
import type { SceneDto, SceneParams } from '../../../server/protocol/features';
import { askFeature } from '../../helpers/askFeature';
import type { WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

/** `total` was in another file, `report` was not there, and two files had a `checkout`. */
const before: WorkspaceSketch = {
  'src/sums.ts': { symbols: [{ name: 'total', lines: [1, 2] }] },
  'src/web.ts': { symbols: [{ name: 'checkout', lines: [1, 2] }] },
  'src/phone.ts': { symbols: [{ name: 'checkout', lines: [1, 2] }], references: [{ from: 'checkout', relation: 'CALLS', to: 'src/sums.ts::total', line: 1 }] },
};
const workspace = workspaceOf(shop, { past: { before }, pastTime: 1e12 });

async function scene(query: SceneParams & { readonly asOf?: string }): Promise<SceneDto> {
  const answer = await askFeature('graphScene', workspace, query);
  if (!answer.ok) throw new Error(answer.error.message);
  return answer.value as SceneDto;
}

test.each(['focus', 'impact'] as const)('a symbol is found in the file where it was: %s', async start => {
  const { nodes, starts, stamp } = await scene({ start, target: 'src/pay.ts::total', asOf: 'before' });
  expect(starts).toEqual(['src/sums.ts::total']);
  expect(nodes.map(({ id }) => id)).toContain('src/phone.ts::checkout');
  expect(stamp.asOf).toBeDefined();
});

test.each(['focus', 'impact'] as const)('what was not there, or may have been one of several, is told instead of guessed: %s', async start => {
  for (const name of ['report', 'checkout']) {
    const { nodes, summary } = await scene({ start, target: `src/${name}.ts::${name}`, asOf: 'before' });
    expect(nodes).toEqual([]);
    expect(summary).toBe(`${name} is not part of the code in this state.`);
  }
});

test('of the current code it is an error', async () => {
  const answer = await askFeature('graphScene', workspace, { start: 'focus', target: 'src/pay.ts::nothing' });
  expect(answer).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});
