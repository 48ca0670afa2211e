import type { StoreUse } from '../surface';

export type StoreKind = StoreUse['kind'];

interface Product {
  readonly name: string;
  /** Images and schemes of addresses that mean it. */
  readonly words: readonly string[];
  /** What it keeps for services; undefined for what keeps nothing: tracing, monitoring, administration. */
  readonly kind: StoreKind | undefined;
}

/** Infrastructure that is taken as it is. */
const PRODUCTS: readonly Product[] = [
  {
    name: 'postgresql',
    words: ['postgres', 'postgresql', 'postgis', 'timescaledb', 'pgvector', 'cockroach', 'cockroachdb', 'postgresql+psycopg2'],
    kind: 'database',
  },
  { name: 'mysql', words: ['mysql', 'mysql-server', 'percona', 'mysql2'], kind: 'database' },
  { name: 'mariadb', words: ['mariadb'], kind: 'database' },
  { name: 'mongodb', words: ['mongo', 'mongodb', 'mongodb+srv', 'mongodb-community-server'], kind: 'database' },
  { name: 'sqlserver', words: ['sqlserver', 'mssql', 'azure-sql-edge', 'mssql-server-linux'], kind: 'database' },
  { name: 'oracle', words: ['oracle', 'oracle-xe', 'oracle-free'], kind: 'database' },
  { name: 'cassandra', words: ['cassandra', 'scylla'], kind: 'database' },
  { name: 'couchdb', words: ['couchdb', 'couchbase'], kind: 'database' },
  { name: 'neo4j', words: ['neo4j', 'bolt'], kind: 'database' },
  { name: 'dynamodb', words: ['dynamodb-local', 'dynamodb'], kind: 'database' },
  { name: 'influxdb', words: ['influxdb'], kind: 'database' },
  { name: 'clickhouse', words: ['clickhouse', 'clickhouse-server'], kind: 'database' },
  { name: 'eventstore', words: ['eventstore', 'eventstoredb', 'esdb'], kind: 'database' },
  { name: 'redis', words: ['redis', 'rediss', 'valkey', 'redis-stack', 'keydb'], kind: 'cache' },
  { name: 'memcached', words: ['memcached'], kind: 'cache' },
  { name: 'kafka', words: ['kafka', 'cp-kafka', 'redpanda', 'cp-server', 'confluent-local'], kind: 'broker' },
  { name: 'rabbitmq', words: ['rabbitmq', 'amqp', 'amqps'], kind: 'broker' },
  { name: 'nats', words: ['nats', 'nats-streaming'], kind: 'broker' },
  { name: 'activemq', words: ['activemq', 'artemis', 'activemq-artemis'], kind: 'broker' },
  { name: 'pulsar', words: ['pulsar'], kind: 'broker' },
  { name: 'mqtt', words: ['mosquitto', 'eclipse-mosquitto', 'emqx', 'hivemq', 'mqtt'], kind: 'broker' },
  { name: 'elasticsearch', words: ['elasticsearch'], kind: 'search' },
  { name: 'opensearch', words: ['opensearch'], kind: 'search' },
  { name: 'solr', words: ['solr'], kind: 'search' },
  { name: 'minio', words: ['minio'], kind: 'objects' },
  { name: 's3', words: ['localstack', 's3'], kind: 'objects' },
  ...(
    'zookeeper cp-zookeeper cp-schema-registry schema-registry consul vault etcd jaeger all-in-one zipkin openzipkin tempo loki promtail prometheus alertmanager grafana otel-collector ' +
    'opentelemetry-collector opentelemetry-collector-contrib otelcol fluentd fluent-bit logstash kibana filebeat metricbeat cadvisor node-exporter seq graylog datadog agent kafka-ui ' +
    'kafdrop adminer phpmyadmin pgadmin pgadmin4 mongo-express redisinsight redis-commander mailhog mailpit maildev smtp4dev keycloak unleash-server nginx httpd traefik envoy haproxy caddy kong istio-proxy busybox ' +
    'alpine ubuntu debian curl hello-world localstack wiremock mountebank hystrix-dashboard portainer watchtower registry socket-proxy locust k6 selenium chrome swagger-ui dapr placement daprd scheduler sentry'
  )
    .split(' ')
    .map((name): Product => ({ name, words: [name], kind: undefined })),
];

const BY_WORD: ReadonlyMap<string, Product> = new Map([...PRODUCTS].reverse().flatMap(product => product.words.map(word => [word, product] as const)));

/** The product behind an image (`bitnami/postgresql`, `docker.elastic.co/elasticsearch/elasticsearch`); undefined for images of one's own. */
export function productOfImage(image: string): Product | undefined {
  const last = image.split('/').pop() ?? '';
  return BY_WORD.get(last.toLowerCase());
}

/** The store behind the scheme of an address: `jdbc:postgresql://…`, `amqp://…`. */
export function storeOfAddress(address: string): { readonly product: string; readonly kind: StoreKind; readonly host: string } | undefined {
  const match = /^(?:(?:jdbc|r2dbc):(?:(?:otel|p6spy|pool|tracing):)*)?(?<scheme>[a-z0-9+]+):(?:\/\/)?(?<host>[\w.-]+)?/i.exec(address)?.groups;
  const product = match === undefined ? undefined : BY_WORD.get((match['scheme'] ?? '').toLowerCase());
  return product?.kind === undefined ? undefined : { product: product.name, kind: product.kind, host: match?.['host'] ?? '' };
}

/** Images that only serve or forward what is put into them: built with files of one's own they are a service. */
const SERVERS: ReadonlySet<string> = new Set([
  'nginx',
  'httpd',
  'traefik',
  'envoy',
  'haproxy',
  'caddy',
  'kong',
  'alpine',
  'ubuntu',
  'debian',
  'busybox',
  'locust',
  'k6',
]);

/** Whether an image built on another is still that other: a database with data of one's own. */
export function isBuiltInfrastructure(base: string): boolean {
  const product = productOfImage(base);
  return product !== undefined && !SERVERS.has(product.name);
}

/** Kinds of services that others are built around: none of the domain's. */
const PLATFORM_DEPENDENCIES = /eureka-server|config-server|boot-admin-(?:starter-)?server|hystrix-dashboard|turbine|zipkin-server|sleuth-zipkin-server/;
const PLATFORM_NAMES =
  /^(?:.*-)?(?:config|discovery|eureka|registry|admin-?server|zipkin|turbine|hystrix|monitoring|tracing|logging|service-registry)(?:-?(?:server|service|dashboard|stream))?$/;
const TOOL_NAMES =
  /^(?:load|loadgen|load-gen|loadgenerator|load-generator|load-test|load-tests|wrk2?|jmeter|gatling|artillery|vegeta|e2e|e2e-tests|playwright|cypress|k6|locust|newman|integration-tests|smoke-test|seed|migrations?|init-db|db-init)$/;

export type Role = 'service' | 'gateway' | 'platform' | 'tool';

export function roleOf(names: readonly string[], dependencies: readonly string[], hasProxies: boolean): Role {
  if (names.some(name => TOOL_NAMES.test(name))) return 'tool';
  if (dependencies.some(dependency => PLATFORM_DEPENDENCIES.test(dependency))) return 'platform';
  if (
    hasProxies ||
    dependencies.some(dependency => /gateway|zuul/.test(dependency) && !dependency.includes('grpc-gateway')) ||
    names.some(name => /(?:^|-)(?:gateway|proxy|apigateway)$/.test(name))
  )
    return 'gateway';
  return names.some(name => PLATFORM_NAMES.test(name)) ? 'platform' : 'service';
}
