/** Links of the code that break a rule of the workspace, for overviews. */
import type { CancellationToken } from '../../../base/cancellation';
import { runSteps } from '../../../base/steps';
import type { GraphView, NodeHandle } from '../../../code/graph/graphView';
import type { Workspace } from '../../../workspace/snapshot';
import { checkRules } from '../../architecture/ruleChecks';
import { LAYERS_RULE, type RuleSet } from '../../architecture/rules';

/** Whether a link breaks a rule. */
export type IsViolation = (source: NodeHandle, target: NodeHandle) => boolean;

/** Links against the layers, forbidden ones, and ones around what has to be used; those accepted in the baseline too. Cycles are no links. */
export async function violationsOf(workspace: Workspace, graph: GraphView, rules: RuleSet, token: CancellationToken): Promise<IsViolation> {
  const judged = new Set([LAYERS_RULE, ...rules.rules.filter(({ type }) => type === 'forbid' || type === 'only-via').map(({ id }) => id)]);
  if (judged.size === 1 && rules.layers.length === 0) return () => false;
  const check = checkRules(graph, rules, { wants: id => judged.has(id), isFirst: () => false, withCommunities: false });
  const { violations } = await runSteps(check, () => workspace.pause?.(), token);
  const { size } = graph.adjacency;
  const broken = new Set(violations.flatMap(({ source, target }) => (target === undefined ? [] : [source * size + target])));
  return (source, target) => broken.has(source * size + target);
}
