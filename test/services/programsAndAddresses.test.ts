/** Which folders and files are services, and where requests lead: by ports, gateways, sidecars and configuration. */
import { expect, it } from 'vitest';
import type { ServiceModel } from '../../server/src/services/model';
import { modelOfTexts } from '../helpers/servicesOf';

const callsIn = ({ calls }: ServiceModel): string[] =>
  calls.map(({ kinds, source, target, viaEndpoints }) => `${source} → ${target} ${kinds.join()} ${viaEndpoints.length}`);
const pathsIn = ({ services }: ServiceModel): string[] => services.map(({ name, paths }) => `${name}: ${paths.join(' ')}`);
const eventsIn = ({ events }: ServiceModel): string[] =>
  events.map(
    ({ consumers, name, publishers }) => `${publishers.map(({ service }) => service).join()} → ${name} → ${consumers.map(({ service }) => service).join()}`,
  );

const goService = (name: string): string => `package ${name}

import "net/http"

func Run() {
	http.HandleFunc("/${name}", List)
	http.ListenAndServe(":8080", nil)
}

func List(w http.ResponseWriter, r *http.Request) {}
`;
const goMain = (name: string): string => `package main

import "example.org/shop/services/${name}"

func main() { ${name}.Run() }
`;

it('services are declared on the line of Skaffold that names their image, in either style', async () => {
  const artifacts = '  - image: hub.example/web\n    context: web\n  - {image: "cart", context: cart}\n';
  const model = await modelOfTexts({
    'skaffold.yaml': `apiVersion: skaffold/v4\nbuild:\n  artifacts:\n${artifacts}`,
    'web/main.go': 'package main\n\nfunc main() {}\n',
    'cart/main.go': 'package main\n\nfunc main() {}\n',
  });
  expect(model.services.map(({ name, place }) => [name, place?.file, place?.line])).toEqual([
    ['cart', 'skaffold.yaml', 6],
    ['web', 'skaffold.yaml', 4],
  ]);
});

it('a program in cmd and the folder below services that is called so are one service', async () => {
  const model = await modelOfTexts({
    'go.mod': 'module example.org/shop\n',
    'docker-compose.yml': 'services:\n  billing:\n    build: .\n    entrypoint: billing\n',
    Dockerfile: 'FROM golang\nRUN go install ./cmd/...\n',
    'cmd/orders/main.go': goMain('orders'),
    'cmd/billing/main.go': goMain('billing'),
    'services/orders/server.go': goService('orders'),
    'services/billing/server.go': goService('billing'),
  });
  expect(pathsIn(model)).toEqual(['billing: cmd/billing services/billing', 'orders: services/orders cmd/orders']);
  expect(callsIn(model)).toEqual([]);
  expect(model.endpoints.map(({ path, service }) => `${service} ${path}`).sort()).toEqual(['billing /billing', 'orders /orders']);
});

const flaskProgram = (routes: string): string => `from flask import Flask
import requests
app = Flask(__name__)

${routes}

if __name__ == "__main__":
    app.run(port=5000)
`;

it('files of one folder that each serve and listen are services; requests to this machine lead to the only one that answers them', async () => {
  const model = await modelOfTexts({
    'requirements.txt': 'flask\n',
    'services/movies.py': flaskProgram('@app.route("/movies/<id>")\ndef movie(id):\n    return {}'),
    'services/users.py': flaskProgram(
      '@app.route("/users")\ndef users():\n    return requests.get("http://127.0.0.1:5001/movies/{}".format(1)).json()\n\n@app.route("/ratings")\ndef ratings():\n    return requests.get("https://127.example.org/movies/1").json()',
    ),
    'services/shared.py': 'def helper():\n    return 1\n',
  });
  expect(pathsIn(model)).toEqual(['movies: services/movies.py', 'users: services/users.py']);
  expect(callsIn(model)).toEqual(['users → movies http 1']);
});

it('packages of the JVM that are called example are no examples', async () => {
  const controller = `package org.example.shop;
import org.springframework.web.bind.annotation.*;
@RestController
class OrderController { @GetMapping("/orders") String list() { return ""; } }
`;
  const model = await modelOfTexts({
    'pom.xml': '<project><artifactId>shop</artifactId></project>',
    'src/main/java/org/example/shop/OrderController.java': controller,
  });
  expect(model.endpoints.map(({ path, service }) => `${service} ${path}`)).toEqual(['shop /orders']);
  const aside = await modelOfTexts({
    'pom.xml': '<project><artifactId>shop</artifactId></project>',
    'example/src/main/java/org/shop/OrderController.java': controller,
  });
  expect(aside.endpoints).toEqual([]);
});

it('what libraries of a workspace with applications serve makes no further service', async () => {
  const controller = (path: string): string =>
    `import { Controller, Get } from '@nestjs/common';\n@Controller('${path}')\nexport class C { @Get() all() { return []; } }\n`;
  const model = await modelOfTexts({
    'package.json': '{"name": "shop"}',
    'apps/orders/src/orders.controller.ts': controller('orders'),
    'apps/billing/src/billing.controller.ts': controller('billing'),
    'libs/common/src/health.controller.ts': controller('health'),
  });
  expect(model.services.map(({ name }) => name)).toEqual(['billing', 'orders']);
});

const gateway = `spring:
  application:
    name: gateway
  cloud:
    gateway:
      routes:
        - id: orders
          uri: http://orders:8081
          predicates:
            - Path=/shop/orders/**
          filters:
            - RewritePath=/shop/orders/?(?<segment>.*), /api/\${segment}
`;

it('a request to a gateway calls the gateway and, by the path that it rewrites, what it forwards to', async () => {
  const model = await modelOfTexts({
    'docker-compose.yml': 'services:\n  gateway: {build: gateway}\n  orders: {build: orders}\n  web: {build: web}\n',
    'gateway/Dockerfile': 'FROM eclipse-temurin\n',
    'gateway/src/main/java/shop/GatewayApplication.java': 'package shop;\nclass GatewayApplication { public static void main(String[] args) {} }\n',
    'gateway/src/main/resources/application.yml': gateway,
    'orders/Dockerfile': 'FROM node\n',
    'orders/app.js': "const app = require('express')();\napp.get('/api/list', (req, res) => res.end());\napp.listen(8081);\n",
    'web/Dockerfile': 'FROM node\n',
    'web/app.js': "const axios = require('axios');\nexports.load = () => axios.get('http://gateway/shop/orders/list');\n",
  });
  expect(callsIn(model)).toEqual(['gateway → orders gateway 1', 'web → gateway http 0', 'web → orders gateway 1']);
});

it('one host for all services is told apart by the key and the path that name one', async () => {
  const model = await modelOfTexts({
    'docker-compose.yml': 'services:\n  cart: {build: cart}\n  product: {build: product}\n',
    'cart/pom.xml': '<project><artifactId>cart</artifactId></project>',
    'cart/src/main/resources/application.properties': 'shop.services.product=http://api.shop.local/product\nshop.services.mail=http://api.shop.local/mail\n',
    'cart/src/main/java/shop/Urls.java':
      'package shop;\nimport org.springframework.boot.context.properties.ConfigurationProperties;\n@ConfigurationProperties(prefix = "shop.services")\npublic record Urls(String product, String mail) {}\n',
    'cart/src/main/java/shop/Products.java': `package shop;
import org.springframework.web.client.RestClient;
import org.springframework.web.util.UriComponentsBuilder;
class Products {
  private final RestClient restClient;
  private final Urls urls;
  Products(RestClient restClient, Urls urls) { this.restClient = restClient; this.urls = urls; }
  Object all() { return restClient.get().uri(UriComponentsBuilder.fromUriString(urls.product()).path("/list").build().toUri()).retrieve(); }
  Object mail() { return restClient.get().uri(UriComponentsBuilder.fromUriString(urls.mail()).path("/list").build().toUri()).retrieve(); }
}
`,
    'product/pom.xml': '<project><artifactId>product</artifactId></project>',
    'product/src/main/resources/application.properties': 'server.servlet.context-path=/product\n',
    'product/src/main/java/shop/ProductController.java':
      'package shop;\nimport org.springframework.web.bind.annotation.*;\n@RestController\nclass ProductController { @GetMapping("/list") String list() { return ""; } }\n',
  });
  expect(callsIn(model)).toEqual(['cart → product http 1']);
});

it('an address of documentation is none that is called', async () => {
  const model = await modelOfTexts({
    'docker-compose.yml':
      'services:\n  orders:\n    build: orders\n    environment:\n      SWAGGER_BILLING_URL: http://billing:8080\n  billing:\n    build: billing\n    environment:\n      ORDERS_URL: http://orders:8080\n',
    'orders/app.js': "const app = require('express')();\napp.get('/orders', (req, res) => res.end());\n",
    'billing/app.js': "const app = require('express')();\napp.get('/bills', (req, res) => res.end());\n",
  });
  expect(callsIn(model)).toEqual(['billing → orders configuration 0']);
});

it('an exchange with keys that callers give is an event for each key', async () => {
  const model = await modelOfTexts({
    'orders/pom.xml': '<project><artifactId>orders</artifactId></project>',
    'orders/src/main/java/shop/OrdersApplication.java': 'package shop;\nclass OrdersApplication { public static void main(String[] args) {} }\n',
    'orders/src/main/java/shop/Publisher.java': `package shop;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
class Publisher {
  private final RabbitTemplate rabbitTemplate;
  Publisher(RabbitTemplate rabbitTemplate) { this.rabbitTemplate = rabbitTemplate; }
  void created(Object event) { this.send("orders-created", event); }
  void cancelled(Object event) { this.send("orders-cancelled", event); }
  private void send(String routingKey, Object payload) { rabbitTemplate.convertAndSend("orders-exchange", routingKey, payload); }
}
`,
    'mails/pom.xml': '<project><artifactId>mails</artifactId></project>',
    'mails/src/main/java/shop/MailsApplication.java': 'package shop;\nclass MailsApplication { public static void main(String[] args) {} }\n',
    'mails/src/main/java/shop/Listener.java':
      'package shop;\nimport org.springframework.amqp.rabbit.annotation.RabbitListener;\nclass Listener { @RabbitListener(queues = "orders-created") void created(Object event) {} }\n',
  });
  expect(eventsIn(model)).toEqual(['orders → orders-cancelled → ', 'orders → orders-created → mails']);
});

it('events that shared code is asked to consume are those of the services that ask', async () => {
  const model = await modelOfTexts({
    'go.mod': 'module example.org/shop\n',
    'pkg/kafka/group.go': `package kafka

import "github.com/segmentio/kafka-go"

type Group struct{ id string }

func (g *Group) Consume(topics []string) *kafka.Reader {
	return kafka.NewReader(kafka.ReaderConfig{GroupID: g.id, GroupTopics: topics})
}
`,
    'orders/cmd/main.go': `package main

import (
	"net/http"

	"example.org/shop/pkg/kafka"
)

func main() {
	g := &kafka.Group{}
	go g.Consume([]string{"paid", "shipped"})
	http.HandleFunc("/orders", nil)
	http.ListenAndServe(":8080", nil)
}
`,
    'billing/cmd/main.go': `package main

import (
	"net/http"

	"example.org/shop/pkg/kafka"
)

func main() {
	g := &kafka.Group{}
	go g.Consume([]string{"ordered"})
	http.HandleFunc("/bills", nil)
	http.ListenAndServe(":8080", nil)
}
`,
  });
  expect(eventsIn(model)).toEqual([' → ordered → billing', ' → paid → orders', ' → shipped → orders']);
});

it('keys of one exchange are events of their own, and a single one is another name of its exchange', async () => {
  const consumer = (queue: string, exchange: string, key: string): string =>
    `const amqp = require('amqplib');\nasync function run() {\n  const connection = await amqp.connect('amqp://x');\n  const channel = await connection.createChannel();\n  await channel.bindQueue('${queue}', '${exchange}', '${key}');\n  channel.consume('${queue}', run);\n}\n`;
  const model = await modelOfTexts({
    'docker-compose.yml': 'services:\n  orders: {build: orders}\n  mails: {build: mails}\n  bills: {build: bills}\n',
    'orders/app.js':
      "const amqp = require('amqplib');\nasync function run() {\n  const connection = await amqp.connect('amqp://x');\n  const channel = await connection.createChannel();\n  channel.publish('shop', 'created', '');\n  channel.publish('shop', 'paid', '');\n  channel.publish('audit', 'all', '');\n}\n",
    'mails/app.js': consumer('mails', 'shop', 'created'),
    'bills/app.js': consumer('bills', 'shop', 'paid') + consumer('audits', 'audit', '').replaceAll('run', 'audit'),
  });
  expect(eventsIn(model).sort()).toEqual(['orders → audit → bills', 'orders → created → mails', 'orders → paid → bills']);
  expect(model.events.map(({ aliases, channel, name }) => `${name} ${channel} ${aliases.join()}`).sort()).toEqual([
    'audit audit all,audits',
    'created shop mails',
    'paid shop bills',
  ]);
});

it('a topic that only a variable names is what the deployment sets it to', async () => {
  const listener = `import os
import redis
channel = os.environ['AUDIT_CHANNEL']
pubsub = redis.Redis().pubsub()
pubsub.subscribe([channel])
`;
  const model = await modelOfTexts({
    'docker-compose.yml':
      'services:\n  api:\n    build: api\n    environment:\n      AUDIT_CHANNEL: orders.audit\n' +
      '  audit:\n    build: audit\n    environment:\n      AUDIT_CHANNEL: orders.audit\n',
    'api/server.js': "const client = require('redis').createClient();\nconst channel = process.env.AUDIT_CHANNEL || 'audit';\nclient.publish(channel, '{}');\n",
    'audit/main.py': listener,
  });
  expect(eventsIn(model)).toEqual(['api → orders.audit → audit']);
});

it('what a configuration server keeps beside the services names their topics', async () => {
  const listener = (topic: string): string => `package shop;

import org.springframework.cloud.stream.annotation.*;
import org.springframework.messaging.MessageChannel;

public interface Channels {
  ${topic}
  MessageChannel channel();
}
`;
  const pom = (name: string): string =>
    `<project><artifactId>${name}</artifactId><dependencies><dependency><artifactId>spring-boot-starter</artifactId></dependency></dependencies></project>`;
  const bindings = (name: string, topic: string): string =>
    `spring:\n  cloud:\n    stream:\n      bindings:\n        ${name}:\n          destination: ${topic}\n`;
  const compose = ['orders', 'mails', 'stock'].map(name => `  ${name}:\n    build: ${name}\n`).join('');
  const model = await modelOfTexts({
    'docker-compose.yml': `services:\n${compose}`,
    'orders/pom.xml': pom('orders'),
    'orders/src/main/java/shop/Channels.java': listener('@Output("output")'),
    'mails/pom.xml': pom('mails'),
    'mails/src/main/java/shop/Channels.java': listener('@Input("input")'),
    'stock/pom.xml': pom('stock'),
    'stock/src/main/java/shop/Channels.java': listener('@Input("input")'),
    'config/repo/orders.yml': bindings('output', 'orders-placed'),
    'config/repo/mails.yaml': bindings('input', 'orders-placed'),
    'config/repo/stock.yml': bindings('input', 'deliveries'),
  });
  expect(eventsIn(model)).toEqual([' → deliveries → stock', 'orders → orders-placed → mails']);
});

it('queues of Spring meet what is published with the key that they are bound by', async () => {
  const java = (name: string, body: string): string => `package shop;

import org.springframework.amqp.core.*;
import org.springframework.amqp.rabbit.annotation.*;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.context.annotation.Bean;

public class ${name} {
${body}
}
`;
  const model = await modelOfTexts({
    'docker-compose.yml': `services:\n${['orders', 'mails', 'stock', 'audit'].map(name => `  ${name}:\n    build: ${name}\n`).join('')}`,
    'orders/src/main/java/shop/Orders.java': java(
      'Orders',
      `  private RabbitTemplate rabbit;
  void place() { rabbit.convertAndSend("shop", "order.placed", new Object()); }
  void cancel() { rabbit.convertAndSend("shop", "order.cancelled", new Object()); }
  void all() { rabbit.convertAndSend("everything", "", new Object()); }`,
    ),
    'mails/src/main/java/shop/Mails.java': java(
      'Mails',
      `  @Bean public Queue mailQueue() { return new Queue("mails"); }
  @Bean public TopicExchange exchange() { return new TopicExchange("shop"); }
  @Bean public Binding binding() { return BindingBuilder.bind(mailQueue()).to(exchange()).with("order.placed"); }
  @RabbitListener(queues = "mails") public void placed(String order) {}`,
    ),
    'stock/src/main/java/shop/Stock.java': java(
      'Stock',
      `  @RabbitListener(bindings = @QueueBinding(value = @Queue("stock"), exchange = @Exchange("shop"), key = "order.cancelled")) public void cancelled(String order) {}`,
    ),
    'audit/src/main/java/shop/Audit.java': java(
      'Audit',
      `  @Bean public Queue auditQueue() { return QueueBuilder.durable("audit").build(); }
  @Bean public FanoutExchange fanout() { return ExchangeBuilder.fanoutExchange("everything").build(); }
  @Bean public Binding binding(Queue auditQueue, FanoutExchange exchange) { return BindingBuilder.bind(auditQueue).to(exchange); }
  @RabbitListener(queues = "audit") public void all(String order) {}`,
    ),
  });
  expect(eventsIn(model)).toEqual(['orders → everything → audit', 'orders → order.cancelled → stock', 'orders → order.placed → mails']);
});

it('a program at the root keeps its own code in folders that are called as its entry; what all are told is called where code names it', async () => {
  const single = await modelOfTexts({
    'docker-compose.yml': 'services:\n  api:\n    build: .\n',
    Dockerfile: 'FROM golang\nCOPY . .\nRUN go build -o main main.go\n',
    'go.mod': 'module example.org/bank\n',
    'main.go': 'package main\n\nimport "example.org/bank/api"\n\nfunc main() { api.Run() }\n',
    'api/server.go': goService('api'),
    'worker/worker.go': 'package worker\n',
  });
  expect(pathsIn(single)).toEqual(['api: ']);
  const urls = ['names', 'years'].map(name => `  ${name.toUpperCase()}_URL: http://${name}:80\n`).join('');
  const entries = ['web', 'names', 'years'].map(name => `  ${name}:\n    build: ${name}\n    environment: *all\n`).join('');
  const told = await modelOfTexts({
    'docker-compose.yml': `x-all: &all\n${urls}services:\n${entries}`,
    'web/main.py': "import os\nimport requests\nrequests.get(os.environ['NAMES_URL'] + '/name')\n",
    'names/main.py': flaskProgram('@app.route("/name")\ndef name():\n    return ""'),
    'years/main.py': flaskProgram('@app.route("/year")\ndef year():\n    return ""'),
  });
  expect(callsIn(told)).toEqual(['web → names configuration,http 1']);
});
