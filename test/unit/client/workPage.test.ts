import { expect, test } from 'vitest';
import { workPage } from '../../../client/src/work/workPage';
import type { ContextAnswer, WorkContainer, WorkItemAnswer } from '../../../server/protocol/features';

const NOW = Date.parse('2026-03-02T10:00:00.000Z');
const TASK: WorkContainer = {
  id: 'task::1',
  projectId: 'p',
  type: 'task',
  featureId: null,
  name: 'Redeem [them](http://x)',
  summary: 'Pay with vouchers.',
  status: 'in_progress',
  priority: 'high',
  tags: ['till'],
  order: 0,
  outcome: null,
  blockedReason: null,
  statusBeforeBlock: null,
  assignedAgentId: 'ada',
  startTxId: null,
  closedAt: null,
  version: 2,
  createdAt: '2026-03-01T10:00:00.000Z',
  updatedAt: '2026-03-01T10:00:00.000Z',
};
const ITEM: WorkItemAnswer = { container: TASK, sections: [], dependencies: [], tasks: [], history: [], contextFiles: [] };

test('a page begins with what the task is, and leaves out what there is nothing of', () => {
  expect(workPage(ITEM, undefined, NOW)).toBe(
    ['# Redeem \\[them\\](http://x)', 'in progress · high priority · version 2 · assigned to ada · #till', '`task::1`', 'Pay with vouchers.'].join('\n\n'),
  );
});

test('it says what it waits for and blocks, how it came about, and what is known about its files', () => {
  const other = { fromId: 'task::0', fromName: 'Store', fromStatus: 'completed', toId: 'task::1', toName: 'Redeem', toStatus: 'in_progress' } as const;
  const known: ContextAnswer = {
    molecules: [
      { id: 'm', name: 'Money', knowledge: '', atoms: [{ id: 'a', name: 'Till', knowledge: 'Cents.', matchedPaths: ['src/pay.ts'], relatedAtoms: [] }] },
    ],
    orphanAtoms: [],
    unmatchedPaths: ['src/none.ts'],
    stamp: { revision: 1, head: '', pendingFiles: 0 },
  };
  const page = workPage(
    {
      ...ITEM,
      dependencies: [other, { ...other, fromId: 'task::1', toId: 'task::2', toName: 'Announce', toStatus: 'in_review' }],
      sections: [{ id: 's', projectId: 'p', containerId: 'task::1', title: 'Plan', content: 'First.', ordinal: 0, version: 1, createdAt: '', updatedAt: '' }],
      history: [{ version: 2, changedFields: ['status'], agentId: 'ada', txId: null, reason: null, at: '2026-03-01T10:00:00.000Z' }],
    },
    known,
    NOW,
  );
  expect(page).toContain('- waits for Store (completed)\n- blocks Announce (in review)');
  expect(page).toContain('## Plan\n\nFirst.');
  expect(page).toContain('## Knowledge about its files\n\n### Till\n\n`src/pay.ts`\n\nCents.');
  expect(page).toContain('There is no knowledge about `src/none.ts`.');
  expect(page).toContain('- version 2 · yesterday · status · ada');
});
