import type { GraphView } from '../../code/graph/graphView';
import type { StableId } from '../../model/ids';
import type { Records, Row } from '../../model/records';
import { freeze } from '../freeze';
import type { FrozenLayer, LayerEdge, LayerNode, LayerSource } from '../layer';

/** The newest transactions are nodes; the log keeps them all. */
const MAX_TRANSACTIONS = 500;
/** A transaction of more files, a rebuild mostly, is about the whole and has no edges to them. */
const MAX_FILES = 200;

/** The log of transactions as nodes, each with what it affected: files of the checkout, or what an agent wrote. Read when it is asked for. */
export function transactionLayer(records: Records, root: string): LayerSource {
  const known = new WeakMap<GraphView, { readonly newest: number; readonly frozen: FrozenLayer | undefined }>();
  return {
    relations: ['AFFECTS'],
    kinds: ['tx'],
    isOnRequest: true,
    version: 0,
    onChange: () => ({ dispose: () => undefined }),
    frozen(code, intern) {
      const rows = newest(records, root);
      // A transaction that was begun earlier may end later: the newest alone does not tell.
      const last = rows.reduce((sum, row) => sum + Number(row['seq']), 0);
      const before = known.get(code);
      if (before?.newest === last) return before.frozen;
      const nodes = rows.map(nodeOf);
      const written = writtenBySeq(records, Number(rows.at(-1)?.['seq'] ?? 0));
      const edges = rows.flatMap(row => [...filesOf(records, row), ...(written.get(Number(row['seq'])) ?? []).map(id => affects(row, id))]);
      const frozen = nodes.length === 0 ? undefined : freeze(nodes, edges, intern);
      known.set(code, { newest: last, frozen });
      return frozen;
    },
  };
}

function newest(records: Records, root: string): readonly Row[] {
  return records.query(
    `SELECT * FROM graph_tx WHERE project_id = ?1 AND status = 'committed' AND (checkout = ?2 OR type = 'agent_edit') ORDER BY seq DESC LIMIT ${MAX_TRANSACTIONS}`,
    [records.projectId, root],
  );
}

function idOf(row: Row): StableId {
  return `tx::${String(row['id'])}`;
}

function nodeOf(row: Row): LayerNode {
  const type = String(row['type']);
  const text = (column: string): string | null => (row[column] === null ? null : String(row[column]));
  const timestamp = new Date(Number(row['timestamp'])).toISOString();
  return {
    id: idOf(row),
    kind: 'tx',
    name: `${type.replaceAll('_', ' ')} ${timestamp}`,
    summary: `${type.replaceAll('_', ' ')} at ${timestamp}`,
    doc: '',
    attributes: {
      type,
      agentId: text('agent_id'),
      sessionId: text('session_id'),
      gitCommit: text('git_commit'),
      timestamp,
      mode: text('mode'),
      nodeCount: Number(row['node_count']),
      edgeCount: Number(row['edge_count']),
      filesParsed: Number(row['files_parsed']),
      durationMs: Number(row['duration_ms']),
    },
  };
}

function filesOf(records: Records, row: Row): LayerEdge[] {
  if (row['type'] === 'agent_edit') return [];
  const files = records.query(`SELECT file_id FROM tx_affects WHERE tx_id = ? ORDER BY file_id LIMIT ${MAX_FILES + 1}`, [row['id'] ?? null]);
  return files.length > MAX_FILES ? [] : files.map(file => affects(row, String(file['file_id'])));
}

/** What agents wrote from a place in the log on, by the place of the write: versions are stored with it. */
function writtenBySeq(records: Records, from: number): ReadonlyMap<number, readonly StableId[]> {
  const rows = records.query(
    `SELECT entity_id, seq FROM work_versions WHERE project_id = ?1 AND seq >= ?2 AND entity_id NOT LIKE 'section::%'
     UNION SELECT entity_id, seq FROM knowledge_versions WHERE project_id = ?1 AND seq >= ?2 ORDER BY seq, entity_id`,
    [records.projectId, from],
  );
  const written = new Map<number, StableId[]>();
  for (const row of rows) written.set(Number(row['seq']), [...(written.get(Number(row['seq'])) ?? []), String(row['entity_id'])]);
  return written;
}

function affects(row: Row, target: StableId): LayerEdge {
  return { source: idOf(row), relation: 'AFFECTS', target, provenance: 'derived' };
}
