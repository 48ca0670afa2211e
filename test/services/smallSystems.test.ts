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
