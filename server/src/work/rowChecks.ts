import type { RowCheck } from '../model/records';

const LOST_TASKS = "feature_id IS NOT NULL AND feature_id NOT IN (SELECT id FROM work_containers WHERE type = 'feature')";
const LOST_SECTIONS = 'container_id NOT IN (SELECT id FROM work_containers)';
const LOST_ENDS = 'from_id NOT IN (SELECT id FROM work_containers) OR to_id NOT IN (SELECT id FROM work_containers)';

/** What has to hold between rows of work. */
export const WORK_CHECKS: readonly RowCheck[] = [
  {
    name: 'work.taskFeatures',
    says: 'tasks of deleted features',
    broken: `SELECT id FROM work_containers WHERE ${LOST_TASKS}`,
    repair: [`UPDATE work_containers SET feature_id = NULL WHERE ${LOST_TASKS}`],
  },
  {
    name: 'work.sectionContainers',
    says: 'sections of deleted tasks or features',
    broken: `SELECT id FROM work_sections WHERE ${LOST_SECTIONS}`,
    repair: [`DELETE FROM work_sections WHERE ${LOST_SECTIONS}`],
  },
  {
    name: 'work.dependencyEnds',
    says: 'dependencies on deleted tasks',
    broken: `SELECT from_id AS id FROM work_dependencies WHERE ${LOST_ENDS}`,
    repair: [`DELETE FROM work_dependencies WHERE ${LOST_ENDS}`],
  },
  {
    name: 'work.versions',
    says: 'tasks, features or sections whose latest version is not in their history',
    broken: `SELECT id FROM (SELECT id, version FROM work_containers UNION ALL SELECT id, version FROM work_sections) AS item
      WHERE NOT EXISTS (SELECT 1 FROM work_versions WHERE entity_id = item.id AND version = item.version)`,
  },
];
