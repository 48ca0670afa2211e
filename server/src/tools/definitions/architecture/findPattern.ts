import { z } from 'zod';
import { ok } from '../../../base/result';
import { SEVERITIES } from '../../../features/architecture/rules';
import { findPattern as find, findPatternProblem, PATTERNS } from '../../../features/patterns/findPattern';
import { type Hint, paramRef, phrase } from '../../../model/hints';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool } from '../../tool';
import { count, failure, given, rowsIn, textIn } from '../outcome';

/** Share of the budget for the matches. */
const LIST_SHARE = 0.6;
/** Letters at the beginning that make words look like the id of a pattern. */
const LIKE = 5;

export const findPattern = defineTool({
  name: 'find_pattern',
  title: 'Find structural patterns',
  description: `Find code by structural pattern. pattern is one of ${PATTERNS.map(row => row.id).join(', ')}, a read-only MATCH query, or keywords. Use to review design or to find examples to follow. Returns matches with location, evidence and suggested fix.`,
  group: 'search',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  input: z.object({
    pattern: z.string().min(1).describe('ID, MATCH query or keywords'),
    paths: z.array(z.string()).optional().describe('Files, folders or globs'),
    minSeverity: z.enum(SEVERITIES).default('info'),
    limit: z.number().int().min(1).max(200).default(20).describe('Matches per page'),
  }),
  fields: [
    {
      key: 'groups',
      priority: 'required',
      description:
        'patternId, title, severity, count, matches (id, file, lines, evidence; of ADV patterns also priority, weightedSeverity, action, owningService, rootNode), fix; matches are paged by cursor',
    },
    { key: 'total', priority: 'required', description: 'Total number of matches' },
    { key: 'degraded', priority: 'required', description: 'Parts of the graph that are required but missing' },
    { key: 'suppressed', priority: 'high', description: 'Findings suppressed by another service' },
    { key: 'suppressedMatches', priority: 'low', description: 'With profile debug: the suppressed findings, with what speaks against them' },
    { key: 'truncated', priority: 'medium', description: 'True when there are more matches' },
  ],

  check: findPatternProblem,

  async handle(context, input, token) {
    const offset = context.cursor?.offset ?? 0;
    const found = await find(context.workspace, { ...given(input), offset }, token);
    if (!found.ok) return failure(found.error);
    const { degraded, patternId, stamp, suppressed, suppressedMatches, total } = found.value;
    let shown = 0;
    const groups = found.value.groups.map(group => {
      const fitting = fillSlot(group.matches, estimateTokens, context.maxTokens * LIST_SHARE).selected;
      const matches = fitting.length === 0 ? group.matches.slice(0, 1) : fitting;
      shown += matches.length;
      return offset > 0 ? { patternId: group.patternId, count: group.count, matches } : { ...group, matches };
    });
    const [first] = groups;
    const missing = degraded.length > 0 && total === 0;
    return ok({
      summary: missing
        ? `${input.pattern} cannot be checked, because the graph of this workspace has no ${degraded.join(', ')}.`
        : `${first?.patternId === 'search' ? `${count(total, 'search result')} for "${input.pattern}"` : `${count(total, 'match', 'matches')} of ${first?.patternId ?? input.pattern}`}${first === undefined || first.matches[0] === undefined || offset > 0 ? '' : `; first ${first.matches[0].id}`}.`,
      data: {
        groups,
        total,
        ...(degraded.length === 0 ? {} : { degraded }),
        suppressed,
        ...(context.profile === 'debug' && suppressed > 0 ? { suppressedMatches } : {}),
        ...(offset + shown < total ? { truncated: true } : {}),
      },
      stamp,
      page: { key: 'groups', offset, total, count: shown, isNested: true },
      ...hintOf(
        first?.patternId === 'search' && offset === 0 ? input.pattern : undefined,
        total === 0 && !missing,
        input.paths !== undefined,
        patternId === 'search',
      ),
    });
  },

  render: data =>
    rowsIn(data, 'groups')
      .flatMap(group => [
        ...(group['title'] === undefined ? [] : [`${textIn(group, 'patternId')} (${textIn(group, 'severity')}): ${textIn(group, 'title')}`]),
        ...rowsIn(group, 'matches').map(matchLine),
        ...(group['fix'] === undefined ? [] : [`Fix: ${textIn(group, 'fix')}`]),
      ])
      .join('\n'),
});

/** `a.py:3 a.py::f: why`, with its priority before it and what to do behind it where it has them. */
function matchLine(row: Readonly<Record<string, unknown>>): string {
  const priority = row['priority'] === undefined ? '' : `${textIn(row, 'priority')} `;
  const action = row['action'] === undefined ? '' : `. ${textIn(row, 'action')}`;
  return `${priority}${textIn(row, 'file')}:${textIn(row, 'lines').replace(/^(\d+)-\1$/, '$1')} ${textIn(row, 'id')}: ${textIn(row, 'evidence')}${action}`;
}

function hintOf(asked: string | undefined, isEmpty: boolean, isNarrow: boolean, isWords: boolean): { readonly hint?: Hint } {
  const near =
    asked === undefined
      ? undefined
      : PATTERNS.find(
          row =>
            row.id.slice(0, LIKE) ===
            asked
              .toLowerCase()
              .replace(/[\s_]+/g, '-')
              .slice(0, LIKE),
        );
  if (near !== undefined) return { hint: `Did you mean ${near.id}?` };
  if (asked !== undefined || !isEmpty) return {};
  if (isWords) return { hint: `No pattern with this ID, and no code matches these keywords. Patterns: ${PATTERNS.map(row => row.id).join(', ')}.` };
  return {
    hint: isNarrow
      ? phrase`No matches in these paths. Omit ${paramRef('paths')} to search everywhere.`
      : 'No matches. Thresholds can be changed in the settings lattice.patterns.*.',
  };
}
