import { z } from 'zod';
import { ok, type Result } from '../../../base/result';
import { graphQuery as ask, type GraphQueryAnswer, QUERY_MODES, type QueryRow, questionProblem } from '../../../features/query/graphQuery';
import { patternProblem, patternQuery } from '../../../features/query/patternQuery';
import { type Hint, hintForAgents, joinHints, phrase, toolRef } from '../../../model/hints';
import { estimateTokens, fillSlot } from '../../shaping';
import { defineTool, type ToolContext, type ToolFailure, type ToolSuccess } from '../../tool';
import { CLAIMS_FIELD, claimedBy, claimsNear } from '../memory/claimsNear';
import { count, failure, rowsIn, textIn, unknownKind } from '../outcome';
import { viaText } from './edgeText';

/** Share of the budget for the results. */
const LIST_SHARE = 0.7;

export const graphQuery = defineTool({
  name: 'graph_query',
  title: 'Query the graph',
  description:
    'Answer a question about the code. Use for relations between named symbols ("what calls X"), for an overview of the codebase (mode: global), or for a read-only pattern query (cypher: MATCH … WHERE … RETURN), which also reaches atoms, tasks, transactions and communities: MATCH (t:task)-[:TOUCHES]->(f:file). To search code by meaning use search_code; for knowledge, query_graph. Returns rows with location and link, or records and columns, and how the question was answered.',
  group: 'core',
  effect: 'read',
  defaultProfile: 'compact',
  paged: true,
  foreign: {
    operation: phrase`${toolRef('query_graph')} reads knowledge; ${toolRef('graph_query')} queries the code graph.`,
    entityType: phrase`${toolRef('query_graph')} reads knowledge; ${toolRef('graph_query')} queries the code graph.`,
    paths: phrase`${toolRef('query_graph')} reads knowledge; ${toolRef('graph_query')} queries the code graph.`,
  },
  input: z.object({
    query: z.string().trim().min(1).describe('A question, or a pattern query'),
    language: z.enum(['natural', 'cypher']).optional().describe('Default: cypher if the query begins with MATCH (, else natural'),
    mode: z.enum(QUERY_MODES).default('local').describe('global: from community summaries; hybrid: both'),
    types: z.array(z.string()).optional().describe('Only these: file, function, CLASS…'),
    entities: z.array(z.string()).optional().describe('IDs or names that the question is about'),
    limit: z.number().int().min(1).max(200).default(10).describe('Results per page'),
    parameters: z.record(z.string(), z.unknown()).optional().describe('cypher: values of $parameters'),
    timeout_ms: z.number().int().min(1).max(30_000).default(5000).describe('cypher only'),
  }),
  fields: [
    { key: 'results', priority: 'required', description: 'Rows, communities (mode: global; in hybrid marked by section), or records' },
    { key: 'count', priority: 'high', description: 'Total number of results' },
    { key: 'columns', priority: 'high', description: 'Of the records' },
    { key: 'retrieval_strategy', priority: 'high', description: 'vector_only, graph_only, hybrid or global' },
    CLAIMS_FIELD,
    { key: 'query', priority: 'medium', description: 'The executed query' },
    { key: 'warnings', priority: 'low', description: 'What is missing from the answer' },
  ],

  check: input => unknownKind('types', input.types) ?? (isPattern(input) ? patternProblem(input.query) : questionProblem(input)),

  async handle(context, input, token): Promise<Result<ToolSuccess, ToolFailure>> {
    const offset = context.cursor?.offset ?? 0;
    if (isPattern(input)) {
      const found = await patternQuery(context.workspace, { query: input.query, parameters: input.parameters ?? {}, timeoutMs: input.timeout_ms }, token);
      if (!found.ok) return failure(found.error);
      const { records, columns, stamp } = found.value;
      const shown = fitting(context, records.slice(offset, offset + input.limit));
      return ok({
        summary: `${count(records.length, 'record')} of ${columns.join(', ')}${shown.length < records.length ? `; ${offset + 1}–${offset + shown.length} shown` : ''}.`,
        data: { results: shown, count: records.length, columns, query: input.query },
        stamp,
        page: { key: 'results', offset, total: records.length, count: shown.length },
      });
    }
    const { query, mode, types: kinds = [], entities = [], limit } = input;
    const found = await ask(context.workspace, { query, mode, kinds, entities, limit, offset }, token);
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const warnings = warningsOf(answer);
    const communities = answer.communities.map(row => ({ ...(mode === 'hybrid' ? { section: 'global' } : {}), ...row }));
    const all =
      mode === 'global' ? communities : answer.rows.map(row => ({ ...(mode === 'hybrid' ? { section: 'local' } : {}), ...resultRow(row, answer.entities) }));
    const ahead = mode === 'hybrid' ? communities : [];
    const shown = fitting(context, all, estimateTokens(ahead));
    return ok({
      summary: `${summaryOf(query, answer, offset)}${claimedBy(context, answer.entities)}`,
      data: {
        results: mode === 'hybrid' ? [...shown, ...ahead] : shown,
        count: answer.total,
        retrieval_strategy: answer.strategy,
        query: answer.executed,
        ...claimsNear(context, [...answer.entities, ...answer.rows.map(({ id }) => id)]),
        ...(context.profile === 'compact' ? {} : { warnings: warnings.map(hintForAgents) }),
      },
      stamp: answer.stamp,
      page: { key: 'results', offset, total: answer.total, count: shown.length },
      ...(warnings.length === 0 ? {} : { hint: joinHints(warnings) }),
    });
  },

  render: data =>
    [...rowsIn(data, 'results')]
      .sort((a, b) => Number(b['label'] !== undefined) - Number(a['label'] !== undefined))
      .map(row => {
        if (row['label'] !== undefined) return `${textIn(row, 'id')} ${textIn(row, 'label')}: ${textIn(row, 'summary')}`;
        if (data['columns'] !== undefined) return JSON.stringify(row);
        return `${textIn(row, 'id')}${row['line'] === undefined ? '' : `:${textIn(row, 'line')}`} ${textIn(row, 'kind')}${row['via'] === undefined ? '' : `  ${textIn(row, 'via')}`}`;
      })
      .join('\n'),
});

function warningsOf({ warnings, total, truncated }: GraphQueryAnswer): readonly Hint[] {
  return truncated ? [...warnings, phrase`There are more than ${total} results. Use ${toolRef('impact_analyze')} for the total number.`] : warnings;
}

function isPattern({ language, query }: { readonly language?: 'natural' | 'cypher' | undefined; readonly query: string }): boolean {
  return language === undefined ? /^(?:OPTIONAL\s+)?MATCH\s*\(/i.test(query) : language === 'cypher';
}

function fitting<T>(context: ToolContext, rows: readonly T[], taken = 0): readonly T[] {
  const { selected } = fillSlot(rows, estimateTokens, Math.max(0, context.maxTokens * LIST_SHARE - taken));
  return selected.length === 0 ? rows.slice(0, 1) : selected;
}

function summaryOf(query: string, { rows, communities, total, strategy }: GraphQueryAnswer, offset: number): string {
  const [first] = rows;
  if (strategy === 'global') {
    const names = communities.slice(0, 3).map(({ label, memberCount }) => `${label} (${memberCount})`);
    return `${count(total, 'relevant community', 'relevant communities')} for "${query}"${names.length === 0 ? '' : `: ${names.join(', ')}`}.`;
  }
  if (first === undefined) return `No ${offset > 0 ? 'more ' : ''}results for "${query}".`;
  // The first row of a walk follows at once.
  if (strategy === 'graph_only') return `${count(total, 'result')} for "${query}".`;
  return `${count(total, 'result')} for "${query}"; ${offset > 0 ? 'next' : 'first'}: ${first.id}.`;
}

function resultRow({ id, kind, startLine, score, summary, link }: QueryRow, asked: readonly string[]): Record<string, unknown> {
  return {
    id,
    kind,
    ...(startLine > 1 ? { line: startLine } : {}),
    score,
    ...(link === undefined ? {} : { via: viaText(link, id, asked) }),
    ...(summary === '' ? {} : { summary }),
  };
}
