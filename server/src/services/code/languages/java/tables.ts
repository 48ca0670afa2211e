import type { ClientRow, EventRow, Framework, LanguageTables, Verb } from '../../framework';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const FUNCTIONAL = ['reactive.function.server', 'servlet.function'].map(name => `org.springframework.web.${name}`);

/** `route().GET("/x", handler::list).path("/y", builder -> …).build()` */
const ROUTER_FUNCTIONS: Framework = {
  name: 'spring-webflux',
  makers: Object.fromEntries(FUNCTIONAL.map(name => [`${name}.RouterFunctions.route`, {}])),
  types: FUNCTIONAL.map(name => `${name}.RouterFunctions.Builder`),
  verbs: Object.fromEntries(METHODS.map(method => [method, { method } satisfies Verb])),
  groups: { path: { path: 0, callback: -1 }, nest: { path: 0, callback: -1 } },
};

const JAVALIN: Framework = {
  name: 'javalin',
  makers: { 'io.javalin.Javalin.create': { isRoot: true } },
  types: ['io.javalin.Javalin'],
  verbs: Object.fromEntries(METHODS.map(method => [method.toLowerCase(), { method, handler: 1 } satisfies Verb])),
  starts: ['start'],
};

/** Helidon SE: `Routing.builder().register("/orders", new OrderService())`. */
const HELIDON: Framework = {
  name: 'helidon',
  makers: { 'io.helidon.webserver.Routing.builder': { isRoot: true }, 'io.helidon.webserver.http.HttpRouting.builder': { isRoot: true } },
  types: ['Routing.Rules', 'Routing.Builder', 'http.HttpRules', 'http.HttpRouting.Builder'].map(name => `io.helidon.webserver.${name}`),
  verbs: Object.fromEntries(METHODS.map(method => [method.toLowerCase(), { method, handler: 1 } satisfies Verb])),
};

const REST: Readonly<Record<string, string>> = {
  getForObject: 'GET',
  getForEntity: 'GET',
  postForObject: 'POST',
  postForEntity: 'POST',
  postForLocation: 'POST',
  put: 'PUT',
  delete: 'DELETE',
  patchForObject: 'PATCH',
};

const CLIENTS: readonly ClientRow[] = [
  {
    name: 'rest-template',
    calls: {},
    makers: {
      'org.springframework.web.client.RestTemplate': null,
      'org.springframework.security.oauth2.client.OAuth2RestTemplate': null,
      'org.springframework.security.oauth2.client.OAuth2RestOperations': null,
      'org.springframework.web.client.RestOperations': null,
      'org.springframework.boot.web.client.RestTemplateBuilder.build': null,
    },
    methods: {
      ...Object.fromEntries(Object.entries(REST).map(([name, method]) => [name, { method, url: 0 }])),
      exchange: { method: { at: 1, otherwise: 'ANY' }, url: 0 },
    },
  },
  {
    name: 'java.net',
    calls: { 'java.net.http.HttpRequest.newBuilder': { method: 'ANY', url: 0 }, 'java.net.URL': { method: 'ANY', url: 0 } },
    makers: { 'java.net.http.HttpRequest.newBuilder': null },
    methods: { uri: { method: 'ANY', url: 0 } },
    isBuilder: true,
  },
  {
    name: 'apache-http',
    calls: Object.fromEntries(
      ['Get', 'Post', 'Put', 'Patch', 'Delete'].map(name => [`org.apache.http.client.methods.Http${name}`, { method: name.toUpperCase(), url: 0 }]),
    ),
  },
];

const EVENTS: readonly EventRow[] = [
  {
    name: 'spring-kafka',
    types: ['org.springframework.kafka.core.KafkaTemplate', 'org.springframework.kafka.core.KafkaOperations'],
    methods: { send: { direction: 'publish', name: 0 }, sendDefault: { direction: 'publish', name: 'topic' } },
    calls: { 'org.springframework.kafka.annotation.KafkaListener': { direction: 'consume', name: ['topics', 'topicPattern'] } },
  },
  {
    name: 'kafka',
    types: ['org.apache.kafka.clients.consumer.KafkaConsumer', 'org.apache.kafka.clients.consumer.Consumer'],
    methods: { subscribe: { direction: 'consume', name: 0 } },
    calls: { 'org.apache.kafka.clients.producer.ProducerRecord': { direction: 'publish', name: 0 } },
  },
  {
    name: 'spring-rabbit',
    hasKeys: true,
    types: [
      'org.springframework.amqp.rabbit.core.RabbitTemplate',
      'org.springframework.amqp.core.AmqpTemplate',
      'org.springframework.amqp.rabbit.core.RabbitOperations',
    ],
    methods: {
      convertAndSend: { direction: 'publish', name: 0, aliases: [1] },
      send: { direction: 'publish', name: 0, aliases: [1] },
      convertSendAndReceive: { direction: 'publish', name: 0, aliases: [1] },
    },
    calls: { 'org.springframework.amqp.rabbit.annotation.RabbitListener': { direction: 'consume', name: ['queues', 'queuesToDeclare'] } },
  },
  {
    name: 'rabbitmq',
    hasKeys: true,
    types: ['com.rabbitmq.client.Channel', 'com.rabbitmq.client.ConnectionFactory.newConnection.createChannel', 'com.rabbitmq.client.Connection.createChannel'],
    methods: { basicPublish: { direction: 'publish', name: 0, aliases: [1] }, basicConsume: { direction: 'consume', name: 0 } },
    bindings: { queueBind: { queue: 0, exchange: 1, key: 2 } },
  },
  {
    name: 'nats',
    types: ['Connection', 'Nats.connect', 'Dispatcher', 'Connection.createDispatcher', 'Nats.connect.createDispatcher'].map(name => `io.nats.client.${name}`),
    methods: { publish: { direction: 'publish', name: 0 }, request: { direction: 'publish', name: 0 }, subscribe: { direction: 'consume', name: 0 } },
  },
  {
    name: 'jms',
    types: ['org.springframework.jms.core.JmsTemplate'],
    methods: { convertAndSend: { direction: 'publish', name: 0 }, send: { direction: 'publish', name: 0 } },
    calls: { 'org.springframework.jms.annotation.JmsListener': { direction: 'consume', name: 'destination' } },
  },
  {
    name: 'eventuate',
    types: ['io.eventuate.tram.sagas.simpledsl.CommandEndpointBuilder.forCommand', 'io.eventuate.tram.commands.consumer.CommandWithDestinationBuilder.send'],
    methods: { withChannel: { direction: 'publish', name: 0 }, to: { direction: 'publish', name: 0 } },
    calls: Object.fromEntries(
      [
        'sagas.participant.SagaCommandHandlersBuilder.fromChannel',
        'commands.consumer.CommandHandlersBuilder.fromChannel',
        'events.subscriber.DomainEventHandlersBuilder.forAggregateType',
      ].map(name => [`io.eventuate.tram.${name}`, { direction: 'consume', name: 0 }]),
    ),
  },
  {
    name: 'spring-cloud-stream',
    types: [
      'org.springframework.cloud.stream.function.StreamBridge',
      'org.springframework.cloud.stream.messaging.Source',
      'org.springframework.cloud.stream.messaging.Processor',
    ],
    methods: { send: { direction: 'publish', name: 0 }, output: { direction: 'publish', name: 0, otherwise: 'output' } },
    calls: {
      'org.springframework.cloud.stream.annotation.StreamListener': { direction: 'consume', name: [0, 'value', 'target'] },
      'org.springframework.cloud.stream.annotation.Input': { direction: 'consume', name: [0, 'value'] },
      'org.springframework.cloud.stream.annotation.Output': { direction: 'publish', name: [0, 'value'] },
    },
  },
];

export const JAVA: LanguageTables = {
  frameworks: [ROUTER_FUNCTIONS, JAVALIN, HELIDON],
  clients: CLIENTS,
  events: EVENTS,
  invocations: [
    {
      name: 'dapr',
      types: ['io.dapr.client.DaprClient', 'io.dapr.client.DaprClientBuilder.build'],
      methods: { invokeMethod: { app: 0, path: 1, verb: [3, 2] } },
    },
  ],
  environment: { 'System.getenv': { name: 0 }, 'System.getProperty': { name: 0, fallback: 1 }, 'java.lang.System.getenv': { name: 0 } },
  rpcs: [{ side: 'client', pattern: /(?:^|\.)(\w+)Grpc\.new\w*Stub$/, address: 0 }],
  environmentObjects: [],
  formats: ['String.format', 'java.lang.String.format'],
  constants: Object.fromEntries(
    ['Sink.INPUT', 'Source.OUTPUT', 'Processor.INPUT', 'Processor.OUTPUT'].map(name => [
      `org.springframework.cloud.stream.messaging.${name}`,
      name.slice(name.indexOf('.') + 1).toLowerCase(),
    ]),
  ),
  hasPlaceholders: true,
  stores: {
    'redis.clients.jedis.Jedis': { kind: 'cache', name: 'redis' },
    'redis.clients.jedis.JedisPool': { kind: 'cache', name: 'redis' },
    'com.mongodb.client.MongoClients.create': { kind: 'database', name: 'mongodb' },
    'io.nats.client.Nats.connect': { kind: 'broker', name: 'nats' },
    'java.sql.DriverManager.getConnection': { kind: 'database', name: 'sql' },
  },
};
