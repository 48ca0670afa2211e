import { type ArgumentSelector, type ClientRow, type EventRow, type LanguageTables, RECEIVER } from '../../framework';
import { AIOHTTP, FASTAPI, FLASK, FLASK_RESTFUL, SANIC, STARLETTE } from './routers';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options'];

function requestsLike(name: string, modules: readonly string[], clients: Readonly<Record<string, ArgumentSelector | null>>): ClientRow {
  const row = (method: string) => ({ method: method.toUpperCase(), url: [0, 'url'] as ArgumentSelector });
  const methods = Object.fromEntries(METHODS.map(method => [method, row(method)]));
  return {
    name,
    calls: Object.fromEntries(
      modules.flatMap(module => [
        ...METHODS.map(method => [`${module}.${method}`, row(method)] as const),
        [`${module}.request`, { method: { at: [0, 'method'] as ArgumentSelector, otherwise: 'ANY' }, url: [1, 'url'] as ArgumentSelector }] as const,
      ]),
    ),
    makers: clients,
    methods: {
      ...methods,
      request: { method: { at: [0, 'method'], otherwise: 'ANY' }, url: [1, 'url'] },
      stream: { method: { at: 0, otherwise: 'ANY' }, url: 1 },
    },
  };
}

const CLIENTS: readonly ClientRow[] = [
  requestsLike('requests', ['requests', 'requests.api'], {
    'requests.Session': null,
    'requests.session': null,
    'requests.sessions.Session': null,
    'requests_futures.sessions.FuturesSession': null,
  }),
  requestsLike('httpx', ['httpx'], { 'httpx.Client': 'base_url', 'httpx.AsyncClient': 'base_url' }),
  requestsLike('aiohttp', [], { 'aiohttp.ClientSession': ['base_url', 0] }),
  {
    name: 'urllib',
    calls: {
      'urllib.request.urlopen': { method: 'GET', url: 0 },
      'urllib.request.Request': { method: { at: 'method', otherwise: 'GET' }, url: 0 },
      'urllib2.urlopen': { method: 'GET', url: 0 },
    },
  },
];

/** Channels of aio_pika: opened, or as types say. */
const AIO_PIKA_CHANNELS = [
  ...['connect', 'connect_robust', 'Connection', 'RobustConnection', 'abc.AbstractConnection', 'abc.AbstractRobustConnection'].map(name => `${name}.channel`),
  'Channel',
  'RobustChannel',
  'abc.AbstractChannel',
  'abc.AbstractRobustChannel',
].map(name => `aio_pika.${name}`);
const AIO_PIKA_EXCHANGES = [
  ...AIO_PIKA_CHANNELS.flatMap(channel => ['declare_exchange', 'get_exchange', 'default_exchange'].map(name => `${channel}.${name}`)),
  ...['Exchange', 'abc.AbstractExchange', 'abc.AbstractRobustExchange'].map(name => `aio_pika.${name}`),
];
const AIO_PIKA_QUEUES = [
  ...AIO_PIKA_CHANNELS.flatMap(channel => ['declare_queue', 'get_queue'].map(name => `${channel}.${name}`)),
  ...['Queue', 'abc.AbstractQueue', 'abc.AbstractRobustQueue'].map(name => `aio_pika.${name}`),
];

const EVENTS: readonly EventRow[] = [
  {
    name: 'kafka',
    types: [
      'aiokafka.AIOKafkaProducer',
      'kafka.KafkaProducer',
      'confluent_kafka.Producer',
      'confluent_kafka.SerializingProducer',
      'confluent_kafka.aio.AIOProducer',
    ],
    methods: {
      send: { direction: 'publish', name: [0, 'topic'] },
      send_and_wait: { direction: 'publish', name: [0, 'topic'] },
      produce: { direction: 'publish', name: [0, 'topic'] },
    },
    calls: { 'aiokafka.AIOKafkaConsumer': { direction: 'consume', name: [0] }, 'kafka.KafkaConsumer': { direction: 'consume', name: [0] } },
  },
  {
    name: 'kafka',
    types: ['confluent_kafka.Consumer', 'confluent_kafka.DeserializingConsumer', 'kafka.KafkaConsumer', 'aiokafka.AIOKafkaConsumer'],
    methods: { subscribe: { direction: 'consume', name: [0, 'topics'] } },
  },
  {
    name: 'pika',
    hasKeys: true,
    types: ['pika.BlockingConnection.channel', 'pika.SelectConnection.channel', 'pika.channel.Channel', 'pika.adapters.blocking_connection.BlockingChannel'],
    methods: {
      basic_publish: { direction: 'publish', name: ['exchange', 0, 'routing_key'], aliases: ['routing_key', 1] },
      basic_consume: { direction: 'consume', name: ['queue', 0] },
    },
    distinctive: ['basic_publish', 'basic_consume'],
    bindings: { queue_bind: { queue: ['queue', 0], exchange: ['exchange', 1], key: ['routing_key', 2] } },
  },
  {
    name: 'aio-pika',
    hasKeys: true,
    types: [...AIO_PIKA_EXCHANGES, ...AIO_PIKA_QUEUES],
    methods: {
      publish: { direction: 'publish', name: RECEIVER, aliases: ['routing_key', 1] },
      consume: { direction: 'consume', name: RECEIVER },
      iterator: { direction: 'consume', name: RECEIVER },
    },
    bindings: { bind: { queue: RECEIVER, exchange: ['exchange', 0], key: ['routing_key', 1] } },
    carriers: Object.fromEntries(
      [...AIO_PIKA_EXCHANGES, ...AIO_PIKA_QUEUES].filter(path => /\.(?:declare|get)_\w+$/.test(path)).map(path => [path, { name: ['name', 0] }]),
    ),
  },
  {
    name: 'faststream-rabbit',
    hasKeys: true,
    types: ['faststream.rabbit.RabbitBroker', 'faststream.rabbit.RabbitRouter', 'faststream.rabbit.fastapi.RabbitRouter'],
    methods: {
      subscriber: { direction: 'consume', name: ['queue', 0], aliases: [['exchange', 1]] },
      publisher: { direction: 'publish', name: ['exchange', 1, 'queue', 0], aliases: ['routing_key', ['queue', 0]] },
      publish: { direction: 'publish', name: ['exchange', 2, 'queue', 1, 'routing_key'], aliases: ['routing_key', ['queue', 1]] },
    },
    carriers: {
      'faststream.rabbit.RabbitQueue': { name: ['name', 0], key: 'routing_key' },
      'faststream.rabbit.RabbitExchange': { name: ['name', 0] },
    },
  },
  ...(['Kafka', 'Confluent', 'Nats', 'Redis'] as const).map((kind): EventRow => {
    const name = { Kafka: 'topic', Confluent: 'topic', Nats: 'subject', Redis: 'channel' }[kind];
    const module = `faststream.${kind.toLowerCase()}`;
    return {
      name: module.replace('.', '-'),
      types: [`${module}.${kind}Broker`, `${module}.${kind}Router`, `${module}.fastapi.${kind}Router`],
      methods: {
        subscriber: { direction: 'consume', name: [name, 'stream', 'list', 0] },
        publisher: { direction: 'publish', name: [name, 'stream', 'list', 0] },
        publish: { direction: 'publish', name: [name, 'stream', 'list', 1] },
      },
    };
  }),
  {
    name: 'kombu',
    hasKeys: true,
    types: ['kombu.Producer', 'kombu.Connection.Producer', 'kombu.messaging.Producer'],
    methods: { publish: { direction: 'publish', name: ['exchange', 'routing_key'], aliases: ['routing_key'] } },
    calls: Object.fromEntries(
      ['kombu.Consumer', 'kombu.messaging.Consumer', 'kombu.Connection.Consumer'].map(path => [path, { direction: 'consume', name: ['queues', 1, 0] }]),
    ),
    carriers: Object.fromEntries([
      ...['kombu.Queue', 'kombu.entity.Queue'].map(path => [path, { name: ['name', 0], key: 'routing_key' }] as const),
      ...['kombu.Exchange', 'kombu.entity.Exchange'].map(path => [path, { name: ['name', 0] }] as const),
    ]),
  },
  {
    name: 'nats',
    types: ['nats.connect', 'nats.NATS', 'nats.aio.client.Client', 'nats.connect.jetstream'],
    methods: {
      publish: { direction: 'publish', name: [0, 'subject'] },
      subscribe: { direction: 'consume', name: [0, 'subject'] },
      request: { direction: 'publish', name: [0] },
    },
  },
  {
    name: 'redis',
    types: [
      'redis.Redis',
      'redis.StrictRedis',
      'redis.from_url',
      'redis.asyncio.Redis',
      'redis.asyncio.from_url',
      'aioredis.from_url',
      'redis_om.get_redis_connection',
    ],
    methods: {
      publish: { direction: 'publish', name: 0 },
      xadd: { direction: 'publish', name: 0 },
      xread: { direction: 'consume', name: ['streams', 0], inKeys: true },
      xreadgroup: { direction: 'consume', name: ['streams', 2], inKeys: true },
    },
  },
  {
    name: 'redis',
    types: ['redis.Redis.pubsub', 'redis.StrictRedis.pubsub', 'redis.from_url.pubsub', 'redis.asyncio.Redis.pubsub'],
    methods: { subscribe: { direction: 'consume', name: 0 }, psubscribe: { direction: 'consume', name: 0 } },
  },
  {
    name: 'celery',
    types: ['celery.Celery'],
    methods: { send_task: { direction: 'publish', name: [0, 'name'] } },
  },
  {
    name: 'google-pubsub',
    types: ['google.cloud.pubsub_v1.PublisherClient'],
    methods: { publish: { direction: 'publish', name: [0, 'topic'] } },
  },
  {
    name: 'azure-service-bus',
    types: ['', 'aio.'].flatMap(module => ['', '.from_connection_string'].map(maker => `azure.servicebus.${module}ServiceBusClient${maker}`)),
    methods: {
      get_queue_sender: { direction: 'publish', name: ['queue_name', 0] },
      get_topic_sender: { direction: 'publish', name: ['topic_name', 0] },
      get_queue_receiver: { direction: 'consume', name: ['queue_name', 0] },
      get_subscription_receiver: { direction: 'consume', name: ['topic_name', 0] },
    },
  },
  {
    name: 'boto3',
    types: ['boto3.client', 'boto3.resource'],
    methods: {
      send_message: { direction: 'publish', name: ['QueueUrl'] },
      receive_message: { direction: 'consume', name: ['QueueUrl'] },
      publish: { direction: 'publish', name: ['TopicArn'] },
    },
  },
  {
    name: 'dapr',
    types: ['dapr.clients.DaprClient'],
    methods: { publish_event: { direction: 'publish', name: ['topic_name', 1] } },
  },
];

export const PYTHON: LanguageTables = {
  frameworks: [FLASK, FASTAPI, AIOHTTP, SANIC, STARLETTE, FLASK_RESTFUL],
  clients: CLIENTS,
  events: EVENTS,
  invocations: [
    {
      name: 'dapr',
      types: ['dapr.clients.DaprClient'],
      methods: { invoke_method: { app: ['app_id', 0], path: ['method_name', 1], verb: 'http_verb' } },
    },
  ],
  environment: {
    'os.getenv': { name: 0, fallback: [1, 'default'] },
    'os.environ.get': { name: 0, fallback: [1, 'default'] },
    'environ.get': { name: 0, fallback: 1 },
    getenv: { name: 0, fallback: 1 },
    'decouple.config': { name: 0, fallback: 'default' },
    'starlette.config.Config': { name: 0, fallback: 'default' },
  },
  rpcs: [
    { side: 'server', pattern: /(?:^|\.)add_(\w+)Servicer_to_server$/ },
    { side: 'client', pattern: /_pb2_grpc\.(\w+)Stub$/, address: 0 },
  ],
  dictionaries: { methods: { items: 'pairs', keys: 'keys', values: 'values', get: 'item' } },
  environmentObjects: ['os.environ', 'environ'],
  stores: {
    'sqlalchemy.create_engine': { kind: 'database', name: 'sql' },
    'sqlalchemy.ext.asyncio.create_async_engine': { kind: 'database', name: 'sql' },
    'flask_sqlalchemy.SQLAlchemy': { kind: 'database', name: 'sql' },
    'psycopg2.connect': { kind: 'database', name: 'postgresql' },
    'psycopg.connect': { kind: 'database', name: 'postgresql' },
    'asyncpg.create_pool': { kind: 'database', name: 'postgresql' },
    'asyncpg.connect': { kind: 'database', name: 'postgresql' },
    'pymysql.connect': { kind: 'database', name: 'mysql' },
    'mysql.connector.connect': { kind: 'database', name: 'mysql' },
    'sqlite3.connect': { kind: 'database', name: 'sqlite' },
    'pymongo.MongoClient': { kind: 'database', name: 'mongodb' },
    'motor.motor_asyncio.AsyncIOMotorClient': { kind: 'database', name: 'mongodb' },
    'redis.Redis': { kind: 'cache', name: 'redis' },
    'redis.StrictRedis': { kind: 'cache', name: 'redis' },
    'redis.from_url': { kind: 'cache', name: 'redis' },
    'elasticsearch.Elasticsearch': { kind: 'search', name: 'elasticsearch' },
    'pika.BlockingConnection': { kind: 'broker', name: 'rabbitmq' },
    'kafka.KafkaProducer': { kind: 'broker', name: 'kafka' },
    'kafka.KafkaConsumer': { kind: 'broker', name: 'kafka' },
    'aiokafka.AIOKafkaProducer': { kind: 'broker', name: 'kafka' },
    'aiokafka.AIOKafkaConsumer': { kind: 'broker', name: 'kafka' },
    'confluent_kafka.Producer': { kind: 'broker', name: 'kafka' },
    'confluent_kafka.Consumer': { kind: 'broker', name: 'kafka' },
  },
};
