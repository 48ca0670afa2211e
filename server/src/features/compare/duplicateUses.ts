import { compareText } from '../../base/text';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import { NO_NODE } from '../../model/ids';

interface Use {
  readonly id: string;
  readonly line: number;
  readonly relation: string;
  readonly possible?: true | undefined;
}

/** A breaking change with all its uses. */
interface Broken {
  readonly id: string;
  readonly uses: readonly Use[];
  readonly total: number;
}

/**
 * A use that may mean one of several symbols of a name breaks once, also where all of them changed (copies of the code for another platform): it is left to
 * the one that its file reaches by imports, or to the first. What keeps no use is left out.
 */
export function withoutDuplicateUses<Row extends Broken>(before: GraphView, found: readonly Row[]): Row[] {
  const meanings = new Map<string, Row[]>();
  for (const each of found) {
    for (const use of each.uses) if (use.possible) meanings.set(keyOf(each, use), [...(meanings.get(keyOf(each, use)) ?? []), each]);
  }
  const meant = new Map([...meanings].map(([key, each]) => [key, each.length > 1 ? likeliest(before, key, each) : each[0]]));
  return found.flatMap(each => {
    const uses = each.uses.filter(use => !use.possible || meant.get(keyOf(each, use)) === each);
    return uses.length === 0 ? [] : [{ ...each, uses, total: each.total - (each.uses.length - uses.length) }];
  });
}

function keyOf({ id }: Broken, { id: user, line, relation }: Use): string {
  return [user, line, relation, id.slice(id.lastIndexOf('::') + 2)].join('\n');
}

function likeliest<Row extends Broken>(before: GraphView, key: string, meanings: readonly Row[]): Row | undefined {
  const ordered = [...meanings].sort((a, b) => compareText(a.id, b.id));
  const user = before.find(key.slice(0, key.indexOf('\n')));
  const file = user === undefined ? undefined : before.fileNodeOf(user);
  const reached = file === undefined ? new Set<NodeHandle>() : importedBy(before, file);
  const isReached = (path: string): boolean => reached.has(before.find(path) ?? NO_NODE);
  return ordered.find(({ id }) => isReached(id.split('::', 1)[0] ?? '')) ?? ordered[0];
}

/** Files that one imports, and those that they import. */
function importedBy(view: GraphView, file: NodeHandle): ReadonlySet<NodeHandle> {
  const found = new Set([file]);
  for (const each of found) {
    for (const { relation, target } of view.out(each)) if (relation === 'IMPORTS' && view.fileNodeOf(target) === target) found.add(target);
  }
  return found;
}
