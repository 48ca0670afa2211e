import type { CancellationToken } from '../../base/cancellation';
import type { StableId } from '../../model/ids';
import { tokenize } from '../../search/tokenizer';
import type { Workspace } from '../../workspace/snapshot';
import { findMemories, type RecallType } from './recall';

/** A memory as a hit of a search over everything. */
export interface MemoryHit {
  readonly id: StableId;
  readonly kind: 'episode' | 'learning';
  readonly name: string;
  /** 0 to 1: how well the words match, less for each word of the query that is not in it. */
  readonly score: number;
  /** Code that it names, as it is called now. */
  readonly entities: readonly StableId[];
}

const NAME_LENGTH = 80;
const EPISODES: readonly RecallType[] = ['DECISION', 'EDIT', 'OBSERVATION', 'TEST_RESULT', 'ERROR', 'REFLECTION'];

/** Episodes and learnings that have words of a query, best first; sensitive ones are not among them. */
export async function memoryHits(
  workspace: Workspace,
  query: string,
  kinds: ReadonlySet<MemoryHit['kind']>,
  limit: number,
  token: CancellationToken,
): Promise<readonly MemoryHit[]> {
  const types = [...(kinds.has('episode') ? EPISODES : []), ...(kinds.has('learning') ? (['LEARNING'] as const) : [])];
  const asked = new Set(tokenize(query)).size;
  const found = await findMemories(workspace, { query, types, entities: [], limit: Number.MAX_SAFE_INTEGER }, token);
  return found
    .filter(({ words }) => words > 0)
    .map(({ row, scores, type, words }) => ({ row, type, score: scores.similarity * Math.min(1, words / Math.max(1, asked)) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ row: rowOf, score, type }) => {
      const { content, entities, id, metadata } = rowOf();
      const title = metadata?.['title'];
      const line = `${type.toLowerCase().replace('_', ' ')}: ${typeof title === 'string' && title !== '' ? title : (content.split('\n', 1)[0] ?? '')}`;
      const name = line.length > NAME_LENGTH ? `${line.slice(0, NAME_LENGTH - 1)}…` : line;
      return { id, kind: type === 'LEARNING' ? ('learning' as const) : ('episode' as const), name, score, entities };
    });
}
