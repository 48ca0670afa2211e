import { expect, test } from 'vitest';
import { type FeatureName } from '../../../server/src/features/catalogue/catalogue';
import { extractSubgraph } from '../../../server/src/features/search/subgraph';
import { hintForTerminal } from '../../../server/src/transports/cli/toolText';
import { askFeature, outcomeOf } from '../../helpers/askFeature';
import { askTool } from '../../helpers/askTool';
import { graphOf, type WorkspaceSketch } from '../../helpers/graphOf';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

const total = 'src/pay.ts::total';

const ask = <Name extends FeatureName>(name: Name, params: unknown, sketch: WorkspaceSketch = shop) => outcomeOf(name, params, workspaceOf(sketch));

test('a question is answered as far as it can be, and says what it left out', async () => {
  const answer = await ask('graphQuery', { query: 'who calls `total` and noSuchThing' });
  expect(answer).toMatchObject({ strategy: 'graph_only', total: 3 });
  expect(answer.warnings).toEqual(['noSuchThing is not in the graph and was ignored.']);
});

test('the global mode answers from communities, the hybrid one from both', async () => {
  expect(await ask('graphQuery', { query: 'overview of the codebase', mode: 'global' })).toMatchObject({ total: 4, rows: [], strategy: 'global' });
  const chosen = await ask('graphQuery', { query: 'lonely', mode: 'global' });
  expect(chosen).toMatchObject({ total: 1, communities: [{ centralNode: 'src/lonely.ts::lonely' }] });
  const both = await ask('graphQuery', { query: 'who calls total', mode: 'hybrid' });
  expect(both.communities).not.toEqual([]);
  expect(both.rows).toHaveLength(3);
});

test('neighbors are not reached by way of a library', () => {
  const uses = (from: string, to: string) => ({ from, relation: 'INHERITS', to }) as const;
  const sketch: WorkspaceSketch = {
    'a.ts': { symbols: [{ name: 'A', kind: 'class' }], references: [uses('A', 'external::Migration'), { from: 'A', relation: 'CALLS', to: 'c.ts::c' }] },
    'b.ts': { symbols: [{ name: 'B', kind: 'class' }], references: [uses('B', 'external::Migration')] },
    'c.ts': { symbols: [{ name: 'c' }, { name: 'd' }], references: [{ from: 'c', relation: 'CALLS', to: 'c.ts::d' }] },
  };
  const { view } = graphOf(sketch);
  const around = (egoHops: number) => extractSubgraph(view, ['a.ts::A'], { egoHops, boundary: true }).neighbors.map(row => row.id);
  expect(around(1)).toEqual(['c.ts::c']);
  expect(around(3)).toEqual(['c.ts::c', 'c.ts::d']);
});

test('features over a wire refuse unknown words', async () => {
  const codes = await Promise.all(
    [['graphQuery', { query: 'x', mode: 'sideways' }] as const, ['traverse', { entries: [total], direction: 'up' }] as const, ['traverse', {}] as const].map(
      async ([name, params]) => {
        const found = await askFeature(name, workspaceOf(shop), params);
        return found.ok ? 'ok' : found.error.code;
      },
    ),
  );
  expect(codes).toEqual(['VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR']);
});

test('who calls a type calls its members, wherever they are declared; what imports it imports its file; each row tells its link', async () => {
  const calls = (from: string, to: string, line: number) => ({ from, relation: 'CALLS', to, line, source: 'import' }) as const;
  const sketch: WorkspaceSketch = {
    'src/a.ts': {
      symbols: [
        { name: 'Box', kind: 'class' },
        { name: 'Box.open', kind: 'method' },
      ],
      references: [{ from: 'Box', relation: 'CONTAINS', to: 'src/b.ts::Box::shut' }, calls('Box.open', 'src/b.ts::Box::shut', 2)],
    },
    'src/b.ts': { symbols: [{ name: 'Box.shut', kind: 'method' }] },
    'src/c.ts': {
      symbols: [{ name: 'one' }, { name: 'two' }],
      references: [
        { from: '', relation: 'IMPORTS', to: 'src/a.ts', line: 1 },
        calls('one', 'src/a.ts::Box::open', 4),
        { from: 'two', relation: 'CALLS', to: { 'src/b.ts::Box::shut': 0.5 }, line: 6 },
      ],
    },
  };
  const rows = async (query: string) => {
    const found = await askFeature('graphQuery', workspaceOf(sketch), { query });
    return found.ok ? (found.value as { readonly rows: readonly { readonly id: string }[] }).rows.map(row => row.id) : [];
  };
  expect(await rows('who calls Box')).toEqual(['src/c.ts::one', 'src/c.ts::two']);
  expect(await rows('who calls Box.shut')).toEqual(['src/a.ts::Box::open', 'src/c.ts::two']);
  expect(await rows('which files import Box')).toEqual(['src/c.ts']);
});

test('a relation asked of a name that several things have is answered for all of them, and says so', async () => {
  const calls = (from: string, to: string) => ({ from, relation: 'CALLS', to, source: 'import' }) as const;
  const sketch: WorkspaceSketch = {
    'src/a.ts': { symbols: [{ name: 'make_reply' }, { name: 'one' }], references: [calls('one', 'src/a.ts::make_reply')] },
    'src/b.ts': { symbols: [{ name: 'make_reply' }, { name: 'two' }], references: [calls('two', 'src/b.ts::make_reply')] },
    'test/c.ts': { isTest: true, symbols: [{ name: 'make_reply' }, { name: 'three' }], references: [calls('three', 'test/c.ts::make_reply')] },
  };
  const found = await askFeature('graphQuery', workspaceOf(sketch), { query: 'what calls make_reply' });
  expect(found).toMatchObject({
    ok: true,
    value: {
      strategy: 'graph_only',
      rows: [{ id: 'src/a.ts::one' }, { id: 'src/b.ts::two' }],
      warnings: ['There are several symbols named make_reply. The answer includes all of them.'],
    },
  });
  const unknown = await askFeature('graphQuery', workspaceOf(sketch), { query: 'what calls Frobnicator?' });
  expect(unknown).toMatchObject({ ok: true, value: { warnings: ['Frobnicator is not in the graph and was ignored.'] } });
});

test('a walk that stops at its limit tells each door in its own words how to learn the total', async () => {
  const callers = Array.from({ length: 230 }, (_, at) => `caller${at}`);
  const sketch: WorkspaceSketch = {
    'src/a.ts': {
      symbols: [{ name: 'wanted' }, ...callers.map(name => ({ name }))],
      references: callers.map(from => ({ from, relation: 'CALLS', to: 'src/a.ts::wanted', source: 'import' }) as const),
    },
  };
  const query = 'who calls wanted';
  expect(await ask('graphQuery', { query }, sketch)).toMatchObject({ total: 200, truncated: true, warnings: [] });
  const { envelope } = await askTool(workspaceOf(sketch), 'graph_query', { query, profile: 'balanced' }, { agentId: undefined, sessionId: 's' });
  const sentence = 'There are more than 200 results. Use impact_analyze for the total number.';
  expect(envelope).toMatchObject({ hint: sentence, data: { warnings: [sentence] } });
  expect(hintForTerminal(envelope.hintParts ?? [])).toBe('There are more than 200 results. Use lattice impact for the total number.');
});
