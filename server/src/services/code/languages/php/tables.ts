import type { ClientRow, EventRow, Framework, LanguageTables, Verb } from '../../framework';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Slim and Lumen: `$app->get('/x', handler)`, groups by a path or by an array with a prefix. */
const SLIM: Framework = {
  name: 'slim',
  makers: {
    'Slim.Factory.AppFactory.create': { isRoot: true },
    'Slim.Factory.AppFactory.createFromContainer': { isRoot: true },
    'Slim.App': { isRoot: true },
    'DI.Bridge.Slim.Bridge.create': { isRoot: true },
    'Laravel.Lumen.Application': { isRoot: true },
  },
  types: [
    'Slim.App',
    'Slim.Interfaces.RouteCollectorProxyInterface',
    'Slim.Routing.RouteCollectorProxy',
    'Slim.Interfaces.RouteGroupInterface',
    'Laravel.Lumen.Routing.Router',
    'Laravel.Lumen.Application',
  ],
  verbs: {
    ...Object.fromEntries(METHODS.map(name => [name, { method: name.toUpperCase(), handler: 1 } satisfies Verb])),
    any: { method: 'ANY', handler: 1 },
    map: { method: { at: 0, otherwise: ['ANY'] }, path: 1, handler: 2, least: 3 },
    addRoute: { method: { at: 0, otherwise: ['ANY'] }, path: 1, handler: 2, least: 3 },
  },
  groups: { group: { path: ['prefix', 0], callback: 1, binds: true }, setBasePath: { path: 0, sets: true } },
  ends: ['add', 'addErrorMiddleware', 'getContainer', 'getRouteCollector'],
  starts: ['run'],
};

const request = (at: number): ClientRow['calls'][string] => ({ method: { at, otherwise: 'ANY' }, url: at + 1 });
const REQUESTS = Object.fromEntries([...METHODS, 'head'].map(name => [name, { method: name.toUpperCase(), url: 0 }]));
const FACADE = ['Illuminate.Support.Facades.Http', 'Http'];
/** What a client of the facade is made with. */
const FACADE_STEPS = [
  'withHeaders',
  'withToken',
  'withBasicAuth',
  'acceptJson',
  'asJson',
  'asForm',
  'timeout',
  'retry',
  'withOptions',
  'withoutVerifying',
  'throw',
];

const CLIENTS: readonly ClientRow[] = [
  {
    name: 'guzzle',
    calls: {},
    makers: { 'GuzzleHttp.Client': 'base_uri', 'GuzzleHttp.ClientInterface': null, 'Psr.Http.Client.ClientInterface': null },
    methods: {
      ...REQUESTS,
      ...Object.fromEntries(METHODS.map(name => [`${name}Async`, { method: name.toUpperCase(), url: 0 }])),
      request: request(0),
      requestAsync: request(0),
    },
  },
  {
    name: 'symfony-http-client',
    calls: {},
    makers: { 'Symfony.Contracts.HttpClient.HttpClientInterface': null, 'Symfony.Component.HttpClient.HttpClient.create': 'base_uri' },
    methods: { request: request(0) },
  },
  {
    name: 'laravel-http',
    calls: Object.fromEntries(FACADE.flatMap(facade => METHODS.map(name => [`${facade}.${name}`, { method: name.toUpperCase(), url: 0 }]))),
    makers: Object.fromEntries(
      FACADE.flatMap(facade => [
        [`${facade}.baseUrl`, 0],
        ...FACADE_STEPS.flatMap(step => [
          [`${facade}.${step}`, null],
          [`${facade}.${step}.baseUrl`, 0],
        ]),
      ]),
    ),
    methods: REQUESTS,
  },
  {
    name: 'php',
    calls: {
      curl_init: { method: 'ANY', url: 0 },
      file_get_contents: { method: 'GET', url: 0 },
      'GuzzleHttp.Psr7.Request': request(0),
    },
  },
];

const EVENTS: readonly EventRow[] = [
  {
    name: 'php-amqplib',
    hasKeys: true,
    types: ['PhpAmqpLib.Channel.AMQPChannel', 'PhpAmqpLib.Connection.AMQPStreamConnection.channel', 'PhpAmqpLib.Connection.AbstractConnection.channel'],
    methods: { basic_publish: { direction: 'publish', name: 1, aliases: [2] }, basic_consume: { direction: 'consume', name: 0 } },
    bindings: { queue_bind: { queue: 0, exchange: 1, key: 2 } },
  },
  {
    name: 'rdkafka',
    types: ['RdKafka.Producer', 'RdKafka.KafkaConsumer', 'RdKafka.Consumer'],
    methods: { newTopic: { direction: 'publish', name: 0 }, subscribe: { direction: 'consume', name: 0 } },
  },
  {
    name: 'laravel-redis',
    types: ['Illuminate.Support.Facades.Redis'],
    methods: { publish: { direction: 'publish', name: 0 }, subscribe: { direction: 'consume', name: 0 }, psubscribe: { direction: 'consume', name: 0 } },
  },
];

export const PHP: LanguageTables = {
  frameworks: [SLIM],
  routerNames: { $app: 'slim', $router: 'slim' },
  clients: CLIENTS,
  events: EVENTS,
  environment: { getenv: { name: 0 }, env: { name: 0, fallback: 1 }, config: { name: 0, fallback: 1 } },
  environmentObjects: ['$_ENV', '$_SERVER'],
  rpcs: [{ side: 'client', pattern: /(?:^|\.)(\w+)Client$/, address: 0 }],
  stores: {
    'MongoDB.Client': { kind: 'database', name: 'mongodb' },
    'Predis.Client': { kind: 'cache', name: 'redis' },
    PDO: { kind: 'database', name: 'sql' },
    mysqli: { kind: 'database', name: 'mysql' },
  },
};
