import type { CancellationToken } from '../../base/cancellation';
import { throwIfCancelled } from '../../base/cancellation';
import { err, ok, type Result } from '../../base/result';
import { type Hint, paramRef, phrase } from '../../model/hints';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import type { Stamped } from '../shared/fresh';
import { communitiesReady } from './communities';
import { answerSteps, type PatternRows } from './pattern/evaluate';
import { parsePattern } from './pattern/parser';
import { PatternProblem, type PatternQuery } from './pattern/syntax';

export interface PatternParams {
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** At most 30,000. Counted in work, so that the same query ends the same way on every machine. */
  readonly timeoutMs?: number;
}

/** Nodes and links that a slow machine looks at in a millisecond. */
const STEPS_PER_MS = 400;

/** Records that a read-only pattern query selects. */
export async function patternQuery(
  workspace: Workspace,
  params: PatternParams,
  token: CancellationToken,
): Promise<Result<Stamped<PatternRows>, FeatureFailure>> {
  // Communities of a large graph take a while; a query that names none does not wait for them.
  if (/\bcommunity\b|belongs_to|has_member/i.test(params.query)) await communitiesReady(workspace);
  const snapshot = await workspace.snapshot([], token);
  if (!snapshot.ok) return err(fromEngine(snapshot.error));
  const { graph, stamp } = snapshot.value;
  try {
    const query: PatternQuery = parsePattern(params.query);
    const steps = answerSteps({ graph, parameters: params.parameters ?? {} }, query, (params.timeoutMs ?? 5000) * STEPS_PER_MS);
    for (let step = steps.next(); ; step = steps.next()) {
      if (step.done === true) return ok({ ...step.value, stamp });
      await workspace.pause?.();
      throwIfCancelled(token);
    }
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error;
    return err({ code: error.code, message: error.message, hint: HINTS[error.code] });
  }
}

/** Why a text is no query of the subset; `undefined` when it is one. */
export function patternProblem(query: string): FeatureFailure | undefined {
  try {
    parsePattern(query);
    return undefined;
  } catch (error) {
    if (!(error instanceof PatternProblem)) throw error;
    return { code: error.code, message: error.message, hint: HINTS[error.code] };
  }
}

const HINTS: Readonly<Record<PatternProblem['code'], Hint>> = {
  VALIDATION_ERROR: "Fix the query, for example MATCH (a:function)-[:CALLS]->(b) WHERE b.name = 'pay' RETURN a.id LIMIT 10, or ask in plain words.",
  READ_ONLY: 'Remove the clause that writes.',
  TIMEOUT: phrase`Start the pattern at a node with a name or id, use fewer hops, or increase ${paramRef('timeout_ms')}.`,
};
