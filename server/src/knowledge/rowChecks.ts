import type { RowCheck } from '../model/records';

const ORPHANED = `(parent_type = 'atom' AND parent_id NOT IN (SELECT id FROM graph_atoms))
  OR (parent_type = 'molecule' AND parent_id NOT IN (SELECT id FROM graph_molecules))`;

export const KNOWLEDGE_CHECKS: readonly RowCheck[] = [
  {
    name: 'knowledge.changelogParents',
    says: 'changelog entries whose atom or molecule is gone',
    broken: `SELECT id FROM graph_changelog WHERE ${ORPHANED}`,
    repair: [`DELETE FROM graph_changelog WHERE ${ORPHANED}`],
  },
  {
    name: 'knowledge.atomMolecules',
    says: 'atoms whose molecule is gone (an import keeps such references: take the molecule back, or move the atoms)',
    broken: 'SELECT id FROM graph_atoms WHERE molecule_id IS NOT NULL AND molecule_id NOT IN (SELECT id FROM graph_molecules)',
  },
  {
    name: 'knowledge.atomPaths',
    says: 'atoms without patterns',
    broken: 'SELECT id FROM graph_atoms WHERE json_valid(paths) = 0 OR json_array_length(paths) = 0',
  },
];
