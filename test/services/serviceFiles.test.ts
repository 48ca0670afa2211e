import { describe, expect, it } from 'vitest';
import { readServiceFile } from '../../server/src/services/readServiceFile';
import { isServiceFile } from '../../server/src/services/serviceFile';

const read = (path: string, text: string, others: Readonly<Record<string, string>> = {}) => readServiceFile(path, text, other => others[other]);

describe('contracts', () => {
  it('reads OpenAPI 3: operations with fields, security, base paths and lines', () => {
    const text = `openapi: 3.1.0
info: {title: Orders, version: '2'}
servers: [{url: 'https://shop.example/{stage}', variables: {stage: {default: v1}}}]
security: [{token: []}]
paths:
  /orders/{id}:
    get:
      operationId: getOrder
      summary: One order
      responses: {'200': {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}}
  /orders:
    post:
      security: []
      requestBody: {content: {application/json: {schema: {$ref: 'schemas.yaml#/NewOrder'}}}}
components:
  schemas:
    Order: {type: object, required: [id], properties: {id: {type: string}, lines: {type: array, items: {$ref: '#/components/schemas/Line'}}}}
    Line: {type: object, properties: {sku: {type: string}}}
`;
    const file = read('orders/api.yaml', text, { 'orders/schemas.yaml': 'NewOrder: {type: object, required: [sku], properties: {sku: {type: string}}}' });
    expect(file?.contract).toMatchObject({ id: 'orders/api.yaml', type: 'openapi', title: 'Orders', version: '2', basePaths: ['/v1'] });
    expect(file?.contract?.operations.map(({ line, method, path, security }) => ({ line, method, path, security }))).toEqual([
      { line: 6, method: 'GET', path: '/orders/{id}', security: ['token'] },
      { line: 11, method: 'POST', path: '/orders', security: [] },
    ]);
    expect(file?.contract?.operations[1]?.request).toEqual([{ name: 'sku', type: 'string', required: true, ref: '' }]);
    expect(file?.contract?.operations[0]?.response.map(({ name, type }) => `${name}: ${type}`)).toEqual(['id: string', 'lines: Line[]']);
    expect(file?.references).toEqual(['orders/schemas.yaml']);
  });

  it('reads Swagger 2, and both AsyncAPI 2 and 3', () => {
    const swagger = read('a.json', '{"swagger": "2.0", "basePath": "/api", "paths": {"/x": {"get": {}, "parameters": []}}}');
    expect(swagger?.contract).toMatchObject({ basePaths: ['/api'], operations: [{ method: 'GET', path: '/x' }] });
    const two = read(
      'b.yaml',
      "asyncapi: '2.6.0'\nchannels:\n  order/created:\n    publish: {operationId: orderCreated, message: {payload: {type: object, properties: {id: {type: string}}}}}\n    subscribe: {}\n",
    );
    expect(two?.contract?.channels).toMatchObject([
      { direction: 'publish', name: 'orderCreated', channel: 'order/created', payload: [{ name: 'id' }] },
      { direction: 'consume', name: 'order/created', channel: 'order/created' },
    ]);
    const three = read(
      'c.yaml',
      "asyncapi: 3.0.0\nchannels: {paid: {address: order.paid, messages: {m: {payload: {type: object, properties: {at: {type: string}}}}}}}\noperations: {onPaid: {action: receive, channel: {$ref: '#/channels/paid'}}}\n",
    );
    expect(three?.contract?.channels).toMatchObject([{ direction: 'consume', name: 'onPaid', channel: 'order.paid', payload: [{ name: 'at' }] }]);
  });

  it('reads procedures of Protocol Buffers, fields of GraphQL, and JSON Schema', () => {
    const proto = read(
      'p/order.proto',
      '// service No { rpc A(B) returns (C); }\npackage shop.v1;\nservice Orders {\n  rpc Place (PlaceRequest) returns (stream Order);\n}\nmessage PlaceRequest { string sku = 1; repeated int32 n = 2; }\n',
    );
    expect(proto?.contract?.operations).toMatchObject([
      { method: 'GRPC', path: '/shop.v1.Orders/Place', line: 4, request: [{ name: 'sku' }, { name: 'n', type: 'int32[]' }] },
    ]);
    const graphql = read('s.graphqls', 'type Query {\n  order(id: ID!): Order\n}\ntype Order { id: ID! }\n');
    expect(graphql?.contract?.operations).toMatchObject([{ method: 'QUERY', path: '/order', refs: ['Order'], request: [{ name: 'id', required: true }] }]);
    const deprecated = read(
      'd.graphql',
      'type Mutation {\n  ship(\n    token: ID @deprecated(reason: "Use `id`."),\n    methodId: ID\n  ): Order @doc(category: "A")\n}\n',
    );
    expect(deprecated?.contract?.operations).toMatchObject([{ method: 'MUTATION', path: '/ship', request: [{ name: 'token' }, { name: 'methodId' }] }]);
    expect(read('q.graphql', '# One\nquery One { first: order(id: 1) { id } }\nmutation { place }')).toMatchObject({
      documents: [
        { method: 'QUERY', field: 'order', line: 2 },
        { method: 'MUTATION', field: 'place', line: 3 },
      ],
    });
    const schema = read(
      'order.schema.json',
      '{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Order", "type": "object", "properties": {"id": {"type": "string"}}}',
    );
    expect(schema?.contract).toMatchObject({ type: 'json_schema', schemas: [{ name: 'Order', fields: [{ name: 'id' }] }] });
    expect(read('tool.json', '{"$schema": "https://json.schemastore.org/tool", "type": "x"}')).toBeUndefined();
  });

  it('names what cannot be read with its line and goes on', () => {
    expect(read('openapi.yaml', 'openapi: 3.0.0\npaths: [\n')?.problems).toMatchObject([{ file: 'openapi.yaml' }]);
    expect(read('openapi.json', '{"openapi": "3.0.0",\n"paths": [}')?.problems).toMatchObject([{ line: 2 }]);
    expect(read('config.yaml', 'a: [\n')?.problems ?? []).toEqual([]);
  });

  it('reading ends for alias bombs, cycles of references and deep nesting', () => {
    const levels = Array.from({ length: 12 }, (_, at) => `l${at + 1}: &l${at + 1} [${Array.from({ length: 10 }, () => `*l${at}`).join(', ')}]`);
    const bomb = read('bomb.yaml', `openapi: 3.0.0\nl0: &l0 [x, x]\n${levels.join('\n')}\npaths: {}\n`);
    expect(bomb?.problems[0]?.message).toMatch(/alias/i);
    const circle = read(
      'circle.yaml',
      "openapi: 3.0.0\npaths: {/a: {post: {requestBody: {content: {j: {schema: {$ref: '#/components/schemas/A'}}}}}}}\ncomponents: {schemas: {A: {allOf: [{$ref: '#/components/schemas/B'}]}, B: {$ref: '#/components/schemas/A'}}}\n",
    );
    expect(circle?.contract?.operations).toHaveLength(1);
    expect(read('deep.json', `{"openapi": "3.0.0", "paths": ${'['.repeat(100_000)}`)?.problems).toHaveLength(1);
    expect(read('deep.yaml', `openapi: 3.0.0\npaths: ${'['.repeat(50_000)}\n`)?.problems.length).toBeGreaterThan(0);
  });

  it('reads ten thousand paths', () => {
    const paths = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`/things/${at}`, { get: {} }]));
    const contract = read('large.json', JSON.stringify({ openapi: '3.0.0', paths }, undefined, 1))?.contract;
    expect(contract?.operations).toHaveLength(10_000);
    expect(contract?.operations[9_999]?.line).toBe(4 + 3 * 9_999);
  });
});

describe('deployment and configuration', () => {
  it('reads Compose without secrets', () => {
    const text =
      'services:\n  web:\n    build: {context: ./web, args: {APP: shop}}\n    environment:\n      - ORDERS_URL=http://user:hunter2@orders:8080/v1\n      - DB_PASSWORD=hunter2\n  db: {image: "docker.io/library/postgres:16"}\n';
    const units = read('deploy/docker-compose.yml', text)?.units;
    expect(units).toMatchObject([
      { name: 'web', context: 'deploy/web', env: { ORDERS_URL: 'http://orders:8080/v1' }, buildWords: ['shop'], line: 2 },
      { name: 'db', image: 'docker.io/library/postgres', context: undefined },
    ]);
    expect(JSON.stringify(units)).not.toContain('hunter2');
  });

  it('reads workloads, configuration maps and routes of a cluster, also from charts', () => {
    const text =
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: hosts}\ndata: {ORDERS: "orders:80"}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  template:\n    spec:\n      containers:\n      - image: gcr.io/shop/web:{{ .Values.tag }}\n        envFrom: [{configMapRef: {name: hosts}}]\n        env: [{name: A, value: "b:1"}]\n---\napiVersion: networking.k8s.io/v1\nkind: Ingress\nspec: {rules: [{http: {paths: [{path: /api, backend: {service: {name: orders}}}]}}]}\n';
    expect(read('chart/templates/all.yaml', text)).toMatchObject({
      units: [{ source: 'helm', name: 'web', image: 'gcr.io/shop/web', env: { A: 'b:1' }, envFrom: ['hosts'] }],
      configMaps: { hosts: { ORDERS: 'orders:80' } },
      proxies: [{ path: '/api', target: 'orders' }],
    });
  });

  it('are read from Ocelot, Kong and KrakenD', () => {
    const ocelot = {
      Routes: [
        { UpstreamPathTemplate: '/shop/orders/{rest}', DownstreamPathTemplate: '/api/orders/{rest}', DownstreamHostAndPorts: [{ Host: 'orders', Port: 80 }] },
        { UpstreamPathTemplate: '/shop/users/{id}/cart', DownstreamPathTemplate: '/cart/{id}', ServiceName: 'carts' },
      ],
    };
    expect(read('gw/ocelot.json', JSON.stringify(ocelot, undefined, 1))?.proxies).toMatchObject([
      { line: 4, path: '/shop/orders', target: 'orders:80', rewritten: '/api/orders', kind: 'ocelot' },
      { line: 14, path: '/shop/users/{id}/cart', target: 'carts', rewritten: '/cart' },
    ]);
    const kong =
      '_format_version: "2.1"\nservices:\n  - name: o\n    url: http://orders:8080/v1\n    routes:\n      - paths: [/orders]\n  - host: users\n    routes:\n      - strip_path: false\n        paths: [/users/]\n';
    expect(read('kong.yaml', kong)?.proxies).toMatchObject([
      { line: 6, path: '/orders', target: 'http://orders:8080/v1', rewritten: '/v1', kind: 'kong' },
      { line: 10, path: '/users', target: 'users', rewritten: '/users' },
    ]);
    const krakend = { version: 3, endpoints: [{ endpoint: '/o/{id}', backend: [{ url_pattern: '/orders/{id}?x=1', host: ['http://orders:8080'] }] }] };
    expect(read('krakend.json', JSON.stringify(krakend))?.proxies).toMatchObject([
      { path: '/o/{id}', target: 'http://orders:8080', rewritten: '/orders/{id}', kind: 'krakend' },
    ]);
  });

  it('reads what gateways forward, with rewritten paths', () => {
    const nginx =
      'upstream cats { server catalogue:8080; }\nserver {\n  location /api/cat/ { proxy_pass http://cats/; }\n  location /api/user { rewrite ^/api/user/(.*) /$1 break; proxy_pass http://user:8080; }\n  location / { proxy_pass http://web; }\n}\n';
    expect(read('web/nginx.conf', nginx)?.proxies?.map(({ path, rewritten, target }) => `${path} → ${target}${rewritten}`)).toEqual([
      '/api/cat → catalogue:8080',
      '/api/user → user:8080',
      ' → web',
    ]);
    const spring = 'spring: {cloud: {gateway: {routes: [{id: v, uri: "lb://vets", predicates: ["Path=/api/vet/**"], filters: ["StripPrefix=2"]}]}}}';
    expect(read('gw/src/main/resources/application.yml', spring)?.proxies).toMatchObject([{ path: '/api/vet', target: 'lb://vets', rewritten: '' }]);
    const yarp =
      '{"ReverseProxy": {"Routes": {"r": {"ClusterId": "c", "Match": {"Path": "/o/{**rest}"}, "Transforms": [{"PathRemovePrefix": "/o"}]}}, "Clusters": {"c": {"Destinations": {"d": {"Address": "http://orders"}}}}}}';
    const pattern = yarp.replace('PathRemovePrefix', 'PathPattern').replace(/("PathPattern"\s*:\s*")[^"]*/, '$1v1/{**rest}');
    expect(read('gw/appsettings.json', pattern)?.proxies).toMatchObject([{ path: '/o', rewritten: '/v1' }]);
    expect(read('gw/appsettings.json', yarp)?.proxies).toMatchObject([{ path: '/o', target: 'http://orders', rewritten: '' }]);
  });

  it('knows its files by name and leaves secrets and locks alone', () => {
    expect(['a/Dockerfile', 'docker/Dockerfile-web', 'pom.xml', 'x/openapi.yaml', '.env.example'].filter(isServiceFile)).toHaveLength(5);
    expect(['package-lock.json', 'tsconfig.json', '.env', 'src/a.ts', 'pnpm-lock.yaml'].filter(isServiceFile)).toEqual([]);
  });
});
