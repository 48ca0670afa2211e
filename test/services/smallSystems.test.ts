/** What a contract and a folder mean in small systems. */
import { expect, it } from 'vitest';
import type { ServiceModel } from '../../server/src/services/model';
import { modelOfTexts } from '../helpers/servicesOf';

it('a contract without a base path is matched with the routes of its service below the one path where they stand', async () => {
  const paths = ['/users', '/users/{id}', '/teams'].map(path => `  ${path}:\n    get:\n      responses: {}\n`).join('');
  const app = (prefix: string): string =>
    `const express = require('express');\nconst app = express();\nconst api = express.Router();\nfunction show(req, res) {}\n` +
    `api.get('/users', show);\napi.get('/users/:id', show);\napi.get('/teams', show);\n${prefix}\n`;
  const contract = `openapi: 3.0.3\ninfo: {title: x, version: '1'}\npaths:\n${paths}`;
  const files = (prefix: string): Record<string, string> => ({
    'package.json': '{"name": "accounts"}',
    'openapi.yaml': contract,
    'app.js': app(prefix),
  });
  const rows = ({ endpoints }: ServiceModel): string[] => endpoints.map(({ handler, method, path }) => `${method} ${path} ${handler ?? '-'}`).sort();
  expect(rows(await modelOfTexts(files("app.use('/v1', api);")))).toEqual([
    'GET /teams app.js::show',
    'GET /users app.js::show',
    'GET /users/{id} app.js::show',
  ]);
  // What is served without the prefix tells that the contract is complete as it is.
  expect(rows(await modelOfTexts(files("app.use('/v1', api);\napp.get('/teams', show);")))).toEqual([
    'GET /teams app.js::show',
    'GET /users -',
    'GET /users/{id} -',
    'GET /v1/teams app.js::show',
    'GET /v1/users app.js::show',
    'GET /v1/users/:id app.js::show',
  ]);
});

it('a contract whose paths begin with what code does not say is matched with the routes that stand behind it', async () => {
  const paths = ['/api/v1/users', '/api/v1/users/{id}', '/api/v1/users/search'].map(path => `  ${path}:\n    get:\n      responses: {}\n`).join('');
  const handlers = (route: string): string =>
    `package shop\n\nimport "github.com/labstack/echo/v4"\n\ntype Params struct {\n\tUsers *echo.Group\n}\n\nfunc show(c echo.Context) error { return nil }\n\nfunc Map(p Params) {\n\tp.Users.GET("", show)\n\tp.Users.GET("/:id", show)\n\tp.Users.GET("${route}", show)\n}\n`;
  const rows = async (route: string): Promise<string[]> => {
    const { endpoints } = await modelOfTexts({
      'go.mod': 'module shop\n',
      'main.go': 'package main\n\nfunc main() {}\n',
      'docs/openapi.yaml': `openapi: 3.0.3\ninfo: {title: x, version: '1'}\npaths:\n${paths}`,
      'users/endpoints.go': handlers(route),
    });
    return endpoints.map(({ handler, method, path }) => `${method} ${path} ${handler ?? '-'}`).sort();
  };
  const all = [
    'GET /api/v1/users users/endpoints.go::show',
    'GET /api/v1/users/search users/endpoints.go::show',
    'GET /api/v1/users/{id} users/endpoints.go::show',
  ];
  expect(await rows('/search')).toEqual(all);
  // Too few of its operations are behind it.
  expect(await rows('/other')).toEqual([
    'GET / users/endpoints.go::show',
    'GET /:id users/endpoints.go::show',
    'GET /api/v1/users -',
    'GET /api/v1/users/search -',
    'GET /api/v1/users/{id} -',
    'GET /other users/endpoints.go::show',
  ]);
});

it('folders of browser tests hold no service', async () => {
  const app = "const express = require('express');\nconst app = express();\napp.get('/x', (req, res) => res.end());\napp.listen(1);\n";
  const { services } = await modelOfTexts({
    'api/Dockerfile': 'FROM node\n',
    'api/server.js': app,
    'playwright/Dockerfile': 'FROM node\n',
    'playwright/package.json': '{"name": "browser-tests"}',
    'playwright/server.js': app,
  });
  expect(services.map(({ name }) => name)).toEqual(['api']);
});

const GRAPHQL_SERVER = `const { ApolloServer } = require('apollo-server');
const resolvers = { Query: { orders() {}, order() {} } };
new ApolloServer({ resolvers }).listen();
`;

it('documents of GraphQL, in code and beside it, call the service that answers their fields', async () => {
  const { calls, endpoints } = await modelOfTexts({
    'orders/package.json': '{"name": "orders", "scripts": {"start": "node server.js"}}',
    'orders/server.js': GRAPHQL_SERVER,
    'orders/schema.graphql': 'type Query {\n  orders: [Int]\n  order(id: ID): Int\n}\n',
    'web/Dockerfile': 'FROM node\n',
    'web/package.json': '{"name": "web", "scripts": {"start": "vite"}}',
    'web/orders.js': "import { gql } from '@apollo/client';\nexport const ALL = gql`query { orders { id } unknown }`;\n",
    'web/one.graphql': 'query One($id: ID) { order(id: $id) { id } }\n',
  });
  expect(endpoints.map(({ handlerPlace, method, path }) => `${method} ${path} ${handlerPlace?.file}:${handlerPlace?.line}`)).toEqual([
    'QUERY /orders orders/server.js:2',
    'QUERY /order orders/server.js:2',
  ]);
  expect(calls.map(({ kinds, source, target, viaEndpoints }) => ({ kinds, source, target, viaEndpoints }))).toEqual([
    { kinds: ['graphql'], source: 'web', target: 'orders', viaEndpoints: ['endpoint::orders::QUERY::/orders', 'endpoint::orders::QUERY::/order'] },
  ]);
});

it('a method that is called as a field of GraphQL does not answer it', async () => {
  const { endpoints } = await modelOfTexts({
    'pyproject.toml': '[project]\nname = "shop"\n',
    'schema.graphql': 'type Query {\n  orders: [Int]\n  users: [Int]\n}\n',
    'models.py':
      'from django.db import models\n\nclass Shop(models.Model):\n    def orders(self):\n        return []\n\n    def users(self):\n        return []\n',
    'app.py': "from flask import Flask\napp = Flask(__name__)\n\n@app.get('/x')\ndef x():\n    return ''\n",
  });
  expect(endpoints.filter(({ method }) => method === 'QUERY').map(({ handler, path }) => `${path} ${handler}`)).toEqual([
    '/orders undefined',
    '/users undefined',
  ]);
});

const GO_SERVICE = (path: string): string =>
  `package main\n\nimport "net/http"\n\nfunc show(w http.ResponseWriter, r *http.Request) {}\n\nfunc main() {\n\thttp.HandleFunc("${path}", show)\n\thttp.ListenAndServe(":80", nil)\n}\n`;
const GO_LIBRARY =
  'package server\n\nimport "net/http"\n\nfunc alive(w http.ResponseWriter, r *http.Request) {}\n\nfunc Run() {\n\thttp.HandleFunc("/healthz", alive)\n}\n';

it('what the programs of a Go module share is no service beside them', async () => {
  const files = {
    'go.mod': 'module example.com/shop\n\ngo 1.22\n',
    'services/orders/cmd/main.go': GO_SERVICE('/orders'),
    'services/bills/cmd/main.go': GO_SERVICE('/bills'),
    'pkg/server/server.go': GO_LIBRARY,
  };
  expect((await modelOfTexts(files)).services.map(({ name }) => name)).toEqual(['bills', 'orders']);
  // A program of its own makes it one.
  const { services } = await modelOfTexts({ ...files, 'main.go': GO_SERVICE('/shop') });
  expect(services.map(({ name }) => name)).toEqual(['bills', 'orders', 'shop']);
});

it('the only program of a module is the module, however its image is built', async () => {
  const { endpoints, services } = await modelOfTexts({
    'docker-compose.yml': 'services:\n  web:\n    build:\n      context: .\n',
    Dockerfile: 'FROM golang\nCOPY . .\nRUN go build -o /bin/web ./cmd/web\n',
    'docker-compose-integration-test.yml': 'services:\n  checks:\n    build:\n      context: .\n      dockerfile: integration-test/Dockerfile\n',
    'integration-test/Dockerfile': 'FROM golang\nCOPY pkg /pkg\nCOPY integration-test /integration-test\n',
    'go.mod': 'module example.com/shop\n\ngo 1.22\n',
    'cmd/web/main.go': 'package main\n\nimport "example.com/shop/pkg/server"\n\nfunc main() {\n\tserver.Run()\n}\n',
    'pkg/server/server.go': GO_LIBRARY,
  });
  expect(services.map(({ name, paths }) => `${name} ${paths.join()}`)).toEqual(['web ']);
  expect(endpoints.map(({ id }) => id)).toEqual(['endpoint::web::ANY::/healthz']);
});

it('scripts beside a Dockerfile inside a module do not stand for it', async () => {
  const pom = (name: string): string =>
    `<project><artifactId>${name}</artifactId><build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build></project>`;
  const controller = (path: string): string =>
    `import org.springframework.web.bind.annotation.*;\n@RestController\nclass Api {\n  @GetMapping("${path}") String all() { return ""; }\n}\n`;
  const main = 'class OrdersApplication { public static void main(String[] args) {} }\n';
  const { endpoints } = await modelOfTexts({
    'docker-compose.yml': 'services:\n  bills:\n    build: bills\n',
    'bills/pom.xml': pom('bills'),
    'bills/src/main/java/Api.java': controller('/bills'),
    'orders-service/pom.xml': pom('orders-service'),
    'orders-service/src/main/java/Api.java': controller('/orders'),
    'orders-service/src/main/java/OrdersApplication.java': main,
    'orders-service/src/main/resources/docker/Dockerfile': 'FROM openjdk\nCOPY start.sh /\n',
    'orders-service/src/main/resources/docker/start.sh': '#!/bin/sh\nexec java -jar app.jar\n',
  });
  expect(endpoints.map(({ id }) => id)).toEqual(['endpoint::bills::GET::/bills', 'endpoint::orders-service::GET::/orders']);
});

it('the Compose file of the whole system names a service before one inside it does', async () => {
  const { services } = await modelOfTexts({
    'cart/balancer/docker-compose.yml': 'services:\n  app:\n    build: ..\n',
    'docker-compose.yml': 'services:\n  cart:\n    build: cart\n',
    'cart/package.json': '{"name": "cart-api"}',
    'cart/server.js': "const express = require('express');\nconst app = express();\napp.get('/orders', (req, res) => res.end());\n",
  });
  expect(services.map(({ name }) => name)).toEqual(['cart']);
});

it('a module of a name that two Python services have is not imported from the other', async () => {
  const app = (path: string): string =>
    `from fastapi import FastAPI\nfrom alembic import context\n\napp = FastAPI()\n\n@app.get("${path}")\ndef all():\n    return context\n`;
  const files = (own: string): Record<string, string> => ({
    'docker-compose.yml': 'services:\n  bills:\n    build: bills\n  orders:\n    build: orders\n',
    'bills/main.py': app('/bills'),
    [own]: 'x = 1\n',
    'orders/main.py': app('/orders'),
    'orders/alembic/__init__.py': 'context = 1\n',
  });
  expect((await modelOfTexts(files('bills/alembic/env.py'))).calls).toEqual([]);
  expect((await modelOfTexts(files('bills/other.py'))).calls.map(({ source, target }) => `${source} ${target}`)).toEqual(['bills orders']);
});

it('operations of one name that publish to several channels are several events', async () => {
  const document = (name: string): string =>
    `asyncapi: 3.0.0\ninfo: {title: ${name}, version: '1'}\nchannels:\n  events: {address: ${name}_events}\n` +
    "operations:\n  send_events:\n    action: send\n    channel: {$ref: '#/channels/events'}\n";
  const app = "const express = require('express');\nconst app = express();\napp.get('/x', (req, res) => res.end());\n";
  const system = (names: readonly string[]): Record<string, string> =>
    Object.fromEntries(names.flatMap(name => [[`services/${name}/app.js`, app] as const, [`services/${name}/asyncapi.yaml`, document(name)] as const]));
  const rows = ({ events }: ServiceModel): string[] =>
    events.map(({ channel, name, publishers }) => `${name} ${channel} ${publishers.map(each => each.service).join()}`);
  expect(rows(await modelOfTexts(system(['bills', 'orders'])))).toEqual(['bills_events bills_events bills', 'orders_events orders_events orders']);
  expect(rows(await modelOfTexts(system(['bills'])))).toEqual(['send_events bills_events bills']);
});

it('scripts beside a Dockerfile are not what it builds', async () => {
  const { services } = await modelOfTexts({
    'docker-compose.yml': 'services:\n  shop:\n    build:\n      context: .\n      dockerfile: docker/Dockerfile\n',
    'docker/Dockerfile': 'FROM golang\nCOPY . .\nRUN go build -o /bin/shop ./cmd/mall\n',
    'docker/wait.sh': '#!/bin/sh\nexec "$@"\n',
    'go.mod': 'module example.com/shop\n\ngo 1.22\n',
    'cmd/mall/main.go': 'package main\n\nfunc main() {\n}\n',
    'orders/server.go': GO_LIBRARY,
    'internal/shop/shop.go': 'package shop\n\nfunc Open() {\n}\n',
  });
  expect(services.map(({ name, paths }) => `${name} ${paths.join()}`)).toEqual(['shop ']);
});

it('what helpers of tests consume is no event of the system', async () => {
  const consumer = "import { connect } from 'nats';\n\nexport async function listen() {\n  const nats = await connect();\n  nats.subscribe('orders');\n}\n";
  const { events } = await modelOfTexts({
    'package.json': '{"name": "shop"}',
    'src/consumer.ts': consumer,
    'src/test-support/stub.ts': consumer.replace('orders', 'bills'),
  });
  expect(events.map(({ name }) => name)).toEqual(['orders']);
});

it('what a shared type publishes when it is made is published by the services that use it', async () => {
  const pom = (name: string, others: string): string =>
    `<project><artifactId>${name}</artifactId><dependencies>${others}</dependencies><build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build></project>`;
  const uses = '<dependency><artifactId>shared</artifactId></dependency>';
  const controller =
    'package shop;\nimport org.springframework.web.bind.annotation.*;\nimport common.Sender;\n@RestController\nclass Api {\n  private Sender sender;\n  @GetMapping("/orders") String all() { return ""; }\n}\n';
  const { events, services } = await modelOfTexts({
    'docker-compose.yml': 'services:\n  bills:\n    build: bills\n  orders:\n    build: orders\n',
    'bills/pom.xml': pom('bills', ''),
    'bills/src/main/java/shop/Api.java': controller.replace('  private Sender sender;\n', '').replace('import common.Sender;\n', ''),
    'orders/pom.xml': pom('orders', uses),
    'orders/src/main/java/shop/Api.java': controller,
    'shared/pom.xml': '<project><artifactId>shared</artifactId></project>',
    'shared/src/main/java/common/Sender.java':
      'package common;\nimport org.springframework.cloud.stream.messaging.Source;\npublic class Sender {\n  private final Object channel;\n  public Sender(Source source) { this.channel = source.output(); }\n}\n',
  });
  expect(services.map(({ name }) => name)).toEqual(['bills', 'orders']);
  expect(events.map(({ name, publishers }) => `${name} ${publishers.map(({ service }) => service).join()}`)).toEqual(['output orders']);
});

it('a type that stands in for a server in tests answers no procedure where another one does', async () => {
  const method = (type: string): string => `func (s *${type}) GetOrder(ctx context.Context, in *Request) (*Reply, error) {\n\treturn nil, nil\n}\n`;
  const { endpoints } = await modelOfTexts({
    'go.mod': 'module example.com/shop\n\ngo 1.22\n',
    'main.go': 'package main\n\nfunc main() {\n}\n',
    'orders.proto':
      'syntax = "proto3";\npackage shop;\nservice OrderService {\n  rpc GetOrder (Request) returns (Reply);\n}\nmessage Request {}\nmessage Reply {}\n',
    'api/mock_order_service_server.go': `package api\n\nimport "context"\n\ntype MockOrderServiceServer struct {\n\tUnimplementedOrderServiceServer\n}\n\n${method('MockOrderServiceServer')}`,
    'orders/server.go': `package orders\n\nimport "context"\n\ntype server struct {\n\tapi.UnimplementedOrderServiceServer\n}\n\n${method('server')}`,
    'http.go': GO_LIBRARY.replace('package server', 'package main'),
  });
  expect(endpoints.filter(({ method: verb }) => verb === 'GRPC').map(({ handler }) => handler)).toEqual(['orders/server.go::server::GetOrder']);
});

it('requests with the base path of a contract reach its endpoints, and are not missed', async () => {
  const files = {
    'orders/openapi.yaml':
      "openapi: 3.0.3\ninfo: {title: x, version: '1'}\nservers: [{url: 'https://{host}/api'}]\npaths:\n  /orders/{id}:\n    get:\n      responses: {}\n",
    'orders/package.json': '{"name": "orders", "scripts": {"start": "node index.js"}}',
    'orders/index.js': "const app = require('express')();\napp.get('/api/orders/:id', (req, res) => res.end());\napp.listen(1);\n",
    'web/package.json': '{"name": "web", "scripts": {"start": "node index.js"}}',
    'web/index.js':
      "const app = require('express')();\napp.get('/', () => Promise.all([fetch('http://orders/api/orders/1'), fetch('http://orders/orders/1'), fetch('http://orders/v2/orders/1')]));\napp.listen(2);\n",
  };
  const { calls, unanswered } = await modelOfTexts(files);
  expect(calls.map(({ source, target, viaEndpoints }) => [source, target, ...viaEndpoints])).toEqual([
    ['web', 'orders', 'endpoint::orders::GET::/orders/{id}'],
  ]);
  expect(unanswered.map(({ path }) => path)).toEqual(['/v2/orders/1']);
});

it('a workload whose name a chart puts in is no service called after the folder of charts', async () => {
  const { services } = await modelOfTexts({
    'deploy/helm/templates/deployment.yaml':
      'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: {{ include "x.fullname" . }}\nspec:\n  template:\n    spec:\n      containers:\n        - name: x\n          image: {{ .Values.image }}\n',
    'deploy/helm/run.py': 'print(1)\n',
    'orders/package.json': '{"name": "orders", "scripts": {"start": "node index.js"}}',
    'orders/index.js': "const app = require('express')();\napp.get('/api/orders/:id', (req, res) => res.end());\napp.listen(1);\n",
  });
  expect(services.map(({ name }) => name)).toEqual(['orders']);
});
