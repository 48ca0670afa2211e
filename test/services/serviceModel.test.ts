import { describe, expect, it } from 'vitest';
import { fits, plainPath } from '../../server/src/services/paths';
import { modelOf, modelOfTexts } from '../helpers/servicesOf';

const CODE = {
  'orders/src/app.ts': { symbols: [{ name: 'getOrder' }, { name: 'OrderService', kind: 'class' as const }] },
  'web/src/page.ts': { symbols: [{ name: 'show' }] },
};
const COMPOSE = 'services:\n  orders: {build: orders}\n  web: {build: ./web, environment: {ORDERS_URL: "http://orders:80"}}\n  db: {image: "postgres:16"}\n';
const names = ({ services }: { readonly services: readonly { readonly name: string }[] }): readonly string[] => services.map(({ name }) => name);

describe('services', () => {
  it('come from Compose, with what is infrastructure apart', async () => {
    const model = await modelOf({ code: CODE, files: { 'docker-compose.yml': COMPOSE } });
    expect(names(model)).toEqual(['orders', 'web']);
    expect(model.stores).toMatchObject([{ name: 'db', product: 'postgresql', kind: 'database' }]);
    expect(model.serviceOf('orders/src/app.ts')).toBe('orders');
    expect(model.serviceOf('README.md')).toBe('');
    expect(model.calls).toMatchObject([{ source: 'web', target: 'orders', kinds: ['configuration'], places: [{ file: 'docker-compose.yml', line: 3 }] }]);
  });

  it.each(['web/api/testdata', 'fixtures', 'orders/src/__tests__'])('and their contracts do not come from what tests read in %s', async folder => {
    const contract = 'openapi: 3.0.3\ninfo: {title: T, version: "1"}\npaths: {/things: {get: {responses: {"200": {description: ok}}}}}\n';
    const compose = 'services:\n  ghost: {build: ./web}\n  cache: {image: redis}\n';
    const files = {
      'docker-compose.yml': COMPOSE,
      'orders/openapi.yaml': contract,
      [`${folder}/openapi.yaml`]: contract,
      [`${folder}/docker-compose.yml`]: compose,
    };
    const model = await modelOf({ code: CODE, files });
    expect(names(model)).toEqual(['orders', 'web']);
    expect(model.stores.map(({ name }) => name)).toEqual(['db']);
    expect(model.contracts.map(({ file }) => file)).toEqual(['orders/openapi.yaml']);
  });

  it.each([
    ['jdbc:postgresql://pages-db:5432/pages', ['pages-db']],
    ['jdbc:otel:postgresql://pages-db:5432/pages', ['pages-db']],
    ['r2dbc:pool:postgresql://pages-db/pages', ['pages-db']],
    ['jdbc:postgresql://localhost:5432/pages', []],
  ])('use the store at the address %s, none for being alike', async (address, used) => {
    const compose = `services:\n  orders-db: {image: postgres}\n  pages-db: {image: postgres}\n  web:\n    build: ./web\n    environment: {DATABASE_URL: "${address}"}\n`;
    const { storeUses } = await modelOf({ code: CODE, files: { 'docker-compose.yml': compose } });
    expect(storeUses.get('web')).toEqual(used);
  });

  it.each(['elasticsearch', 'opensearch'])('have stores of their own product: %s', async product => {
    const compose = `services:\n  web: {build: ./web}\n  find: {image: vendor/${product}:2}\n`;
    const { stores } = await modelOf({ code: CODE, files: { 'docker-compose.yml': compose } });
    expect(stores).toMatchObject([{ product, kind: 'search' }]);
  });

  it('are called at addresses of a configuration map, whichever of its variants names them', async () => {
    const map = (address: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: apis}\ndata: {ORDERS_ADDR: "${address}"}\n`;
    const deployment =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: web, image: web, env: [{name: ORDERS_ADDR, valueFrom: {configMapKeyRef: {name: apis, key: ORDERS_ADDR}}}]}]}}}\n';
    const model = await modelOf({
      code: CODE,
      files: {
        'docker-compose.yml': 'services:\n  orders: {build: orders}\n  web: {build: ./web}\n',
        'deploy/web.yaml': deployment,
        'deploy/config.yaml': map('orders:80'),
        'orders/config.yaml': map('monolith.internal.example:80'),
        'config.yaml': map('elsewhere:80'),
      },
    });
    expect(model.calls).toMatchObject([{ source: 'web', target: 'orders', kinds: ['configuration'] }]);
  });

  it('that are told of others do not call them: as clients, for redirects, as origins', async () => {
    const environment = 'CORS_ORIGINS: "http://web:80", WebAppClient: "http://web:80", REDIRECT_URI: "http://web:80/done", allowedOrigins: "http://web:80"';
    const compose = `services:\n  orders: {build: orders, environment: {${environment}}}\n  web: {build: web}\n`;
    expect((await modelOf({ code: CODE, files: { 'docker-compose.yml': compose } })).calls).toEqual([]);
  });

  it('of the service map win over others', async () => {
    const map =
      'project_name: shop\nservices:\n  - {name: ordering, paths: [orders], domain: sales, stack: {language: TypeScript}}\n  - {name: lost, paths: [nowhere]}\n';
    const model = await modelOf({ code: CODE, files: { 'docker-compose.yml': COMPOSE, 'lattice.services.yaml': map } });
    expect(names(model)).toEqual(['ordering', 'web']);
    expect(model.services[0]).toMatchObject({ domain: 'sales', sources: ['map', 'compose'], aliases: expect.arrayContaining(['orders']) });
    expect(model.problems).toMatchObject([{ file: 'lattice.services.yaml', message: 'The service lost has no files.' }]);
  });

  it('are found behind a wide build context by what its Dockerfile builds', async () => {
    const code = { 'cmd/proxy/main.go': {}, 'cmd/web/main.go': {}, 'internal/proxy/x.go': {} };
    const files = {
      'compose.yaml':
        'services:\n  proxy: {build: {context: ., dockerfile: docker/Dockerfile-proxy}}\n  site: {build: {context: ., dockerfile: docker/Dockerfile-web}}\n',
      'docker/Dockerfile-proxy': 'FROM golang AS b\nRUN go build -o /bin/app ./cmd/proxy\n',
      'docker/Dockerfile-web': 'FROM golang AS b\nRUN go build -o /bin/app ./cmd/web\n',
    };
    const { services } = await modelOf({ code, files });
    expect(services.map(({ name, paths }) => [name, ...paths])).toEqual([
      ['proxy', 'cmd/proxy', 'internal/proxy'],
      ['site', 'cmd/web'],
    ]);
  });

  it('of .NET are its programs; a library of one of them is a part of it, the host of all is none', async () => {
    const project = (sdk: string, ...uses: readonly string[]): string =>
      `<Project Sdk="${sdk}"><ItemGroup>${uses.map(name => `<ProjectReference Include="..\\${name}\\${name}.csproj" />`).join('')}</ItemGroup></Project>`;
    const web = 'Microsoft.NET.Sdk.Web';
    const library = 'Microsoft.NET.Sdk';
    const model = await modelOf({
      code: { 'src/Orders.Domain/Order.cs': {}, 'src/Shared/Defaults.cs': {}, 'src/Host/Program.cs': {} },
      files: {
        'src/Orders/Orders.csproj': project(web, 'Orders.Application', 'Shared'),
        'src/Orders.Application/Orders.Application.csproj': project(library, 'Orders.Domain'),
        'src/Orders.Domain/Orders.Domain.csproj': project(library),
        'src/Billing/Billing.csproj': project('Microsoft.NET.Sdk.Worker', 'Shared'),
        'src/Shared/Shared.csproj': project(library),
        'src/Host/Host.csproj': project('Aspire.AppHost.Sdk/13.1.0', 'Orders', 'Billing'),
      },
    });
    expect(model.services.map(({ name, paths }) => [name, ...paths])).toEqual([
      ['Billing', 'src/Billing'],
      ['Orders', 'src/Orders', 'src/Orders.Application', 'src/Orders.Domain'],
    ]);
    expect(model.serviceOf('src/Shared/Defaults.cs')).toBe('');
  });

  it('of Cargo are its programs; a crate that one of them is built with, also by way of others, is a part of it', async () => {
    const crate = (name: string, ...uses: readonly string[]): string =>
      `[package]\nname = "${name}"\n[dependencies]\n${uses.map(use => `${use} = { workspace = true }`).join('\n')}\naxum = "0.8"\n`;
    const routes = (path: string): string =>
      `use axum::{routing::get, Router};\npub fn routes() -> Router { Router::new().route("${path}", get(show)) }\nasync fn show() -> &'static str { "" }\n`;
    const main = 'fn main() { }\n';
    const model = await modelOfTexts({
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
      'crates/server/Cargo.toml': crate('shop-server', 'shop_routes', 'shop_shared'),
      'crates/server/src/main.rs': main,
      'crates/worker/Cargo.toml': crate('shop_worker', 'shop_shared'),
      'crates/worker/src/bin/worker.rs': main,
      'crates/routes/Cargo.toml': crate('shop_routes', 'shop_feeds'),
      'crates/routes/src/lib.rs': routes('/orders'),
      'crates/feeds/Cargo.toml': crate('shop_feeds', 'shop_shared', 'shop_settings'),
      'crates/settings/Cargo.toml': crate('shop_settings'),
      'crates/settings/src/lib.rs': 'pub fn settings() {}\n',
      'crates/settings/src/main.rs': main,
      'crates/feeds/src/lib.rs': routes('/feeds'),
      'crates/shared/Cargo.toml': crate('shop_shared'),
      'crates/shared/src/lib.rs': routes('/health'),
    });
    expect(model.services.map(({ name, paths }) => [name, ...paths])).toEqual([
      ['shop-server', 'crates/server', 'crates/routes', 'crates/feeds'],
      ['shop_worker', 'crates/worker'],
    ]);
    expect(model.serviceOf('crates/shared/src/lib.rs')).toBe('');
  });

  it('of Cargo that a deployment builds from the whole workspace are what its build file copies', async () => {
    const crate = (name: string, ...uses: readonly string[]): string =>
      `[package]\nname = "${name}"\n[dependencies]\n${uses.map(use => `${use} = { workspace = true }`).join('\n')}\n`;
    const model = await modelOfTexts({
      'docker/docker-compose.yml': 'services:\n  shop:\n    build:\n      context: ../\n      dockerfile: docker/Dockerfile\n',
      'docker/Dockerfile':
        'FROM rust AS build\nWORKDIR /shop\nCOPY . .\nRUN cargo build --release && mv target/release/shop_server .\nFROM debian\nCOPY --from=build /shop/shop_server /usr/local/bin\nENTRYPOINT ["shop_server"]\n',
      'Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
      'crates/server/Cargo.toml': crate('shop_server', 'shop_routes'),
      'crates/server/src/main.rs': 'fn main() { }\n',
      'crates/routes/Cargo.toml': crate('shop_routes'),
      'crates/routes/src/lib.rs':
        'use axum::{routing::get, Router};\npub fn routes() -> Router { Router::new().route("/orders", get(show)) }\nasync fn show() -> &\'static str { "" }\n',
    });
    expect(model.services.map(({ name, paths }) => [name, ...paths])).toEqual([['shop', 'crates/server', 'crates/routes']]);
    expect(model.endpoints.map(({ path, service }) => [service, path])).toEqual([['shop', '/orders']]);
  });

  it('of Cargo in the root of the workspace share their libraries with those beside them', async () => {
    const crate = (name: string, ...uses: readonly string[]): string =>
      `[package]\nname = "${name}"\n[dependencies]\n${uses.map(use => `${use} = { path = "crates/${use}" }`).join('\n')}\n`;
    const routes = `use axum::{routing::get, Router};\nfn main() { Router::new().route("/orders", get(show)) }\nasync fn show() -> &'static str { "" }\n`;
    const model = await modelOfTexts({
      'Cargo.toml': crate('shop', 'shop_index', 'shop_worker'),
      'src/main.rs': routes,
      'crates/probe/Cargo.toml': crate('shop_probe', 'shop_index', 'shop_rates'),
      'crates/probe/src/main.rs': 'fn main() {}\n',
      'crates/shop_index/Cargo.toml': crate('shop_index'),
      'crates/shop_index/src/lib.rs': 'pub fn index() {}\n',
      'crates/shop_rates/Cargo.toml': crate('shop_rates'),
      'crates/shop_rates/src/lib.rs': 'pub fn rates() {}\n',
      'crates/shop_worker/Cargo.toml': crate('shop_worker'),
      'crates/shop_worker/src/lib.rs': 'pub fn work() {}\n',
    });
    expect(model.services.map(({ name, paths }) => [name, ...paths])).toEqual([
      ['shop', ''],
      ['shop_probe', 'crates/probe', 'crates/shop_rates'],
    ]);
  });

  it('are named by images of folders, by folders, and by the workspace that is one', async () => {
    const images = await modelOf({
      code: { 'shop-orders/A.java': {} },
      files: {
        'shop-orders/pom.xml': '<project><artifactId>shop-orders</artifactId></project>',
        'docker-compose.yml': 'services: {orders: {image: me/shop-orders}}',
      },
    });
    expect(names(images)).toEqual(['orders']);
    expect(names(await modelOf({ code: { 'services/billing/a.ts': {}, 'apps/admin/b.ts': {} } }))).toEqual(['admin', 'billing']);
    expect(names(await modelOf({ code: { 'src/a.ts': {} }, files: { 'package.json': '{"name": "@me/lib"}' } }))).toEqual([]);
  });
});

describe('endpoints', () => {
  const contract = 'openapi: 3.0.0\nservers: [{url: /api}]\npaths:\n  /orders/{id}: {get: {operationId: one}}\n  /orders: {post: {}}\n';
  const interfaces = {
    orders: {
      endpoints: [
        { method: 'get', path: '/api/orders/:orderId', handler: 'getOrder', file: 'orders/src/app.ts', line: 3 },
        { method: 'GET', path: '/health', file: 'orders/src/app.ts', line: 9 },
      ],
    },
  };

  it('are equal however parameters are spelled', () => {
    expect(new Set(['/a/{id}', '/a/:id', '/a/<int:id>', '/a/[id]/', '//a/{id:[0-9]+}', '/a/*rest'].map(plainPath))).toEqual(new Set(['/a/{}']));
    expect(fits('/a/7', '/a/{id}')).toBe(true);
    expect(fits('/a/7/b', '/a/{id}')).toBe(false);
  });

  it('join their handlers; routes without a contract have one of their own', async () => {
    const model = await modelOf({ code: CODE, files: { 'docker-compose.yml': COMPOSE, 'orders/openapi.yaml': contract }, interfaces });
    expect(model.endpoints.map(({ contracts, handler, id }) => [id, contracts[0], handler])).toEqual([
      ['endpoint::orders::GET::/orders/{id}', 'orders/openapi.yaml', 'orders/src/app.ts::getOrder'],
      ['endpoint::orders::POST::/orders', 'orders/openapi.yaml', undefined],
      ['endpoint::orders::GET::/health', 'derived/orders', undefined],
    ]);
    expect(model.endpoints[2]?.handlerPlace).toEqual({ file: 'orders/src/app.ts', line: 9 });
  });

  it('of two contracts without a provider stay apart', async () => {
    const files = { 'docs/a.yaml': contract, 'docs/b.yaml': contract };
    const { endpoints } = await modelOf({ code: CODE, files: { ...files, 'docker-compose.yml': COMPOSE } });
    expect(new Set(endpoints.map(({ id }) => id)).size).toBe(4);
  });
});

describe('events', () => {
  const asyncapi = (verb: string): string =>
    `asyncapi: 2.0.0\nchannels: {order.created: {${verb}: {message: {payload: {type: object, required: [id], properties: {id: {type: string}}}}}}}\n`;

  it('of two services meet at one node', async () => {
    const model = await modelOf({
      code: CODE,
      files: { 'docker-compose.yml': COMPOSE, 'orders/events.yaml': asyncapi('publish'), 'web/events.yaml': asyncapi('subscribe') },
    });
    expect(model.events).toMatchObject([
      { id: 'event::order.created', publishers: [{ service: 'orders' }], consumers: [{ service: 'web' }], payload: [{ name: 'id', required: true }] },
    ]);
  });

  it('of AsyncAPI 2 are turned round by code that shows the other direction, and by the setting', async () => {
    const files = { 'docker-compose.yml': COMPOSE, 'orders/events.yaml': asyncapi('publish') };
    const consumed = { orders: { events_consumed: [{ event_name: 'order.created', file: 'orders/src/app.ts' }] } };
    const sides = async (given: Parameters<typeof modelOf>[0]): Promise<readonly number[]> =>
      (await modelOf({ code: CODE, files, ...given })).events.map(event => event.publishers.length);
    expect(await sides({})).toEqual([1]);
    expect(await sides({ interfaces: consumed })).toEqual([0]);
    expect(await sides({ settings: { asyncapi2: 'specification' } })).toEqual([0]);
  });

  it('on one exchange stay apart by their names', async () => {
    const published = ['order.created', 'order.paid'].map(event_name => ({ event_name, channel: 'orders', file: 'orders/src/app.ts' }));
    const model = await modelOf({ code: CODE, files: { 'docker-compose.yml': COMPOSE }, interfaces: { orders: { events_published: published } } });
    expect(model.events.map(({ name }) => name)).toEqual(['order.created', 'order.paid']);
  });
});

describe('entities and calls', () => {
  it('are matched by type and name', async () => {
    const code = {
      'orders/order.ts': {
        symbols: [
          { name: 'OrderModel', kind: 'class' as const },
          { name: 'LoginService', kind: 'class' as const },
          { name: 'order', kind: 'function' as const },
        ],
      },
      'web/page.ts': { references: [{ from: '', relation: 'IMPORTS' as const, to: 'orders/order.ts' }] },
      'web/shared.ts': {},
      'orders/shared/x.ts': {},
    };
    const domain =
      'entities:\n  - {name: Order, owning_service: orders, fields: [{name: id, type: string}]}\n  - {name: Log}\nrelationships: [{source: Order, target: Log, relationship_type: has_many, cardinality: "1:N"}]\n';
    const model = await modelOf({ code, files: { 'docker-compose.yml': COMPOSE, 'lattice.domain.yaml': domain } });
    expect(model.entities).toMatchObject([
      { name: 'Log', implementations: [] },
      { name: 'Order', owner: 'orders', implementations: ['orders/order.ts::OrderModel'] },
    ]);
    expect(model.relationships).toEqual([{ source: 'Order', target: 'Log', type: 'has_many', cardinality: '1:N' }]);
    expect(model.calls).toMatchObject([{ source: 'web', target: 'orders', importCount: 1 }]);
  });

  it('leave out imports of shared code, by whole segments', async () => {
    const importing = (to: string) => ({ 'web/page.ts': { references: [{ from: '', relation: 'IMPORTS' as const, to }] }, [to]: {} });
    const files = { 'docker-compose.yml': 'services: {orders: {build: orders}, web: {build: web}}' };
    expect((await modelOf({ code: importing('orders/shared/a.ts'), files })).calls).toEqual([]);
    expect((await modelOf({ code: importing('orders/mylib/a.ts'), files })).calls).toHaveLength(1);
  });

  it('follow gateways to the endpoints behind them', async () => {
    const code = { 'gateway/a.ts': {}, 'orders/b.ts': {} };
    const files = {
      'docker-compose.yml': 'services: {gateway: {build: gateway}, orders: {build: orders}}',
      'gateway/nginx.conf': 'server { location /api/orders/ { proxy_pass http://orders:8080/; } }',
      'orders/openapi.yaml': 'openapi: 3.0.0\npaths:\n  /{id}: {get: {}}\n',
    };
    expect((await modelOf({ code, files })).calls).toMatchObject([
      { source: 'gateway', target: 'orders', kinds: ['gateway'], viaEndpoints: ['endpoint::orders::GET::/{id}'] },
    ]);
  });
});
