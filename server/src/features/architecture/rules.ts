/**
 * Architecture rules: what a user declares in `.lattice/architecture.yaml`, checked against the graph of code.
 * This room reads the text of rule files, checks links, keeps baselines and proposes places and rules. It opens no file itself
 * (the workspace's architecture port does), knows no editor and writes nothing: edits come back as text.
 *
 * Invariants: only facts are checked, never maybes; the order of everything listed is the same on every machine;
 * a rule file with faults still counts as far as it can be read, and each fault is a finding with its line.
 */
import { z } from 'zod';
import type { WorkspacePath } from '../../base/path';
import type { Relation } from '../../model/relations';
import { object, optional, type Shaped, shape } from '../shared/shape';

/** Least severe first. */
export const SEVERITIES = ['info', 'warning', 'error'] as const;
/** Whether a violation fails a check. */
export type Severity = (typeof SEVERITIES)[number];

export const RULE_TYPES = ['no-cycle', 'forbid', 'only-via', 'naming', 'max-fan-out'] as const;
export type RuleType = (typeof RULE_TYPES)[number];

export const SCOPES = ['file', 'layer', 'service'] as const;
export type Scope = (typeof SCOPES)[number];

/** Relations that count when a rule names none. */
export const DEFAULT_EDGES: readonly Relation[] = ['IMPORTS', 'CALLS', 'INHERITS', 'IMPLEMENTS'];

/** Where rules are looked for, the first that exists counts. */
export const RULE_FILES = ['.lattice/architecture.yaml', '.lattice/architecture.yml', '.lattice/architecture.json'] as const;
export const DEFAULT_BASELINE: WorkspacePath = '.lattice/architecture-baseline.json';

/** The rule that layers make by themselves, and the one that stands for the rule file itself. */
export const LAYERS_RULE = 'layers';
export const FILE_RULE = 'rules-file';
export const COMMUNITY_RULE = 'community';

/** Everything given must hold; of a list, one item. */
export interface Selector {
  readonly layer: readonly string[];
  readonly path: readonly string[];
  readonly service: readonly string[];
  readonly package: readonly string[];
  readonly kind: readonly string[];
  readonly community: readonly string[];
}

/** Files that the rules treat alike. */
export interface Layer {
  readonly id: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** `undefined`: it may use anything. */
  readonly mayDependOn: readonly string[] | undefined;
  /** 1-based, of its id in the rule file. */
  readonly line: number;
}

export interface Rule {
  readonly id: string;
  readonly type: RuleType;
  readonly severity: Severity;
  readonly edges: readonly Relation[];
  readonly scope: Scope;
  readonly from: Selector | undefined;
  readonly to: Selector | undefined;
  readonly via: Selector | undefined;
  readonly select: Selector | undefined;
  readonly match: RegExp | undefined;
  readonly limit: number;
  /** Imports that are gone at run time do not count; so it is for cycles unless the rule says otherwise. */
  readonly ignoreTypeOnly: boolean;
  readonly line: number;
}

export interface RuleException {
  readonly rule: string;
  readonly from: string;
  readonly to: string | undefined;
  readonly reason: string;
  /** `2026-12-31`: the last day on which it holds. */
  readonly until: string | undefined;
  readonly line: number;
}

/** A fault of the rule file itself. */
export interface RuleFinding {
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

export interface RuleSet {
  /** Path of the file, or `builtin`. */
  readonly source: WorkspacePath;
  readonly layers: readonly Layer[];
  readonly rules: readonly Rule[];
  readonly exceptions: readonly RuleException[];
  readonly baseline: WorkspacePath;
  readonly ignoreTypeOnly: boolean;
  readonly findings: readonly RuleFinding[];
}

export const BUILTIN = 'builtin';

/** What is checked where nobody declared anything. */
export const BUILTIN_RULES: RuleSet = {
  source: BUILTIN,
  layers: [],
  rules: [
    {
      id: 'no-cycle',
      type: 'no-cycle',
      severity: 'error',
      edges: ['IMPORTS'],
      scope: 'file',
      from: undefined,
      to: undefined,
      via: undefined,
      select: undefined,
      match: undefined,
      limit: 0,
      ignoreTypeOnly: true,
      line: 0,
    },
  ],
  exceptions: [],
  baseline: DEFAULT_BASELINE,
  ignoreTypeOnly: false,
  findings: [],
};

/** One violation of a rule. */
export const violationShape = shape(() =>
  object({
    ruleId: z.string(),
    severity: z.enum(SEVERITIES),
    /** Line is 1-based. */
    from: object({
      id: z.string(),
      file: z.string(),
      line: z.number(),
    }),
    /** Id of what is used, or the name of a package from outside; `''` when the violation is not a link. */
    to: z.string(),
    /** Relation in lower case, `''` when the violation is not a link. */
    edge: z.string(),
    layerFrom: z.string(),
    layerTo: z.string(),
    message: z.string(),
    suggestion: z.string(),
    /** Accepted in the baseline: it fails nothing. */
    baseline: z.boolean(),
    /** Line of the rule in the rule file, 0 for none. */
    ruleLine: z.number(),
    /** Of a cycle: every file, layer or service of the cycle. */
    members: optional(z.array(z.string())),
  }),
);
/** An edge or file that a rule forbids. */
export type Violation = Shaped<typeof violationShape>;

/** Whether a severity is as severe as the other, or more. */
export function isAtLeast(severity: Severity, least: Severity): boolean {
  return SEVERITIES.indexOf(severity) >= SEVERITIES.indexOf(least);
}
