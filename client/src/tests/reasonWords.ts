import type { SelectedTest } from '../../../server/protocol/features';

/** Why a test is listed that no reference from it leads to what changed. */
export const REASON_WORDS: Readonly<Record<NonNullable<SelectedTest['reason']>, string>> = {
  mentions: 'possible: mentions the change',
  imports: 'possible: imports the changed file',
  loads: 'loads the change',
  reruns: 'includes affected tests',
  ran: 'ran the change (coverage)',
};
