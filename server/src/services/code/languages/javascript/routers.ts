import type { ArgumentSelector, Framework, Group, Mounting, Verb } from '../../framework';

const NAMES = ['get', 'post', 'put', 'patch', 'delete', 'del', 'all'];

function verbs(least: number, path: Verb['path'] = 0, handler: ArgumentSelector = -1): Readonly<Record<string, Verb>> {
  const rows = NAMES.map(
    name => [name, { method: name === 'del' ? 'DELETE' : name === 'all' ? 'ANY' : name.toUpperCase(), path, least, handler } satisfies Verb] as const,
  );
  // A method whose name is computed: `router[route.method](route.path, route.handler)`.
  return { ...Object.fromEntries(rows), '*': { method: { at: '*', otherwise: [] }, path, least: least + 1, handler } };
}

export const EXPRESS: Framework = {
  name: 'express',
  makers: {
    express: { isRoot: true },
    'express.Router': {},
    'express-promise-router': {},
    'express.default': { isRoot: true },
    router: {},
    polka: { isRoot: true },
    restify: { isRoot: true },
    'restify.createServer': { isRoot: true },
  },
  types: [
    'express.Express',
    'express.Application',
    'express.Router',
    'express.IRouter',
    'express-serve-static-core.Express',
    'express-serve-static-core.Router',
  ],
  verbs: verbs(2),
  groups: { route: { path: 0, pathless: true } },
  mounts: { use: { path: 0 } },
  ends: ['listen', 'handle', 'set', 'param', 'engine'],
  starts: ['listen'],
};

/** Paths may have a name in front. */
export const KOA_ROUTER: Framework = {
  name: 'koa-router',
  makers: {
    'koa-router': { prefix: 'prefix' },
    '@koa/router': { prefix: 'prefix' },
    'koa-router.default': { prefix: 'prefix' },
    'koa-joi-router': {},
    'koa-better-router': { prefix: 'prefix' },
  },
  types: ['koa-router', '@koa/router'],
  verbs: verbs(2, 0),
  groups: { prefix: { path: 0, sets: true } },
  mounts: { use: { path: 0 } },
};

/** The application itself; routers are mounted on it. */
export const KOA: Framework = {
  name: 'koa',
  makers: { koa: { isRoot: true } },
  types: ['koa', 'koa.Application'],
  verbs: {},
  mounts: { use: {} },
  starts: ['listen'],
};

export const FASTIFY: Framework = {
  name: 'fastify',
  makers: { fastify: { isRoot: true }, 'fastify.default': { isRoot: true }, 'fastify.fastify': { isRoot: true }, Fastify: { isRoot: true } },
  types: ['fastify.FastifyInstance'],
  verbs: {
    ...verbs(2, 0, ['handler', -1]),
    route: { method: { at: 'method', otherwise: [] }, path: ['url', 'path'], handler: 'handler', least: 1 },
  },
  groups: { withTypeProvider: {} },
  mounts: { register: { child: 0, path: 'prefix' } },
  wrappers: ['fastify-plugin', 'fastify-plugin.default'],
  ends: ['listen', 'inject', 'ready', 'close'],
  starts: ['listen'],
};

export const HONO: Framework = {
  name: 'hono',
  makers: {
    'hono.Hono': { isRoot: true },
    '@hono/zod-openapi.OpenAPIHono': { isRoot: true },
    'hono/tiny.Hono': { isRoot: true },
    'hono/quick.Hono': { isRoot: true },
  },
  types: ['hono.Hono', '@hono/zod-openapi.OpenAPIHono'],
  verbs: {
    ...verbs(2),
    on: { method: { at: 0, otherwise: ['ANY'] }, path: 1, least: 3 },
    openapi: { method: { at: 'method', otherwise: ['GET'] }, path: 'path', handler: 1 },
  },
  groups: { basePath: { path: 0 } },
  mounts: { route: { path: 0, child: 1 } },
  ends: ['request', 'fetch', 'fire'],
};

const group: Group = { path: 0, callback: -1 };
const use: Mounting = {};

export const ELYSIA: Framework = {
  name: 'elysia',
  makers: { 'elysia.Elysia': { isRoot: true, prefix: 'prefix' } },
  types: ['elysia.Elysia'],
  verbs: Object.fromEntries(Object.entries(verbs(2)).map(([name, verb]) => [name, { ...verb, handler: 1 }])),
  groups: { group },
  mounts: { use },
  starts: ['listen'],
};

export const HAPI: Framework = {
  name: 'hapi',
  makers: { '@hapi/hapi.server': { isRoot: true }, '@hapi/hapi.Server': { isRoot: true }, 'hapi.server': { isRoot: true }, 'hapi.Server': { isRoot: true } },
  types: ['@hapi/hapi.Server'],
  verbs: { route: { method: { at: 'method', otherwise: ['ANY'] }, path: 'path', handler: 'handler', least: 1 } },
  starts: ['start'],
};
