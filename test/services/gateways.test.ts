/** Gateways in code, and modules of several languages in each other's folders. */
import { describe, expect, it } from 'vitest';
import { modelOfTexts } from '../helpers/servicesOf';

describe('a gateway whose routes stand in code', () => {
  const controller = (name: string, mapping: string): string =>
    `package shop;\nimport org.springframework.web.bind.annotation.*;\n@RestController\nclass ${name} {\n${mapping}\n}\n`;
  const texts = {
    'docker-compose.yml':
      'services:\n  gateway:\n    build: ./gateway\n    environment:\n      SHOP_DESTINATIONS_ORDERSURL: http://orders:8080\n  orders:\n    build: ./orders\n',
    'gateway/Dockerfile': 'FROM eclipse-temurin:21\n',
    'gateway/src/main/java/shop/Routes.java': `package shop;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
class Routes {
  RouteLocator all(RouteLocatorBuilder builder, Destinations destinations) {
    return builder.routes()
        .route(r -> r.path("/orders").and().method("POST").uri(destinations.getOrdersUrl()))
        .route(r -> r.path("/orders/**").and().method("PUT", "POST").uri(destinations.getOrdersUrl()))
        .build();
  }
}
`,
    'gateway/src/main/java/shop/Destinations.java': `package shop;
import org.springframework.boot.context.properties.ConfigurationProperties;
@ConfigurationProperties(prefix = "shop.destinations")
class Destinations {
  private String ordersUrl;
  String getOrdersUrl() { return ordersUrl; }
}
`,
    'orders/Dockerfile': 'FROM eclipse-temurin:21\n',
    'orders/src/main/java/shop/Orders.java': controller(
      'Orders',
      '  @PostMapping("/orders") void create() {}\n  @GetMapping("/orders") void list() {}\n  @PostMapping("/orders/{id}/cancel") void cancel() {}',
    ),
  };

  it('calls what its paths and methods lead to, and is not told that something is not served', async () => {
    const model = await modelOfTexts(texts);
    const [call] = model.calls;
    expect(model.calls.map(({ kinds, source, target }) => [source, target, ...kinds])).toEqual([['gateway', 'orders', 'configuration', 'gateway']]);
    expect(call?.viaEndpoints.map(id => id.split('::').slice(2).join(' '))).toEqual(['POST /orders', 'POST /orders/{id}/cancel']);
    expect(model.unanswered).toEqual([]);
  });
});

describe('a gateway in JavaScript', () => {
  const compose = 'services:\n  gateway:\n    build: ./gateway\n  orders:\n    build: ./orders\n  users:\n    build: ./users\n  web:\n    build: ./web\n';
  const service = (...routes: string[]): string =>
    `const express = require('express');\nconst app = express();\n${routes.map(route => `app.get('${route}', (req, res) => res.end());\n`).join('')}app.listen(3000);\n`;
  const others = {
    'docker-compose.yml': compose,
    'gateway/package.json': '{"name": "gateway"}',
    'orders/index.js': service('/orders', '/orders/:id', '/internal/dump'),
    'users/index.js': service('/', '/me'),
  };
  const called = async (files: Readonly<Record<string, string>>): Promise<string[]> =>
    (await modelOfTexts({ ...others, ...files })).calls.map(({ kinds, source, target, viaEndpoints }) => {
      const paths = viaEndpoints.map(id => id.split('::').at(-1) ?? '').sort();
      return `${source} > ${target} ${[...kinds].sort().join(' ')}: ${paths.join(' ')}`;
    });

  it('calls what its middleware hands on to, with paths that are kept, rewritten or taken off', async () => {
    const made = `const express = require('express');
const { createProxyMiddleware } = require('http-proxy-middleware');
const proxy = require('express-http-proxy');
const app = express();
app.use('/orders', createProxyMiddleware({ target: 'http://orders:3000', changeOrigin: true }));
app.use('/people', proxy('users:3000'));
app.listen(80);
`;
    const web = "fetch('/orders/' + id);\nfetch('/people/me');\n";
    expect(await called({ 'gateway/index.js': made, 'web/src/index.js': web })).toEqual([
      'gateway > orders gateway: /orders /orders/:id',
      'gateway > users gateway: / /me',
      'web > gateway http: ',
      'web > orders gateway: /orders/:id',
      'web > users gateway: /me',
    ]);
  });

  it('reads tables of routes, functions around the middleware and rewritten paths', async () => {
    const table = `import express from 'express';
import { createProxyMiddleware } from 'http-proxy-middleware';
const app = express();
const routes = { '/api/orders': process.env.ORDERS_URL || 'http://orders:3000', '/api/users': 'http://users:3000' };
for (const [path, target] of Object.entries(routes)) {
  app.use(path, createProxyMiddleware({ target, pathRewrite: { '^/api/users': '', '^/api': '' } }));
}
`;
    const expected = ['gateway > orders gateway: /orders /orders/:id', 'gateway > users gateway: / /me'];
    expect(await called({ 'gateway/index.js': table })).toEqual(expected);
    const wrapped = `const express = require('express');
const { createProxyMiddleware } = require('http-proxy-middleware');
const app = express();
const to = (target, from) => createProxyMiddleware({ target, pathRewrite: { '^/v1': '' } });
[{ route: '/v1/orders', url: 'http://orders:3000' }].forEach(({ route, url }) => app.use(route, to(url)));
app.use('/v1/me', to('http://users:3000'));
`;
    expect(await called({ 'gateway/index.js': wrapped })).toEqual(['gateway > orders gateway: /orders /orders/:id', 'gateway > users gateway: /me']);
  });

  it('reads plugins of Fastify, servers of http-proxy, and the service that a dictionary names', async () => {
    const plugins = `const app = require('fastify')();
app.register(require('@fastify/http-proxy'), { upstream: 'http://users:3000', prefix: '/people', rewritePrefix: '/me' });
const server = require('http-proxy').createProxyServer({});
app.all('/old', (req, res) => server.web(req, res, { target: 'http://orders:3000' }));
`;
    expect(await called({ 'gateway/index.js': plugins })).toEqual(['gateway > orders gateway: ', 'gateway > users gateway: /me']);
    const dictionary = `const express = require('express');
const axios = require('axios');
const app = express();
const SERVICES = { orders: { url: 'http://orders:3000' }, people: { url: 'http://users:3000' } };
app.all('/:service/*', async (req, res) => {
  const { service } = req.params;
  const path = req.params[0];
  res.send(await axios({ method: req.method, url: \`\${SERVICES[service].url}/\${path}\` }));
});
async function show(req, res) {
  return axios.get(SERVICES['orders'].url + '/orders');
}
`;
    expect(await called({ 'gateway/index.js': dictionary })).toEqual([
      'gateway > orders gateway http: /internal/dump /orders /orders/:id',
      'gateway > users gateway: / /me',
    ]);
  });

  it('of Python picks the service by its name in a dictionary, one caller at a time', async () => {
    const made = `import httpx
from fastapi import FastAPI, Request
app = FastAPI()
SERVICES = {"orders": "http://orders:3000", "users": "http://users:3000"}

async def forward(service: str, path: str):
    base = SERVICES.get(service)
    async with httpx.AsyncClient() as client:
        return await client.get(f"{base}{path}")

@app.get("/all")
async def all_orders():
    return await forward("orders", "/orders")

@app.get("/who")
async def who():
    return await forward(service="users", path="/me")
`;
    expect(await called({ 'gateway/main.py': made })).toEqual(['gateway > orders http: /orders', 'gateway > users http: /me']);
  });
});

it('a variable that is called after a service leads to it where its default is a port that nobody is known by', async () => {
  const express = "const express = require('express');\nconst app = express();\n";
  const { calls } = await modelOfTexts({
    'orders/package.json': '{"name": "orders", "scripts": {"start": "node index.js"}}',
    'orders/index.js': `${express}app.get('/orders', (req, res) => res.end());\napp.listen(process.env.PORT);\n`,
    'archive/package.json': '{"name": "archive", "scripts": {"start": "node index.js"}}',
    'archive/index.js': `${express}app.get('/orders', (req, res) => res.end());\napp.listen(process.env.PORT);\n`,
    'web/package.json': '{"name": "web", "scripts": {"start": "node index.js"}}',
    'web/index.js': `${express}const ORDERS = (process.env.ORDERS_SERVICE_ORIGIN || 'http://localhost') + ':' + (process.env.ORDERS_PORT || 3001);\napp.get('/', (req, res) => fetch(\`\${ORDERS}/orders\`));\napp.listen(80);\n`,
  });
  expect(calls.map(({ source, target, viaEndpoints }) => [source, target, ...viaEndpoints])).toEqual([['web', 'orders', 'endpoint::orders::GET::/orders']]);
});

it('projects of tests beside services are none', async () => {
  const program = 'var builder = WebApplication.CreateBuilder(args);\nvar app = builder.Build();\napp.MapGet("/orders", () => 1);\napp.Run();\n';
  const project = '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>';
  const { services } = await modelOfTexts({
    'Orders/Orders.csproj': project,
    'Orders/Program.cs': program,
    'Orders.IntegrationTest/Orders.IntegrationTest.csproj': project,
    'Orders.IntegrationTest/Program.cs': program,
    'shop-e2e/package.json': '{"name": "shop-e2e", "scripts": {"start": "node index.js"}}',
    'shop-e2e/index.js': "const app = require('express')();\napp.get('/stub', (req, res) => res.end());\napp.listen(1);\n",
  });
  expect(services.map(({ name }) => name)).toEqual(['Orders']);
});

describe('a user interface in the module of its server', () => {
  it('keeps its own code, and leaves that of the server to the server', async () => {
    const model = await modelOfTexts({
      'go.mod': 'module example.com/push/server\n\ngo 1.22\n',
      'app.go':
        'package main\n\nimport (\n\t"example.com/push/server/ui"\n\t"github.com/gin-gonic/gin"\n)\n\nfunc main() {\n\tg := gin.New()\n\tui.Register(g)\n\tg.GET("/version", version)\n\tg.Run()\n}\n\nfunc version(c *gin.Context) {}\n',
      'ui/package.json': '{ "name": "push-ui", "scripts": { "start": "vite" }, "dependencies": { "react": "18" } }',
      'ui/src/index.ts': 'fetch("/version");\n',
      'ui/serve.go':
        'package ui\n\nimport "github.com/gin-gonic/gin"\n\nfunc Register(r *gin.Engine) {\n\tr.GET("/index.html", index)\n}\n\nfunc index(c *gin.Context) {}\n',
    });
    expect(model.endpoints.map(({ path, service }) => `${service} ${path}`).sort()).toEqual(['server /index.html', 'server /version']);
  });
});

describe('a gateway of GraphQL', () => {
  it('calls the services that its schema is made of', async () => {
    const model = await modelOfTexts({
      'compose.yaml': 'services:\n  gateway: {build: gateway}\n  orders: {build: orders}\n',
      'supergraph.graphql':
        'enum join__Graph {\n  ORDERS @join__graph(name: "orders", url: "http://orders:4000/graphql")\n  OUT @join__graph(name: "out", url: "")\n}\ntype Query { order: String }\n',
      'gateway/package.json': '{"name": "gateway", "dependencies": {"@apollo/gateway": "2.0.0"}}',
      'gateway/index.js': "const { ApolloGateway } = require('@apollo/gateway');\n",
      'orders/schema.graphql': 'type Query { order: String }\n',
      'orders/index.js': "const { ApolloServer } = require('apollo-server');\n",
    });
    expect(model.calls).toMatchObject([
      {
        source: 'gateway',
        target: 'orders',
        kinds: ['gateway'],
        viaEndpoints: ['endpoint::orders::QUERY::/order'],
        places: [{ file: 'supergraph.graphql', line: 2 }],
      },
    ]);
  });
});

describe('a front end whose server hands requests on', () => {
  const server = "const express = require('express');\nconst app = express();\napp.get('/orders/:id', (req, res) => res.end());\napp.listen(8080);\n";
  const system = {
    'docker-compose.yml': 'services:\n  web:\n    build: ./web\n  orders:\n    build: ./orders\n    ports: ["8080:8080"]\n',
    'web/package.json': '{"name": "web"}',
    'web/src/api.ts': 'export const load = (id: string) => fetch(`/api/orders/${id}`);\n',
    'orders/package.json': '{"name": "orders"}',
    'orders/index.js': server,
  };
  it.each([
    [
      'Vite',
      'web/vite.config.ts',
      "import { defineConfig } from 'vite';\nexport default defineConfig({ server: { proxy: { '/api': { target: 'http://localhost:8080', rewrite: p => p.replace(/^\\/api/, '') } } } });\n",
    ],
    [
      'Next.js',
      'web/next.config.js',
      "module.exports = { async rewrites() { return [{ source: '/api/:path*', destination: 'http://orders:8080/:path*' }]; } };\n",
    ],
  ])('of %s calls what they lead to', async (_, path, text) => {
    const { calls, requests, unanswered } = await modelOfTexts({ ...system, [path]: text });
    expect(calls.map(({ kinds, source, target, viaEndpoints }) => [source, target, ...kinds, ...viaEndpoints])).toEqual([
      ['web', 'orders', 'gateway', 'endpoint::orders::GET::/orders/:id'],
    ]);
    expect(requests.map(({ caller, source }) => [source, caller])).toEqual([['web', 'web/src/api.ts::load']]);
    expect(unanswered).toEqual([]);
  });
});

describe('Traefik by the labels of a Compose file', () => {
  const server = (path: string): string =>
    `const express = require('express');\nconst app = express();\napp.get('${path}', (req, res) => res.end());\napp.listen(3000);\n`;
  const compose = (rule: string, ...labels: readonly string[]): string =>
    [
      'services:',
      '  proxy:\n    image: traefik:3',
      '  web:\n    build: ./web',
      '  orders:\n    build: ./orders\n    labels:',
      `      - traefik.http.routers.orders.rule=${rule}`,
      ...labels.map(label => `      - ${label}`),
      '',
    ].join('\n');
  const called = async (composed: string, path: string): Promise<readonly string[]> => {
    const { calls } = await modelOfTexts({
      'docker-compose.yml': composed,
      'web/package.json': '{"name": "web"}',
      'web/src/api.ts': 'export const load = (id: string) => fetch(`/api/orders/${id}`);\n',
      'orders/package.json': '{"name": "orders"}',
      'orders/index.js': server(path),
    });
    return calls.map(({ kinds, source, target, viaEndpoints }) => [source, target, ...kinds, ...viaEndpoints].join(' '));
  };
  it('leads requests without a host to who answers below the path', async () => {
    expect(await called(compose('Host(`shop.localhost`) && PathPrefix(`/api`)'), '/api/orders/:id')).toEqual([
      'web orders gateway endpoint::orders::GET::/api/orders/:id',
    ]);
  });
  it('takes off the path that a middleware strips', async () => {
    const labels = ['traefik.http.routers.orders.middlewares=short@docker', 'traefik.http.middlewares.short.stripprefix.prefixes=/api'];
    expect(await called(compose('PathPrefix(`/api`)', ...labels), '/orders/:id')).toEqual(['web orders gateway endpoint::orders::GET::/orders/:id']);
    expect(
      await called(compose('PathPrefix(`/api`)').replace('http.routers.orders.rule=PathPrefix(`/api`)', 'frontend.rule=PathPrefixStrip:/api'), '/orders/:id'),
    ).toEqual(['web orders gateway endpoint::orders::GET::/orders/:id']);
  });
});
