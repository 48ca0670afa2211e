import { beforeEach, expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { Answer, FeatureName, ParamsOf } from '../../../server/src/features/catalogue/catalogue';
import { patternQuery } from '../../../server/src/features/query/patternQuery';
import { LayerStack } from '../../../server/src/layers/layerStack';
import { MemoryLayer } from '../../../server/src/layers/memory/memoryLayer';
import { NO_NODE } from '../../../server/src/model/ids';
import { TOOLS } from '../../../server/src/tools/catalogue';
import { invoke } from '../../../server/src/tools/invoke';
import { askFeature } from '../../helpers/askFeature';
import { deltaOf, graphOf } from '../../helpers/graphOf';
import { type MemoryRecords, memoryRecords } from '../../helpers/memoryRecords';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

type Data = Readonly<Record<string, unknown>>;

let records: MemoryRecords;

beforeEach(async () => {
  records = await memoryRecords();
});

async function done(name: string, input: Data): Promise<Data> {
  const { envelope } = await invoke(TOOLS, workspaceOf(shop, { records }), { name, input, agentId: 'ada', sessionId: 's' }, neverCancelled);
  expect(envelope, envelope.summary).toMatchObject({ ok: true });
  return envelope.data ?? {};
}

async function ask<Name extends FeatureName>(name: Name, params: ParamsOf<Name>): Promise<Answer<Name>> {
  const found = await askFeature(name, workspaceOf(shop, { records }), params);
  if (!found.ok) throw new Error(`${found.error.code}: ${found.error.message}`);
  return found.value;
}

const atom = async (name: string, paths: readonly string[], more: Data = {}): Promise<string> =>
  String((await done('manage_graph', { operation: 'create', entityType: 'atom', name, paths, createdByTaskId: 'manual', ...more }))['id']);
const molecule = async (name: string): Promise<string> =>
  String((await done('manage_graph', { operation: 'create', entityType: 'molecule', name, createdByTaskId: 'manual' }))['id']);
const container = async (containerType: 'task' | 'feature', name: string, more: Data = {}): Promise<string> =>
  ((await done('manage_container', { operation: 'create', containerType, name, ...more }))[containerType] as { readonly id: string }).id;
const contextFiles = (containerId: string, content: string): Promise<Data> =>
  done('manage_sections', { operation: 'create', containerId, title: 'Context Files', content });

const rows = async (query: string): Promise<readonly unknown[]> => {
  const found = await patternQuery(workspaceOf(shop, { records }), { query }, neverCancelled);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.records.map(record => Object.values(record));
};

test('a task touches its context files, and depends on what blocks it', async () => {
  const feature = await container('feature', 'Checkout');
  const [cash, card] = [await container('task', 'Cash', { parentId: feature }), await container('task', 'Card', { parentId: feature })];
  await contextFiles(card, '- `src/pay.ts:11`\n- src/pay.ts::Till, /home/ada/shop/src/checkout.ts\n- /etc/passwd');
  await done('manage_dependency', { operation: 'add', fromId: cash, toId: card });
  expect(await rows('MATCH (t:task)-[:TOUCHES]->(f:file) RETURN t.name, f.path ORDER BY f.path')).toEqual([
    ['Card', 'src/checkout.ts'],
    ['Card', 'src/pay.ts'],
  ]);
  expect(await rows('MATCH (c:class)<-[:TOUCHES]-(t:task {status: "pending"}) RETURN c.name, t.id')).toEqual([['Till', card]]);
  expect(await rows('MATCH (t)-[:DEPENDS_ON]->(b)-[:PART_OF]->(f:feature) RETURN t.name, b.name, f.name')).toEqual([['Card', 'Cash', 'Checkout']]);
  expect(await rows('MATCH (w:WORK) RETURN w.name ORDER BY w.name')).toEqual([['Card'], ['Cash'], ['Checkout']]);
});

test('atoms cover files and are of molecules; what is deleted is gone', async () => {
  const money = await molecule('Money');
  const till = await atom('Till', ['src/pay.ts'], { moleculeId: money, knowledge: 'Cents only.' });
  await atom('Code', ['src/**'], { relatedAtoms: [{ atomId: till, reason: 'uses it' }] });
  expect(await rows("MATCH (a:atom)-[:COVERS]->({id: 'src/pay.ts'}) RETURN a.name ORDER BY a.name")).toEqual([['Code'], ['Till']]);
  expect(await rows('MATCH (a)-[r:RELATED_ATOM]->(b)-[:IN_MOLECULE]->(m:molecule) RETURN a.name, r.reason, b.knowledge, m.name')).toEqual([
    ['Code', 'uses it', 'Cents only.', 'Money'],
  ]);
  await done('manage_graph', { operation: 'delete', entityType: 'atom', id: till, version: 1 });
  expect(await rows('MATCH (a:KNOWLEDGE) RETURN a.name ORDER BY a.name')).toEqual([['Code'], ['Money']]);
});

test('a walk from the code stays in it; one from an atom or a task goes through all', async () => {
  const till = await atom('Till', ['src/pay.ts']);
  const card = await container('task', 'Card');
  await contextFiles(card, 'src/checkout.ts');
  const ids = ({ nodes }: { readonly nodes: readonly { readonly id: string }[] }): string[] => nodes.map(({ id }) => id);
  expect(ids(await ask('traverse', { entries: ['src/pay.ts'], maxHops: 1 }))).not.toContain(till);
  expect(ids(await ask('traverse', { entries: ['src/pay.ts'], maxHops: 1, relations: ['covered_by'] }))).toEqual([till]);
  expect(ids(await ask('traverse', { entries: [till], maxHops: 1 }))).toEqual(['src/pay.ts']);
  expect(ids(await ask('neighborhood', { target: card, radius: 1 }))).toEqual([card, 'src/checkout.ts']);
  const path = await ask('findPath', { from: card, to: till, undirected: true });
  expect(ids(path)).toEqual([card, 'src/checkout.ts', 'src/pay.ts', till]);
  expect(path.edges.map(({ relation }) => relation)).toEqual(['TOUCHES', 'IMPORTS', 'COVERS']);
});

test('an impact tells what bears on the change apart from its dependents, and a task stands for what it touches', async () => {
  const before = await ask('impact', { target: 'src/pay.ts::total' });
  const money = await molecule('Money');
  await atom('Till', ['src/pay.ts'], { moleculeId: money });
  const feature = await container('feature', 'Checkout');
  const [card, cash] = [await container('task', 'Card', { parentId: feature }), await container('task', 'Cash')];
  await contextFiles(card, 'src/pay.ts::total');
  await done('manage_dependency', { operation: 'add', fromId: card, toId: cash });
  const after = await ask('impact', { target: 'src/pay.ts::total' });
  for (const key of ['counts', 'impacted', 'maybe', 'impactedFiles', 'byRelation', 'blastRadius'] as const) expect(after[key]).toEqual(before[key]);
  expect(after.knowledge).toEqual([
    { id: card, kind: 'task', name: 'Card', relation: 'TOUCHES', of: 'src/pay.ts::total' },
    { id: feature, kind: 'feature', name: 'Checkout', relation: 'PART_OF', of: card },
    { id: cash, kind: 'task', name: 'Cash', relation: 'DEPENDS_ON', of: card },
    { id: money, kind: 'molecule', name: 'Money', relation: 'IN_MOLECULE', of: expect.stringContaining('atom::') },
  ]);
  const ofFeature = await ask('impact', { target: feature });
  expect(ofFeature.targets).toEqual([feature]);
  expect(ofFeature.impacted).toEqual(after.impacted);
});

test('communities and transactions are there when they are asked for, and nowhere else', async () => {
  const till = await atom('Till', ['src/pay.ts']);
  const members = await rows("MATCH (f {id: 'src/pay.ts'})-[:BELONGS_TO]->(c:community)<-[:BELONGS_TO]-(m) RETURN m.id, c.memberCount");
  expect(members.length).toBeGreaterThan(0);
  expect(members).toHaveLength(Number((members[0] as readonly unknown[])[1]) - 1);
  expect(await rows('MATCH (t:tx)-[:AFFECTS]->(a) RETURN t.type, a.id')).toEqual([['agent_edit', till]]);
  expect(await rows("MATCH (f {id: 'src/pay.ts'})-[r]->(x) RETURN DISTINCT type(r)")).toEqual([['defines_symbol']]);
});

test('an export holds every layer, and adds no edge of the code', async () => {
  const exported = async () => (await ask('exportGraph', {})).rows;
  const edgesOf = (rows: Awaited<ReturnType<typeof exported>>) => rows.flatMap(row => (row.type === 'edge' ? [row] : []));
  const before = edgesOf(await exported());
  const till = await atom('Till', ['src/pay.ts']);
  const after = await exported();
  expect(after).toContainEqual(
    expect.objectContaining({ type: 'node', id: till, nodeType: 'atom', attributes: expect.objectContaining({ paths: ['src/pay.ts'] }) }),
  );
  expect(after).toContainEqual(expect.objectContaining({ type: 'edge', relation: 'COVERS', source: till, target: 'src/pay.ts' }));
  const fresh = edgesOf(after).filter(row => !before.some(old => JSON.stringify(old) === JSON.stringify(row)));
  expect([...new Set(fresh.map(({ relation }) => relation))].sort()).toEqual(['AFFECTS', 'COVERS']);
  expect(before.some(({ relation }) => relation === 'BELONGS_TO')).toBe(true);
});

test('the layer follows files that come and go, and costs nothing while it is empty', async () => {
  const { graph, interner, view } = graphOf(shop);
  const layers = new LayerStack(interner, [new MemoryLayer(records, { root: '/home/ada/shop', caseInsensitive: false })], () => undefined);
  const kinds = new Uint8Array(256).fill(1);
  expect(layers.over(view).walk(kinds).live).toBe(view.adjacency.live);
  const till = await atom('Till', ['src/p*.ts']);
  const covered = (over: typeof view): string[] => {
    const seen = layers.over(over);
    return seen.out(seen.find(till) ?? NO_NODE).map(edge => seen.idOf(edge.target));
  };
  expect(covered(view)).toEqual(['src/pay.ts']);
  const grown = graph.apply(deltaOf({ 'src/plan.ts': {}, 'src/other.ts': {} }, interner));
  expect(covered(grown)).toEqual(['src/pay.ts', 'src/plan.ts']);
  expect(covered(graph.apply(deltaOf({}, interner, ['src/pay.ts'])))).toEqual(['src/plan.ts']);
});

test('a snapshot does not change when something is written later, and the revision grows', async () => {
  const workspace = workspaceOf(shop, { records });
  const before = workspace.current();
  const till = await atom('Till', ['src/pay.ts']);
  expect(before?.graph.find(till)).toBeUndefined();
  const after = workspace.current();
  expect(after?.graph.find(till)).toBeDefined();
  expect(after?.revision ?? 0).toBeGreaterThan(before?.revision ?? 0);
});

test('a scene shows knowledge beside code when it is asked for, and can begin at it', async () => {
  const money = await molecule('Money');
  const till = await atom('Till', ['src/pay.ts'], { moleculeId: money });
  const card = await container('task', 'Card');
  await contextFiles(card, 'src/checkout.ts::checkout');
  const scene = (params: ParamsOf<'graphScene'>) => ask('graphScene', params);
  const plain = await scene({ start: 'focus', target: 'src/pay.ts::Till' });
  expect(plain.nodes.some(({ lane }) => lane === 'knowledge')).toBe(false);
  const both = await scene({ start: 'focus', target: 'src/pay.ts::Till', knowledge: true });
  const above = both.nodes.filter(({ lane }) => lane === 'knowledge');
  expect(above.map(({ id }) => id).sort()).toEqual([till, card, money].sort());
  const edges = both.edges.map(({ source, target }) => [source, target]);
  expect(edges).toEqual(
    expect.arrayContaining([
      [till, 'src/pay.ts::Till'],
      [till, money],
      [card, 'src/checkout.ts::checkout'],
    ]),
  );
  const overview = await scene({ start: 'workspace', knowledge: true });
  expect(overview.edges.some(({ source }) => source === till)).toBe(true);
  const ofTask = await scene({ start: 'focus', target: card });
  expect(ofTask.nodes.map(({ id }) => id)).toEqual([card, 'src/checkout.ts::checkout']);
});

test('explaining a task or an atom tells its state and what it is tied to', async () => {
  const feature = await container('feature', 'Checkout');
  const card = await container('task', 'Card', { parentId: feature, summary: 'Take cards.' });
  await contextFiles(card, '- src/pay.ts::Till');
  const task = await ask('explain', { target: card });
  expect(task).toMatchObject({ type: 'TASK', sentence: 'Take cards.', attributes: { status: 'pending', priority: 'medium' } });
  expect(task.links).toEqual([
    { rel: 'touches', id: 'src/pay.ts::Till', name: 'Till', kind: 'class' },
    { rel: 'part_of', id: feature, name: 'Checkout', kind: 'feature' },
  ]);
  const till = await ask('explain', { target: 'src/pay.ts::Till' });
  expect(till).toMatchObject({ type: 'CLASS', links: [{ rel: 'touched_by', id: card, name: 'Card', kind: 'task' }] });
  expect(till.attributes).toBeUndefined();
  const money = await atom('Money', ['src/pay.ts'], { knowledge: 'Amounts are in cents.' });
  const call = { name: 'code_explain', input: { target: 'Money' }, agentId: 'ada', sessionId: 's' };
  const { envelope, text } = await invoke(TOOLS, workspaceOf(shop, { records }), call, neverCancelled);
  expect(envelope.summary).toBe('atom Money: Amounts are in cents. covers 1.');
  expect(envelope.data).toMatchObject({ id: money, type: 'ATOM', attributes: { paths: ['src/pay.ts'] } });
  expect(text).toContain('covers file pay.ts (src/pay.ts)');
});

test('the first load of the layer goes in short steps, with the same result, also when something is written meanwhile', async () => {
  for (let index = 0; index < 100; index++) await atom(`Note ${index}`, ['src/*.ts']);
  const { interner, view } = graphOf(shop);
  const layer = (): MemoryLayer => new MemoryLayer(records, { root: '/home/ada/shop', caseInsensitive: false });
  const edgesOf = (stack: LayerStack): string[] => {
    const graph = stack.over(view);
    return [...graph.nodesAbove()].flatMap(node => graph.out(node).map(edge => `${graph.idOf(edge.source)} ${graph.idOf(edge.target)}`));
  };
  const steps = new LayerStack(interner, [layer()], () => undefined);
  let pauses = 0;
  let isWritten = false;
  await steps.prepare(view, async () => {
    pauses++;
    if (isWritten) return;
    isWritten = true;
    await atom('Late', ['src/pay.ts']);
  });
  expect(pauses).toBeGreaterThan(5);
  const atOnce = new LayerStack(interner, [layer()], () => undefined);
  expect(edgesOf(steps)).toEqual(edgesOf(atOnce));
  expect(edgesOf(steps).length).toBeGreaterThan(100);
});
