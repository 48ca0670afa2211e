import { describe, expect, it, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { contextOf } from '../../server/src/features/architecture/services/serviceContext';
import { findPattern, type PatternAnswer } from '../../server/src/features/patterns/findPattern';
import { priorityOf, raisedPriority } from '../../server/src/features/patterns/serviceFindings';
import { TOOLS } from '../../server/src/tools/catalogue';
import { invoke } from '../../server/src/tools/invoke';
import { modelOf, type ServicesSketch, servicesOver } from '../helpers/servicesOf';
import { workspaceOf } from '../helpers/workspaceOf';
import { call, callWith, SYSTEM } from './serviceSystem';

test.each(['GET /orders/{id}', 'endpoint::orders::GET::/orders/{id}'])('code_explain tells what a request to %s sets off', async target => {
  expect(await callWith('code_explain', { target })).toMatchObject({
    id: 'endpoint::orders::GET::/orders/{id}',
    type: 'ENDPOINT',
    flow: [
      { depth: 0, kind: 'endpoint', name: 'GET /orders/{id}', service: 'orders' },
      { depth: 1, kind: 'handler', name: 'getOrder', file: 'orders/app.ts' },
    ],
  });
});

test('build_knowledge_graph counts what there is', async () => {
  expect(await call('build_knowledge_graph')).toMatchObject({
    success: true,
    services_indexed: ['orders', 'web'],
    node_types: { service: 2, endpoint: 1, event: 3, domain_entity: 1, data_store: 1, contract: 3 },
    edge_types: { SERVICE_CALLS: 1, HANDLES_ENDPOINT: 1, IMPLEMENTS_ENTITY: 1, CONTAINS_FILE: 3 },
    errors: [],
    matched_entities: [{ entity: 'Order', symbol: 'orders/app.ts::Order' }],
  });
  expect(await call('build_knowledge_graph', { project_name: 'other' })).toMatchObject({ success: false, services_indexed: [] });
  expect(await call('build_knowledge_graph', { service_interfaces_json: '[]' })).toMatchObject({ error: { errorCode: 'VALIDATION_ERROR' } });
});

describe('get_service_context', () => {
  it('is read line by line', async () => {
    const services = servicesOver(await modelOf(SYSTEM), SYSTEM);
    const asked = { name: 'get_service_context', input: { service_name: 'web' }, agentId: undefined, sessionId: 's' };
    const { text } = await invoke(TOOLS, workspaceOf(SYSTEM.code ?? {}, { services }), asked, neverCancelled);
    expect(text.split('\n')).toContain('| GET | /orders/{id} | orders |');
  });

  it('tells all of a service', async () => {
    const web = await call('get_service_context', { service_name: 'web' });
    expect(web).toMatchObject({
      consumed_endpoints: [{ method: 'GET', path: '/orders/{id}', provider_service: 'orders' }],
      events_consumed: [
        { event_name: 'never', publisher_service: '' },
        { event_name: 'order.created', publisher_service: 'orders' },
      ],
      referenced_entities: [{ name: 'Order', owning_service: 'orders', fields: ['id: string*'] }],
      depends_on: ['orders'],
      depended_on_by: [],
    });
    expect(web['context_text']).toContain('`GET /orders/{id}` of orders requires token.');
    expect(await call('get_service_context', { service_name: 'orders' })).toMatchObject({
      provided_endpoints: [{ method: 'GET', path: '/orders/{id}', handler: 'orders/app.ts::getOrder', contract_id: 'orders/openapi.yaml' }],
      events_published: [{ event_name: 'lost', channel: 'lost' }, { event_name: 'order.created' }],
      owned_entities: [{ name: 'Order' }],
      depended_on_by: ['web'],
      dependency_topology: [{ service: 'web', depth: 1, direction: 'depended_on_by' }],
    });
  });

  it.each([
    ['include_consumed_apis', ['consumed_endpoints']],
    ['include_events', ['events_consumed', 'events_published']],
    ['include_entities', ['referenced_entities']],
    ['include_dependencies', ['depends_on', 'dependency_topology']],
  ])('leaves out %s', async (flag, keys) => {
    const answer = await call('get_service_context', { service_name: 'web', [flag]: false });
    for (const key of keys) expect(answer[key]).toEqual([]);
  });

  it('names what is meant when there is no such service', async () => {
    const { error } = (await call('get_service_context', { service_name: 'order' })) as { readonly error: object };
    expect(error).toMatchObject({ errorCode: 'NOT_FOUND', data: { service_name: 'order', suggestions: ['orders'] } });
  });

  it('keeps to its budget with the marker of a cut, the most important first', async () => {
    const model = await modelOf(SYSTEM);
    const all = { consumedApis: true, providedApis: true, events: true, entities: true, dependencies: true, maxDepth: 2 };
    const whole = contextOf(model, 'orders', all, 2000).text;
    expect(whole).toContain('### Cross-Service Integration Notes');
    expect(whole).not.toContain('### APIs This Service Must Consume');
    for (let budget = 20; budget < 300; budget += 7) {
      const { text } = contextOf(model, 'orders', all, budget);
      expect(text.length).toBeLessThanOrEqual(budget * 4);
      if (text.includes('### Events Published')) expect(text).toContain('### Service Dependencies');
    }
  });
});

test('find_cross_service_impact names services, contracts and entities within the depth', async () => {
  expect(await call('find_cross_service_impact', { node_id: 'orders/app.ts::getOrder' })).toMatchObject({
    source_service: 'orders',
    impacted_services: [{ service_name: 'web', files: ['web/page.ts'] }],
    impacted_contracts: [{ contract_id: 'orders/openapi.yaml', endpoints_affected: ['GET /orders/{id}'] }],
    impacted_entities: [{ entity_name: 'Order', owning_service: 'orders' }],
  });
  const ofShow = (max_depth: number) => call('find_cross_service_impact', { node_id: 'web/page.ts::show', max_depth });
  expect(await ofShow(1)).toMatchObject({ impacted_contracts: [] });
  expect(await ofShow(2)).toMatchObject({ impacted_contracts: [{ contract_id: 'orders/openapi.yaml' }] });
  expect(await call('find_cross_service_impact', { node_id: 'orders/nothing.ts' })).toMatchObject({ error: { errorCode: 'NOT_FOUND' } });
});

test('impact_analyze with scope services gives services, contracts, entities and events in one answer', async () => {
  const services = servicesOver(await modelOf(SYSTEM), SYSTEM);
  const input = { target: 'orders/app.ts::getOrder', scope: 'services', profile: 'debug' };
  const { envelope } = await invoke(
    TOOLS,
    workspaceOf(SYSTEM.code ?? {}, { services }),
    { name: 'impact_analyze', input, agentId: undefined, sessionId: 's' },
    neverCancelled,
  );
  expect(envelope.data).toMatchObject({
    impactedServices: [{ service: 'web' }],
    impactedContracts: [{ contract: 'orders/openapi.yaml' }],
    impactedEntities: [{ name: 'Order' }],
  });
});

test('impact_analyze tells of other services beside the impact on code, unless only code is asked about', async () => {
  const asked = { target: 'orders/app.ts::getOrder', profile: 'debug' };
  expect(await callWith('impact_analyze', asked)).toMatchObject({
    directDependents: [{ id: 'web/page.ts::show' }],
    impactedServices: [{ service: 'web' }],
    impactedContracts: [{ contract: 'orders/openapi.yaml' }],
  });
  expect(await callWith('impact_analyze', { ...asked, scope: 'code' })).not.toHaveProperty('impactedServices');
});

test('validate_service_boundaries finds misplaced and isolated files', async () => {
  expect(await call('validate_service_boundaries')).toMatchObject({
    services_declared: 2,
    isolated_files: ['orders/lonely.ts'],
    service_coupling: [{ service_a: 'orders', service_b: 'web' }],
  });
  const apart: ServicesSketch = { ...SYSTEM, code: { 'orders/a.ts': {}, 'web/b.ts': {} } };
  expect(await call('validate_service_boundaries', {}, apart)).toMatchObject({ alignment_score: 1, misplaced_files: [] });
});

test('check_cross_service_events tells which sides are missing', async () => {
  const names = (rows: unknown): readonly unknown[] => (rows as readonly { readonly event_name: string }[]).map(row => row.event_name);
  const all = await call('check_cross_service_events');
  expect([names(all['matched_events']), names(all['orphaned_events']), names(all['unmatched_consumers'])]).toEqual([['order.created'], ['lost'], ['never']]);
  expect(all).toMatchObject({ total_events: 3, match_rate: 0.333 });
  expect(await call('check_cross_service_events', { service_name: 'web' })).toMatchObject({ total_events: 2 });
  expect(await call('check_cross_service_events', {}, { code: {} })).toMatchObject({ total_events: 0, match_rate: 1 });
});

test('a layer that is switched off answers with defaults', async () => {
  const off: ServicesSketch = { ...SYSTEM, settings: { enabled: false } };
  expect(await call('build_knowledge_graph', {}, off)).toMatchObject({ success: true, services_indexed: [] });
  expect(await call('get_service_context', { service_name: 'web' }, off)).toMatchObject({ context_text: '', depends_on: [] });
  expect(await call('check_cross_service_events', {}, off)).toMatchObject({ total_events: 0, match_rate: 1 });
  expect(await call('validate_service_boundaries', {}, off)).toMatchObject({ alignment_score: 1 });
  expect(await call('find_cross_service_impact', { node_id: 'orders/app.ts::getOrder' }, off)).toMatchObject({ impacted_contracts: [] });
});

test('find_pattern flags endpoints, events and contracts that nobody answers, unless another service does', async () => {
  const found = async (pattern: string, sketch: ServicesSketch = SYSTEM) => {
    const services = servicesOver(await modelOf(sketch), sketch);
    const answer = await findPattern(workspaceOf(sketch.code ?? {}, { services }), { pattern }, neverCancelled);
    if (!answer.ok) throw new Error(answer.error.message);
    return answer.value;
  };
  const ids = ({ groups }: PatternAnswer): readonly string[] => groups.flatMap(({ matches }) => matches.map(({ id }) => id));
  expect(ids(await found('orphan-event'))).toEqual(['event::lost', 'event::never']);
  const handlers = await found('ADV-001');
  expect(ids(handlers)).toEqual(['event::never']);
  expect(handlers).toMatchObject({
    suppressed: 1,
    suppressedMatches: [{ evidence: 'web handles order.created, which orders publishes (orders/events.yaml:2)' }],
  });
  const alone: ServicesSketch = { ...SYSTEM, interfaces: undefined };
  expect(ids(await found('dead-endpoint', alone))).toEqual(['endpoint::orders::GET::/orders/{id}']);
  expect(ids(await found('ADV-002', { ...alone, code: { 'orders/app.ts': {}, 'web/page.ts': {} } }))).toContain('contract::orders/openapi.yaml');
  expect(ids(await found('ADV-002', alone))).not.toContain('contract::orders/openapi.yaml');
});

describe('findings between services', () => {
  const findings = async (pattern: string, sketch: ServicesSketch): Promise<Readonly<Record<string, unknown>>> =>
    (await callWith('find_pattern', { pattern, profile: 'debug' }, sketch)) as Readonly<Record<string, unknown>>;

  it('have a priority, who owns them, what hangs on them and what depends on their file', async () => {
    const unused: ServicesSketch = {
      ...SYSTEM,
      interfaces: undefined,
      code: { 'orders/app.ts': {}, 'web/page.ts': {} },
      files: { ...SYSTEM.files, 'web/events.yaml': '' },
    };
    expect(await findings('ADV-002', unused)).toMatchObject({
      groups: [
        {
          matches: [
            {
              id: 'contract::orders/events.yaml',
              priority: 'P2',
              weightedSeverity: 0.25,
              owningService: 'orders',
              rootNode: 'contract::orders/events.yaml',
              action: 'Remove the contract, or handle what it describes.',
            },
            { id: 'contract::orders/openapi.yaml', priority: 'P2' },
          ],
          fix: expect.stringContaining('Dependencies Warning:\n- orders/openapi.yaml promises GET /orders/{id}.'),
        },
      ],
    });
  });

  it('are one level more urgent when their file reaches more than ten nodes', async () => {
    const withUsers = async (users: number): Promise<Readonly<Record<string, unknown>>> => {
      const names = Array.from({ length: users }, (_, at) => `web/u${at}.ts`);
      const references = [{ from: '', relation: 'IMPORTS' as const, to: 'web/listen.ts' }];
      const code = { 'web/listen.ts': {}, ...Object.fromEntries(names.map(name => [name, { references }])) };
      const consumed = [{ event_name: 'gone', channel: 'gone', handler: '', file: 'web/listen.ts', line: 1 }];
      const files = { 'docker-compose.yml': 'services: {web: {build: web}}' };
      return findings('ADV-001', { code, files, interfaces: { web: { events_consumed: consumed } } });
    };
    const priority = async (users: number): Promise<unknown> => (await withUsers(users))['groups'];
    expect(await priority(2)).toMatchObject([
      { matches: [{ priority: 'P2' }], fix: expect.stringContaining('web/listen.ts is used by web/u0.ts, web/u1.ts.') },
    ]);
    expect(await priority(12)).toMatchObject([{ matches: [{ priority: 'P1', action: expect.stringContaining('Impact:') }] }]);
  });

  it.each([
    ['a crash of the build', 0, 'P0'],
    ['a contract mismatch', 0, 'P1'],
    ['a failing test', 11, 'P0'],
    ['missing validation', 10, 'P2'],
    ['naming', 50, 'P3'],
    ['nothing of the kind', 11, 'P1'],
  ])('of %s that reach %i nodes are %s', (text, impacted, expected) => {
    expect(raisedPriority(priorityOf(text), impacted)).toBe(expected);
  });
});
