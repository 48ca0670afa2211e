import type { Stamp, Workspace } from '../../../workspace/snapshot';

/** For answers that are not computed from the graph. */
export function stampOf(workspace: Workspace): Stamp {
  return workspace.current()?.stamp ?? { revision: 0, head: '', pendingFiles: workspace.health().pendingFiles };
}
