import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { Emitter } from '../../../server/src/base/emitter';
import { claim } from '../../../server/src/features/memory/claims';
import { MemoryKeeper } from '../../../server/src/main/upkeep/memoryKeeper';
import type { IndexProgress, Workspace } from '../../../server/src/workspace/snapshot';
import { memoryRecords } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

const READY: IndexProgress = { phase: 'ready', done: 1, total: 1 };

/** A checkout whose code and state the test sets, with a claim on `src/pay.ts`. */
async function checkout(): Promise<{
  readonly keeper: MemoryKeeper;
  become(workspace: 'changed' | 'same', progress?: IndexProgress): void;
  looks(): number;
  ended(): Promise<unknown>;
}> {
  const records = await memoryRecords();
  const before = workspaceOf(shop, { records });
  const after = workspaceOf({ ...shop, 'src/pay.ts': { ...shop['src/pay.ts'], hash: 'changed' } }, { records });
  await claim(before, { agentId: 'ada', sessionId: 's', key: undefined }, { targetId: 'src/pay.ts', claimType: 'file', intent: 'a' }, neverCancelled);
  const revision = new Emitter<unknown>();
  const onProgress = new Emitter<IndexProgress>();
  let current: Workspace = before;
  let progress = READY;
  let looks = 0;
  const code = {
    onRevision: revision.event,
    onProgress: onProgress.event,
    get progress() {
      return progress;
    },
    workspace: () => {
      looks++;
      return current;
    },
  };
  const warnings: string[] = [];
  const keeper = new MemoryKeeper(code, { write: (_level, message) => void warnings.push(message) });
  return {
    keeper,
    become: (state, at = READY) => {
      current = state === 'changed' ? after : before;
      progress = at;
      if (at === READY) revision.fire(undefined);
      else onProgress.fire(at);
    },
    looks: () => looks,
    ended: async () => {
      await keeper.settled();
      await keeper.close();
      expect(warnings).toEqual([]);
      return records.query('SELECT invalidation_reason AS reason FROM claims')[0]?.['reason'];
    },
  };
}

test('a revision that changes claimed code ends the claim', async () => {
  const { become, ended } = await checkout();
  become('same');
  become('changed');
  expect(await ended()).toBe('code_changed');
});

test('revisions that change nothing claimed end nothing', async () => {
  const { become, ended } = await checkout();
  become('same');
  become('same');
  expect(await ended()).toBe(null);
});

test('a graph that is still being read ends nothing', async () => {
  const { become, ended } = await checkout();
  become('changed', { phase: 'parsing', done: 1, total: 2 });
  expect(await ended()).toBe(null);
});

test('a graph that became readable is looked at once, however much is told of what goes on behind it', async () => {
  const { become, ended, keeper, looks } = await checkout();
  become('changed', { phase: 'parsing', done: 1, total: 2 });
  for (let done = 0; done < 100; done++) {
    become('changed', { ...READY, background: `${done} of 100 files` });
    await keeper.settled();
  }
  expect(looks()).toBe(1);
  expect(await ended()).toBe('code_changed');
});

test('after it was closed it does nothing', async () => {
  const { become, ended, keeper } = await checkout();
  await keeper.close();
  become('changed');
  expect(await ended()).toBe(null);
});
