import { type ClientRow, type EventRow, type LanguageTables, RECEIVER } from '../../framework';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head'];
const REQUESTS = Object.fromEntries(METHODS.map(name => [name, { method: name.toUpperCase(), url: 0 }]));

/** Libraries with a function per method. */
function functions(name: string, object: string): ClientRow {
  return { name, calls: Object.fromEntries(METHODS.map(method => [`${object}.${method}`, { method: method.toUpperCase(), url: 0 }])) };
}

const CLIENTS: readonly ClientRow[] = [
  {
    name: 'faraday',
    calls: functions('faraday', 'Faraday').calls,
    makers: { 'Faraday.new': ['url', 0] },
    methods: REQUESTS,
  },
  functions('httparty', 'HTTParty'),
  {
    name: 'rest-client',
    calls: {
      ...functions('rest-client', 'RestClient').calls,
      'RestClient.Request.execute': { method: { at: 'method', otherwise: 'ANY' }, url: 'url' },
    },
    makers: { 'RestClient.Resource.new': 0 },
    methods: {},
  },
  functions('typhoeus', 'Typhoeus'),
  functions('http', 'HTTP'),
  { name: 'excon', calls: functions('excon', 'Excon').calls, makers: { 'Excon.new': 0 }, methods: REQUESTS },
  {
    name: 'net-http',
    calls: {
      'Net.HTTP.get': { method: 'GET', url: 0 },
      'Net.HTTP.get_response': { method: 'GET', url: 0 },
      'Net.HTTP.get_print': { method: 'GET', url: 0 },
      'Net.HTTP.post': { method: 'POST', url: 0 },
      'Net.HTTP.post_form': { method: 'POST', url: 0 },
      ...Object.fromEntries(['Get', 'Post', 'Put', 'Patch', 'Delete'].map(name => [`Net.HTTP.${name}.new`, { method: name.toUpperCase(), url: 0 }])),
    },
  },
];

const CHANNELS = ['Bunny.new.create_channel', 'Bunny.new.start.create_channel', 'Bunny.run.create_channel'];

/** What methods of a channel give. */
function ofChannels(...methods: readonly string[]): string[] {
  return CHANNELS.flatMap(channel => methods.map(method => `${channel}.${method}`));
}

const EXCHANGES = ofChannels('fanout', 'direct', 'topic', 'headers', 'exchange');
/** `channel.queue('orders')`, also where it is bound at once. */
const QUEUES = ofChannels('queue');
const BOUND = QUEUES.map(queue => `${queue}.bind`);

const EVENTS: readonly EventRow[] = [
  {
    name: 'bunny',
    hasKeys: true,
    types: [...EXCHANGES, ...QUEUES, ...BOUND, ...ofChannels('default_exchange'), ...CHANNELS],
    methods: {
      publish: { direction: 'publish', name: RECEIVER, aliases: ['routing_key'] },
      subscribe: { direction: 'consume', name: RECEIVER },
      pop: { direction: 'consume', name: RECEIVER },
      basic_publish: { direction: 'publish', name: 1, aliases: [2] },
      basic_consume: { direction: 'consume', name: 0 },
    },
    bindings: { bind: { queue: RECEIVER, exchange: 0, key: 'routing_key' } },
    carriers: Object.fromEntries([
      ...[...EXCHANGES, ...QUEUES].map(path => [path, { name: 0 }] as const),
      ...BOUND.map(path => [path, { name: RECEIVER }] as const),
      // `Bunny::Exchange.new(channel, :topic, 'orders')`
      ['Bunny.Exchange.new', { name: 2 }] as const,
    ]),
  },
  {
    name: 'ruby-kafka',
    types: [
      'Kafka.new',
      'Kafka.new.producer',
      'Kafka.new.async_producer',
      'Kafka.new.consumer',
      'Rdkafka.Config.new.producer',
      'Rdkafka.Config.new.consumer',
      'Karafka.producer',
      'Karafka',
    ],
    methods: {
      deliver_message: { direction: 'publish', name: 'topic' },
      produce: { direction: 'publish', name: 'topic' },
      produce_sync: { direction: 'publish', name: 'topic' },
      produce_async: { direction: 'publish', name: 'topic' },
      subscribe: { direction: 'consume', name: 0 },
      each_message: { direction: 'consume', name: 'topic' },
    },
    calls: {
      'Karafka.producer.produce_sync': { direction: 'publish', name: 'topic' },
      'Karafka.producer.produce_async': { direction: 'publish', name: 'topic' },
    },
  },
  {
    name: 'sneakers',
    hasKeys: true,
    types: ['Sneakers.Publisher.new'],
    methods: { publish: { direction: 'publish', name: ['to_queue', 'routing_key'] } },
    calls: {
      from_queue: { direction: 'consume', name: 0, aliases: ['exchange', 'routing_key'] },
      'Sneakers.publish': { direction: 'publish', name: ['to_queue', 'routing_key'] },
    },
  },
  {
    name: 'redis',
    types: ['Redis.new'],
    methods: { publish: { direction: 'publish', name: 0 }, subscribe: { direction: 'consume', name: 0 }, xadd: { direction: 'publish', name: 0 } },
  },
];

export const RUBY: LanguageTables = {
  frameworks: [],
  clients: CLIENTS,
  events: EVENTS,
  environment: { 'ENV.fetch': { name: 0, fallback: 1 } },
  environmentObjects: ['ENV'],
  rpcs: [{ side: 'client', pattern: /(?:^|\.)(\w+)\.Stub\.new$/, address: 0, isSure: true }],
  stores: {
    'PG.connect': { kind: 'database', name: 'postgresql' },
    'Mongo.Client.new': { kind: 'database', name: 'mongodb' },
    'Mysql2.Client.new': { kind: 'database', name: 'mysql' },
    'Redis.new': { kind: 'cache', name: 'redis' },
  },
};
