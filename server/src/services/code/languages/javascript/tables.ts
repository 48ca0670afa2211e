import type { ArgumentSelector, ClientRow, EventRow, LanguageTables } from '../../framework';
import { ELYSIA, EXPRESS, FASTIFY, HAPI, HONO, KOA, KOA_ROUTER } from './routers';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

/** `*` is a method whose name is computed. */
function byMethod(module: string): ClientRow['calls'] {
  const path = (method: string): string => (module === '' ? method : `${module}.${method}`);
  const rows = METHODS.map(method => [path(method), { method: method.toUpperCase(), url: 0 }] as const);
  return { ...Object.fromEntries(rows), [path('*')]: { method: { at: '*', otherwise: 'ANY' }, url: 0 } };
}

const OPTION = (otherwise: string): { readonly at: ArgumentSelector; readonly otherwise: string } => ({ at: 'method', otherwise });

const CLIENTS: readonly ClientRow[] = [
  {
    name: 'fetch',
    calls: Object.fromEntries(
      [
        'fetch',
        'window.fetch',
        'globalThis.fetch',
        '$fetch',
        'node-fetch',
        'cross-fetch',
        'isomorphic-fetch',
        'undici.fetch',
        'undici.request',
        'ofetch',
        'ofetch.ofetch',
      ].map(name => [name, { method: OPTION('GET'), url: 0 }]),
    ),
  },
  {
    name: 'axios',
    calls: {
      ...byMethod('axios'),
      axios: { method: OPTION('GET'), url: ['url', 0] },
      'axios.request': { method: OPTION('GET'), url: 'url' },
      'axios.default': { method: OPTION('GET'), url: 'url' },
    },
    makers: { 'axios.create': 'baseURL', 'axios.AxiosInstance': null, 'axios.Axios': 'baseURL' },
    methods: { ...byMethod(''), request: { method: OPTION('GET'), url: 'url' } },
  },
  {
    name: 'got',
    calls: { ...byMethod('got'), got: { method: OPTION('GET'), url: 0 } },
    makers: { 'got.extend': 'prefixUrl' },
    methods: byMethod(''),
  },
  {
    name: 'ky',
    calls: { ...byMethod('ky'), ky: { method: OPTION('GET'), url: 0 } },
    makers: { 'ky.create': 'prefixUrl', 'ky.extend': 'prefixUrl' },
    methods: byMethod(''),
  },
  { name: 'superagent', calls: { ...byMethod('superagent'), superagent: { method: { at: 0, otherwise: 'GET' }, url: 1 } } },
  {
    name: 'request',
    calls: Object.fromEntries(
      ['request', 'request-promise', 'request-promise-native'].flatMap(module => [
        [module, { method: OPTION('GET'), url: ['uri', 'url', 0] as ArgumentSelector }] as const,
        ...METHODS.map(method => [`${module}.${method}`, { method: method.toUpperCase(), url: ['uri', 'url', 0] as ArgumentSelector }] as const),
      ]),
    ),
  },
  { name: 'http', calls: { 'http.get': { method: 'GET', url: 0 }, 'https.get': { method: 'GET', url: 0 } } },
  { name: 'nestjs', calls: {}, makers: { '@nestjs/axios.HttpService': null, '@nestjs/common.HttpService': null }, methods: byMethod('') },
  {
    name: 'angular',
    calls: {},
    makers: { '@angular/common/http.HttpClient': null },
    methods: { ...byMethod(''), request: { method: { at: 0, otherwise: 'ANY' }, url: 1 } },
  },
  { name: 'supertest', calls: {}, makers: { supertest: 0, 'supertest.default': 0 }, methods: byMethod('') },
  {
    name: 'jquery',
    calls: {
      '$.get': { method: 'GET', url: 0 },
      '$.post': { method: 'POST', url: 0 },
      '$.ajax': { method: { at: ['method', 'type'], otherwise: 'GET' }, url: ['url', 0] },
      '$.getJSON': { method: 'GET', url: 0 },
    },
  },
];

const EVENTS: readonly EventRow[] = [
  {
    name: 'kafkajs',
    types: ['kafkajs.Kafka.producer', 'kafkajs.Kafka.consumer', 'kafkajs.Producer', 'kafkajs.Consumer'],
    methods: { send: { direction: 'publish', name: 'topic' }, subscribe: { direction: 'consume', name: ['topic', 'topics'] } },
  },
  {
    name: 'amqplib',
    hasKeys: true,
    types: [
      'amqplib.connect.createChannel',
      'amqplib.connect.createConfirmChannel',
      'amqplib.Channel',
      'amqplib.ConfirmChannel',
      'amqplib/callback_api.Channel',
      'amqp-connection-manager.connect.createChannel',
      'amqp-connection-manager.default.connect.createChannel',
      'amqp-connection-manager.ChannelWrapper',
    ],
    methods: {
      publish: { direction: 'publish', name: 0, aliases: [1] },
      sendToQueue: { direction: 'publish', name: 0 },
      consume: { direction: 'consume', name: 0 },
    },
    bindings: { bindQueue: { queue: 0, exchange: 1, key: 2 } },
  },
  {
    name: 'nats',
    types: [
      'nats.connect',
      'nats.NatsConnection',
      'nats.connect.jetstream',
      'node-nats-streaming.connect',
      'node-nats-streaming.Stan',
      '@nats-io/transport-node.connect',
    ],
    methods: { publish: { direction: 'publish', name: 0 }, subscribe: { direction: 'consume', name: 0 }, request: { direction: 'publish', name: 0 } },
  },
  {
    name: 'redis',
    types: ['redis.createClient', 'redis.createClient.duplicate', 'ioredis', 'ioredis.Redis', 'redis.RedisClientType'],
    methods: {
      publish: { direction: 'publish', name: 0 },
      subscribe: { direction: 'consume', name: 0 },
      pSubscribe: { direction: 'consume', name: 0 },
      psubscribe: { direction: 'consume', name: 0 },
      xadd: { direction: 'publish', name: 0 },
    },
  },
  {
    name: 'golevelup-rabbitmq',
    hasKeys: true,
    types: ['@golevelup/nestjs-rabbitmq.AmqpConnection'],
    methods: {
      publish: { direction: 'publish', name: 0, aliases: [1] },
      request: { direction: 'publish', name: 'exchange', aliases: ['routingKey'] },
    },
    calls: Object.fromEntries(
      ['RabbitSubscribe', 'RabbitRPC'].map(name => [
        `@golevelup/nestjs-rabbitmq.${name}`,
        { direction: 'consume', name: 'exchange', aliases: ['routingKey', 'queue'] },
      ]),
    ),
  },
  {
    name: 'mqtt',
    types: ['mqtt.connect', 'mqtt.connectAsync', 'mqtt.default.connect', 'mqtt.MqttClient'],
    methods: Object.fromEntries(
      (['publish', 'subscribe'] as const).flatMap(name => {
        const event = { direction: name === 'publish' ? 'publish' : 'consume', name: 0 } as const;
        return [[name, event] as const, [`${name}Async`, event] as const];
      }),
    ),
  },
  {
    name: 'bull',
    types: [],
    methods: {},
    calls: { 'bullmq.Queue': { direction: 'publish', name: 0 }, 'bullmq.Worker': { direction: 'consume', name: 0 } },
  },
  {
    name: 'nestjs',
    types: [
      '@nestjs/microservices.ClientProxy',
      '@nestjs/microservices.ClientKafka',
      '@nestjs/microservices.ClientProxyFactory.create',
      '@nestjs/microservices.ClientRMQ',
    ],
    methods: { emit: { direction: 'publish', name: 0 }, send: { direction: 'publish', name: 0 } },
    calls: {
      '@nestjs/microservices.EventPattern': { direction: 'consume', name: 0 },
      '@nestjs/microservices.MessagePattern': { direction: 'consume', name: 0 },
    },
  },
  {
    name: 'dapr',
    types: ['@dapr/dapr.DaprClient.pubsub', '@dapr/dapr.DaprServer.pubsub'],
    methods: { publish: { direction: 'publish', name: 1 }, subscribe: { direction: 'consume', name: 1 } },
  },
  {
    name: 'azure-service-bus',
    types: ['@azure/service-bus.ServiceBusClient'],
    methods: { createSender: { direction: 'publish', name: 0 }, createReceiver: { direction: 'consume', name: 0 } },
  },
  {
    name: 'rhea',
    types: ['rhea.connect', 'rhea.create_container.connect'],
    methods: { open_sender: { direction: 'publish', name: 0 }, open_receiver: { direction: 'consume', name: 0 } },
  },
  {
    name: 'google-pubsub',
    types: ['@google-cloud/pubsub.PubSub'],
    methods: { topic: { direction: 'publish', name: 0 }, subscription: { direction: 'consume', name: 0 } },
  },
  {
    name: 'aws',
    types: [],
    methods: {},
    calls: {
      '@aws-sdk/client-sqs.SendMessageCommand': { direction: 'publish', name: 'QueueUrl' },
      '@aws-sdk/client-sqs.ReceiveMessageCommand': { direction: 'consume', name: 'QueueUrl' },
      '@aws-sdk/client-sns.PublishCommand': { direction: 'publish', name: 'TopicArn' },
    },
  },
];

export const JAVASCRIPT: LanguageTables = {
  frameworks: [EXPRESS, KOA_ROUTER, KOA, FASTIFY, HONO, ELYSIA, HAPI],
  clients: CLIENTS,
  events: EVENTS,
  invocations: [{ name: 'dapr', types: ['@dapr/dapr.DaprClient.invoker'], methods: { invoke: { app: 0, path: 1, verb: 2 } } }],
  environment: { 'Deno.env.get': { name: 0 }, 'Bun.env.get': { name: 0 } },
  rpcs: [{ side: 'client', pattern: /(?:^|\.)(\w+?)(?:Service)?Client$/, address: 0 }],
  loadsProcedures: true,
  routerParameters: { fastify: 'fastify' },
  callers: { 'opossum.fire': 0 },
  dictionaries: { functions: { 'Object.entries': 'pairs', 'Object.keys': 'keys', 'Object.values': 'values' } },
  formats: ['util.format', 'util.default.format'],
  environmentObjects: ['env-schema', 'env-schema.default', 'envalid.cleanEnv', 'process.env', 'import.meta.env', 'Bun.env', 'process.default.env'],
  stores: {
    'mongoose.connect': { kind: 'database', name: 'mongodb' },
    'mongodb.MongoClient': { kind: 'database', name: 'mongodb' },
    'mongodb.MongoClient.connect': { kind: 'database', name: 'mongodb' },
    'pg.Pool': { kind: 'database', name: 'postgresql' },
    'pg.Client': { kind: 'database', name: 'postgresql' },
    postgres: { kind: 'database', name: 'postgresql' },
    'mysql.createConnection': { kind: 'database', name: 'mysql' },
    'mysql.createPool': { kind: 'database', name: 'mysql' },
    'mysql2.createPool': { kind: 'database', name: 'mysql' },
    'mysql2/promise.createPool': { kind: 'database', name: 'mysql' },
    'sequelize.Sequelize': { kind: 'database', name: 'sql' },
    sequelize: { kind: 'database', name: 'sql' },
    '@prisma/client.PrismaClient': { kind: 'database', name: 'sql' },
    'typeorm.DataSource': { kind: 'database', name: 'sql' },
    'redis.createClient': { kind: 'cache', name: 'redis' },
    ioredis: { kind: 'cache', name: 'redis' },
    'ioredis.Redis': { kind: 'cache', name: 'redis' },
    '@elastic/elasticsearch.Client': { kind: 'search', name: 'elasticsearch' },
    'amqplib.connect': { kind: 'broker', name: 'rabbitmq' },
    'kafkajs.Kafka': { kind: 'broker', name: 'kafka' },
    'nats.connect': { kind: 'broker', name: 'nats' },
  },
};
