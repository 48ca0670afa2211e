/** Members of literals that code reaches by their names alone. */
import type { CancellationToken } from '../../base/cancellation';
import type { GraphView, NodeHandle } from '../../code/graph/graphView';
import type { Mentions } from './mentions';
import type { CaseReach } from './reach/caseReach';
import { isNamelessMember } from './reach/nodeFlags';
import { testsReaching } from './reach/reachedTests';

/** Rounds of looking for names: of members on the ways from the change, then on the ways from what mentions those. */
const ROUNDS = 3;

/** Names that more code mentions say little of who means which of their bearers. */
const MAX_MENTIONING = 500;

/**
 * The walk from a change to tests. Members of exported literals that no reference leads to may be run by everybody who loads the literal; where code mentions
 * their names, by that.
 */
export async function walkToTests(
  graph: GraphView,
  changed: ReadonlySet<NodeHandle>,
  maxDepth: number,
  mentions: Mentions,
  token: CancellationToken,
): Promise<CaseReach> {
  const mentioned = new Map<NodeHandle, readonly NodeHandle[]>();
  const asked = new Set<NodeHandle>();
  for (let round = 0; ; round++) {
    const { walk } = testsReaching(graph, changed, maxDepth, { nodes: Number.POSITIVE_INFINITY, mentioned });
    const members = walk.nodes.filter(node => !asked.has(node) && isNamelessMember(graph, node));
    if (members.length === 0 || round === ROUNDS) return walk;
    for (const node of members) asked.add(node);
    for (const [node, users] of await mentions.of(members, token, 'quoted')) {
      // What a file says outside of its functions it says whenever it is loaded: that need not run what it names.
      const inside = users.filter(user => graph.fileNodeOf(user) !== user);
      if (inside.length > 0 && inside.length <= MAX_MENTIONING) mentioned.set(node, inside);
    }
  }
}
