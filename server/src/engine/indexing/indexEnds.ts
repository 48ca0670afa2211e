/** Where a full index ends, for measurements of this process (test/bench). */
import { channel } from 'node:diagnostics_channel';

/** `durable`: graph, lexical index and packs are on disk. `complete`: so are content and history of the files. */
type IndexEnd = 'durable' | 'complete';

const INDEX_ENDS = 'lattice.indexEnds';

export function logIndexEnd(end: IndexEnd, root: string): void {
  channel(INDEX_ENDS).publish({ end, root });
}
