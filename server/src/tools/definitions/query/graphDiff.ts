import { z } from 'zod';
import { interfaceCounts } from '../../../../protocol/interfaceChanges';
import { ok } from '../../../base/result';
import { type GraphDiffAnswer, graphDiff, PARTS } from '../../../features/compare/graphDiff';
import { breakVerdict } from '../../../model/breakVerdict';
import { defineTool } from '../../tool';
import { block, count, failure, given, rowsIn, textIn } from '../outcome';

export const graphDiffTool = defineTool({
  name: 'graph_diff',
  title: 'Compare two states of the code',
  description:
    'Compare two states of the code as graphs, by default where the branch left the main branch and the working tree. Use to review a change: symbols added, removed, moved, renamed or changed, new dependencies and cycles, breaking changes with the lines that break, and changed code without tests.',
  group: 'graph',
  effect: 'read',
  defaultProfile: 'balanced',
  paged: true,
  aliases: { since: 'from', base: 'from', head: 'to' },
  input: z.object({
    from: z.string().optional().describe('Older state, or a range A..B: commit, tag, branch, time, tx id. Default: merge-base'),
    to: z.string().optional().describe('Newer state. Default: working (the current code)'),
    include: z.array(z.enum(PARTS)).optional().describe('Parts of the comparison. Default: all'),
    scope: z.string().optional().describe('Path or ID to limit the comparison to'),
  }),
  fields: [
    { key: 'counts', priority: 'required', description: 'Changed symbols by kind of change, and files' },
    {
      key: 'breaking',
      priority: 'required',
      description:
        'Exported symbols, and endpoints that other services call, that were removed or changed while unchanged code uses them: id, reason, uses (5, more in debug), total',
    },
    {
      key: 'interfaces',
      priority: 'high',
      description:
        'Endpoints, events (by who publishes or consumes them) and domain entities that are new or gone, whoever uses them: change, kind, name, service',
    },
    { key: 'nodes', priority: 'high', keeps: 10, description: 'Changed symbols, then files, then tests; paged by cursor' },
    { key: 'newCycles', priority: 'high', description: 'Import cycles and architecture violations that are new' },
    { key: 'untested', priority: 'high', keeps: 3, description: 'Changed code that no test reaches' },
    { key: 'risk', priority: 'high', description: 'low, medium or high' },
    {
      key: 'riskParts',
      priority: 'medium',
      description: 'Figures behind the risk: reach, tests, changes in a year, share of uncovered lines; raisedBy: what raises it',
    },
    { key: 'resolved', priority: 'medium', description: 'Cycles and violations that are gone' },
    { key: 'dependencies', priority: 'medium', keeps: 3, description: 'Dependencies between files, folders and packages that are new or gone' },
    { key: 'tests', priority: 'medium', description: 'Tests that cover the change' },
    { key: 'edges', priority: 'low', description: 'Dependencies between symbols that are new or gone' },
    { key: 'notes', priority: 'low', description: 'What could not be determined' },
  ],

  async handle(context, input, token) {
    const found = await graphDiff(context.workspace, given(input), token);
    if (!found.ok) return failure(found.error);
    const answer = found.value;
    const offset = context.cursor?.offset ?? 0;
    const nodes = codeFirst(answer.nodes)
      .slice(offset)
      .map(({ change, id, kind, line, oldId, oldSignature, path: _path, signature }) => ({
        id,
        change,
        kind,
        ...(line > 0 ? { line } : {}),
        ...(oldId === undefined ? {} : { oldId }),
        ...(signature === undefined ? {} : { was: oldSignature, signature }),
      }));
    const common = { summary: summaryOf(answer), stamp: answer.stamp, page: { key: 'nodes', offset, total: answer.nodes.length, count: nodes.length } };
    if (context.cursor !== undefined) return ok({ ...common, data: { counts: answer.counts, nodes } });
    const { architecture, breaking, counts, edges, interfaces, notes, risk, riskParts, tests, untested } = answer;
    return ok({
      ...common,
      data: {
        counts,
        breaking: breaking.map(({ id, nowId, oldSignature, reason, signature, total, uses }) => ({
          id,
          reason,
          ...given({ nowId, was: oldSignature, signature }),
          total,
          uses: uses
            .slice(0, context.profile === 'debug' ? uses.length : SHOWN_USES)
            .map(use => ({ id: use.id, line: use.line, path: use.path, ...(use.possible === true ? { possible: true } : {}) })),
        })),
        interfaces: interfaces.map(({ change, id, kind, line, name, path, role, service }) => ({
          change,
          kind,
          id,
          name,
          ...given({ role }),
          service,
          ...(path === '' ? {} : { path, line }),
        })),
        nodes,
        newCycles: architecture.added.map(violationRow),
        untested,
        ...(risk === undefined ? {} : { risk }),
        ...(riskParts === undefined ? {} : { riskParts }),
        resolved: architecture.resolved.map(violationRow),
        dependencies: edges.units,
        tests: tests.map(test => test.id),
        edges: { added: edges.added, removed: edges.removed },
        notes,
      },
    });
  },

  render(data) {
    const texts = (key: string): string[] => (Array.isArray(data[key]) ? (data[key] as readonly unknown[]).map(String) : []);
    return [
      ...block(
        'Breaking changes',
        rowsIn(data, 'breaking').flatMap(row => [
          `${textIn(row, 'reason')} ${textIn(row, 'id')}${row['nowId'] === undefined ? '' : ` → ${textIn(row, 'nowId')}`}, still used by`,
          ...rowsIn(row, 'uses').map(use => `  ${textIn(use, 'path')}:${textIn(use, 'line')} ${textIn(use, 'id')}`),
          ...moreUses(Number(row['total']) - rowsIn(row, 'uses').length),
        ]),
      ),
      ...block('Endpoints, events and entities', rowsIn(data, 'interfaces').map(interfaceText)),
      ...block(
        'New cycles and violations',
        rowsIn(data, 'newCycles').map(row => `${textIn(row, 'file')}:${textIn(row, 'line')} ${textIn(row, 'message')}`),
      ),
      ...block(
        'Resolved cycles and violations',
        rowsIn(data, 'resolved').map(row => `${textIn(row, 'file')}:${textIn(row, 'line')} ${textIn(row, 'message')}`),
      ),
      ...block('Changed without tests', texts('untested')),
      ...block(
        'Changed',
        rowsIn(data, 'nodes').map(
          row => `${changeText(textIn(row, 'change'))} ${textIn(row, 'id')}${row['oldId'] === undefined ? '' : ` (was ${textIn(row, 'oldId')})`}`,
        ),
      ),
      ...block(
        'Dependencies',
        rowsIn(data, 'dependencies').map(row => `${textIn(row, 'change')} ${textIn(row, 'level')} ${textIn(row, 'from')} → ${textIn(row, 'to')}`),
      ),
      ...block('Tests', texts('tests')),
      ...texts('notes'),
    ].join('\n');
  },
});

/** Of a large comparison only the first are shown: files and tests say less of what a change is about. */
function codeFirst(nodes: GraphDiffAnswer['nodes']): GraphDiffAnswer['nodes'] {
  const rank = ({ isTest, kind }: GraphDiffAnswer['nodes'][number]): number => (isTest ? 2 : kind === 'file' ? 1 : 0);
  return nodes.toSorted((a, b) => rank(a) - rank(b));
}

/** Uses of one breaking change, so that the changes themselves stay in sight. */
const SHOWN_USES = 5;

function moreUses(count: number): string[] {
  return count > 0 ? [`  and ${count} more`] : [];
}

/** `added endpoint GET /orders of orders, orders/app.py:12`, `removed event order.placed that orders publishes` */
function interfaceText(row: Readonly<Record<string, unknown>>): string {
  const [change, name, path, role, service] = ['change', 'name', 'path', 'role', 'service'].map(key => textIn(row, key));
  const whose = service === '' ? '' : role === '' ? ` of ${service}` : ` that ${service} ${role}`;
  return `${change} ${textIn(row, 'kind').replace('domain_', '')} ${name}${whose}${path === '' ? '' : `, ${path}:${textIn(row, 'line')}`}`;
}

/** The text of a file counts as its body. */
function changeText(change: string): string {
  return change === 'signature' ? 'signature changed' : change === 'body' ? 'changed' : change;
}

function violationRow({ from, message, ruleId, severity }: GraphDiffAnswer['architecture']['added'][number]): Record<string, unknown> {
  return { rule: ruleId, severity, file: from.file, line: from.line, message };
}

function summaryOf(answer: GraphDiffAnswer): string {
  const { architecture, breaking, counts, from, interfaces, nodes, to, untested } = answer;
  const between = `between ${from.name}${from.commit === '' || from.name.startsWith(from.commit.slice(0, 7)) ? '' : ` (${from.commit.slice(0, 7)})`} and ${to.name === 'working' ? 'the current code' : to.name}`;
  if (counts.files === 0 && nodes.length === 0) return `No differences ${between}.`;
  const changes = (['added', 'removed', 'renamed', 'moved'] as const).flatMap(key => (counts[key] > 0 ? [`${counts[key]} ${key}`] : []));
  const changed = counts.signature + counts.body;
  const parts = [...changes, ...(changed > 0 ? [`${changed} changed (${counts.signature} in signature)`] : [])].join(', ');
  const verdict = breakVerdict(answer, count);
  const bad = [
    breaking.length > 0 ? verdict : '',
    architecture.added.length > 0 ? `${architecture.added.length} new ${architecture.added.length === 1 ? 'cycle or violation' : 'cycles and violations'}` : '',
    untested.length > 0 ? `${untested.length} changed without tests` : '',
  ].filter(text => text !== '');
  const offered = interfaceCounts(interfaces, count);
  const offers = offered === '' ? '' : `; ${offered}`;
  return `${count(counts.files, 'file')} ${counts.files === 1 ? 'differs' : 'differ'} ${between}${parts === '' ? '' : `; symbols: ${parts}`}${offers}. ${bad.length === 0 ? `${verdict[0]?.toUpperCase()}${verdict.slice(1)}.` : `${bad.join(', ')}.`}`;
}
