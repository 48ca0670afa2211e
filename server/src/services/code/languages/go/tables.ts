import type { ClientRow, EventRow, Framework, LanguageTables, Verb } from '../../framework';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const handlerFirst = { handler: 1 } as const;

function upper(extra: Partial<Verb> = {}): Readonly<Record<string, Verb>> {
  return Object.fromEntries(METHODS.map(method => [method, { method, ...extra }]));
}

function capital(extra: Partial<Verb> = {}): Readonly<Record<string, Verb>> {
  return Object.fromEntries(METHODS.map(method => [method[0] + method.slice(1).toLowerCase(), { method, ...extra }]));
}

/** Handlers that serve files, or hand on to other routers. */
export const DELEGATING_HANDLERS: readonly string[] = ['net/http.StripPrefix', 'net/http.FileServer', 'net/http.FileServerFS'];

const GIN: Framework = {
  name: 'gin',
  makers: { 'github.com/gin-gonic/gin.Default': { isRoot: true }, 'github.com/gin-gonic/gin.New': { isRoot: true } },
  types: ['Engine', 'RouterGroup', 'IRouter', 'IRoutes'].map(name => `github.com/gin-gonic/gin.${name}`),
  verbs: { ...upper(), Any: { method: 'ANY' }, Handle: { method: { at: 0, otherwise: ['ANY'] }, path: 1, least: 3 } },
  groups: { Group: { path: 0 } },
  starts: ['Run', 'RunTLS'],
  ends: ['Run', 'RunTLS', 'ServeHTTP'],
};

const ECHO_VERSIONS = ['github.com/labstack/echo', 'github.com/labstack/echo/v4', 'github.com/labstack/echo/v5'];
const ECHO: Framework = {
  name: 'echo',
  makers: Object.fromEntries(ECHO_VERSIONS.flatMap(module => ['New', 'NewWithConfig'].map(name => [`${module}.${name}`, { isRoot: true }]))),
  types: ECHO_VERSIONS.flatMap(module => [`${module}.Echo`, `${module}.Group`]),
  verbs: {
    ...upper(handlerFirst),
    Any: { method: 'ANY', ...handlerFirst },
    Add: { method: { at: 0, otherwise: ['ANY'] }, path: 1, handler: 2 },
    Match: { method: { at: 0, otherwise: ['ANY'] }, path: 1, handler: 2 },
  },
  groups: { Group: { path: 0 } },
  starts: ['Start', 'StartTLS'],
  ends: ['Start', 'StartTLS', 'Shutdown'],
};

const CHI_VERSIONS = ['github.com/go-chi/chi', 'github.com/go-chi/chi/v5', 'github.com/go-chi/chi/v4'];
const CHI: Framework = {
  name: 'chi',
  makers: Object.fromEntries(CHI_VERSIONS.flatMap(module => [[`${module}.NewRouter`, {}] as const, [`${module}.NewMux`, {}] as const])),
  types: CHI_VERSIONS.flatMap(module => [`${module}.Router`, `${module}.Mux`, `${module}.Routes`]),
  verbs: {
    ...capital(),
    HandleFunc: { method: 'ANY', methodInPath: true },
    Handle: { method: 'ANY', methodInPath: true },
    Method: { method: { at: 0, otherwise: ['ANY'] }, path: 1, least: 3 },
    MethodFunc: { method: { at: 0, otherwise: ['ANY'] }, path: 1, least: 3 },
  },
  groups: { Route: { path: 0, callback: 1 }, Group: { callback: 0 }, With: {} },
  mounts: { Mount: { path: 0, child: 1 } },
  ends: ['ServeHTTP'],
  delegates: DELEGATING_HANDLERS,
};

const FIBER_VERSIONS = ['github.com/gofiber/fiber', 'github.com/gofiber/fiber/v2', 'github.com/gofiber/fiber/v3'];
const FIBER: Framework = {
  name: 'fiber',
  makers: Object.fromEntries(FIBER_VERSIONS.map(module => [`${module}.New`, { isRoot: true }])),
  types: FIBER_VERSIONS.flatMap(module => [`${module}.App`, `${module}.Router`, `${module}.Group`]),
  verbs: { ...capital(), All: { method: 'ANY' }, Add: { method: { at: 0, otherwise: ['ANY'] }, path: 1 } },
  groups: { Group: { path: 0 }, Route: { path: 0, callback: 1 } },
  mounts: { Mount: { path: 0, child: 1 } },
  starts: ['Listen'],
  ends: ['Listen'],
};

const NET_HTTP: Framework = {
  name: 'net/http',
  makers: { 'net/http.NewServeMux': {} },
  types: ['net/http.ServeMux'],
  verbs: { HandleFunc: { method: 'ANY', methodInPath: true }, Handle: { method: 'ANY', methodInPath: true } },
  ends: ['ServeHTTP', 'Handler'],
  delegates: DELEGATING_HANDLERS,
};

const HTTPROUTER: Framework = {
  name: 'httprouter',
  makers: { 'github.com/julienschmidt/httprouter.New': { isRoot: true } },
  types: ['github.com/julienschmidt/httprouter.Router'],
  verbs: {
    ...upper(),
    Handle: { method: { at: 0, otherwise: ['ANY'] }, path: 1, least: 3 },
    HandlerFunc: { method: { at: 0, otherwise: ['ANY'] }, path: 1, least: 3 },
    Handler: { method: { at: 0, otherwise: ['ANY'] }, path: 1, least: 3 },
  },
};

const CLIENTS: readonly ClientRow[] = [
  {
    name: 'net/http',
    calls: {
      'net/http.Get': { method: 'GET', url: 0 },
      'net/http.Head': { method: 'HEAD', url: 0 },
      'net/http.Post': { method: 'POST', url: 0 },
      'net/http.PostForm': { method: 'POST', url: 0 },
      'net/http.NewRequest': { method: { at: 0, otherwise: 'ANY' }, url: 1 },
      'net/http.NewRequestWithContext': { method: { at: 1, otherwise: 'ANY' }, url: 2 },
      'golang.org/x/net/context/ctxhttp.Get': { method: 'GET', url: 2 },
    },
    makers: { 'net/http.Client': null, 'net/http.DefaultClient': null },
    methods: { Get: { method: 'GET', url: 0 }, Post: { method: 'POST', url: 0 }, PostForm: { method: 'POST', url: 0 } },
  },
  {
    name: 'resty',
    calls: {},
    makers: Object.fromEntries(
      ['github.com/go-resty/resty/v2', 'resty.dev/v3', 'github.com/go-resty/resty'].flatMap(module => [
        [`${module}.New`, null] as const,
        [`${module}.New.R`, null] as const,
        [`${module}.R`, null] as const,
        [`${module}.Client`, null] as const,
        [`${module}.Client.R`, null] as const,
      ]),
    ),
    methods: Object.fromEntries(METHODS.map(method => [method[0] + method.slice(1).toLowerCase(), { method, url: 0 }])),
  },
];

const AMQP = ['github.com/streadway/amqp', 'github.com/rabbitmq/amqp091-go'];
const SARAMA = ['github.com/Shopify/sarama', 'github.com/IBM/sarama'];
const NATS = ['github.com/nats-io/nats.go', 'github.com/nats-io/go-nats'];

const WATERMILL = 'github.com/ThreeDotsLabs/watermill';
const WATERMILL_ROUTERS = [`${WATERMILL}/message.Router`, `${WATERMILL}/message.NewRouter`];
/** Publishers and subscribers of Watermill by the broker's module. */
const WATERMILL_BROKERS = [
  ...['kafka', 'kafka/v2', 'kafka/v3'].map(module => `${WATERMILL}-${module}/pkg/kafka`),
  ...['amqp', 'amqp/v2', 'amqp/v3'].map(module => `${WATERMILL}-${module}/pkg/amqp`),
  ...['nats', 'nats/v2'].map(module => `${WATERMILL}-${module}/pkg/nats`),
  `${WATERMILL}-googlecloud/pkg/googlecloud`,
  `${WATERMILL}-redisstream/pkg/redisstream`,
];
const ofWatermill = (kind: 'Publisher' | 'Subscriber'): string[] => [
  `${WATERMILL}/message.${kind}`,
  ...WATERMILL_BROKERS.flatMap(path => [`${path}.${kind}`, `${path}.New${kind}`]),
];

const EVENTS: readonly EventRow[] = [
  {
    name: 'amqp',
    hasKeys: true,
    types: AMQP.flatMap(module => [`${module}.Channel`, `${module}.Dial.Channel`, `${module}.Connection.Channel`]),
    methods: {
      Publish: { direction: 'publish', name: [0], aliases: [1] },
      PublishWithContext: { direction: 'publish', name: [1], aliases: [2] },
      Consume: { direction: 'consume', name: 0 },
      ConsumeWithContext: { direction: 'consume', name: 1 },
    },
    bindings: { QueueBind: { queue: 0, key: 1, exchange: 2 } },
  },
  {
    name: 'watermill',
    types: [...WATERMILL_ROUTERS, ...ofWatermill('Subscriber')],
    methods: {
      AddHandler: { direction: 'consume', name: 1 },
      AddNoPublisherHandler: { direction: 'consume', name: 1 },
      AddConsumerHandler: { direction: 'consume', name: 1 },
      Subscribe: { direction: 'consume', name: 1 },
    },
  },
  {
    name: 'watermill',
    types: [...WATERMILL_ROUTERS, ...ofWatermill('Publisher')],
    methods: { AddHandler: { direction: 'publish', name: 3 }, Publish: { direction: 'publish', name: 0 } },
  },
  {
    name: 'azure-service-bus',
    types: ['Client', 'NewClient', 'NewClientFromConnectionString'].map(name => `github.com/Azure/azure-sdk-for-go/sdk/messaging/azservicebus.${name}`),
    methods: {
      NewSender: { direction: 'publish', name: 0 },
      NewReceiverForQueue: { direction: 'consume', name: 0 },
      NewReceiverForSubscription: { direction: 'consume', name: 0 },
    },
  },
  {
    name: 'sarama',
    types: SARAMA.flatMap(module => [`${module}.ConsumerGroup`, `${module}.NewConsumerGroup`, `${module}.NewConsumer`, `${module}.Consumer`]),
    methods: { Consume: { direction: 'consume', name: 1 }, ConsumePartition: { direction: 'consume', name: 0 } },
    calls: Object.fromEntries(SARAMA.map(module => [`${module}.ProducerMessage`, { direction: 'publish', name: 'Topic' }])),
  },
  {
    name: 'kafka-go',
    types: [],
    methods: {},
    calls: {
      'github.com/segmentio/kafka-go.Writer': { direction: 'publish', name: 'Topic' },
      'github.com/segmentio/kafka-go.NewWriter': { direction: 'publish', name: 'Topic' },
      'github.com/segmentio/kafka-go.WriterConfig': { direction: 'publish', name: 'Topic' },
      'github.com/segmentio/kafka-go.ReaderConfig': { direction: 'consume', name: ['Topic', 'GroupTopics'] },
      'github.com/segmentio/kafka-go.Message': { direction: 'publish', name: 'Topic' },
    },
  },
  {
    name: 'confluent-kafka',
    types: [
      'github.com/confluentinc/confluent-kafka-go/kafka.Consumer',
      'github.com/confluentinc/confluent-kafka-go/v2/kafka.Consumer',
      'github.com/confluentinc/confluent-kafka-go/kafka.NewConsumer',
      'github.com/confluentinc/confluent-kafka-go/v2/kafka.NewConsumer',
    ],
    methods: { Subscribe: { direction: 'consume', name: 0 }, SubscribeTopics: { direction: 'consume', name: 0 } },
    calls: {
      'github.com/confluentinc/confluent-kafka-go/kafka.TopicPartition': { direction: 'publish', name: 'Topic' },
      'github.com/confluentinc/confluent-kafka-go/v2/kafka.TopicPartition': { direction: 'publish', name: 'Topic' },
    },
  },
  {
    name: 'nats',
    types: NATS.flatMap(module => [
      `${module}.Conn`,
      `${module}.Connect`,
      `${module}.EncodedConn`,
      `${module}.JetStreamContext`,
      `${module}.Connect.JetStream`,
      `${module}.Conn.JetStream`,
    ]),
    methods: {
      Publish: { direction: 'publish', name: 0 },
      PublishRequest: { direction: 'publish', name: 0 },
      Request: { direction: 'publish', name: 0 },
      Subscribe: { direction: 'consume', name: 0 },
      QueueSubscribe: { direction: 'consume', name: 0, aliases: [1] },
      PullSubscribe: { direction: 'consume', name: 0 },
    },
  },
  {
    name: 'redis',
    types: ['github.com/redis/go-redis/v9', 'github.com/go-redis/redis/v8', 'github.com/go-redis/redis/v9'].flatMap(module => [
      `${module}.Client`,
      `${module}.NewClient`,
      `${module}.UniversalClient`,
    ]),
    methods: { Publish: { direction: 'publish', name: 1 }, Subscribe: { direction: 'consume', name: 1 }, PSubscribe: { direction: 'consume', name: 1 } },
  },
  {
    name: 'dapr',
    types: ['github.com/dapr/go-sdk/client.NewClient', 'github.com/dapr/go-sdk/client.Client'],
    methods: { PublishEvent: { direction: 'publish', name: 2 } },
    calls: { 'github.com/dapr/go-sdk/service/common.Subscription': { direction: 'consume', name: 'Topic' } },
  },
  {
    name: 'google-pubsub',
    types: ['cloud.google.com/go/pubsub.NewClient', 'cloud.google.com/go/pubsub.Client'],
    methods: { Topic: { direction: 'publish', name: 0 }, Subscription: { direction: 'consume', name: 0 } },
  },
];

export const GO: LanguageTables = {
  frameworks: [GIN, ECHO, CHI, FIBER, NET_HTTP, HTTPROUTER],
  clients: CLIENTS,
  events: EVENTS,
  invocations: [
    {
      name: 'dapr',
      types: ['github.com/dapr/go-sdk/client.NewClient', 'github.com/dapr/go-sdk/client.Client'],
      methods: { InvokeMethod: { app: 1, path: 2, verb: 3 }, InvokeMethodWithContent: { app: 1, path: 2, verb: 3 } },
    },
  ],
  environment: { 'os.Getenv': { name: 0 }, 'os.LookupEnv': { name: 0 }, 'github.com/spf13/viper.GetString': { name: 0 } },
  rpcs: [
    { side: 'server', pattern: /\.Register(\w+)Server$/ },
    { side: 'client', pattern: /\.New(\w+)Client$/, address: 0 },
    { side: 'client', pattern: /\.Register(\w+)HandlerFromEndpoint$/, address: 2 },
  ],
  environmentObjects: [],
  formats: ['fmt.Sprintf'],
  // An endpoint of Go kit stands between what decodes a request and what encodes its answer.
  handlerMakers: { 'github.com/go-kit/kit/transport/http.NewServer': 0 },
  // oapi-codegen puts an option in front of each path that is empty unless it is set.
  plainPath: path => path.replace(/\/\{BaseURL\}(?=\/)/, ''),
  stores: {
    'database/sql.Open': { kind: 'database', name: 'sql' },
    'gorm.io/gorm.Open': { kind: 'database', name: 'sql' },
    'github.com/jinzhu/gorm.Open': { kind: 'database', name: 'sql' },
    'github.com/jmoiron/sqlx.Connect': { kind: 'database', name: 'sql' },
    'github.com/jmoiron/sqlx.Open': { kind: 'database', name: 'sql' },
    'github.com/jackc/pgx/v5.Connect': { kind: 'database', name: 'postgresql' },
    'github.com/jackc/pgx/v5/pgxpool.New': { kind: 'database', name: 'postgresql' },
    'go.mongodb.org/mongo-driver/mongo.Connect': { kind: 'database', name: 'mongodb' },
    'gopkg.in/mgo.v2.Dial': { kind: 'database', name: 'mongodb' },
    'github.com/redis/go-redis/v9.NewClient': { kind: 'cache', name: 'redis' },
    'github.com/go-redis/redis/v8.NewClient': { kind: 'cache', name: 'redis' },
    'github.com/streadway/amqp.Dial': { kind: 'broker', name: 'rabbitmq' },
    'github.com/rabbitmq/amqp091-go.Dial': { kind: 'broker', name: 'rabbitmq' },
    'github.com/nats-io/nats.go.Connect': { kind: 'broker', name: 'nats' },
  },
};
