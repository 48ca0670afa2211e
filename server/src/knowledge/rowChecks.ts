import type { RowCheck } from '../model/records';
import { ADD_MISSING_VERSIONS } from './versions';

const ORPHANED = `(parent_type = 'atom' AND parent_id NOT IN (SELECT id FROM graph_atoms))
  OR (parent_type = 'molecule' AND parent_id NOT IN (SELECT id FROM graph_molecules))`;

const CURRENT = 'SELECT id, version FROM graph_atoms UNION ALL SELECT id, version FROM graph_molecules';
/** They say nothing: a current version has its fields in the row of its entity. */
const LOST_VERSIONS = `valid_to IS NULL AND NOT EXISTS (SELECT 1 FROM (${CURRENT}) AS item WHERE item.id = entity_id AND item.version = knowledge_versions.version)`;

/** What has to hold between rows of knowledge. */
export const KNOWLEDGE_CHECKS: readonly RowCheck[] = [
  {
    name: 'knowledge.changelogParents',
    says: 'changelog entries of deleted atoms or molecules',
    broken: `SELECT id FROM graph_changelog WHERE ${ORPHANED}`,
    repair: [`DELETE FROM graph_changelog WHERE ${ORPHANED}`],
  },
  {
    name: 'knowledge.atomMolecules',
    says: 'atoms whose molecule does not exist; restore the molecule, or move the atoms',
    broken: 'SELECT id FROM graph_atoms WHERE molecule_id IS NOT NULL AND molecule_id NOT IN (SELECT id FROM graph_molecules)',
  },
  {
    name: 'knowledge.atomPaths',
    says: 'atoms without patterns',
    broken: 'SELECT id FROM graph_atoms WHERE json_valid(paths) = 0 OR json_array_length(paths) = 0',
  },
  {
    name: 'knowledge.versions',
    says: 'atoms or molecules whose latest version does not match their history',
    broken: `SELECT id FROM (${CURRENT}) AS item
      WHERE NOT EXISTS (SELECT 1 FROM knowledge_versions WHERE entity_id = item.id AND version = item.version AND valid_to IS NULL)
      UNION SELECT entity_id FROM knowledge_versions WHERE ${LOST_VERSIONS}`,
    repair: [`DELETE FROM knowledge_versions WHERE ${LOST_VERSIONS}`, ...ADD_MISSING_VERSIONS],
  },
];
