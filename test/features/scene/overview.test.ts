import { expect, test } from 'vitest';
import type { SceneDto, SceneParams } from '../../../server/protocol/features';
import { CodeOwners } from '../../../server/src/features/scene/overview/codeOwners';
import { askFeature } from '../../helpers/askFeature';
import type { FileSketch, ReferenceSketch, WorkspaceSketch } from '../../helpers/graphOf';
import { modelOf, servicesOver } from '../../helpers/servicesOf';
import { type WorkspaceOptions, workspaceOf } from '../../helpers/workspaceOf';

const file = (lines: number, ...imports: readonly string[]): FileSketch => ({
  lines,
  references: imports.map((to): ReferenceSketch => ({ from: '', relation: 'IMPORTS', to, line: 1 })),
});

const sketch: WorkspaceSketch = {
  'src/app.ts': file(40, 'src/domain/cart.ts'),
  'src/domain/cart.ts': file(300, 'src/store/rows.ts'),
  'src/domain/price.ts': file(60),
  'src/store/rows.ts': { ...file(90, 'src/domain/price.ts'), symbols: [{ name: 'rows', lines: [1, 20] }] },
  'test/cart.test.ts': { ...file(500, 'src/domain/cart.ts'), isTest: true },
  'e2e/run.ts': file(20),
  'docs/config.ts': file(5),
  'README.md': {},
  '.github/CODEOWNERS': {},
};

async function scene(query: Partial<SceneParams> = {}, options: WorkspaceOptions = {}, files: WorkspaceSketch = sketch): Promise<SceneDto> {
  const found = await askFeature('graphScene', workspaceOf(files, options), { start: 'workspace', ...query });
  if (!found.ok) throw new Error(found.error.message);
  return found.value as SceneDto;
}

const ids = ({ nodes }: SceneDto): string[] => nodes.map(node => node.id);

test('an overview shows code: tests, documents, dot folders and files without code are left out, counted, and shown when asked for', async () => {
  const found = await scene({ expand: [] });
  expect(found.layout).toBe('blocks');
  expect(ids(found)).toEqual(['folder:src']);
  expect(found.beside).toEqual({ tests: 2, docs: 2, other: 1 });
  expect(found.summary).toBe('4 files in 1 part. Not shown: 2 test files, 2 documents, 1 other file.');
  const all = await scene({ expand: [], beside: true });
  expect(ids(all)).toEqual(expect.arrayContaining(['folder:src', 'folder:test', 'folder:docs', 'folder:.github', 'README.md']));
  expect(all.summary).toBe('9 files in 6 parts.');
});

test('a workspace without code shows what it has', async () => {
  expect(ids(await scene({}, {}, { 'README.md': {}, 'docs/a.md': {} }))).toEqual(expect.arrayContaining(['README.md']));
});

test('blocks are as large as their code, the largest first, and links count the imports that load something', async () => {
  const found = await scene({ expand: ['open:folder:src'] });
  expect(found.nodes.map(node => [node.id, node.lines])).toEqual([
    ['folder:src/domain', 360],
    ['folder:src/store', 90],
    ['src/app.ts', 40],
  ]);
  expect(found.edges.map(({ source, target, loads }) => `${source} > ${target} ${loads}`).sort()).toEqual([
    'folder:src/domain > folder:src/store 1',
    'folder:src/store > folder:src/domain 1',
    'src/app.ts > folder:src/domain 1',
  ]);
});

test('imports that are gone at run time load nothing', async () => {
  const typed: WorkspaceSketch = {
    'src/a/one.ts': {
      references: [
        { from: '', relation: 'IMPORTS', to: 'src/b/two.ts' },
        { from: '', relation: 'IMPORTS_TYPES', to: 'src/b/two.ts' },
      ],
    },
    'src/b/two.ts': file(3),
  };
  expect((await scene({ expand: ['open:folder:src'] }, {}, typed)).edges.map(edge => edge.loads)).toEqual([undefined]);
});

test('the files of the root are opened when they hold most of the code', async () => {
  const flat = Object.fromEntries([
    ...['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(name => [`${name}.go`, file(50)] as const),
    ['render/json.go', file(30)] as const,
  ]);
  const found = await scene({}, {}, flat);
  expect(found.expanded).toEqual(['open:folder:.']);
  expect(ids(found)).toEqual(expect.arrayContaining(['a.go', 'folder:render']));
});

test('a workspace of packages is shown by package, each with its folders inside', async () => {
  const packages: WorkspaceSketch = Object.fromEntries(
    ['core', 'editor', 'terminal'].flatMap(name => [
      [`packages/${name}/package.json`, {}],
      [`packages/${name}/src/main/start.ts`, file(80)],
      [`packages/${name}/src/index.ts`, file(10)],
    ]),
  );
  const found = await scene({}, {}, packages);
  expect(found.grouping).toBe('package');
  expect(found.nodes.map(node => [node.id, node.label, node.lines])).toEqual([
    ['package:packages/core', 'core', 91],
    ['package:packages/editor', 'editor', 91],
    ['package:packages/terminal', 'terminal', 91],
  ]);
  const opened = await scene({ expand: ['open:package:packages/core', 'open:folder:packages/core/src'] }, {}, packages);
  expect(ids(opened)).toEqual(expect.arrayContaining(['folder:packages/core/src/main', 'packages/core/src/index.ts']));
  expect((await scene()).grouping).toBe('folder');
});

const OWNERS = { '.github/CODEOWNERS': '* @all\n/src/store/ @db @ops # stores\n/src/domain/price.ts\n' };

test('blocks can be owners or services, and owners can be colors', async () => {
  const found = await scene({ groupBy: 'owner' }, { texts: OWNERS });
  expect(found.nodes.map(node => [node.label, node.kind, node.size])).toEqual([
    ['@all', 'owner', 2],
    ['@db, @ops', 'owner', 1],
    ['(no owner)', 'owner', 1],
  ]);
  expect((await scene({ groupBy: 'owner' })).summary).toMatch(/^No CODEOWNERS file found\./);
  const colored = await scene({ expand: ['open:folder:src'], colorBy: 'owner' }, { texts: OWNERS });
  expect(colored.areas?.list.map(area => area.label)).toEqual(['@all', '@db', '@ops']);
  expect(colored.areas?.of['folder:src/store']?.areas).toEqual([1, 2]);
  const services = { 'services/orders/main.ts': file(9), 'services/billing/main.ts': file(7), 'lib/all.ts': file(2) };
  expect((await scene({ groupBy: 'service' }, {}, services)).nodes.map(node => node.label)).toEqual(['orders', 'billing', '(no service)']);
});

test('blocks stand in the layers of the architecture rules, users first', async () => {
  const rules = `version: 1
layers:
  - id: data
    include: [src/store/**]
    mayDependOn: []
  - id: logic
    include: [src/domain/**, src/app.ts]
    mayDependOn: [data]
`;
  const found = await scene({ expand: ['open:folder:src'] }, { texts: { '.lattice/architecture.yaml': rules } });
  expect(found.layers).toEqual(['logic', 'data']);
  expect(found.nodes.map(node => [node.id, node.layer])).toEqual([
    ['folder:src/domain', 0],
    ['folder:src/store', 1],
    ['src/app.ts', 0],
  ]);
  expect((await scene()).layers).toBeUndefined();
});

test('links say how many of them break the architecture rules: those against layers, and forbidden ones', async () => {
  const rules = `version: 1
layers:
  - id: data
    include: [src/store/**]
    mayDependOn: []
  - id: logic
    include: [src/domain/**]
    mayDependOn: [data]
rules:
  - id: no-app-to-domain
    type: forbid
    from: { path: [src/app.ts] }
    to: { path: [src/domain/**] }
`;
  const found = await scene({ expand: ['open:folder:src'] }, { texts: { '.lattice/architecture.yaml': rules } });
  expect(found.edges.map(({ source, target, violations }) => `${source} > ${target} ${violations}`)).toEqual([
    'folder:src/store > folder:src/domain 1',
    'src/app.ts > folder:src/domain 1',
    'folder:src/domain > folder:src/store undefined',
  ]);
  expect((await scene({ expand: ['open:folder:src'] })).edges.filter(edge => edge.violations !== undefined)).toEqual([]);
});

test('colors say how much changes: commits of the last year of work', async () => {
  const day = 86_400;
  const commits = [0, 10, 500].map((days, place) => ({ hash: `c${place}`, time: 2_000 * day - days * day, subject: 's', files: 1, isPlainMerge: false }));
  const changes = new Map<string, readonly number[]>([['src/store/rows.ts::rows', [0, 1, 2]]]);
  const pastChanges = { head: 'c0', commits, ids: [...changes.keys()], files: [], of: (id: string) => changes.get(id) ?? [] };
  const found = await scene({ expand: ['open:folder:src'], colorBy: 'churn' }, { pastChanges });
  expect(found.shades?.of['folder:src/store']).toEqual({ level: 4, text: '2 commits' });
  expect(found.shades?.of['src/app.ts']).toEqual({ level: 0, text: '0 commits' });
  expect((await scene({ colorBy: 'churn' })).shades).toEqual({
    by: 'churn',
    about: 'The history has not been read yet, or this folder is not in a Git repository.',
    of: {},
  });
});

test('colors say how much tests ran, of the newest report that knows a file', async () => {
  const lcov = (path: string, ran: readonly number[]): string => `SF:${path}\n${ran.map((hits, line) => `DA:${line + 1},${hits}`).join('\n')}\nend_of_record\n`;
  const reports = [
    { path: 'new/lcov.info', text: lcov('src/store/rows.ts', [1, 1, 1, 0]), modifiedAt: 2 },
    { path: 'old/lcov.info', text: lcov('src/store/rows.ts', [0, 0, 0, 0]), modifiedAt: 1 },
  ];
  const coverage = { reports: async () => ({ files: reports, problems: [] }), modifiedAt: async () => 1, now: () => 3 };
  const found = await scene({ expand: ['open:folder:src'], colorBy: 'coverage' }, { coverage });
  expect(found.shades?.of).toEqual({ 'folder:src/store': { level: 3, text: '75% covered' } });
  expect((await scene({ colorBy: 'coverage' })).shades?.about).toBe('No coverage report found in the workspace.');
});

test('hundreds of parts are blocks, which lines run around; more than can be read as blocks are a map to zoom into', async () => {
  const layoutWith = async (parts: number): Promise<readonly unknown[]> => {
    const many = Object.fromEntries(Array.from({ length: parts }, (_, at) => [`src/f${at}.ts`, file(3)] as const));
    const opened = await scene({ expand: ['open:folder:src', ...Array.from({ length: 30 }, () => 'more:folder:src')] }, {}, many);
    return [opened.layout, opened.nodes.length];
  };
  expect(await layoutWith(600)).toEqual(['blocks', 600]);
  expect(await layoutWith(601)).toEqual(['boxes', 601]);
});

test.each([
  ['*.js @web', 'src/a.js', ['@web']],
  ['*.js @web', 'src/a.ts', []],
  ['/build/ @ops', 'build/x/y.sh', ['@ops']],
  ['/build/ @ops', 'src/build/y.sh', []],
  ['apps/ @apps', 'x/apps/a.ts', ['@apps']],
  ['docs/* @docs', 'docs/a.md', ['@docs']],
  ['docs/* @docs', 'docs/deep/a.md', []],
  ['src @all\nsrc/api @api', 'src/api/x.ts', ['@api']],
  ['src @all\nsrc/api', 'src/api/x.ts', []],
  ['a\\ b.txt me@example.org', 'a b.txt', ['me@example.org']],
  ['# src @no\nsrc @yes # @no', 'src/x.ts', ['@yes']],
  ['[Web][2] @web\nsrc/\n[Ops]\nops/ @ops', 'src/x.ts', ['@web']],
  ['**/logs @logs', 'deep/logs/a.log', ['@logs']],
])('CODEOWNERS %j gives %s to %j', (text, path, owners) => {
  expect(new CodeOwners(text).of(path)).toEqual(owners);
});

const SYSTEM = {
  code: {
    'orders/a.ts': { lines: 30, symbols: [{ name: 'get' }] },
    'web/b.ts': { lines: 20, symbols: [{ name: 'show' }] },
  },
  files: {
    'compose.yaml': 'services: {orders: {build: orders, environment: {DATABASE_URL: "postgresql://db:5432/x"}}, web: {build: web}, db: {image: "postgres:17"}}',
  },
  interfaces: {
    orders: {
      endpoints: [{ method: 'GET', path: '/orders/{id}', handler: 'get', file: 'orders/a.ts', line: 1 }],
      events_published: [{ event_name: 'placed', channel: 'placed', file: 'orders/a.ts', line: 1 }],
    },
    web: { events_consumed: [{ event_name: 'placed', channel: 'placed', file: 'web/b.ts', line: 1 }] },
  },
};

async function system(): Promise<WorkspaceOptions> {
  const model = await modelOf(SYSTEM);
  const [endpoint] = model.endpoints;
  const request = { endpoint: endpoint?.id ?? '', source: 'web', caller: 'web/b.ts::show', place: { file: 'web/b.ts', line: 2 }, confidence: 1 };
  const call = {
    source: 'web',
    target: 'orders',
    importCount: 0,
    viaEndpoints: [request.endpoint],
    kinds: ['http'],
    places: [request.place],
    confidence: 1,
    callers: [],
  };
  return { services: servicesOver({ ...model, requests: [request], calls: [call] }, SYSTEM) };
}

const lines = ({ edges }: SceneDto): string[] =>
  edges.flatMap(({ links, source, target }) => links.map(({ relation }) => `${source} ${relation} ${target}`)).sort();

test('services are joined by their requests, events and stores, and by code where one is open', async () => {
  const closed = await scene({ groupBy: 'service' }, await system(), SYSTEM.code);
  expect(closed.nodes.map(({ kind, label }) => `${kind} ${label}`)).toEqual(['service orders', 'service web', 'data_store db (postgresql)']);
  expect(lines(closed)).toEqual([
    'service:orders PUBLISHES_EVENT service:web',
    'service:orders USES_STORE store:db',
    'service:web SERVICE_CALLS service:orders',
  ]);
  expect(closed.summary).toMatch(/^2 services, 1 call, 1 event\. /);
  const opened = await scene({ groupBy: 'service', expand: ['open:service:orders'] }, await system(), SYSTEM.code);
  expect(lines(opened)).toEqual(expect.arrayContaining(['service:web SERVICE_CALLS orders/a.ts', 'orders/a.ts PUBLISHES_EVENT service:web']));
  // A store hangs on the frame, and so does a call of which no code is known.
  expect(lines(opened)).toContain('service:orders USES_STORE store:db');
});

test('a map of services leaves out what belongs to none of them, and what is only possible between closed ones', async () => {
  const calls = (to: string, confidence: number) => ({ from: 'show', relation: 'CALLS' as const, to: { [to]: confidence }, line: 3 });
  const code = {
    ...SYSTEM.code,
    'lib/all.ts': { lines: 90, symbols: [{ name: 'shared' }] },
    'web/b.ts': { ...SYSTEM.code['web/b.ts'], references: [calls('lib/all.ts::shared', 1), calls('orders/a.ts::get', 0.5)] },
  };
  const closed = await scene({ groupBy: 'service' }, await system(), code);
  expect(closed.nodes.map(({ label }) => label)).toEqual(['orders', 'web', 'db (postgresql)']);
  expect(lines(closed)).not.toContain('service:web CALLS service:orders');
  expect(closed.summary).toContain('2 files in 3 parts. Not shown: 1 file of no service.');
  const opened = await scene({ groupBy: 'service', expand: ['open:service:orders'] }, await system(), code);
  expect(lines(opened)).toContain('service:web CALLS orders/a.ts');
});

test('the flow of an endpoint is a scene from top to bottom, in frames by service', async () => {
  const flow = await scene({ start: 'flow', target: 'GET /orders/{id}' }, await system(), SYSTEM.code);
  expect(flow.nodes.map(({ kind, label, parent }) => [kind, label, parent])).toEqual([
    ['endpoint', 'GET /orders/{id}', 'service:orders'],
    ['function', 'get', 'service:orders'],
    ['data_store', 'db', undefined],
  ]);
  expect(flow.edges.map(({ source, target }) => `${source} → ${target}`)).toEqual([
    'endpoint::orders::GET::/orders/{id} → orders/a.ts::get',
    'orders/a.ts::get → data_store::db',
  ]);
  expect(flow.title).toBe('GET /orders/{id}');
  expect((await scene({ start: 'flow', target: 'GET /orders/:order' }, await system(), SYSTEM.code)).starts).toEqual(flow.starts);
  const lost = await askFeature('graphScene', workspaceOf(SYSTEM.code, await system()), { start: 'flow', target: 'GET /nothing' });
  expect(lost).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } });
});
