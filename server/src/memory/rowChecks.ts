import type { RowCheck } from '../model/records';

const LOST_ENTITIES = 'episode_id NOT IN (SELECT id FROM episodes)';
const LOST_SUCCESSORS = 'superseded_by IS NOT NULL AND superseded_by NOT IN (SELECT id FROM learnings)';

/** What has to hold between rows of the memory. */
export const MEMORY_CHECKS: readonly RowCheck[] = [
  {
    name: 'memory.episodeEntities',
    says: 'links of deleted episodes',
    broken: `SELECT episode_id AS id FROM episode_entities WHERE ${LOST_ENTITIES}`,
    repair: [`DELETE FROM episode_entities WHERE ${LOST_ENTITIES}`],
  },
  {
    name: 'memory.supersededLearnings',
    says: 'learnings superseded by deleted ones',
    broken: `SELECT id FROM learnings WHERE ${LOST_SUCCESSORS}`,
    repair: [`UPDATE learnings SET superseded_by = NULL WHERE ${LOST_SUCCESSORS}`],
  },
  {
    name: 'memory.rivalClaims',
    says: 'targets that several agents hold',
    broken: `SELECT target_id AS id FROM claims WHERE valid_to IS NULL GROUP BY project_id, target_id HAVING count(DISTINCT agent_id) > 1`,
  },
];
