/** Gateways in code, and modules of several languages in each other's folders. */
import { describe, expect, it } from 'vitest';
import { modelOfTexts } from '../helpers/servicesOf';

describe('a gateway whose routes stand in code', () => {
  const controller = (name: string, mapping: string): string =>
    `package shop;\nimport org.springframework.web.bind.annotation.*;\n@RestController\nclass ${name} {\n${mapping}\n}\n`;
  const texts = {
    'docker-compose.yml':
      'services:\n  gateway:\n    build: ./gateway\n    environment:\n      SHOP_DESTINATIONS_ORDERSURL: http://orders:8080\n  orders:\n    build: ./orders\n',
    'gateway/Dockerfile': 'FROM eclipse-temurin:21\n',
    'gateway/src/main/java/shop/Routes.java': `package shop;
import org.springframework.cloud.gateway.route.RouteLocator;
import org.springframework.cloud.gateway.route.builder.RouteLocatorBuilder;
class Routes {
  RouteLocator all(RouteLocatorBuilder builder, Destinations destinations) {
    return builder.routes()
        .route(r -> r.path("/orders").and().method("POST").uri(destinations.getOrdersUrl()))
        .route(r -> r.path("/orders/**").and().method("PUT", "POST").uri(destinations.getOrdersUrl()))
        .build();
  }
}
`,
    'gateway/src/main/java/shop/Destinations.java': `package shop;
import org.springframework.boot.context.properties.ConfigurationProperties;
@ConfigurationProperties(prefix = "shop.destinations")
class Destinations {
  private String ordersUrl;
  String getOrdersUrl() { return ordersUrl; }
}
`,
    'orders/Dockerfile': 'FROM eclipse-temurin:21\n',
    'orders/src/main/java/shop/Orders.java': controller(
      'Orders',
      '  @PostMapping("/orders") void create() {}\n  @GetMapping("/orders") void list() {}\n  @PostMapping("/orders/{id}/cancel") void cancel() {}',
    ),
  };

  it('calls what its paths and methods lead to, and is not told that something is not served', async () => {
    const model = await modelOfTexts(texts);
    const [call] = model.calls;
    expect(model.calls.map(({ kinds, source, target }) => [source, target, ...kinds])).toEqual([['gateway', 'orders', 'configuration', 'gateway']]);
    expect(call?.viaEndpoints.map(id => id.split('::').slice(2).join(' '))).toEqual(['POST /orders', 'POST /orders/{id}/cancel']);
    expect(model.unanswered).toEqual([]);
  });
});

describe('a user interface in the module of its server', () => {
  it('keeps its own code, and leaves that of the server to the server', async () => {
    const model = await modelOfTexts({
      'go.mod': 'module example.com/push/server\n\ngo 1.22\n',
      'app.go':
        'package main\n\nimport (\n\t"example.com/push/server/ui"\n\t"github.com/gin-gonic/gin"\n)\n\nfunc main() {\n\tg := gin.New()\n\tui.Register(g)\n\tg.GET("/version", version)\n\tg.Run()\n}\n\nfunc version(c *gin.Context) {}\n',
      'ui/package.json': '{ "name": "push-ui", "scripts": { "start": "vite" }, "dependencies": { "react": "18" } }',
      'ui/src/index.ts': 'fetch("/version");\n',
      'ui/serve.go':
        'package ui\n\nimport "github.com/gin-gonic/gin"\n\nfunc Register(r *gin.Engine) {\n\tr.GET("/index.html", index)\n}\n\nfunc index(c *gin.Context) {}\n',
    });
    expect(model.endpoints.map(({ path, service }) => `${service} ${path}`).sort()).toEqual(['server /index.html', 'server /version']);
  });
});

describe('a gateway of GraphQL', () => {
  it('calls the services that its schema is made of', async () => {
    const model = await modelOfTexts({
      'compose.yaml': 'services:\n  gateway: {build: gateway}\n  orders: {build: orders}\n',
      'supergraph.graphql':
        'enum join__Graph {\n  ORDERS @join__graph(name: "orders", url: "http://orders:4000/graphql")\n  OUT @join__graph(name: "out", url: "")\n}\ntype Query { order: String }\n',
      'gateway/package.json': '{"name": "gateway", "dependencies": {"@apollo/gateway": "2.0.0"}}',
      'gateway/index.js': "const { ApolloGateway } = require('@apollo/gateway');\n",
      'orders/schema.graphql': 'type Query { order: String }\n',
      'orders/index.js': "const { ApolloServer } = require('apollo-server');\n",
    });
    expect(model.calls).toMatchObject([
      {
        source: 'gateway',
        target: 'orders',
        kinds: ['gateway'],
        viaEndpoints: ['endpoint::orders::QUERY::/order'],
        places: [{ file: 'supergraph.graphql', line: 2 }],
      },
    ]);
  });
});
