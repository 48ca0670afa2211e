import { describe, expect, it, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { contextOf } from '../../server/src/features/architecture/services/serviceContext';
import type { ServiceModel } from '../../server/src/services/model';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { modelOf, type ServicesSketch, servicesOver } from '../helpers/servicesOf';
import { workspaceOf } from '../helpers/workspaceOf';
import { call, callWith, SYSTEM } from './serviceSystem';

type Row = Readonly<Record<string, unknown>>;
const rowsOf = (answer: Row, key: string): readonly Row[] => answer[key] as readonly Row[];
const importing = (...paths: readonly string[]) => ({ references: paths.map(to => ({ from: '', relation: 'IMPORTS' as const, to })) });
const around = async (node_id: string, filter_edge_types: readonly string[], sketch: ServicesSketch = SYSTEM): Promise<readonly Row[]> =>
  rowsOf(await callWith('query_graph_neighborhood', { node_id, radius: 1, filter_edge_types, profile: 'debug' }, sketch), 'edges');

describe('the layer', () => {
  it('has files and symbols beside what services offer; every service has a file, every endpoint a contract', async () => {
    const { node_types } = await call('build_knowledge_graph');
    expect(node_types).toMatchObject({ file: 3, symbol: 3, service: 2, endpoint: 1 });
    const model = await modelOf(SYSTEM);
    for (const { name } of model.services) expect(await around(`service::${name}`, ['CONTAINS_FILE'])).not.toEqual([]);
    for (const { id } of model.endpoints) expect(await around(id, ['EXPOSES_ENDPOINT'])).toHaveLength(1);
    for (const { id } of (await modelOf({ ...SYSTEM, files: { 'docker-compose.yml': 'services: {orders: {build: orders}}' } })).endpoints)
      expect(await around(id, ['EXPOSES_ENDPOINT'], { ...SYSTEM, files: { 'docker-compose.yml': 'services: {orders: {build: orders}}' } })).toMatchObject([
        { src: 'contract::derived/orders' },
      ]);
  });

  it('sums up imports between two services in one call, with the endpoint that it goes by', async () => {
    const code = { ...SYSTEM.code, 'web/other.ts': importing('orders/app.ts', 'orders/lonely.ts') };
    const services = servicesOver(await modelOf({ ...SYSTEM, code }), { ...SYSTEM, code });
    const { graph } = workspaceOf(code, { services }).current() ?? {};
    const web = graph?.find('service::web');
    const calls = graph === undefined || web === undefined ? [] : graph.out(web).filter(({ relation }) => relation === 'SERVICE_CALLS');
    expect(calls.map(({ attributes, target }) => ({ target: graph?.idOf(target), ...attributes }))).toMatchObject([
      { target: 'service::orders', import_count: 3, via_endpoint: 'endpoint::orders::GET::/orders/{id}' },
    ]);
  });

  it('keeps relations of one pair apart', async () => {
    const event = { event_name: 'order.checked', channel: 'order.checked', file: 'orders/app.ts', line: 1 };
    const interfaces = { orders: { events_published: [event], events_consumed: [event] } };
    const edges = await around('event::order.checked', ['PUBLISHES_EVENT', 'CONSUMES_EVENT'], { ...SYSTEM, interfaces });
    expect(edges.map(({ rel, src }) => `${String(src)} ${String(rel)}`).sort()).toEqual(['service::orders consumes_event', 'service::orders publishes_event']);
  });

  it('is made with an error for a contract that cannot be read', async () => {
    const files = { ...SYSTEM.files, 'web/openapi.yaml': 'openapi: 3.0.0\npaths: [\n' };
    const built = await call('build_knowledge_graph', {}, { ...SYSTEM, files });
    expect(built).toMatchObject({ success: true, services_indexed: ['orders', 'web'], errors: [expect.stringMatching(/^web\/openapi\.yaml:\d+: /)] });
  });

  it('is made from files where the code cannot be read, with the reason', async () => {
    const model = await modelOf({ ...SYSTEM, digests: () => Promise.reject(new Error('the pack is gone')) });
    expect(model.services.map(({ name }) => name)).toEqual(['orders', 'web']);
    expect(model.problems).toEqual([{ file: '', line: 0, message: 'The interfaces in the code could not be read: the pack is gone' }]);
  });
});

test.each([
  [{ force_rebuild: false }, 299_000, false],
  [{ force_rebuild: false }, 301_000, true],
  [{ force_rebuild: true }, 0, true],
  [{}, 0, true],
])('build_knowledge_graph %j reads files again when the last build is %i ms old: %s', async (input, age, anew) => {
  const asked: unknown[] = [];
  const services = servicesOver(await modelOf(SYSTEM), SYSTEM);
  const { port } = services;
  const workspace = workspaceOf(SYSTEM.code ?? {}, {
    services: {
      ...services,
      port: {
        ...port,
        built: { at: workspaceOf({}).records.now() - age, durationMs: 1 },
        model: (token, how) => {
          asked.push(how?.anew);
          return port.model(token, how);
        },
      },
    },
  });
  await invoke(TOOLS, workspace, { name: 'build_knowledge_graph', input, agentId: undefined, sessionId: 's' }, neverCancelled);
  expect(asked).toEqual([anew]);
});

test('the seven tools are listed, and answer one after the other', async () => {
  const inputs: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
    build_knowledge_graph: {},
    get_service_context: { service_name: 'web' },
    query_graph_neighborhood: { node_id: 'service::web' },
    hybrid_search: { query: 'orders' },
    find_cross_service_impact: { node_id: 'orders/app.ts' },
    validate_service_boundaries: {},
    check_cross_service_events: {},
  };
  for (const [name, input] of Object.entries(inputs)) {
    expect(TOOLS.map(tool => tool.name)).toContain(name);
    expect(await callWith(name, input)).not.toHaveProperty('error');
  }
});

test.each([
  ['include_provided_apis', ['provided_endpoints']],
  ['include_events', ['events_published']],
  ['include_entities', ['owned_entities']],
  ['include_dependencies', ['depended_on_by']],
])('get_service_context leaves out %s of what a service gives', async (flag, keys) => {
  for (const key of keys) {
    expect((await call('get_service_context', { service_name: 'orders' }))[key]).not.toEqual([]);
    expect((await call('get_service_context', { service_name: 'orders', [flag]: false }))[key]).toEqual([]);
  }
});

describe('validate_service_boundaries', () => {
  const files = { 'docker-compose.yml': 'services: {orders: {build: orders}, web: {build: web}, billing: {build: billing}}' };

  it('names a file that belongs with another service by its imports', async () => {
    const code = {
      'orders/a.ts': importing('orders/b.ts', 'orders/c.ts'),
      'orders/b.ts': importing('orders/c.ts'),
      'orders/c.ts': {},
      'web/stray.ts': importing('orders/a.ts', 'orders/b.ts', 'orders/c.ts'),
    };
    expect(await call('validate_service_boundaries', {}, { code, files })).toMatchObject({
      alignment_score: 0.75,
      misplaced_files: [{ file: 'web/stray.ts', declared_service: 'web', community_service: 'orders', confidence: 0.75 }],
      isolated_files: [],
    });
  });

  it('lists the pairs that are joined most first', async () => {
    const code = {
      'orders/a.ts': {},
      'orders/b.ts': {},
      'billing/a.ts': importing('orders/a.ts'),
      'web/a.ts': importing('orders/a.ts', 'orders/b.ts'),
    };
    const { service_coupling } = await call('validate_service_boundaries', {}, { code, files });
    const pairs = service_coupling as readonly { readonly service_a: string; readonly service_b: string; readonly cross_edges: number }[];
    expect(pairs.map(pair => `${pair.service_a} ${pair.service_b}`)).toEqual(['orders web', 'billing orders']);
    expect(pairs[0]?.cross_edges).toBeGreaterThan(pairs[1]?.cross_edges ?? 0);
  });
});

describe('the context of a service', () => {
  const ALL = { consumedApis: true, providedApis: true, events: true, entities: true, dependencies: true, maxDepth: 2 };
  /** `web` with something for each section. */
  const whole = async (): Promise<ServiceModel> =>
    modelOf({
      ...SYSTEM,
      files: {
        ...SYSTEM.files,
        'web/openapi.yaml':
          'openapi: 3.0.0\npaths: {/pages: {get: {}}}\ncomponents: {schemas: {Poster: {type: object, properties: {title: {type: string}}}}}\n',
        'web/events.yaml': 'asyncapi: 2.0.0\nchannels: {order.created: {subscribe: {}}, page.shown: {publish: {}}}\n',
      },
    });
  const HEADINGS = [
    '### Service Dependencies',
    '### APIs This Service Must Consume',
    '### Domain Entities Referenced (from other services)',
    '### APIs This Service Provides',
    '### Events Published',
    '### Events Consumed',
    '### Domain Entities Owned',
    '### Cross-Service Integration Notes',
  ];
  const headings = (text: string): readonly string[] => text.split('\n').filter(line => line.startsWith('### '));

  it('has all sections in their order', async () => {
    const { text } = contextOf(await whole(), 'web', ALL, 2000);
    expect(text.split('\n')[0]).toBe('## Graph RAG Context: web');
    expect(headings(text)).toEqual(HEADINGS);
  });

  it('keeps the first sections and ends with the marker where the budget is short, the marker within it', async () => {
    const model = await whole();
    const longest = contextOf(model, 'web', ALL, 2000).text.length;
    let cut = 0;
    for (let budget = 30; budget * 4 < longest; budget += 5) {
      const { text } = contextOf(model, 'web', ALL, budget);
      expect(text.length).toBeLessThanOrEqual(budget * 4);
      const shown = headings(text);
      if (!text.endsWith('[... truncated ...]')) continue;
      cut++;
      expect(shown).toEqual(HEADINGS.slice(0, shown.length));
    }
    expect(cut).toBeGreaterThan(3);
  });
});

describe('hybrid_search', () => {
  const found = async (input: object): Promise<readonly unknown[]> =>
    rowsOf(await callWith('hybrid_search', { n_results: 20, profile: 'debug', ...input }), 'results').map(({ node_id }) => node_id);

  it('finds what services offer by kind, by service, and by both', async () => {
    expect(await found({ query: 'orders', node_types: ['endpoint'] })).toEqual(['endpoint::orders::GET::/orders/{id}']);
    expect(await found({ query: 'created order', node_types: ['event', 'endpoint'] })).toEqual(['event::order.created', 'endpoint::orders::GET::/orders/{id}']);
    expect(await found({ query: 'orders', service_name: 'web' })).not.toContain('endpoint::orders::GET::/orders/{id}');
    expect(await found({ query: 'orders', service_name: 'orders', node_types: ['endpoint'] })).toEqual(['endpoint::orders::GET::/orders/{id}']);
    expect(await found({ query: 'nothing of it', node_types: ['endpoint'] })).toEqual([]);
  });

  it('ranks them beside code by their words', async () => {
    const results = await found({ query: 'GET orders id' });
    expect(results).toContain('endpoint::orders::GET::/orders/{id}');
    expect(await found({ query: 'show page of lonely things with orders' })).not.toContain('endpoint::orders::GET::/orders/{id}');
  });
});
