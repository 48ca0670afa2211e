/** Names that their makers do not write as one capitalized word. */
const TITLES: Readonly<Record<string, string>> = {
  aiohttp: 'aiohttp',
  actix: 'Actix Web',
  aspnet: 'ASP.NET Core',
  'aspnet-minimal': 'ASP.NET Core',
  chi: 'chi',
  'fast-endpoints': 'FastEndpoints',
  fastapi: 'FastAPI',
  'flask-restful': 'Flask-RESTful',
  'go-zero': 'go-zero',
  'gorilla/mux': 'gorilla/mux',
  gqlgen: 'gqlgen',
  graphql: 'GraphQL',
  grpc: 'gRPC',
  hapi: 'hapi',
  'hot-chocolate': 'Hot Chocolate',
  http: 'Node HTTP',
  httprouter: 'httprouter',
  'jax-rs': 'JAX-RS',
  'koa-router': 'Koa',
  microprofile: 'MicroProfile',
  nestjs: 'NestJS',
  'net/http': 'net/http',
  php: 'PHP',
  'spring-webflux': 'Spring WebFlux',
  'spring-data-rest': 'Spring Data REST',
  'spring-cloud-stream': 'Spring Cloud Stream',
};

/** A framework as people write its name, from its id in the service graph. */
export function frameworkTitle(id: string): string {
  const [first = ''] = id;
  return TITLES[id] ?? `${first.toUpperCase()}${id.slice(1)}`;
}
