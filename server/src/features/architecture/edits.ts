import { isMap, isSeq, parseDocument, type YAMLSeq } from 'yaml';
import { z } from 'zod';
import type { CancellationToken } from '../../base/cancellation';
import type { WorkspacePath } from '../../base/path';
import { err, ok, type Result } from '../../base/result';
import { phrase, toolRef } from '../../model/hints';
import type { Workspace } from '../../workspace/snapshot';
import { type FeatureFailure, invalid } from '../shared/failure';
import { feature } from '../shared/feature';
import { choice, text, texts } from '../shared/params';
import { object, optional, type Shaped, shape, unset } from '../shared/shape';
import { type BaselineEntry, baselineText, entryOf } from './baseline';
import { readRules } from './ruleFile';
import { FILE_RULE } from './rules';
import { ruleSources } from './sources';
import { validateArchitecture } from './validate';

export const EDIT_KINDS = ['acceptAll', 'accept', 'exception'] as const;

export const architectureEditParams = shape(() =>
  object({
    /** `acceptAll` writes the baseline anew; `accept` adds one violation to it; `exception` adds one to the rule file. */
    kind: choice(EDIT_KINDS),
    rule: optional(text()),
    from: optional(text()),
    to: optional(text()),
    edge: optional(text()),
    members: optional(texts()),
    reason: optional(text()),
    /** `2026-12-31`. */
    until: optional(text()),
  }),
);
export type ArchitectureEditParams = Shaped<typeof architectureEditParams>;

/** The new text of a file. Nothing is written: the caller shows it to the user first. */
export const architectureEditShape = shape(() =>
  object({
    path: z.string(),
    /** `undefined` where there is no such file yet. */
    before: unset(z.string()),
    after: z.string(),
    /** Violations that the baseline holds then, or exceptions that the rule file has. */
    count: z.number(),
  }),
);
export type ArchitectureEdit = Shaped<typeof architectureEditShape>;

/** The text of a baseline or rule file with one thing, or everything, accepted. */
export async function architectureEdit(
  workspace: Workspace,
  params: ArchitectureEditParams,
  token: CancellationToken,
): Promise<Result<ArchitectureEdit, FeatureFailure>> {
  if (params.kind === 'exception') return exceptionEdit(workspace, params);
  const sources = await ruleSources(workspace);
  if (!sources.ok) return sources;
  const { accepted, baselineText: before, rules } = sources.value;
  const entries = params.kind === 'accept' ? acceptOne(accepted, params) : await allEntries(workspace, token);
  if (!entries.ok) return entries;
  return ok({ path: rules.baseline, before, after: baselineText(entries.value), count: entries.value.length });
}

function acceptOne(
  accepted: readonly BaselineEntry[],
  { rule, from, to, edge, members }: ArchitectureEditParams,
): Result<readonly BaselineEntry[], FeatureFailure> {
  if (rule === undefined || (from === undefined && members === undefined)) return err(invalid('rule', 'rule and from (or members) are required.'));
  const entry = entryOf({
    ruleId: rule,
    from: { id: from ?? '', file: '', line: 0 },
    to: to ?? '',
    edge: edge ?? '',
    ...(members === undefined ? {} : { members }),
  });
  return ok([...accepted, entry]);
}

async function allEntries(workspace: Workspace, token: CancellationToken): Promise<Result<readonly BaselineEntry[], FeatureFailure>> {
  const found = await validateArchitecture(workspace, {}, token);
  if (!found.ok) return found;
  return ok(found.value.violations.filter(violation => violation.ruleId !== FILE_RULE).map(entryOf));
}

async function exceptionEdit(workspace: Workspace, { rule, from, reason, until }: ArchitectureEditParams): Promise<Result<ArchitectureEdit, FeatureFailure>> {
  if (rule === undefined || from === undefined || reason === undefined || reason.trim() === '') {
    return err(invalid('reason', 'rule, from and reason are required.'));
  }
  const sources = await ruleSources(workspace);
  if (!sources.ok) return sources;
  const { rules, text } = sources.value;
  if (text === undefined) {
    return err({
      code: 'NOT_FOUND',
      message: 'There is no rule file to add an exception to.',
      hint: phrase`Create .lattice/architecture.yaml first. Use ${toolRef('arch_suggest', { mode: 'rules' })} to suggest one.`,
    });
  }
  const after = withException(text, rules.source, { rule, from, reason, ...(until === undefined ? {} : { until }) });
  return ok({ path: rules.source, before: text, after, count: readRules(rules.source, after).exceptions.length });
}

type NewException = Readonly<Record<'rule' | 'from' | 'reason', string> & { until?: string }>;

/** Adds an item behind the last exception, so that the rest of the file stays as it was written. */
function withException(text: string, path: WorkspacePath, exception: NewException): string {
  const before = readRules(path, text).exceptions.length;
  const inserted = path.endsWith('.json') ? undefined : insertedText(text, exception);
  if (inserted !== undefined && readRules(path, inserted).exceptions.length === before + 1) return inserted;
  const document = parseDocument(text);
  if (!isSeq(document.get('exceptions', true))) document.set('exceptions', []);
  document.addIn(['exceptions'], exception);
  if (!path.endsWith('.json')) return document.toString({ lineWidth: 0 });
  return `${JSON.stringify(document.toJS(), undefined, 2)}\n`;
}

function insertedText(text: string, exception: NewException): string | undefined {
  const flow = `{${Object.entries(exception)
    .map(([key, value]) => `${key}: ${key === 'until' || /^[\w./*-]+$/.test(value) ? value : JSON.stringify(value)}`)
    .join(', ')}}`;
  const root = parseDocument(text).contents;
  if (!isMap(root)) return undefined;
  const list: unknown = root.get('exceptions', true);
  const end = text.endsWith('\n') || text === '' ? text : `${text}\n`;
  if (list === undefined || list === null) return `${end}exceptions:\n  - ${flow}\n`;
  if (!isSeq(list) || list.flow === true) return undefined;
  const last = (list as YAMLSeq<{ readonly range?: readonly [number, number, number] | null }>).items.at(-1)?.range;
  const first = list.items[0] as { readonly range?: readonly [number, number, number] | null } | undefined;
  if (last === undefined || last === null || first?.range === undefined || first.range === null) return undefined;
  const dash = text.lastIndexOf('-', first.range[0]);
  const indent = text.slice(text.lastIndexOf('\n', dash) + 1, dash);
  const newline = text.indexOf('\n', last[1] - 1);
  const at = newline < 0 ? text.length : newline + 1;
  return `${text.slice(0, at)}${newline < 0 ? '\n' : ''}${indent}- ${flow}\n${text.slice(at)}`;
}

export const architectureEditFeature = feature({
  name: 'architectureEdit',
  about: 'The text of the rule file with violations accepted or excepted; nothing is written.',
  params: architectureEditParams,
  answer: architectureEditShape,
  run: architectureEdit,
});
