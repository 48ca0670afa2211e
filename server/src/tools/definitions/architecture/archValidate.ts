import { z } from 'zod';
import { ok } from '../../../base/result';
import { SEVERITIES, type Violation } from '../../../features/architecture/rules';
import { type ArchitectureAnswer, isBuiltin, validateArchitecture } from '../../../features/architecture/validate';
import { type Hint, phrase, toolRef } from '../../../model/hints';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';

/** Share of the budget for the list. */
const LIST_SHARE = 0.68;

export const archValidate = defineTool({
  name: 'arch_validate',
  title: 'Check architecture rules',
  description:
    'Check code against the layers and rules in .lattice/architecture.yaml (without that file, only for import cycles). Use before and after adding imports or moving code. Returns violations with location, rule, message and suggestion, most severe first, and pass or fail. Violations in the baseline are marked and do not fail.',
  group: 'architecture',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  input: z.object({
    files: z.array(z.string()).optional().describe('Files or folders. Default: all'),
    since: z.string().optional().describe('Only files changed since a revision, A..B, time or tx id'),
    rules: z.array(z.string()).optional().describe('Rule IDs, or "layers"'),
    query: z.string().optional().describe('Keywords to select rules, layers or files'),
    includeBoundaries: z.boolean().default(false).describe('Also report files that belong with another layer'),
    minSeverity: z.enum(SEVERITIES).default('info'),
  }),
  fields: [
    { key: 'status', priority: 'required', description: 'pass or fail' },
    {
      key: 'violations',
      priority: 'required',
      description: 'ruleId, severity, from, to, edge, layerFrom, layerTo, message, suggestion, baseline; paged by cursor',
    },
    { key: 'summary', priority: 'required', description: 'Counts by severity, in the baseline, and of exceptions' },
    { key: 'unassignedFiles', priority: 'high', description: 'Files that are not in a layer, and not checked' },
    { key: 'checkedFiles', priority: 'medium', description: 'Number of checked files' },
    { key: 'checkedEdges', priority: 'medium', description: 'Number of checked links between files, certain only' },
    { key: 'rulesSource', priority: 'medium', description: 'Path of the rule file, or builtin' },
    { key: 'picked', priority: 'medium', description: 'What query selected' },
    { key: 'fixed', priority: 'low', description: 'Baseline entries that are no longer violated' },
    { key: 'degraded', priority: 'low', description: 'Checks that could not run' },
  ],

  async handle(context, input, token) {
    const found = await validateArchitecture(context.workspace, given(input), token);
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const offset = context.cursor?.offset ?? 0;
    const rows = answer.violations.slice(offset).map(violation => violationRow(violation, context.profile === 'compact'));
    const fitting = fillSlot(rows, estimateTokens, context.maxTokens * LIST_SHARE).selected;
    const violations = fitting.length === 0 ? rows.slice(0, 1) : fitting;
    const common = {
      summary: summaryOf(answer),
      stamp: answer.stamp,
      page: { key: 'violations', offset, total: answer.violations.length, count: violations.length },
    };
    if (context.cursor !== undefined) return ok({ ...common, data: { status: answer.status, violations } });
    const hint = hintOf(answer);
    return ok({
      ...common,
      ...(hint === undefined ? {} : { hint }),
      data: {
        status: answer.status,
        violations,
        summary: filled(answer.counts),
        unassignedFiles: answer.unassignedFiles,
        checkedFiles: answer.checkedFiles,
        checkedEdges: answer.checkedEdges,
        rulesSource: answer.rulesSource,
        ...(answer.picked === undefined ? {} : { picked: filled(answer.picked) }),
        ...(answer.fixed > 0 ? { fixed: answer.fixed } : {}),
        degraded: answer.degraded,
      },
    });
  },

  render(data) {
    const line = (row: Readonly<Record<string, unknown>>): string => {
      const from = row['from'] as Readonly<Record<string, unknown>>;
      const accepted = row['baseline'] === true ? ' (accepted)' : '';
      return `${textIn(from, 'file')}:${textIn(from, 'line')} ${textIn(row, 'severity')} ${textIn(row, 'ruleId')}${accepted}: ${textIn(row, 'message')}`;
    };
    const unassigned = Array.isArray(data['unassignedFiles']) ? (data['unassignedFiles'] as readonly unknown[]).map(String) : [];
    return [...rowsIn(data, 'violations').map(line), ...block('Not in a layer', unassigned)].join('\n');
  },
});

/** In a compact answer without what the message says already. */
function violationRow(violation: Violation, isCompact: boolean): Record<string, unknown> {
  const { ruleId, severity, from, to, edge, layerFrom, layerTo, message, suggestion, baseline } = violation;
  return {
    ruleId,
    severity,
    from: isCompact && from.id === from.file ? { file: from.file, line: from.line } : from,
    ...(to === '' ? {} : { to }),
    ...(edge === '' ? {} : { edge }),
    ...(layerFrom === '' ? {} : { layerFrom }),
    ...(layerTo === '' ? {} : { layerTo }),
    message,
    ...(isCompact ? {} : { suggestion }),
    ...(baseline ? { baseline } : {}),
  };
}

/** Only what says something. */
function filled(rows: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(rows).filter(([, value]) => (Array.isArray(value) ? value.length > 0 : value !== 0)));
}

function summaryOf(answer: ArchitectureAnswer): string {
  const { counts, status } = answer;
  const parts = [
    ...(counts.error > 0 ? [count(counts.error, 'error')] : []),
    ...(counts.warning > 0 ? [count(counts.warning, 'warning')] : []),
    ...(counts.info > 0 ? [`${counts.info} info`] : []),
    ...(counts.baseline > 0 ? [`${counts.baseline} accepted`] : []),
    ...(counts.excepted > 0 ? [count(counts.excepted, 'exception')] : []),
  ];
  const what = isBuiltin(answer) ? 'import cycles' : answer.rulesSource;
  return `${status}: ${parts.length === 0 ? 'no violations' : parts.join(', ')} of ${what} in ${count(answer.checkedFiles, 'file')}.`;
}

function hintOf(answer: ArchitectureAnswer): Hint | undefined {
  if (isBuiltin(answer)) return phrase`No rules are declared. Use ${toolRef('arch_suggest', { mode: 'rules' })} to suggest a .lattice/architecture.yaml.`;
  if (answer.fixed > 0) return `${count(answer.fixed, 'baseline entry', 'baseline entries')} no longer violated. Update the baseline.`;
  return undefined;
}
