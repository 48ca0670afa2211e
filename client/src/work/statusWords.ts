import type { WorkStatus } from '../../../server/protocol/features';

/** Statuses as people read them, in the order of the flow. */
export const STATUS_WORDS: Readonly<Record<WorkStatus, string>> = {
  pending: 'pending',
  in_progress: 'in progress',
  in_review: 'in review',
  completed: 'completed',
  blocked: 'blocked',
  terminated: 'terminated',
};
