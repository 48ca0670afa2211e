import type { ClientRow, EventRow, Framework, LanguageTables } from '../../framework';

const METHOD_ATTRIBUTES = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;

const ACTIX: Framework = {
  name: 'actix',
  makers: {
    'actix_web.App.new': { isRoot: true },
    'actix_web.web.scope': { prefix: 0 },
    'actix_web.web.resource': { prefix: 0, pathless: true },
    'actix_web.Scope.new': { prefix: 0 },
    'actix_web.Resource.new': { prefix: 0, pathless: true },
    'web.scope': { prefix: 0 },
    'web.resource': { prefix: 0, pathless: true },
    'App.new': { isRoot: true },
  },
  types: ['actix_web.web.ServiceConfig', 'web.ServiceConfig', 'actix_web.Scope', 'ServiceConfig'],
  verbs: { route: { method: 'ANY', chain: true }, to: { method: 'ANY', handler: 0, least: 1 } },
  mounts: { service: { child: 0 }, configure: { child: 0 } },
  attributes: { ...METHOD_ATTRIBUTES, route: '' },
};

const AXUM: Framework = {
  name: 'axum',
  makers: {
    'axum.Router.new': {},
    'axum.Router.default': {},
    'axum.routing.Router.new': {},
    'utoipa_axum.router.OpenApiRouter.new': {},
    'utoipa_axum.router.OpenApiRouter.with_openapi': {},
    'aide.axum.ApiRouter.new': {},
  },
  types: ['axum.Router'],
  verbs: { route: { method: 'ANY', chain: true }, api_route: { method: 'ANY', chain: true } },
  mounts: { nest: { path: 0, child: 1 }, merge: { child: 0 }, routes: {}, nest_api_service: { path: 0, child: 1 } },
  attributes: { path: '' },
};

const ROCKET: Framework = {
  name: 'rocket',
  makers: { 'rocket.build': { isRoot: true }, 'rocket.ignite': { isRoot: true }, 'rocket.custom': { isRoot: true }, 'rocket.Rocket.build': { isRoot: true } },
  types: ['rocket.Rocket'],
  verbs: {},
  mounts: { mount: { path: 0, child: 1 } },
  attributes: METHOD_ATTRIBUTES,
};

const REQUESTS = ['get', 'post', 'put', 'patch', 'delete', 'head'];

const CLIENTS: readonly ClientRow[] = [
  {
    name: 'reqwest',
    calls: { 'reqwest.get': { method: 'GET', url: 0 }, 'reqwest.blocking.get': { method: 'GET', url: 0 } },
    makers: {
      'reqwest.Client.new': null,
      'reqwest.Client': null,
      'reqwest.blocking.Client.new': null,
      'reqwest.Client.builder.build': null,
      'reqwest.ClientBuilder.new.build': null,
    },
    methods: {
      ...Object.fromEntries(REQUESTS.map(method => [method, { method: method.toUpperCase(), url: 0 }])),
      request: { method: { at: 0, otherwise: 'ANY' }, url: 1 },
    },
  },
  { name: 'ureq', calls: Object.fromEntries(REQUESTS.map(method => [`ureq.${method}`, { method: method.toUpperCase(), url: 0 }])) },
];

const EVENTS: readonly EventRow[] = [
  {
    name: 'rdkafka',
    types: ['rdkafka.consumer.StreamConsumer', 'rdkafka.consumer.BaseConsumer', 'rdkafka.consumer.stream_consumer.StreamConsumer'],
    methods: { subscribe: { direction: 'consume', name: 0 } },
    calls: { 'rdkafka.producer.FutureRecord.to': { direction: 'publish', name: 0 }, 'rdkafka.producer.BaseRecord.to': { direction: 'publish', name: 0 } },
  },
  {
    name: 'lapin',
    hasKeys: true,
    types: ['lapin.Channel', 'lapin.Connection.connect.create_channel', 'lapin.Connection.create_channel'],
    methods: { basic_publish: { direction: 'publish', name: 0, aliases: [1] }, basic_consume: { direction: 'consume', name: 0 } },
    bindings: { queue_bind: { queue: 0, exchange: 1, key: 2 } },
  },
  {
    name: 'nats',
    types: ['async_nats.connect', 'async_nats.Client', 'nats.connect', 'async_nats.jetstream.new'],
    methods: {
      publish: { direction: 'publish', name: 0 },
      subscribe: { direction: 'consume', name: 0 },
      queue_subscribe: { direction: 'consume', name: 0 },
      request: { direction: 'publish', name: 0 },
    },
  },
];

export const RUST: LanguageTables = {
  // Rocket: `/items/<id>/<rest..>?<page>`.
  plainPath: path => path.replace(/\?(?=[<\w]).*$/, '').replace(/<(\w+)(?:\.\.)?>/g, '{$1}'),
  frameworks: [ACTIX, AXUM, ROCKET],
  clients: CLIENTS,
  events: EVENTS,
  environment: { 'std.env.var': { name: 0 }, 'env.var': { name: 0 }, 'dotenvy.var': { name: 0 } },
  rpcs: [
    { side: 'client', pattern: /(?:^|\.)(\w+)Client\.connect$/, address: 0 },
    { side: 'server', pattern: /_server\.(\w+)Server\.(?:new|with_interceptor)$/ },
  ],
  environmentObjects: [],
  stores: {
    'sqlx.postgres.PgPoolOptions.new': { kind: 'database', name: 'postgresql' },
    'sqlx.PgPool.connect': { kind: 'database', name: 'postgresql' },
    'sqlx.MySqlPool.connect': { kind: 'database', name: 'mysql' },
    'sqlx.SqlitePool.connect': { kind: 'database', name: 'sqlite' },
    'diesel.r2d2.ConnectionManager.new': { kind: 'database', name: 'sql' },
    'mongodb.Client.with_uri_str': { kind: 'database', name: 'mongodb' },
    'redis.Client.open': { kind: 'cache', name: 'redis' },
  },
};
