/** What whole systems show that no file shows alone. */
import { describe, expect, it } from 'vitest';
import type { ServiceModel } from '../../server/src/services/model';
import { modelOfTexts } from '../helpers/servicesOf';

const foldersOf = ({ services }: ServiceModel): readonly (readonly string[])[] => services.map(({ name, paths }) => [name, ...paths]);
const callsOf = ({ calls }: ServiceModel): readonly string[] => calls.map(({ kinds, source, target }) => `${source} > ${target} ${kinds.join(' ')}`);

const SHOP_PROTO = `syntax = "proto3";
package shop;
service CartService { rpc AddItem(Item) returns (Item); rpc GetCart(Item) returns (Item); }
service LedgerService { rpc Charge(Item) returns (Item); }
message Item { string id = 1; }
`;

const GO_STUBS = `package genproto

import "google.golang.org/grpc"

type CartServiceClient interface{}

func NewCartServiceClient(cc grpc.ClientConnInterface) CartServiceClient { return nil }

func RegisterCartServiceServer(s grpc.ServiceRegistrar, srv any) {}
`;

const CART = `package main

import (
	"example.com/shop/genproto"
	"google.golang.org/grpc"
)

type GrpcServer struct{}

func (g GrpcServer) AddItem() {}

func main() {
	genproto.RegisterCartServiceServer(grpc.NewServer(), GrpcServer{})
}
`;

const LEDGER = `const grpc = require('@grpc/grpc-js');
const shop = grpc.loadPackageDefinition(require('@grpc/proto-loader').loadSync('shop.proto')).shop;
function charge(call, done) {}
const server = new grpc.Server();
server.addService(shop.LedgerService.service, { charge });
`;

describe('remote procedures', () => {
  const files = {
    'compose.yaml': 'services:\n  cart: {build: cart}\n  ledger: {build: ledger}\n  web: {build: web}\n',
    'go.mod': 'module example.com/shop\n\ngo 1.22\n',
    'protos/shop.proto': SHOP_PROTO,
    'genproto/shop.pb.go': GO_STUBS,
    'cart/main.go': CART,
    'ledger/server.js': LEDGER,
    'common/client/cart.go':
      'package client\n\nimport (\n\t"example.com/shop/genproto"\n\t"google.golang.org/grpc"\n)\n\nfunc NewCart() genproto.CartServiceClient {\n\tconn, _ := grpc.NewClient("")\n\treturn genproto.NewCartServiceClient(conn)\n}\n',
    'web/main.go': 'package main\n\nimport "example.com/shop/common/client"\n\nfunc main() {\n\tclient.NewCart()\n}\n',
  };

  it('of one file are those of the services that answer them', async () => {
    const { endpoints } = await modelOfTexts(files);
    expect(endpoints.map(({ handler, path, service }) => [service, path, handler])).toEqual([
      ['cart', '/shop.CartService/AddItem', 'cart/main.go::GrpcServer::AddItem'],
      ['cart', '/shop.CartService/GetCart', undefined],
      ['ledger', '/shop.LedgerService/Charge', 'ledger/server.js::charge'],
    ]);
  });

  it('are called by the services that use a client in shared code', async () => {
    expect(callsOf(await modelOfTexts(files))).toEqual(['web > cart grpc']);
  });

  it.each([
    {
      what: 'a Go client whose generated code is in the workspace',
      caller: 'web/orders.go::Orders::add',
      code: {
        'genproto/shop.pb.go': GO_STUBS.replace('interface{}', 'interface {\n\tAddItem(ctx any) any\n}'),
        'web/orders.go':
          'package main\n\nimport "example.com/shop/genproto"\n\ntype Orders struct{ client genproto.CartServiceClient }\n\nfunc (o *Orders) add() {\n\to.client.AddItem(nil)\n}\n',
      },
    },
    {
      what: 'a Go client that is generated elsewhere',
      caller: 'web/orders.go::add',
      code: {
        'web/orders.go':
          'package main\n\nimport (\n\tpb "github.com/acme/shoppb"\n\t"google.golang.org/grpc"\n)\n\nfunc add() {\n\tconn, _ := grpc.NewClient("cart:80")\n\tclient := pb.NewCartServiceClient(conn)\n\tclient.AddItem(nil)\n}\n',
      },
    },
    {
      what: 'a Python stub that is kept by an object',
      caller: 'web/orders.py::Orders::add',
      code: {
        'web/orders.py':
          'import grpc\nimport shop_pb2_grpc\n\nclass Orders:\n    def __init__(self):\n        self.stub = shop_pb2_grpc.CartServiceStub(grpc.insecure_channel("cart:80"))\n\n    def add(self):\n        self.stub.AddItem(1)\n',
      },
    },
    {
      what: 'a Java stub',
      caller: 'web/src/main/java/web/Orders.java::Orders::add',
      code: {
        'web/src/main/java/web/Orders.java':
          'package web;\nimport shop.CartServiceGrpc;\npublic class Orders {\n  private final CartServiceGrpc.CartServiceBlockingStub stub;\n  Orders(io.grpc.Channel channel) { stub = CartServiceGrpc.newBlockingStub(channel); }\n  void add() { stub.addItem(null); }\n}\n',
      },
    },
    {
      what: 'a C# client',
      caller: 'web/Orders.cs::Orders::Add',
      code: {
        'web/Orders.cs':
          'using Shop.Grpc;\nnamespace Web;\npublic class Orders {\n  private readonly CartService.CartServiceClient _client;\n  public Orders(CartService.CartServiceClient cart) { _client = cart; }\n  public async Task Add() { await _client.AddItemAsync(new Item()); }\n}\n',
      },
    },
  ])('are requested by the code that calls them: $what', async ({ caller, code }) => {
    const { requests } = await modelOfTexts({ ...files, ...code });
    expect(requests.map(request => [request.source, request.endpoint, request.caller])).toEqual([
      ['web', 'endpoint::cart::GRPC::/shop.CartService/AddItem', caller],
    ]);
  });

  it('are not requested by what generated code hands on, nor by calls that are no procedures', async () => {
    const gateway = 'package genproto\n\nfunc forward(client CartServiceClient) {\n\tclient.AddItem(nil)\n}\n';
    const orders = 'package main\n\nimport "example.com/shop/genproto"\n\nfunc hold(client genproto.CartServiceClient) {\n\tclient.Close()\n}\n';
    const { requests } = await modelOfTexts({ ...files, 'web/genproto/shop.pb.gw.go': gateway, 'web/orders.go': orders });
    expect(requests).toEqual([]);
  });
});

describe('addresses', () => {
  const server = "import express from 'express';\nconst app = express();\napp.get('/orders/:id', (req, res) => res.end());\napp.listen(80);\n";
  const client = 'export const get = () => fetch(`${process.env.ORDERS_URL}/orders/1`);\n';
  const code = { 'orders/index.js': server, 'web/index.js': client };

  it('in variables without a value are those of the service in their name', async () => {
    const model = await modelOfTexts({ ...code, 'compose.yaml': 'services:\n  orders: {build: orders}\n  web: {build: web}\n' });
    expect(model.calls).toMatchObject([{ source: 'web', target: 'orders', viaEndpoints: ['endpoint::orders::GET::/orders/:id'] }]);
  });

  it('come from the files that Compose gives to an entry, and from examples of .env', async () => {
    const model = await modelOfTexts({
      ...code,
      'compose.yaml': 'services:\n  shop:\n    build: {context: ., dockerfile: "${SHOP_DOCKERFILE}"}\n  web: {build: web, env_file: [web.env]}\n',
      '.env.example': 'SHOP_DOCKERFILE=orders/Dockerfile\nSTRIPE=sk_live_1\n',
      'orders/Dockerfile': 'FROM node:22\nCOPY orders .\n',
      'web.env': 'ORDERS_URL=http://shop:80\nTOKEN_OF_X=abc\n',
    });
    expect(foldersOf(model)).toEqual([
      ['shop', 'orders'],
      ['web', 'web'],
    ]);
    expect(model.calls).toMatchObject([{ source: 'web', target: 'shop', viaEndpoints: ['endpoint::shop::GET::/orders/:id'] }]);
    expect(JSON.stringify(model)).not.toMatch(/sk_live|abc/);
  });
});

describe('services', () => {
  const main = 'package main\n\nfunc main() {}\n';

  it('work in the folder that is mounted into a container of tools', async () => {
    const entry = (name: string): string => `  ${name}:\n    build: docker/app\n    working_dir: /internal/${name}\n    volumes: ["./internal:/internal"]\n`;
    const model = await modelOfTexts({
      'docker-compose.yml': `services:\n${entry('trainer')}${entry('users')}`,
      'docker/app/Dockerfile': 'FROM golang:1.22\nCOPY start.sh /\n',
      'docker/app/start.sh': 'reflex -c /reflex.conf\n',
      'internal/trainer/main.go': main,
      'internal/users/main.go': main,
    });
    expect(foldersOf(model)).toEqual([
      ['trainer', 'internal/trainer'],
      ['users', 'internal/users'],
    ]);
  });

  it('are not the modules of the JVM that others are built with; what a module publishes of its own belongs to it', async () => {
    const gradle = 'dependencies { compile "org.springframework.boot:spring-boot-starter:3.0.0" }\n';
    const model = await modelOfTexts({
      'settings.gradle': 'include "order-service"\ninclude "order-service-api"\ninclude "common"\n',
      'order-service/build.gradle': `apply plugin: 'org.springframework.boot'\n${gradle}`,
      'order-service/src/main/java/shop/OrderApplication.java': 'package shop;\npublic class OrderApplication { public static void main(String[] a) {} }\n',
      'order-service-api/build.gradle': gradle,
      'order-service-api/src/main/java/shop/api/Order.java': 'package shop.api;\npublic class Order {}\n',
      'common/build.gradle': gradle,
      'common/src/main/java/shop/Money.java': 'package shop;\npublic class Money {}\n',
    });
    expect(foldersOf(model)).toEqual([['order-service', 'order-service', 'order-service-api']]);
  });

  it('of one name, one inside the other, are one; variants of Compose name what the main file leaves out', async () => {
    const model = await modelOfTexts({
      'compose.tests.yaml': 'services:\n  webTests: {build: src/web}\n',
      'compose.yaml': 'services:\n  web: {build: src/web}\n',
      'skaffold.yaml': 'apiVersion: skaffold/v4\nbuild:\n  artifacts:\n  - {image: cart, context: src/cart/src}\n',
      'k8s/cart.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart}\nspec: {template: {spec: {containers: [{name: server, image: cart}]}}}\n',
      'src/web/main.go': main,
      'src/cart/src/main.go': main,
    });
    expect(model.services.map(({ name, paths }) => [name, paths[0]])).toEqual([
      ['cart', 'src/cart/src'],
      ['web', 'src/web'],
    ]);
  });

  it('may be a gateway without code; build files that only a variable names are not the whole workspace', async () => {
    const model = await modelOfTexts({
      'compose.yaml':
        'services:\n  proxy: {build: {context: ., dockerfile: "${PROXY_DOCKERFILE}"}}\n  kafka: {build: {context: ., dockerfile: "${KAFKA_DOCKERFILE}"}}\n  web: {build: web}\n',
      'src/proxy/Dockerfile': 'FROM nginx:1\nCOPY nginx.conf /etc/nginx/\n',
      'src/proxy/nginx.conf': 'location /web { proxy_pass http://${WEB_HOST}:80; }\n',
      'src/kafka/Dockerfile': 'FROM apache/kafka:4\n',
      'web/main.go': main,
      'web/kafka/producer.go': 'package kafka\n',
    });
    expect(foldersOf(model)).toEqual([
      ['proxy', 'src/proxy'],
      ['web', 'web'],
    ]);
    expect(model.stores.map(({ name }) => name)).toEqual(['kafka']);
    expect(callsOf(model)).toEqual(['proxy > web gateway']);
  });
});

it('a program at the root is not the folder that its entry in Compose is called as, unless that is a program of its own', async () => {
  const files = {
    'docker-compose.yml': 'services:\n  app: {build: {context: ., dockerfile: Dockerfile.dev}}\n',
    'Dockerfile.dev': 'FROM ruby:3\nCOPY . .\n',
    'app/controllers/orders_controller.rb': 'class OrdersController < ApplicationController\n  def index\n  end\nend\n',
    'config/routes.rb': "Rails.application.routes.draw do\n  get '/orders' => 'orders#index'\nend\n",
  };
  expect(foldersOf(await modelOfTexts({ ...files, Gemfile: "gem 'rails'\n" }))).toEqual([['app', '']]);
  const own = {
    'docker-compose.yml': 'services:\n  app: {build: .}\n',
    'app/Gemfile': "gem 'sinatra'\n",
    'app/main.rb': "require 'sinatra'\nget '/x' do\nend\n",
  };
  expect(foldersOf(await modelOfTexts(own))).toEqual([['app', 'app']]);
});

describe('configuration servers', () => {
  const application = 'package shop;\n\n@SpringBootApplication\npublic class OrdersApplication {}\n';
  const controller =
    'package shop;\n\nimport org.springframework.web.bind.annotation.*;\n\n@RestController\npublic class OrdersController {\n  @GetMapping("/current")\n  public String current() { return ""; }\n}\n';
  const feign =
    'package shop;\n\nimport org.springframework.cloud.openfeign.FeignClient;\nimport org.springframework.web.bind.annotation.*;\n\n@FeignClient("orders-service")\npublic interface OrdersClient {\n  @GetMapping("/orders/current")\n  String current();\n}\n';
  const module = (name: string): string =>
    `<project><artifactId>${name}</artifactId><build><plugins><plugin><artifactId>spring-boot-maven-plugin</artifactId></plugin></plugins></build></project>`;

  it('hand out files to the services that they are called after, with what these put in front of their routes and forward to', async () => {
    const model = await modelOfTexts({
      'docker-compose.yml':
        'services:\n  config: {build: config}\n  gateway: {build: gateway}\n  orders-service: {build: orders-service}\n  web: {build: web}\n',
      'config/pom.xml':
        '<project><artifactId>config</artifactId><dependencies><dependency><artifactId>spring-cloud-config-server</artifactId></dependency></dependencies></project>',
      'config/src/main/java/shop/ConfigApplication.java': application,
      'config/src/main/resources/shared/orders-service.yml': 'server:\n  servlet:\n    context-path: /orders\n',
      'config/src/main/resources/shared/gateway.yml': 'zuul:\n  routes:\n    orders-service:\n      path: /orders/**\n      serviceId: orders-service\n',
      'gateway/pom.xml': module('gateway'),
      'gateway/src/main/java/shop/GatewayApplication.java': application,
      'orders-service/pom.xml': module('orders-service'),
      'orders-service/src/main/java/shop/OrdersController.java': controller,
      'web/pom.xml': module('web'),
      'web/src/main/java/shop/OrdersClient.java': feign,
    });
    expect(model.endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /orders/current']);
    expect(callsOf(model)).toEqual(['gateway > orders-service gateway', 'web > orders-service http']);
    expect(model.unanswered).toEqual([]);
  });
});

describe('programs of one Go module', () => {
  const program =
    'package main\n\nimport "net/http"\n\nfunc main() {\n\thttp.HandleFunc("/health", func(w http.ResponseWriter, r *http.Request) {})\n\thttp.ListenAndServe(":80", nil)\n}\n';

  it('are services wherever they begin, called after the folders that deployments name', async () => {
    const deployment =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart-service}\nspec: {template: {spec: {containers: [{name: cart-service, image: shop/cart-service}]}}}\n';
    const model = await modelOfTexts({
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'deploy/cart.yaml': deployment,
      'app/cart/service/cmd/server/main.go': program,
      'app/shop/admin/cmd/server/main.go': program,
      'app/user/cmd/main.go': program,
    });
    expect(foldersOf(model)).toEqual([
      ['cart-service', 'app/cart/service'],
      ['shop-admin', 'app/shop/admin'],
      ['user', 'app/user'],
    ]);
  });

  it('may begin in a file of any name, also in a module beside others', async () => {
    const model = await modelOfTexts({
      'orders/go.mod': 'module example.com/orders\n\ngo 1.22\n',
      'orders/server.go': program,
      'billing/go.mod': 'module example.com/billing\n\ngo 1.22\n',
      'billing/main.go': program,
      'lib/go.mod': 'module example.com/lib\n\ngo 1.22\n',
      'lib/http.go': program.replace('package main', 'package lib').replace('func main', 'func Serve'),
    });
    expect(foldersOf(model)).toEqual([
      ['billing', 'billing'],
      ['orders', 'orders'],
    ]);
  });

  it('are not the modules that these are made with, nor pages called as a service', async () => {
    const model = await modelOfTexts({
      'services/orders/go.mod': 'module example.com/orders\n\ngo 1.22\n',
      'services/orders/main.go': program,
      'package.json': '{"name":"shop","private":true}',
      'internal/pkg/go.mod': 'module example.com/pkg\n\ngo 1.22\n',
      'internal/pkg/http/server.go': program.replace('package main', 'package http').replace('func main', 'func Serve'),
      'deploy/web.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart}\nspec: {template: {spec: {containers: [{name: cart, image: cart}]}}}\n',
      'web/package.json': '{"name":"web","dependencies":{"express":"5"}}',
      'web/server.js': "const express = require('express');\nconst app = express();\napp.get('/x', (req, res) => res.end());\napp.listen(80);\n",
      'web/src/pages/Cart/Cart.js': 'export const Cart = () => null;\n',
    });
    expect(foldersOf(model)).toEqual([
      ['orders', 'services/orders'],
      ['web', 'web'],
    ]);
  });
});

it('what runs the tests of a system in a browser is a tool; administration is a service of its own, unless it is that of the platform', async () => {
  const { services } = await modelOfTexts({
    'compose.yaml':
      'services:\n  web: {build: web}\n  playwright: {build: checks}\n  wrk2: {build: load}\n  shop-admin: {build: admin}\n  admin-server: {build: monitor}\n  orders: {build: orders}\n',
    'admin/server.js': 'const app = require("express")();\napp.listen(81);\n',
    'monitor/server.js': 'const app = require("express")();\napp.listen(82);\n',
    'web/server.js': 'const app = require("express")();\napp.listen(80);\n',
    'checks/run.js': 'module.exports = {};\n',
    'orders/pom.xml':
      '<project><artifactId>orders</artifactId><dependencies><dependency><artifactId>spring-boot-admin-starter-client</artifactId></dependency></dependencies></project>',
    'orders/src/main/java/OrdersApplication.java': 'class OrdersApplication { public static void main(String[] args) {} }\n',
    'load/run.js': 'module.exports = {};\n',
  });
  expect(services.map(({ name, role }) => [name, role])).toEqual([
    ['admin-server', 'platform'],
    ['orders', 'service'],
    ['playwright', 'tool'],
    ['shop-admin', 'service'],
    ['web', 'service'],
    ['wrk2', 'tool'],
  ]);
});

it('what a host of .NET Aspire starts are services and stores under the names it gives, called by those that it tells their addresses', async () => {
  const project = '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>';
  const model = await modelOfTexts({
    'src/AppHost/AppHost.csproj': '<Project Sdk="Aspire.AppHost.Sdk/13.1.0"></Project>',
    'src/AppHost/Program.cs':
      'var builder = DistributedApplication.CreateBuilder(args);\nvar bus = builder.AddRabbitMQ("eventbus");\nvar orders = builder.AddProject<Projects.Orders_API>("ordering").WithReference(bus);\nbuilder.AddProject<Projects.Web>("shop").WithReference(orders);\n',
    'src/Orders.API/Orders.API.csproj': project,
    'src/Orders.API/Program.cs': 'var app = WebApplication.Create(args);\napp.MapGet("/api/orders/{id}", Get);\napp.Run();\n',
    'src/Web/Web.csproj': project,
    'src/Web/Client.cs':
      'using System.Net.Http;\nclass Client {\n  HttpClient http;\n  Task Load(int id) => http.GetAsync($"http://ordering/api/Orders/{id}");\n}\n',
  });
  expect(model.services.map(({ name, paths }) => [name, ...paths])).toEqual([
    ['ordering', 'src/Orders.API'],
    ['shop', 'src/Web'],
  ]);
  expect(model.stores).toMatchObject([{ name: 'eventbus', product: 'rabbitmq' }]);
  expect(model.storeUses.get('ordering')).toEqual(['eventbus']);
  expect(model.calls).toMatchObject([
    { source: 'shop', target: 'ordering', kinds: ['configuration', 'http'], viaEndpoints: ['endpoint::ordering::GET::/api/orders/{id}'] },
  ]);
  expect(model.unanswered).toEqual([]);
});

describe('a contract that code is generated of', () => {
  const contract = `openapi: 3.0.3
info: {title: Heroes, version: "1"}
paths:
  /heroes:
    get: {operationId: getAllHeroes, responses: {"200": {description: ok}}}
    post: {operationId: create_hero, responses: {"200": {description: ok}}}
  /ping: {get: {operationId: ping, responses: {"200": {description: ok}}}}
`;
  const java = `package a;

import io.shop.api.HeroesResource;

class Heroes implements HeroesResource {
  @Override
  public Object getAllHeroes() { return null; }

  @Override
  public Object createHero(Object hero) { return null; }
}
`;
  // What is called alike and answers nothing.
  const service = 'package a;\n\nclass HeroService {\n  Object getAllHeroes() { return null; }\n  Object createHero() { return null; }\n}\n';

  it('is answered by the type that implements what is generated, by the names of the operations', async () => {
    const model = await modelOfTexts({
      'compose.yaml': 'services:\n  heroes: {build: heroes}\n',
      'heroes/openapi.yaml': contract,
      'heroes/src/main/java/a/HeroService.java': service,
      'heroes/src/main/java/a/Heroes.java': java,
      'heroes/src/main/java/a/Ping.java':
        'package a;\n\nimport io.shop.api.PingResource;\n\nclass Ping implements PingResource {\n  public String ping() { return ""; }\n}\n',
    });
    expect(model.endpoints.map(({ handler, handlerPlace, method, path }) => [method, path, handler, handlerPlace?.line])).toEqual([
      ['GET', '/heroes', 'heroes/src/main/java/a/Heroes.java::Heroes::getAllHeroes', 7],
      ['POST', '/heroes', 'heroes/src/main/java/a/Heroes.java::Heroes::createHero', 10],
      ['GET', '/ping', 'heroes/src/main/java/a/Ping.java::Ping::ping', 6],
    ]);
  });

  it('is answered by a type with the name of what is generated', async () => {
    const model = await modelOfTexts({
      'compose.yaml': 'services:\n  heroes: {build: heroes}\n',
      'heroes/openapi.yaml': contract,
      'heroes/src/main/java/a/Heroes.java': java.replace('import io.shop.api.HeroesResource;\n\n', '').replace('HeroesResource', 'io.shop.api.Heroes'),
    });
    expect(model.endpoints.map(({ handler, path }) => [path, handler])).toContainEqual(['/heroes', 'heroes/src/main/java/a/Heroes.java::Heroes::getAllHeroes']);
  });
});

describe('procedures with bindings to HTTP', () => {
  const proto = `syntax = "proto3";
package shop.v1;
service Orders {
  rpc GetOrder(Order) returns (Order) {
    option (google.api.http) = { get: "/v1/{name=orders/*}" additional_bindings { get: "/v2/orders/{id}" } };
  }
  rpc Close(Order) returns (Order) { option (google.api.http) = { post: "/v1/orders/{id}:close" body: "*" }; }
  rpc Watch(Order) returns (Order);
}
message Order { string id = 1; }
`;
  const server = (registers: string): string => `package main

import (
	"example.com/shop/api/v1"
)

type OrdersService struct{ v1.UnimplementedOrdersServer }

func (s *OrdersService) GetOrder() {}

func (s *OrdersService) Close() {}

func main() {
	v1.RegisterOrdersServer(nil, &OrdersService{})
${registers}}
`;
  const swagger =
    'swagger: "2.0"\ninfo: {title: Orders, version: "1"}\npaths:\n  /v1/orders/{id}:close: {post: {operationId: Orders_Close, responses: {"200": {description: ok}}}}\n';
  const systemOf = (registers: string): Promise<ServiceModel> =>
    modelOfTexts({
      'compose.yaml': 'services:\n  orders: {build: orders}\n  web: {build: web}\n',
      'go.mod': 'module example.com/shop\n\ngo 1.22\n',
      'orders/api/orders.proto': proto,
      'orders/api/orders.swagger.yaml': swagger,
      'orders/main.go': server(registers),
      'web/main.go': 'package main\n\nfunc main() {}\n',
    });
  const overHttp = ({ endpoints }: ServiceModel): readonly string[] =>
    endpoints.filter(({ method }) => method !== 'GRPC').map(({ handler, method, path }) => `${method} ${path} ${handler?.split('::').at(-1) ?? '-'}`);

  it('are answered by the procedure; requests that only the binding names belong to a service that registers a server for them', async () => {
    expect(overHttp(await systemOf(''))).toEqual(['POST /v1/orders/{id}:close Close']);
    expect(overHttp(await systemOf('\tv1.RegisterOrdersHTTPServer(nil, &OrdersService{})\n'))).toEqual([
      'POST /v1/orders/{id}:close Close',
      'GET /v1/{name} GetOrder',
      'GET /v2/orders/{id} GetOrder',
    ]);
  });
});

describe('procedures that nobody answers', () => {
  it('are no promise of one of several services that a file describes', async () => {
    const model = await modelOfTexts({
      'pb/shop.proto': SHOP_PROTO.replace('service Ledger', 'service StockService { rpc AddItem(Item) returns (Item); }\nservice Ledger'),
      'genproto/shop.pb.go': GO_STUBS,
      'genproto/stock.pb.go': GO_STUBS.replaceAll('Cart', 'Stock'),
      'src/cart/go.mod': 'module example.com/cart\n',
      'src/cart/Dockerfile': 'FROM golang\n',
      'src/cart/main.go': CART,
      'src/stock/go.mod': 'module example.com/stock\n',
      'src/stock/Dockerfile': 'FROM golang\n',
      'src/stock/main.go': CART.replaceAll('Cart', 'Stock'),
    });
    const owners = new Set(model.endpoints.filter(({ path }) => path.startsWith('/shop.LedgerService/')).map(({ service }) => service));
    expect([...owners]).toEqual(['']);
  });
});
