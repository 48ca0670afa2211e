/** Libraries through which code reaches the stores of a service, by the names that they have in the graph. */

/** How one library reaches stores. */
export interface DataAccess {
  /** As its authors call it. */
  readonly library: string;
  /** Products that it may reach; empty where it may be any database. */
  readonly products: readonly string[];
  /** Classes of records inherit from it: a use of such a class is one of the store, a use of its fields is none. */
  readonly isOfRecords?: true;
  /** An annotation on a type makes it one that reaches stores. */
  readonly isMark?: true;
}

interface Row extends DataAccess {
  /** Types, functions and packages, as code in the language qualifies them, each with all that is below it. */
  readonly names: readonly string[];
  /** Names of types alone, where externals have no package: with an import of one of `names` in the same file. */
  readonly types?: readonly string[];
  /** The import may stand in any file of the project. */
  readonly isImportedForAll?: true;
}

const RELATIONAL = ['postgresql', 'mysql', 'mariadb', 'sqlserver', 'oracle'];

const ROWS: readonly Row[] = [
  { library: 'Spring Data JPA', products: RELATIONAL, names: ['org.springframework.data.jpa.repository'] },
  { library: 'Spring Data', products: [], names: ['org.springframework.data.repository'] },
  {
    library: 'Spring Data MongoDB',
    products: ['mongodb'],
    names: [
      'org.springframework.data.mongodb.repository',
      'org.springframework.data.mongodb.core.MongoTemplate',
      'org.springframework.data.mongodb.core.MongoOperations',
      'org.springframework.data.mongodb.core.ReactiveMongoTemplate',
    ],
  },
  {
    library: 'Spring Data Redis',
    products: ['redis'],
    names: ['RedisTemplate', 'StringRedisTemplate', 'ReactiveRedisTemplate', 'RedisOperations'].map(type => `org.springframework.data.redis.core.${type}`),
  },
  {
    library: 'Spring Data Elasticsearch',
    products: ['elasticsearch', 'opensearch'],
    names: ['org.springframework.data.elasticsearch.repository', 'org.springframework.data.elasticsearch.core.ElasticsearchOperations'],
  },
  {
    library: 'Spring Data Cassandra',
    products: ['cassandra'],
    names: ['org.springframework.data.cassandra.repository', 'org.springframework.data.cassandra.core.CassandraTemplate'],
  },
  {
    library: 'Spring Data Neo4j',
    products: ['neo4j'],
    names: [
      'org.springframework.data.neo4j.repository',
      'org.springframework.data.neo4j.core.Neo4jTemplate',
      'org.springframework.data.neo4j.core.Neo4jClient',
    ],
  },
  {
    library: 'Spring JDBC',
    products: RELATIONAL,
    names: [
      'org.springframework.jdbc.core',
      'org.springframework.r2dbc.core',
      'org.springframework.data.r2dbc.repository',
      'org.springframework.data.r2dbc.core',
      'org.springframework.data.jdbc.repository',
      'org.springframework.data.jdbc.core',
    ],
  },
  {
    library: 'JDBC',
    products: RELATIONAL,
    names: ['java.sql.Connection', 'java.sql.Statement', 'java.sql.PreparedStatement', 'java.sql.DriverManager', 'javax.sql.DataSource'],
  },
  {
    library: 'JPA',
    products: RELATIONAL,
    names: ['jakarta.persistence.EntityManager', 'javax.persistence.EntityManager', 'org.hibernate.Session', 'org.hibernate.SessionFactory'],
  },
  {
    library: 'MyBatis',
    products: RELATIONAL,
    names: [
      'org.apache.ibatis.session.SqlSession',
      'com.baomidou.mybatisplus.core.mapper',
      'com.baomidou.mybatisplus.extension.service',
      'tk.mybatis.mapper.common',
    ],
  },
  { library: 'MyBatis', products: RELATIONAL, isMark: true, names: ['org.apache.ibatis.annotations.Mapper'] },
  { library: 'Panache', products: [], names: ['io.quarkus.hibernate.orm.panache', 'io.quarkus.hibernate.reactive.panache', 'io.quarkus.mongodb.panache'] },
  {
    library: 'Exposed',
    products: RELATIONAL,
    names: ['org.jetbrains.exposed.sql.Table', 'org.jetbrains.exposed.sql.transactions', 'org.jetbrains.exposed.dao'],
  },
  {
    library: 'MongoDB',
    products: ['mongodb'],
    names: ['com.mongodb.client', 'com.mongodb.reactivestreams.client', 'com.mongodb.MongoClient', 'com.mongodb.DBCollection'],
  },
  { library: 'Redis', products: ['redis'], names: ['redis.clients.jedis', 'io.lettuce.core', 'org.redisson.api'] },

  {
    library: 'SQLAlchemy',
    products: RELATIONAL,
    names: [
      'sqlalchemy.create_engine',
      'sqlalchemy.engine',
      'sqlalchemy.engine_from_config',
      'sqlalchemy.orm.Session',
      'sqlalchemy.orm.scoped_session',
      'sqlalchemy.orm.sessionmaker',
      'sqlalchemy.orm.session',
      'sqlalchemy.ext.asyncio',
      'sqlmodel.Session',
      'flask_sqlalchemy.SQLAlchemy.session',
      'databases.Database',
    ],
  },
  { library: 'SQLAlchemy', products: RELATIONAL, isOfRecords: true, names: ['flask_sqlalchemy.SQLAlchemy.Model', 'flask_sqlalchemy.Model'] },
  { library: 'Django', products: RELATIONAL, isOfRecords: true, names: ['django.db.models.Model', 'django.contrib.auth.models'] },
  { library: 'Django', products: RELATIONAL, names: ['django.db.connection', 'django.db.transaction', 'django.db.models.Manager'] },
  { library: 'Peewee', products: RELATIONAL, isOfRecords: true, names: ['peewee.Model'] },
  { library: 'Tortoise', products: RELATIONAL, isOfRecords: true, names: ['tortoise.models.Model', 'tortoise.Model'] },
  { library: 'asyncpg', products: ['postgresql'], names: ['asyncpg'] },
  { library: 'Psycopg', products: ['postgresql'], names: ['psycopg', 'psycopg2'] },
  { library: 'MySQL', products: ['mysql', 'mariadb'], names: ['pymysql', 'aiomysql', 'MySQLdb', 'mysql.connector'] },
  { library: 'MongoDB', products: ['mongodb'], names: ['pymongo', 'motor.motor_asyncio'] },
  { library: 'MongoDB', products: ['mongodb'], isOfRecords: true, names: ['mongoengine.Document', 'beanie.Document'] },
  { library: 'Redis', products: ['redis'], names: ['redis.Redis', 'redis.StrictRedis', 'redis.asyncio', 'redis.from_url', 'aioredis'] },

  {
    library: 'TypeORM',
    products: [],
    names: [
      'typeorm.Repository',
      'typeorm.EntityManager',
      'typeorm.DataSource',
      'typeorm.Connection',
      'typeorm.getRepository',
      'typeorm.getConnection',
      'typeorm.MongoRepository',
    ],
  },
  { library: 'Prisma', products: [], names: ['@prisma/client.PrismaClient'] },
  { library: 'Mongoose', products: ['mongodb'], names: ['mongoose.model', 'mongoose.Model', 'mongoose.connection', 'mongoose.models'] },
  { library: 'MongoDB', products: ['mongodb'], names: ['mongodb.MongoClient', 'mongodb.Db', 'mongodb.Collection'] },
  { library: 'Sequelize', products: RELATIONAL, isOfRecords: true, names: ['sequelize.Model'] },
  { library: 'Sequelize', products: RELATIONAL, names: ['sequelize.Sequelize', 'sequelize.define', 'sequelize.model'] },
  { library: 'Knex', products: RELATIONAL, names: ['knex'] },
  { library: 'PostgreSQL', products: ['postgresql'], names: ['pg.Pool', 'pg.Client', 'pg-promise', 'postgres', 'slonik'] },
  { library: 'MySQL', products: ['mysql', 'mariadb'], names: ['mysql', 'mysql2'] },
  {
    library: 'MikroORM',
    products: [],
    names: ['@mikro-orm/core.EntityManager', '@mikro-orm/core.EntityRepository', '@mikro-orm/postgresql', '@mikro-orm/mongodb'],
  },
  { library: 'Redis', products: ['redis'], names: ['redis.createClient', 'ioredis', 'ioredis.Redis'] },
  { library: 'DynamoDB', products: ['dynamodb'], names: ['@aws-sdk/client-dynamodb', '@aws-sdk/lib-dynamodb'] },

  { library: 'database/sql', products: RELATIONAL, names: ['database/sql'], types: ['DB', 'Tx', 'Conn', 'Stmt'] },
  { library: 'sqlx', products: RELATIONAL, names: ['github.com/jmoiron/sqlx'], types: ['DB', 'Tx', 'ExtContext', 'Ext'] },
  { library: 'pgx', products: ['postgresql'], names: ['github.com/jackc/pgx'], types: ['Conn', 'Pool', 'Tx'] },
  { library: 'GORM', products: RELATIONAL, names: ['gorm.io/gorm', 'github.com/jinzhu/gorm'], types: ['DB'] },
  { library: 'Bun', products: RELATIONAL, names: ['github.com/uptrace/bun'], types: ['DB', 'IDB', 'Tx'] },
  { library: 'go-pg', products: ['postgresql'], names: ['github.com/go-pg/pg'], types: ['DB', 'Tx'] },
  {
    library: 'MongoDB',
    products: ['mongodb'],
    names: ['go.mongodb.org/mongo-driver', 'gopkg.in/mgo.v2', 'github.com/globalsign/mgo'],
    types: ['Client', 'Collection', 'Database', 'Session'],
  },
  {
    library: 'Redis',
    products: ['redis'],
    names: ['github.com/redis/go-redis', 'github.com/go-redis/redis', 'github.com/gomodule/redigo'],
    types: ['Client', 'UniversalClient', 'Pool', 'Cmdable', 'Conn'],
  },
  { library: 'memcached', products: ['memcached'], names: ['github.com/bradfitz/gomemcache'], types: ['Client'] },

  { library: 'Entity Framework', isImportedForAll: true, products: [], names: ['Microsoft.EntityFrameworkCore'], types: ['DbContext', 'DbSet'] },
  {
    library: 'ADO.NET',
    isImportedForAll: true,
    products: RELATIONAL,
    names: ['System.Data'],
    types: ['IDbConnection', 'DbConnection', 'SqlConnection', 'IDbTransaction'],
  },
  { library: 'Npgsql', isImportedForAll: true, products: ['postgresql'], names: ['Npgsql'], types: ['NpgsqlConnection', 'NpgsqlDataSource'] },
  {
    library: 'MongoDB',
    isImportedForAll: true,
    products: ['mongodb'],
    names: ['MongoDB.Driver'],
    types: ['IMongoCollection', 'IMongoDatabase', 'IMongoClient', 'MongoClient'],
  },
  {
    library: 'Redis',
    isImportedForAll: true,
    products: ['redis'],
    names: ['StackExchange.Redis'],
    types: ['IDatabase', 'IConnectionMultiplexer', 'ConnectionMultiplexer'],
  },
  { library: 'Marten', isImportedForAll: true, products: ['postgresql'], names: ['Marten'], types: ['IDocumentSession', 'IQuerySession', 'IDocumentStore'] },

  { library: 'Eloquent', products: RELATIONAL, isOfRecords: true, names: ['Illuminate\\Database\\Eloquent\\Model', 'Illuminate\\Foundation\\Auth\\User'] },
  { library: 'Laravel', products: RELATIONAL, names: ['Illuminate\\Support\\Facades\\DB', 'Illuminate\\Database\\Capsule'] },
  {
    library: 'Doctrine',
    products: RELATIONAL,
    names: [
      'Doctrine\\ORM\\EntityManager',
      'Doctrine\\ORM\\EntityManagerInterface',
      'Doctrine\\ORM\\EntityRepository',
      'Doctrine\\Bundle\\DoctrineBundle\\Repository',
    ],
  },
  { library: 'PDO', products: RELATIONAL, names: ['PDO'] },

  { library: 'Active Record', products: RELATIONAL, isOfRecords: true, names: ['ActiveRecord::Base', 'Sequel::Model'] },
  { library: 'Mongoid', products: ['mongodb'], isOfRecords: true, names: ['Mongoid::Document'] },

  { library: 'SQLx', products: RELATIONAL, names: ['sqlx.PgPool', 'sqlx.Pool', 'sqlx.MySqlPool', 'sqlx.SqlitePool', 'sqlx.PgConnection', 'sqlx.Transaction'] },
  { library: 'Diesel', products: RELATIONAL, names: ['diesel.PgConnection', 'diesel.pg', 'diesel.mysql', 'diesel.r2d2', 'diesel.prelude.PgConnection'] },
  { library: 'SeaORM', products: RELATIONAL, names: ['sea_orm.DatabaseConnection', 'sea_orm.DbConn'] },
  { library: 'PostgreSQL', products: ['postgresql'], names: ['tokio_postgres', 'deadpool_postgres'] },
  { library: 'MongoDB', products: ['mongodb'], names: ['mongodb.Client', 'mongodb.Collection', 'mongodb.Database'] },
  { library: 'Redis', products: ['redis'], names: ['redis.Client', 'redis.aio'] },
];

const BY_NAME: ReadonlyMap<string, Row> = new Map(ROWS.flatMap(row => row.names.map(name => [name, row] as const)));
const BY_TYPE: ReadonlyMap<string, readonly Row[]> = byType();

function byType(): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of ROWS) for (const type of row.types ?? []) found.set(type, [...(found.get(type) ?? []), row]);
  return found;
}

/**
 * What an external name is, or is below: `asyncpg.pool.Pool` is of `asyncpg`. `imported` tells whether the file that uses it, or any file where the second argument
 * says so, imports a package or one below it.
 */
export function dataAccessOf(name: string, imported: (packageName: string, byAnyFile: boolean) => boolean): DataAccess | undefined {
  for (let part = name; part !== ''; part = part.replace(/(?:\.|::|\/|\\|^)[^./:\\]*$/, '')) {
    const row = BY_NAME.get(part);
    if (row !== undefined) return row;
  }
  return BY_TYPE.get(name)?.find(({ isImportedForAll = false, names }) => names.some(packageName => imported(packageName, isImportedForAll)));
}

/** What is made by a call in the words of a declaration, of the packages that its file imports: `const pool = new Pool()` with `pg`, `mysql.createPool()` with `mysql`. */
export function dataAccessSpelled(declaration: string, packages: readonly string[]): DataAccess | undefined {
  for (const { groups = {} } of declaration.matchAll(/(?<name>[A-Za-z_$][\w$]*(?:\.[\w$]+)*)\s*\(/g)) {
    const { name = '' } = groups;
    for (const packageName of packages) {
      const base = packageName.split('/')[0] ?? '';
      const isPackage = name === base || name.startsWith(`${base}.`);
      const found = isPackage ? dataAccessOf(name, () => false) : BY_NAME.get(`${packageName}.${name}`);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
