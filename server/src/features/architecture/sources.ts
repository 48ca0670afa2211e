import { err, ok, type Result } from '../../base/result';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, fromEngine } from '../shared/failure';
import { type BaselineEntry, readBaseline } from './baseline';
import { readRules } from './ruleFile';
import { BUILTIN_RULES, RULE_FILES, type RuleSet } from './rules';

/** The rules of a workspace with their texts. */
export interface RuleSources {
  readonly rules: RuleSet;
  /** Text of the rule file; `undefined` where there is none. */
  readonly text: string | undefined;
  readonly accepted: readonly BaselineEntry[];
  /** Text of the baseline file; `undefined` where there is none. */
  readonly baselineText: string | undefined;
}

/** Reads the rule file of the workspace, else the built-in rules, and the baseline. */
export async function ruleSources(workspace: Workspace): Promise<Result<RuleSources, FeatureFailure>> {
  let rules = BUILTIN_RULES;
  let text: string | undefined;
  for (const path of RULE_FILES) {
    const read = await workspace.architecture.readText(path);
    if (!read.ok) return err(fromEngine(read.error));
    if (read.value === undefined) continue;
    text = read.value;
    rules = readRules(path, text);
    break;
  }
  const baseline = await workspace.architecture.readText(rules.baseline);
  if (!baseline.ok) return err(fromEngine(baseline.error));
  const accepted = baseline.value === undefined ? [] : readBaseline(baseline.value);
  const finding = {
    line: 1,
    severity: 'error',
    message: `The baseline ${rules.baseline} cannot be read. Run "Lattice: Accept Architecture Baseline" to create it again.`,
  } as const;
  return ok({
    rules: accepted === undefined ? { ...rules, findings: [...rules.findings, finding] } : rules,
    text,
    accepted: accepted ?? [],
    baselineText: baseline.value,
  });
}
