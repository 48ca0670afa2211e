import type { Binder, Reader } from '../collector';
import type { LanguageTables } from '../framework';
import type { HandlerRule } from '../handlers';
import { aspireReader } from './csharp/aspire';
import { httpClientReader } from './csharp/clients';
import { controllerReader } from './csharp/controllers';
import { bindExtension } from './csharp/extensions';
import { hotChocolateReader } from './csharp/graphql';
import { CSHARP } from './csharp/tables';
import { goZeroReader } from './go/goZero';
import { gqlgenReader } from './go/gqlgen';
import { bindHandled, muxReader } from './go/mux';
import { reverseProxyReader } from './go/reverseProxy';
import { GO } from './go/tables';
import { eventuateReader } from './java/eventuate';
import { graphQlAnnotationReader } from './java/graphql';
import { bindHelidon } from './java/helidon';
import { micronautReader } from './java/micronaut';
import { microprofileReader } from './java/microprofile';
import { servletReader } from './java/servlets';
import { springReader } from './java/spring';
import { springDataReader } from './java/springData';
import { springKafkaReader } from './java/springKafka';
import { JAVA } from './java/tables';
import { decoratedControllerReader } from './javascript/controllers';
import { bindAutoload } from './javascript/fastify';
import { fileRouteReader } from './javascript/fileRoutes';
import { frontEndReader } from './javascript/frontEnds';
import { proxyReader } from './javascript/gateways';
import { graphQlMapReader } from './javascript/graphql';
import { nestReader } from './javascript/nest';
import { JAVASCRIPT } from './javascript/tables';
import { kotlinRouting } from './kotlin/routing';
import { KOTLIN } from './kotlin/tables';
import { phpHandler } from './php/handlers';
import { laravelReader } from './php/laravel';
import { symfonyReader } from './php/symfony';
import { PHP } from './php/tables';
import { celeryReader } from './python/celery';
import { djangoReader } from './python/django';
import { graphQlClassReader } from './python/graphql';
import { litestarReader } from './python/litestar';
import { namekoReader } from './python/nameko';
import { resourceReader } from './python/resources';
import { PYTHON } from './python/tables';
import { graphQlRubyReader } from './ruby/graphql';
import { railsReader } from './ruby/rails';
import { sinatraReader } from './ruby/sinatra';
import { RUBY } from './ruby/tables';
import { graphQlRustReader } from './rust/graphql';
import { RUST } from './rust/tables';

/** Frameworks, clients and brokers by the family of a language (`model/languages`); a family without a row offers and uses nothing. */
export const TABLES: Readonly<Record<string, LanguageTables>> = {
  csharp: CSHARP,
  go: GO,
  java: JAVA,
  kotlin: KOTLIN,
  php: PHP,
  python: PYTHON,
  ruby: RUBY,
  rust: RUST,
  typescript: JAVASCRIPT,
};

/** Families whose code names each other's: the one that a family is read together with. */
export const READ_WITH: Readonly<Record<string, string>> = { kotlin: 'java' };

/** What rows of a table cannot say, by family with those that are read together with it, in the order in which it is read. */
export const READERS: Readonly<Record<string, readonly Reader[]>> = {
  csharp: [controllerReader, httpClientReader, aspireReader, hotChocolateReader],
  go: [muxReader, goZeroReader, gqlgenReader, reverseProxyReader],
  java: [
    springReader,
    micronautReader,
    microprofileReader,
    servletReader,
    kotlinRouting,
    springDataReader,
    springKafkaReader,
    eventuateReader,
    graphQlAnnotationReader,
  ],
  php: [laravelReader, symfonyReader],
  python: [djangoReader, resourceReader, litestarReader, celeryReader, namekoReader, graphQlClassReader],
  ruby: [railsReader, sinatraReader, graphQlRubyReader],
  rust: [graphQlRustReader],
  typescript: [nestReader, decoratedControllerReader, fileRouteReader, proxyReader, frontEndReader, graphQlMapReader],
};
export const BINDERS: readonly Binder[] = [bindAutoload, bindExtension, bindHandled, bindHelidon];
export const HANDLERS: Readonly<Record<string, HandlerRule>> = { php: phpHandler };
