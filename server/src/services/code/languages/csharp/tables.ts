import type { EventCall, EventRow, Framework, LanguageTables, Verb } from '../../framework';
import { withoutConstraints } from './paths';

const METHODS: Readonly<Record<string, string>> = { MapGet: 'GET', MapPost: 'POST', MapPut: 'PUT', MapPatch: 'PATCH', MapDelete: 'DELETE' };

/** Types are known by their name alone where their namespace is imported for the whole project. */
function spelled(namespace: string, names: readonly string[]): readonly string[] {
  return names.flatMap(name => [name, `${namespace}.${name}`]);
}

const BUILDERS = spelled('Microsoft.AspNetCore.Builder', [
  'WebApplication.CreateBuilder',
  'WebApplication.CreateSlimBuilder',
  'WebApplication.CreateEmptyBuilder',
]);

/** Minimal interfaces: `app.MapGet("/x", handler)`, groups, and what an extension method adds to a builder (`extensions`). */
const MINIMAL: Framework = {
  name: 'aspnet-minimal',
  makers: {
    ...Object.fromEntries(BUILDERS.map(name => [`${name}.Build`, { isRoot: true }])),
    'WebApplication.Create': { isRoot: true },
  },
  types: [
    ...spelled('Microsoft.AspNetCore.Routing', ['IEndpointRouteBuilder', 'RouteGroupBuilder']),
    ...spelled('Microsoft.AspNetCore.Builder', ['WebApplication', 'IApplicationBuilder']),
  ],
  verbs: {
    ...Object.fromEntries(Object.entries(METHODS).map(([name, method]) => [name, { method, path: [0, 'pattern'], handler: [1, 'handler'] } satisfies Verb])),
    MapMethods: { method: { at: [1, 'httpMethods'], otherwise: ['ANY'] }, path: [0, 'pattern'], handler: [2, 'handler'], least: 3 },
    Map: { method: 'ANY', path: [0, 'pattern'], handler: [1, 'handler'] },
  },
  groups: { MapGroup: { path: [0, 'prefix'] }, UseEndpoints: { callback: 0 } },
  starts: ['Run', 'RunAsync'],
};

const publish = (name: EventCall['name'], aliases?: EventCall['aliases']): EventCall => ({
  direction: 'publish',
  name,
  ...(aliases === undefined ? {} : { aliases }),
});
const consume = (name: EventCall['name']): EventCall => ({ direction: 'consume', name });

const EVENTS: readonly EventRow[] = [
  {
    name: 'confluent-kafka',
    types: spelled('Confluent.Kafka', ['IProducer', 'ProducerBuilder.Build', 'IConsumer', 'ConsumerBuilder.Build']),
    methods: { ProduceAsync: publish([0, 'topic']), Produce: publish([0, 'topic']), Subscribe: consume(0) },
  },
  {
    name: 'rabbitmq',
    hasKeys: true,
    types: [
      ...spelled('RabbitMQ.Client', [
        'IModel',
        'IChannel',
        'ConnectionFactory.CreateConnection.CreateModel',
        'ConnectionFactory.CreateConnectionAsync.CreateChannelAsync',
        'IConnection.CreateModel',
        'IConnection.CreateChannelAsync',
      ]),
    ],
    methods: {
      BasicPublish: publish(['exchange', 0], [['routingKey', 1]]),
      BasicPublishAsync: publish(['exchange', 0], [['routingKey', 1]]),
      BasicConsume: consume(['queue', 0]),
      BasicConsumeAsync: consume(['queue', 0]),
    },
    bindings: Object.fromEntries(
      ['QueueBind', 'QueueBindAsync'].map(name => [name, { queue: ['queue', 0], exchange: ['exchange', 1], key: ['routingKey', 2] }]),
    ),
  },
  {
    name: 'dapr',
    types: spelled('Dapr.Client', ['DaprClient', 'DaprClientBuilder.Build']),
    methods: { PublishEventAsync: publish([1, 'topicName']) },
    calls: { Topic: consume([1, 'name']), 'Dapr.Topic': consume([1, 'name']), 'Dapr.TopicAttribute': consume([1, 'name']) },
  },
  {
    name: 'azure-service-bus',
    types: spelled('Azure.Messaging.ServiceBus', ['ServiceBusClient']),
    methods: { CreateSender: publish(0), CreateProcessor: consume(0), CreateReceiver: consume(0) },
    calls: { ServiceBusTrigger: consume(0) },
  },
  {
    name: 'redis',
    types: spelled('StackExchange.Redis', ['ISubscriber', 'IConnectionMultiplexer.GetSubscriber', 'ConnectionMultiplexer.Connect.GetSubscriber']),
    methods: { Publish: publish(0), PublishAsync: publish(0), Subscribe: consume(0), SubscribeAsync: consume(0) },
  },
  {
    name: 'nats',
    types: [
      ...spelled('NATS.Client', ['IConnection', 'ConnectionFactory.CreateConnection']),
      ...spelled('NATS.Client.Core', ['INatsConnection', 'NatsConnection']),
    ],
    methods: { Publish: publish(0), PublishAsync: publish(0), SubscribeAsync: consume(0) },
  },
  {
    name: 'cap',
    types: spelled('DotNetCore.CAP', ['ICapPublisher']),
    methods: { Publish: publish(0), PublishAsync: publish(0) },
    calls: { CapSubscribe: consume(0) },
  },
];

const CONFIGURATION = [
  ...spelled('Microsoft.Extensions.Configuration', ['IConfiguration', 'IConfigurationRoot']),
  ...BUILDERS.map(name => `${name}.Configuration`),
];
const OPTIONS = spelled('Microsoft.Extensions.Options', ['IOptions.Value', 'IOptionsSnapshot.Value', 'IOptionsMonitor.CurrentValue']);

export const CSHARP: LanguageTables = {
  frameworks: [MINIMAL],
  plainPath: withoutConstraints,
  clients: [],
  events: EVENTS,
  environment: {
    'Environment.GetEnvironmentVariable': { name: 0 },
    'System.Environment.GetEnvironmentVariable': { name: 0 },
    ...Object.fromEntries(CONFIGURATION.map(path => [`${path}.GetValue`, { name: 0, fallback: 1 }])),
  },
  environmentObjects: [...CONFIGURATION, ...OPTIONS],
  rpcs: [
    { side: 'client', pattern: /(?:^|\.)(?!Http\.)(\w+)\.\1Client$/, address: 0, isSure: true },
    { side: 'server', pattern: /(?:^|\.)(\w+)\.\1Base$/, isSure: true },
  ],
  stores: {
    ...Object.fromEntries(spelled('MongoDB.Driver', ['MongoClient']).map(name => [name, { kind: 'database' as const, name: 'mongodb' }])),
    ...Object.fromEntries(spelled('StackExchange.Redis', ['ConnectionMultiplexer.Connect']).map(name => [name, { kind: 'cache' as const, name: 'redis' }])),
    ...Object.fromEntries(spelled('Npgsql', ['NpgsqlConnection']).map(name => [name, { kind: 'database' as const, name: 'postgresql' }])),
    SqlConnection: { kind: 'database', name: 'sqlserver' },
  },
};
