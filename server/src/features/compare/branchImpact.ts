import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import { ok, type Result } from '../../base/result';
import { compareText } from '../../base/text';
import { isGeneratedByName } from '../../model/toolchains';
import type { Workspace } from '../../workspace/snapshot';
import { violationShape } from '../architecture/rules';
import { FIGURES_DEPTH, impactFigures } from '../impact/impactFigures';
import { riskPartsShape } from '../impact/risk';
import type { FeatureFailure } from '../shared/failure';
import { feature } from '../shared/feature';
import type { Stamped } from '../shared/fresh';
import { text } from '../shared/params';
import { object, optional, riskShape, type Shaped, shape, stamped } from '../shared/shape';
import { withMentions } from '../testSelection/reach/mentionedMembers';
import { breakingShape } from './breaking';
import { authorsOfChanges } from './changeAuthors';
import { type Comparison, compare, stateShape } from './graphDiff';
import { interfaceChangeShape } from './linkChanges';
import { type Changed, type NodeChange, nodeChangeShape } from './nodeChanges';

export const branchImpactParams = shape(() =>
  object({
    /** The state to compare the current code with: a commit, tag, branch, time, transaction; where the branch began when absent. */
    from: optional(text()),
  }),
);
export type BranchImpactParams = Shaped<typeof branchImpactParams>;

export const rankedChangeShape = shape(() =>
  nodeChangeShape().extend({
    /** What depends on it within three steps, tests apart; of something removed, what did. */
    dependents: z.number(),
    /** Tests that reach it within as many steps. */
    tests: z.number(),
    reach: z.enum(['small', 'medium', 'large', 'unknown']),
    /** Code that did not change still uses it as it was. */
    isBreaking: z.boolean(),
    /** Who made the commits that changed it since, newest first, or the agent whose transaction did; empty for what is not committed. */
    by: z.array(z.string()),
  }),
);
export type RankedChange = Shaped<typeof rankedChangeShape>;

export const branchImpactAnswerShape = shape(() =>
  object({
    from: stateShape(),
    to: stateShape(),
    /** Changed symbols: breaking ones first, generated ones last, then by dependents, tests and place. Members that came or went with their holder are left out. */
    symbols: z.array(rankedChangeShape()),
    /** Files that differ in nothing that is a symbol: text, configuration, code outside of symbols. */
    files: z.array(nodeChangeShape()),
    /** All files that differ. */
    fileCount: z.number(),
    breaking: z.array(breakingShape()),
    /** Endpoints, events and domain entities that came or went, whoever uses them. */
    interfaces: z.array(interfaceChangeShape()),
    /** New violations and import cycles. */
    violations: z.array(violationShape()),
    tests: z.array(object({ id: z.string(), file: z.string() })),
    commands: z.array(z.string()),
    untested: z.array(z.string()),
    risk: optional(riskShape()),
    riskParts: optional(riskPartsShape()),
    notes: z.array(z.string()),
  }),
);
export type BranchImpactAnswer = Shaped<typeof branchImpactAnswerShape>;

/** Figures are counted for so many symbols; of the others only what is used directly is known to be less telling. */
const MAX_COUNTED = 500;

/** What the current code changes since a state, and how far that reaches. Unsaved text of the asker counts. */
export async function branchImpact(
  workspace: Workspace,
  params: BranchImpactParams,
  token: CancellationToken,
): Promise<Result<Stamped<BranchImpactAnswer>, FeatureFailure>> {
  const compared = await compare(workspace, { ...params, include: ['nodes', 'api', 'architecture', 'tests'] }, token);
  if (!compared.ok) return compared;
  const { answer, changes } = compared.value;
  const symbols = await ranked(workspace, compared.value, token);
  const withSymbols = new Set(symbols.flatMap(({ oldId, path }) => [path, ...(oldId === undefined ? [] : [pathOf(oldId)])]));
  const files = changes.map(change => change.row).filter(row => row.kind === 'file');
  return ok({
    from: answer.from,
    to: answer.to,
    symbols,
    files: files.filter(({ path }) => !withSymbols.has(path)),
    fileCount: files.length,
    breaking: answer.breaking,
    interfaces: answer.interfaces,
    violations: answer.architecture.added,
    tests: answer.tests,
    commands: answer.commands,
    untested: answer.untested,
    notes: answer.notes,
    ...(answer.risk === undefined ? {} : { risk: answer.risk }),
    ...(answer.riskParts === undefined ? {} : { riskParts: answer.riskParts }),
    stamp: answer.stamp,
  });
}

function pathOf(id: string): string {
  return id.split('::', 1)[0] ?? id;
}

async function ranked(workspace: Workspace, { answer, changes, pairing }: Comparison, token: CancellationToken): Promise<RankedChange[]> {
  const breaking = new Set(answer.breaking.map(({ id }) => id));
  // What a program writes changes by itself when its source does.
  const written = [...new Set(changes.map(({ row }) => row.path))].filter(isGeneratedByName);
  const generated: ReadonlySet<string> = new Set(written);
  const last = (a: NodeChange, b: NodeChange): number => Number(generated.has(a.path)) - Number(generated.has(b.path));
  const symbols = changes.filter(change => change.row.kind !== 'file' && !isPartOfChange(pairing, change)).sort((a, b) => last(a.row, b.row));
  const by = await authorsOfChanges(workspace, answer.from, symbols, token);
  const rows: RankedChange[] = [];
  for (const [at, change] of symbols.entries()) {
    const { row } = change;
    if (at % 10 === 9) await workspace.pause?.();
    const figures =
      at < MAX_COUNTED
        ? await withMentions(workspace, pairing.after, token, () => figuresOf(pairing, change))
        : { dependents: 0, tests: 0, reach: 'unknown' as const };
    rows.push({ ...row, ...figures, isBreaking: breaking.has(row.oldId ?? row.id), by: [...(by.get(row.id) ?? [])] });
  }
  return rows.sort(
    (a, b) =>
      Number(b.isBreaking) - Number(a.isBreaking) ||
      last(a, b) ||
      b.dependents - a.dependents ||
      b.tests - a.tests ||
      compareText(a.path, b.path) ||
      a.line - b.line,
  );
}

/** What holds it, in its file, came or went with it. */
function isPartOfChange({ after, before }: Comparison['pairing'], { fresh, old, row }: Changed): boolean {
  const [view, node] = fresh === undefined ? [before, old] : [after, fresh];
  const holder = row.withHolder === undefined || node === undefined ? undefined : view.parentOf(node);
  return holder !== undefined && view.fileNodeOf(holder) !== holder;
}

function figuresOf({ after, before }: Comparison['pairing'], { fresh, old }: Changed): Pick<RankedChange, 'dependents' | 'tests' | 'reach'> {
  const [view, node] = fresh === undefined ? [before, old] : [after, fresh];
  if (node === undefined) return { dependents: 0, tests: 0, reach: 'unknown' };
  const { counts, reach } = impactFigures(view, node, FIGURES_DEPTH);
  return { dependents: counts.direct + counts.transitive, tests: counts.directTests + counts.transitiveTests, reach };
}

export const branchImpactFeature = feature({
  name: 'branchImpact',
  about: 'What the current code changes since a state (by default since the branch began): symbols by reach, what breaks, tests.',
  params: branchImpactParams,
  answer: stamped(branchImpactAnswerShape),
  run: branchImpact,
});
