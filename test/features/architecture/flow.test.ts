import { expect, test } from 'vitest';
import { flowOf } from '../../../server/src/features/architecture/services/flow';
import { modelOfTexts } from '../../helpers/servicesOf';
import { readTexts } from '../../helpers/surfaceOf';

const DEPTH = 2;

/** The flow of the only endpoint of that method and path, a line each. */
async function flow(name: string, files: Readonly<Record<string, string>>, enough?: number): Promise<string[]> {
  const model = await modelOfTexts(files);
  const { graph } = await readTexts(new Map(Object.entries(files)));
  const endpoint = model.endpoints.find(({ method, path }) => `${method} ${path}` === name);
  if (endpoint === undefined) throw new Error(`No ${name} in ${model.endpoints.map(({ method, path }) => `${method} ${path}`).join(', ')}`);
  return flowOf(model, graph, endpoint, enough).map(
    ({ depth, kind, name: what, possible }) => `${' '.repeat(depth * DEPTH)}${possible === true ? 'possible ' : ''}${kind} ${what}`,
  );
}

const SPRING = {
  'compose.yaml':
    'services:\n  shop:\n    build: .\n    environment:\n      SPRING_DATASOURCE_URL: jdbc:postgresql://db:5432/shop\n  db:\n    image: postgres\n  cache:\n    image: redis\n',
  'pom.xml': '<project><artifactId>shop</artifactId></project>',
  'src/main/java/shop/OrderController.java': `package shop;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
@RestController
public class OrderController {
  private final OrderService orders;
  public OrderController(OrderService orders) { this.orders = orders; }
  @GetMapping("/orders")
  public Order list() { return orders.list(); }
  @GetMapping("/version")
  public String version() { return Version.text(); }
}
`,
  'src/main/java/shop/Version.java': 'package shop;\nclass Version {\n  static String text() { return "1"; }\n}\n',
  'src/main/java/shop/OrderService.java': 'package shop;\npublic interface OrderService {\n  Order list();\n}\n',
  'src/main/java/shop/OrderServiceImpl.java': `package shop;
public class OrderServiceImpl implements OrderService {
  private final OrderRepository repository;
  public OrderServiceImpl(OrderRepository repository) { this.repository = repository; }
  public Order list() { return repository.findByOpen(true); }
}
`,
  'src/main/java/shop/OrderRepository.java': `package shop;
import org.springframework.data.jpa.repository.JpaRepository;
public interface OrderRepository extends JpaRepository<Order, Long> {
  Order findByOpen(boolean open);
}
`,
  'src/main/java/shop/Order.java': 'package shop;\npublic class Order {\n}\n',
};

test('a flow goes from an interface to the class that implements it, and from a repository to the store that it may be', async () => {
  expect(await flow('GET /orders', SPRING)).toEqual([
    'endpoint GET /orders',
    '  handler OrderController.list',
    '    function OrderServiceImpl.list',
    '      store db',
  ]);
});

test('stores of a service are only possible where nothing shows that the handler reaches one, and a library stands for a store that nothing declares', async () => {
  expect(await flow('GET /version', SPRING)).toEqual(['endpoint GET /version', '  handler OrderController.version', '    possible store db']);
  const { 'compose.yaml': _, ...alone } = SPRING;
  expect(await flow('GET /orders', alone)).toEqual([
    'endpoint GET /orders',
    '  handler OrderController.list',
    '    function OrderServiceImpl.list',
    '      store Spring Data JPA',
  ]);
});

test('of several implementations each is possible', async () => {
  const second = SPRING['src/main/java/shop/OrderServiceImpl.java'].replaceAll('OrderServiceImpl', 'CachedOrderService');
  expect(await flow('GET /orders', { ...SPRING, 'src/main/java/shop/CachedOrderService.java': second })).toEqual([
    'endpoint GET /orders',
    '  handler OrderController.list',
    '    possible function CachedOrderService.list',
    '      store db',
    '    possible function OrderServiceImpl.list',
    '      store db',
  ]);
});

const MEDIATED = {
  'Shop.csproj': '<Project Sdk="Microsoft.NET.Sdk.Web"></Project>',
  'OrdersController.cs': `using MediatR;
using Microsoft.AspNetCore.Mvc;
namespace Shop;
[Route("orders")]
public class OrdersController(IMediator mediator) : Controller {
  [HttpGet]
  public Task<string> Get() {
    return mediator.Send(new ListQuery());
  }
}
`,
  'ListQuery.cs': 'namespace Shop;\npublic class ListQuery { }\npublic class OtherQuery { }\n',
  'ListHandler.cs': `using MediatR;
using Microsoft.EntityFrameworkCore;
namespace Shop;
public class ShopContext : DbContext {
  public DbSet<string> Orders { get; set; }
}
public class ListHandler(ShopContext context) : IRequestHandler<ListQuery, string> {
  public async Task<string> Handle(ListQuery query) {
    return context.Orders.First();
  }
}
public class OtherHandler(ShopContext context) : IRequestHandler<OtherQuery, ListQuery> {
  public async Task<ListQuery> Handle(OtherQuery query) {
    return context.Orders.First();
  }
}
`,
};

test('a message for a mediator leads to the class that handles it, not to one that answers with it', async () => {
  expect(await flow('GET /orders', MEDIATED)).toEqual([
    'endpoint GET /orders',
    '  handler OrdersController.Get',
    '    function ListHandler.Handle',
    '      store Entity Framework',
  ]);
});

test('what is made at the top of a file is known by its words; a handler without a name by its lines', async () => {
  const files = {
    'package.json': '{"name":"shop","dependencies":{"express":"4","pg":"8"}}',
    'db.js': "const { Pool } = require('pg');\nconst limit = parse(5);\nconst pool = new Pool({ max: 5 });\nmodule.exports = { pool, limit };\n",
    'server.js': `const express = require('express');
const { pool, limit } = require('./db');
const app = express();
app.get('/orders', (req, res) => {
  pool.query('SELECT 1');
});
app.get('/limit', (req, res) => {
  res.json(limit);
});
app.listen(3000);
`,
  };
  expect(await flow('GET /orders', files)).toEqual(['endpoint GET /orders', '  handler function without a name', '    store PostgreSQL']);
  expect(await flow('GET /limit', files)).toEqual(['endpoint GET /limit', '  handler function without a name']);
});

test('a class of records is a store where code uses it, not where a signature names it or a field is read', async () => {
  const files = {
    'requirements.txt': 'flask\nflask_sqlalchemy\n',
    'models.py': `from flask_sqlalchemy import SQLAlchemy
db = SQLAlchemy()
class Order(db.Model):
    total = 1
`,
    'app.py': `from flask import Flask
from models import Order
app = Flask(__name__)
def shown(order: Order):
    return order.total
@app.get("/orders")
def orders():
    return Order.query.all()
@app.get("/shown")
def show_one():
    return shown(None)
`,
  };
  expect(await flow('GET /orders', files)).toEqual(['endpoint GET /orders', '  handler orders', '    store SQLAlchemy']);
  expect(await flow('GET /shown', files)).toEqual(['endpoint GET /shown', '  handler show_one']);
});

test.each([
  [
    'Go',
    {
      'go.mod': 'module shop\n',
      'main.go': `package main
import (
	"database/sql"
	"net/http"
)
type Store interface {
	List() string
}
type Orders struct {
	db *sql.DB
}
func (o *Orders) List() string {
	o.db.Query("SELECT 1")
	return ""
}
type Handler struct {
	store Store
}
func (h *Handler) orders(w http.ResponseWriter, r *http.Request) {
	h.store.List()
}
func main() {
	h := &Handler{}
	http.HandleFunc("/orders", h.orders)
	http.ListenAndServe(":80", nil)
}
`,
    },
    'ANY /orders',
    ['handler Handler.orders', '  function Orders.List', '    store database/sql'],
  ],
  [
    'TypeScript',
    {
      'package.json': '{"name":"shop","dependencies":{"@nestjs/common":"9","typeorm":"1"}}',
      'orders.ts': `import { Controller, Get } from '@nestjs/common';
import { Repository } from 'typeorm';
class Order {}
class OrdersService {
  constructor(
    private readonly name: string,
    private readonly orders: Repository<Order>,
  ) {}
  list() {
    return this.orders.find();
  }
  title() {
    return this.name;
  }
}
@Controller('orders')
export class OrdersController {
  constructor(private readonly service: OrdersService) {}
  @Get()
  list() {
    this.service.title();
    return this.service.list();
  }
}
`,
    },
    'GET /orders',
    ['handler OrdersController.list', '  function OrdersService.list', '    store TypeORM'],
  ],
  [
    'Ruby',
    {
      Gemfile: "gem 'rails'\n",
      'config/routes.rb': "Rails.application.routes.draw do\n  get '/orders', to: 'orders#index'\nend\n",
      'app/models/order.rb': 'class Order < ActiveRecord::Base\nend\n',
      'app/controllers/orders_controller.rb': 'class OrdersController < ActionController::Base\n  def index\n    @orders = Order.all\n  end\nend\n',
    },
    'GET /orders',
    ['handler OrdersController.index', '  store Active Record'],
  ],
])('the store behind a handler is found in %s', async (_language, files, name, below) => {
  expect(await flow(name, files)).toEqual([`endpoint ${name}`, ...below.map(line => `  ${line}`)]);
});

test('a request is followed in the other service, once, and no further than asked', async () => {
  const files = {
    'compose.yaml':
      'services:\n  orders:\n    build: ./orders\n    environment:\n      DATABASE_URL: postgres://db/orders\n  web:\n    build: ./web\n    environment:\n      ORDERS_URL: http://orders:3000\n  db:\n    image: postgres\n',
    'orders/package.json': '{"name":"orders","dependencies":{"express":"4","pg":"8"}}',
    'orders/server.js': `const express = require('express');
const { Pool } = require('pg');
const pool = new Pool();
const app = express();
function list(req, res) {
  return pool.query('SELECT 1');
}
app.get('/orders', list);
app.listen(3000);
`,
    'web/package.json': '{"name":"web","dependencies":{"axios":"1","express":"4"}}',
    'web/server.js': `const axios = require('axios');
const express = require('express');
const app = express();
function show(req, res) {
  axios.get(process.env.ORDERS_URL + '/orders');
  axios.get(process.env.ORDERS_URL + '/orders');
}
app.get('/', show);
app.listen(80);
`,
  };
  expect(await flow('GET /', files)).toEqual(['endpoint GET /', '  handler show', '    endpoint GET /orders', '      handler list', '        store db']);
  expect(await flow('GET /', files, 3)).toEqual(['endpoint GET /', '  handler show', '    endpoint GET /orders']);
});
