import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import { eachInSteps, runSteps, type Steps } from '../../base/steps';
import { compareText } from '../../base/text';
import type { GraphView } from '../../code/graph/graphView';
import type { Snapshot, Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import { answerFresh, type Stamped } from '../shared/fresh';
import { globPattern } from '../shared/globs';
import { choice, flag, text, texts } from '../shared/params';
import { object, optional, type Shaped, shape, stamped, unset } from '../shared/shape';
import { acceptance } from './baseline';
import { packageOf } from './codeMap';
import { checkRules, type RuleCheck, type RuleViolation } from './ruleChecks';
import {
  BUILTIN,
  COMMUNITY_RULE,
  FILE_RULE,
  isAtLeast,
  LAYERS_RULE,
  type RuleException,
  type RuleSet,
  SEVERITIES,
  type Severity,
  type Violation,
  violationShape,
} from './rules';
import { chosenFiles, type Picked, pickedShape, pickFrom } from './scope';
import { type RuleSources, ruleSources } from './sources';

export const architectureParams = shape(() =>
  object({
    /** Files or folders whose code is checked; all when absent. */
    files: optional(texts()),
    /** Only files that changed since this version. */
    since: optional(text()),
    /** Ids of rules. */
    rules: optional(texts()),
    /** Words that pick rules, layers or files. */
    query: optional(text()),
    /** Compares layers with communities. */
    includeBoundaries: optional(flag()),
    minSeverity: optional(choice(SEVERITIES)),
    /** Answers that nothing is wrong where nobody declared rules. */
    declaredOnly: optional(flag()),
  }),
);
export type ArchitectureParams = Shaped<typeof architectureParams>;

export const architectureAnswerShape = shape(() =>
  object({
    /** Most severe first, then by file and line; accepted ones last. */
    violations: z.array(violationShape()),
    /** `fail` when some error is not accepted. */
    status: z.enum(['pass', 'fail']),
    counts: z.record(z.enum(['info', 'warning', 'error', 'baseline', 'excepted']), z.number()),
    /** Files in no layer; empty where no layers are declared. */
    unassignedFiles: z.array(z.string()),
    checkedFiles: z.number(),
    checkedEdges: z.number(),
    /** Path of the rule file, or `builtin`. */
    rulesSource: z.string(),
    rules: z.array(z.string()),
    /** What the words of `query` picked. */
    picked: unset(pickedShape()),
    /** Accepted violations that are gone: the baseline can be written anew. */
    fixed: z.number(),
    degraded: z.array(z.string()),
  }),
);
export type ArchitectureAnswer = Shaped<typeof architectureAnswerShape>;

/** Checks the workspace against its declared architecture. */
export async function validateArchitecture(
  workspace: Workspace,
  params: ArchitectureParams,
  token: CancellationToken,
): Promise<Result<Stamped<ArchitectureAnswer>, FeatureFailure>> {
  const sources = await ruleSources(workspace);
  if (!sources.ok) return sources;
  const declared = sources.value.rules;
  const rules = params.declaredOnly === true && declared.source === BUILTIN ? { ...declared, rules: [] } : declared;
  const known = [LAYERS_RULE, COMMUNITY_RULE, FILE_RULE, ...rules.rules.map(rule => rule.id)];
  const wrong = params.rules?.find(id => !known.includes(id));
  if (wrong !== undefined) return err(invalid('rules', `Unknown rule: ${wrong}.`, `Use one of ${known.join(', ')}.`));
  const first = await workspace.snapshot([], token);
  if (!first.ok) return err(fromEngine(first.error));
  if (params.includeBoundaries === true) await first.value.graph.prepareCommunities(() => workspace.pause?.());
  const files = await chosenFiles(workspace, first.value, params, token);
  if (!files.ok) return files;
  const pause = (): Promise<void> | undefined => workspace.pause?.();
  const today = workspace.architecture.today();
  const compute: Parameters<typeof answerFresh<ArchitectureAnswer>>[3] = async snapshot => {
    const check = await runSteps(checkedRules(snapshot.graph, rules, params, files.value), pause, token);
    const value = await runSteps(answerOf(snapshot, { ...sources.value, rules }, check, params, files.value, today), pause, token);
    return ok({ value, touched: value.violations.map(violation => violation.from.file) });
  };
  return answerFresh(workspace, [], token, compute, { isRanked: false });
}

type Files = ReadonlySet<WorkspacePath> | undefined;

function checkedRules(graph: GraphView, rules: RuleSet, params: ArchitectureParams, files: Files): Steps<RuleCheck> {
  return checkRules(graph, rules, {
    wants: id => params.rules === undefined || params.rules.includes(id),
    isFirst: path => files?.has(path) === true,
    withCommunities: params.includeBoundaries === true && graph.hasQuickCommunities,
  });
}

function* answerOf(
  snapshot: Snapshot,
  sources: RuleSources,
  check: RuleCheck,
  params: ArchitectureParams,
  files: Files,
  today: string,
): Steps<ArchitectureAnswer> {
  const { graph } = snapshot;
  const { rules } = sources;
  const { map } = check;
  const exempt = exceptions(rules.exceptions, today);
  const accepts = acceptance(sources.accepted);
  const met = new Set<unknown>();
  const marked: Violation[] = [];
  yield* eachInSteps(check.violations, broken => {
    const violation = violationOf(broken, check);
    if (exempt(violation)) return;
    const entry = accepts(violation);
    met.add(entry);
    marked.push({ ...violation, baseline: entry !== undefined });
  });
  const unassigned: WorkspacePath[] = [];
  yield* eachInSteps(rules.layers.length === 0 ? [] : graph.files(), file => {
    if (map.layerOf(file) === undefined) unassigned.push(graph.idOf(file));
  });
  const picked = params.query === undefined ? undefined : pickFrom(params.query, rules, snapshot.search);
  const isWanted = ({ from, members, severity }: Violation): boolean =>
    isAtLeast(severity, params.minSeverity ?? 'info') && (files === undefined || files.has(from.file) || members?.some(member => files.has(member)) === true);
  const shown = [
    ...marked.filter(violation => isWanted(violation) && (picked === undefined || isPicked(violation, picked))),
    ...findingsOf(rules, today).filter(finding => isAtLeast(finding.severity, params.minSeverity ?? 'info') && wantsFindings(params)),
  ].sort(byWeight);
  const count = (severity: Severity): number => shown.filter(violation => !violation.baseline && violation.severity === severity).length;
  const isWhole = params.rules === undefined && files === undefined;
  return {
    violations: shown,
    status: count('error') > 0 ? 'fail' : 'pass',
    counts: {
      error: count('error'),
      warning: count('warning'),
      info: count('info'),
      baseline: shown.filter(violation => violation.baseline).length,
      excepted: check.violations.length - marked.length,
    },
    unassignedFiles: unassigned,
    checkedFiles: files?.size ?? check.checkedFiles,
    checkedEdges: check.checkedEdges,
    rulesSource: rules.source,
    rules: rules.rules.map(rule => rule.id),
    picked,
    fixed: isWhole ? sources.accepted.filter(entry => !met.has(entry)).length : 0,
    degraded: params.includeBoundaries === true && !graph.hasQuickCommunities ? ['communities'] : [],
  };
}

function wantsFindings({ rules }: ArchitectureParams): boolean {
  return rules === undefined || rules.includes(FILE_RULE);
}

function isPicked({ from, layerFrom, layerTo, ruleId }: Violation, { files, layers, rules }: Picked): boolean {
  return rules.includes(ruleId) || layers.includes(layerFrom) || layers.includes(layerTo) || files.includes(from.file);
}

function violationOf(broken: RuleViolation, { map }: RuleCheck): Violation {
  const { graph } = map;
  const { source, target, relation, cycle } = broken;
  const file = graph.fileNodeOf(source);
  const edge = target === undefined || relation === undefined ? undefined : (graph.edge(source, relation, target) ?? graph.edge(target, relation, source));
  const node = graph.node(source);
  const outside = target !== undefined && graph.kindOf(target) === 'external';
  return {
    ruleId: broken.ruleId,
    severity: broken.severity,
    from: { id: node.id, file: file === undefined ? node.path : graph.idOf(file), line: Math.max(1, edge?.lines[0] ?? node.nameLine) },
    to: target === undefined ? '' : outside ? packageOf(graph.idOf(target)) : graph.idOf(target),
    edge: relation?.toLowerCase() ?? '',
    layerFrom: map.layerOf(source)?.id ?? '',
    layerTo: target === undefined ? '' : (map.layerOf(target)?.id ?? ''),
    message: broken.message,
    suggestion: broken.suggestion,
    baseline: false,
    ruleLine: broken.ruleLine,
    ...(cycle === undefined ? {} : { members: cycle.members }),
  };
}

/** Faults of the rule file and exceptions that ran out. */
function findingsOf(rules: RuleSet, today: string): Violation[] {
  const expired = rules.exceptions
    .filter(exception => isExpired(exception, today))
    .map(({ rule, from, until, line }) => ({
      line,
      severity: 'warning' as const,
      message: `The exception for ${from} from ${rule} expired on ${until}. The rule applies again.`,
    }));
  return [...rules.findings, ...expired].map(({ line, message, severity }) => ({
    ruleId: FILE_RULE,
    severity,
    from: { id: rules.source, file: rules.source, line },
    to: '',
    edge: '',
    layerFrom: '',
    layerTo: '',
    message,
    suggestion: 'Fix this line of the rule file.',
    baseline: false,
    ruleLine: line,
  }));
}

function isExpired({ until }: RuleException, today: string): boolean {
  return until !== undefined && until < today;
}

/** Tells whether an exception that still holds takes a violation. */
function exceptions(list: readonly RuleException[], today: string): (violation: Violation) => boolean {
  const live = list
    .filter(exception => !isExpired(exception, today))
    .map(({ rule, from, to }) => ({ rule, from: globPattern(from), id: from, to: to === undefined ? undefined : globPattern(to), toId: to }));
  const headOf = (id: string): string => id.split('::')[0] ?? id;
  return ({ from, members, ruleId, to }) =>
    live.some(
      each =>
        each.rule === ruleId &&
        (each.from.test(from.file) || each.id === from.id || members?.some(member => each.from.test(member)) === true) &&
        (each.to === undefined || each.to.test(headOf(to)) || each.toId === to),
    );
}

function byWeight(a: Violation, b: Violation): number {
  return (
    Number(a.baseline) - Number(b.baseline) ||
    SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) ||
    compareText(a.from.file, b.from.file) ||
    a.from.line - b.from.line ||
    compareText(a.ruleId, b.ruleId) ||
    compareText(a.edge, b.edge) ||
    compareText(a.from.id, b.from.id) ||
    compareText(a.to, b.to)
  );
}

/** Whether nobody declared an architecture. */
export function isBuiltin(answer: Pick<ArchitectureAnswer, 'rulesSource'>): boolean {
  return answer.rulesSource === BUILTIN;
}

export const architectureFeature = feature({
  name: 'architecture',
  about: 'Violations of the declared layers and rules.',
  params: architectureParams,
  answer: stamped(architectureAnswerShape),
  run: validateArchitecture,
});
