import type { GraphView } from '../../../code/graph/graphView';
import type { Workspace } from '../../../workspace/snapshot';
import { ruleSources } from '../../architecture/sources';
import type { State } from './states';

/** What a comparison rests on beside the graphs of its states. */
export interface Grounds {
  readonly words: string;
  readonly services: unknown;
  readonly pastChanges: unknown;
}

interface Finished<T> {
  readonly newer: GraphView;
  readonly grounds: Grounds;
  readonly comparison: T;
}

/**
 * The last comparison of each older state that is kept, for those who ask for more of it: it is found again while both graphs are the same and so is all else that
 * it rests on. It goes with the graph of the older state.
 */
export class FinishedComparisons<T> {
  readonly #byOlder = new WeakMap<GraphView, Finished<T>>();

  of(older: State, newer: State, grounds: Grounds | undefined): T | undefined {
    const known = this.#byOlder.get(older.snapshot.graph);
    if (known === undefined || grounds === undefined || known.newer !== newer.snapshot.graph) return undefined;
    const { pastChanges, services, words } = known.grounds;
    return words === grounds.words && services === grounds.services && pastChanges === grounds.pastChanges ? known.comparison : undefined;
  }

  keep(older: State, newer: State, grounds: Grounds | undefined, comparison: T): void {
    if (grounds !== undefined) this.#byOlder.set(older.snapshot.graph, { newer: newer.snapshot.graph, grounds, comparison });
  }
}

/** `undefined` where that cannot be told: coverage reports are files that come, go and age unseen. */
export async function groundsOf(workspace: Workspace, states: readonly State[], asked: object): Promise<Grounds | undefined> {
  for (const state of states) if (((await state.workspace.coverage?.reports())?.files.length ?? 0) > 0) return undefined;
  const rules = await ruleSources(workspace);
  if (!rules.ok) return undefined;
  const { architecture } = workspace;
  const { baselineText, text } = rules.value;
  const names = states.map(({ name }) => name);
  return {
    words: JSON.stringify([asked, names, text, baselineText, architecture.today(), architecture.thresholds()]),
    services: workspace.services?.current,
    pastChanges: workspace.pastChanges?.(),
  };
}
