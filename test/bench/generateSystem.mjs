/** Writes a deterministic system of services in TypeScript, Python, Go and Java that call each other and share events. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Files with routes of a service, and routes in each. */
const AREAS = 8;
/** Services that each one calls, as steps along the list. */
const CALLED = [1, 7, 19];

/**
 * `services` services with 40 endpoints each, below `folder`, of about `files` files altogether.
 * Returns their names and, for one service of each language, a file with routes and the text that declares one of them.
 */
export function generateSystem(folder, { services, files }) {
  const write = (path, text) => {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
  };
  const names = Array.from({ length: services }, (_, index) => `service${index}`);
  const parts = Math.max(1, Math.round(files / services) - AREAS - 4);
  const written = names.map((name, index) => {
    const language = LANGUAGES[index % LANGUAGES.length];
    const others = CALLED.map(step => names[(index + step) % services]).filter(other => other !== name);
    return language({ root: `services/${name}`, name, index, others, parts, write });
  });
  write('compose.yaml', compose(names));
  for (const [index, name] of names.entries()) if (index % 5 === 0) write(`services/${name}/openapi.yaml`, contract(name));
  return { names, examples: written.slice(0, LANGUAGES.length).map((example, index) => ({ service: names[index], ...example })) };
}

function compose(names) {
  const service = (name, index) => {
    const variables = CALLED.map(step => names[(index + step) % names.length]).map(other => `      ${variable(other)}: http://${other}:8080`);
    return [`  ${name}:`, `    build: services/${name}`, '    environment:', ...variables];
  };
  return ['services:', ...names.flatMap(service), '  broker:', '    image: rabbitmq:3', '  db:', '    image: postgres:16', ''].join('\n');
}

function contract(name) {
  const paths = areas().flatMap(area => [
    `  /${area}/items:`,
    '    get:',
    `      operationId: list_${area}`,
    '      responses:',
    '        "200":',
    '          description: ok',
    '          content:',
    '            application/json:',
    '              schema:',
    '                type: array',
    '                items:',
    `                  $ref: "#/components/schemas/${title(name)}Item"`,
  ]);
  const schema = ['components:', '  schemas:', `    ${title(name)}Item:`, '      type: object', '      required: [id]', '      properties:'];
  return ['openapi: 3.0.3', 'info:', `  title: ${name}`, '  version: 1.0.0', 'paths:', ...paths, ...schema, '        id: { type: string }', ''].join('\n');
}

const areas = () => Array.from({ length: AREAS }, (_, area) => `area${area}`);
const variable = name => `${name.toUpperCase()}_URL`;
const title = text => text.charAt(0).toUpperCase() + text.slice(1);
/** Path and method of the routes of an area. */
const routes = () => [
  ['get', '/items'],
  ['post', '/items'],
  ['get', '/items/:id'],
  ['put', '/items/:id'],
  ['delete', '/items/:id'],
];

function typescript({ index, name, others, parts, root, write }) {
  write(`${root}/package.json`, JSON.stringify({ name, dependencies: { express: '4', amqplib: '0.10' } }));
  const mounts = areas().map(area => `app.use('/${area}', ${area});`);
  const imports = areas().map(area => `import { ${area} } from './${area}';`);
  write(`${root}/src/main.ts`, ["import express from 'express';", ...imports, 'const app = express();', ...mounts, 'app.listen(8080);', ''].join('\n'));
  for (const [at, area] of areas().entries()) {
    const lines = [
      "import { Router } from 'express';",
      `import { compute${at % parts} } from './parts/part${at % parts}';`,
      "import { fetchItem } from './clients';",
    ];
    lines.push(`export const ${area} = Router();`);
    for (const [method, path] of routes()) {
      const handler = `${method}${title(area)}${path === '/items' ? 'All' : 'One'}`;
      lines.push(
        `function ${handler}(req: any, res: any) {`,
        `  res.json({ value: compute${at % parts}(Number(req.params.id)), other: fetchItem(req.params.id) });`,
        '}',
      );
      lines.push(`${area}.${method}('${path}', ${handler});`);
    }
    write(`${root}/src/${area}.ts`, `${lines.join('\n')}\n`);
  }
  const calls = others.map(other => `  await fetch(\`\${process.env.${variable(other)}}/area${index % AREAS}/items/\${id}\`);`);
  write(`${root}/src/clients.ts`, ['export async function fetchItem(id: string) {', ...calls, '}', ''].join('\n'));
  write(
    `${root}/src/events.ts`,
    `import amqp from 'amqplib';\nexport async function publish(channel: amqp.Channel) {\n  channel.publish('items', '${name}.changed', Buffer.from(''));\n  await channel.consume('${others[0]}.queue', () => undefined);\n}\n`,
  );
  for (let part = 0; part < parts; part++) {
    const next = part + 1 < parts ? `import { compute${part + 1} } from './part${part + 1}';\n` : '';
    const body = part + 1 < parts ? `compute${part + 1}(value) + ${part}` : `value * ${part}`;
    const logic = Array.from(
      { length: 6 },
      (_, at) => `  step${at}(value: number): number {\n    return this.step${(at + 1) % 6}(value - 1) + Math.max(value, ${at});\n  }\n`,
    );
    write(
      `${root}/src/parts/part${part}.ts`,
      `${next}export function compute${part}(value: number): number {\n  return new Part${part}().step0(${body});\n}\nexport class Part${part} {\n${logic.join('\n')}}\n`,
    );
  }
  return { file: `${root}/src/area0.ts`, from: "area0.get('/items',", to: "area0.get('/edited',", path: '/area0/edited' };
}

function python({ index, name, others, parts, root, write }) {
  write(`${root}/requirements.txt`, 'fastapi\nhttpx\npika\n');
  write(`${root}/app/__init__.py`, '');
  const imports = areas().map(area => `from app.${area} import router as ${area}`);
  const mounts = areas().map(area => `app.include_router(${area}, prefix="/${area}")`);
  write(`${root}/app/main.py`, ['from fastapi import FastAPI', ...imports, '', 'app = FastAPI()', ...mounts, ''].join('\n'));
  for (const [at, area] of areas().entries()) {
    const lines = [
      'from fastapi import APIRouter',
      `from app.part${at % parts} import compute${at % parts}`,
      'from app.clients import fetch_item',
      '',
      'router = APIRouter()',
    ];
    for (const [method, path] of routes()) {
      const parameter = path === '/items' ? '' : 'id: str';
      lines.push('', '', `@router.${method}("${path.replace(':id', '{id}')}")`, `def ${method}_${area}_${path === '/items' ? 'all' : 'one'}(${parameter}):`);
      lines.push(`    return compute${at % parts}(1) + fetch_item("1")`);
    }
    write(`${root}/app/${area}.py`, `${lines.join('\n')}\n`);
  }
  const calls = others.map(other => `    httpx.get(os.environ["${variable(other)}"] + f"/area${index % AREAS}/items/{id}")`);
  write(`${root}/app/clients.py`, ['import os', 'import httpx', '', '', 'def fetch_item(id):', ...calls, '    return 0', ''].join('\n'));
  write(
    `${root}/app/events.py`,
    `import pika\n\n\ndef publish(connection: pika.BlockingConnection):\n    channel = pika.BlockingConnection().channel()\n    channel.basic_publish(exchange="items", routing_key="${name}.changed", body="")\n    channel.basic_consume(queue="${others[0]}.queue", on_message_callback=print)\n`,
  );
  for (let part = 0; part < parts; part++) {
    const next = part + 1 < parts ? `from app.part${part + 1} import compute${part + 1}\n\n\n` : '';
    const logic = Array.from(
      { length: 6 },
      (_, at) => `    def step${at}(self, value):\n        return self.step${(at + 1) % 6}(value - 1) + max(value, ${at})\n`,
    );
    const body = part + 1 < parts ? `compute${part + 1}(value) + ${part}` : `value * ${part}`;
    write(
      `${root}/app/part${part}.py`,
      `${next}def compute${part}(value):\n    return Part${part}().step0(${body})\n\n\nclass Part${part}:\n${logic.join('\n')}`,
    );
  }
  return { file: `${root}/app/area0.py`, from: '@router.get("/items")', to: '@router.get("/edited")', path: '/area0/edited' };
}

function go({ index, name, others, parts, root, write }) {
  write(`${root}/go.mod`, `module example.com/${name}\n\ngo 1.22\n\nrequire github.com/go-chi/chi/v5 v5.0.0\n`);
  const mounts = areas().map(area => `\tr.Route("/${area}", ${area}Routes)`);
  write(
    `${root}/main.go`,
    [
      'package main',
      'import (',
      '\t"net/http"',
      '\t"github.com/go-chi/chi/v5"',
      ')',
      'func main() {',
      '\tr := chi.NewRouter()',
      ...mounts,
      '\thttp.ListenAndServe(":8080", r)',
      '}',
      '',
    ].join('\n'),
  );
  for (const [at, area] of areas().entries()) {
    const lines = ['package main', 'import (', '\t"net/http"', '\t"github.com/go-chi/chi/v5"', ')', `func ${area}Routes(r chi.Router) {`];
    const handler = (method, path) => `${method}${title(area)}${path === '/items' ? 'All' : 'One'}`;
    for (const [method, path] of routes()) lines.push(`\tr.${title(method)}("${path.replace(':id', '{id}')}", ${handler(method, path)})`);
    lines.push('}');
    for (const [method, path] of routes())
      lines.push(`func ${handler(method, path)}(w http.ResponseWriter, r *http.Request) {`, `\tcompute${at % parts}(1)`, '\tfetchItem("1")', '}');
    write(`${root}/${area}.go`, `${lines.join('\n')}\n`);
  }
  const calls = others.map(other => `\thttp.Get(os.Getenv("${variable(other)}") + "/area${index % AREAS}/items/" + id)`);
  write(`${root}/clients.go`, ['package main', 'import (', '\t"net/http"', '\t"os"', ')', 'func fetchItem(id string) {', ...calls, '}', ''].join('\n'));
  write(
    `${root}/events.go`,
    `package main\nimport amqp "github.com/rabbitmq/amqp091-go"\nfunc publish(ch *amqp.Channel) {\n\tch.Publish("items", "${name}.changed", false, false, amqp.Publishing{})\n\tch.Consume("${others[0]}.queue", "", true, false, false, false, nil)\n}\n`,
  );
  for (let part = 0; part < parts; part++) {
    const body = part + 1 < parts ? `compute${part + 1}(value) + ${part}` : `value * ${part}`;
    const logic = Array.from({ length: 6 }, (_, at) => `func (p Part${part}) step${at}(value int) int {\n\treturn p.step${(at + 1) % 6}(value-1) + ${at}\n}\n`);
    write(
      `${root}/part${part}.go`,
      `package main\n\ntype Part${part} struct{}\n\nfunc compute${part}(value int) int {\n\treturn Part${part}{}.step0(${body})\n}\n\n${logic.join('\n')}`,
    );
  }
  return { file: `${root}/area0.go`, from: 'r.Get("/items",', to: 'r.Get("/edited",', path: '/area0/edited' };
}

function java({ index, name, others, parts, root, write }) {
  const source = `${root}/src/main/java/com/example/${name}`;
  write(`${root}/pom.xml`, `<project><groupId>com.example</groupId><artifactId>${name}</artifactId><version>1</version></project>\n`);
  const head = [`package com.example.${name};`, ''];
  write(
    `${source}/Application.java`,
    [
      ...head,
      'import org.springframework.boot.SpringApplication;',
      'import org.springframework.boot.autoconfigure.SpringBootApplication;',
      '',
      '@SpringBootApplication',
      'public class Application {',
      '  public static void main(String[] args) {',
      '    SpringApplication.run(Application.class, args);',
      '  }',
      '}',
      '',
    ].join('\n'),
  );
  for (const [at, area] of areas().entries()) {
    const lines = [
      ...head,
      'import org.springframework.web.bind.annotation.*;',
      '',
      '@RestController',
      `@RequestMapping("/${area}")`,
      `public class ${title(area)}Controller {`,
    ];
    lines.push(`  private final Part${at % parts} part = new Part${at % parts}();`, '  private final Clients clients = new Clients();');
    for (const [method, path] of routes()) {
      lines.push('', `  @${title(method)}Mapping("${path.replace(':id', '{id}')}")`, `  public int ${method}${path === '/items' ? 'All' : 'One'}() {`);
      lines.push(`    clients.fetchItem("1");`, `    return part.compute(1);`, '  }');
    }
    write(`${source}/${title(area)}Controller.java`, `${lines.join('\n')}\n}\n`);
  }
  const fields = others.map(other => `  @Value("\${${variable(other)}}")\n  private String ${other};`);
  const calls = others.map(other => `    rest.getForObject(${other} + "/area${index % AREAS}/items/" + id, String.class);`);
  const imports = ['import org.springframework.beans.factory.annotation.Value;', 'import org.springframework.web.client.RestTemplate;'];
  write(
    `${source}/Clients.java`,
    [
      ...head,
      ...imports,
      '',
      'public class Clients {',
      '  private final RestTemplate rest = new RestTemplate();',
      ...fields,
      '  public void fetchItem(String id) {',
      ...calls,
      '  }',
      '}',
      '',
    ].join('\n'),
  );
  const amqp = ['import org.springframework.amqp.rabbit.annotation.RabbitListener;', 'import org.springframework.amqp.rabbit.core.RabbitTemplate;'];
  write(
    `${source}/Events.java`,
    [
      ...head,
      ...amqp,
      '',
      'public class Events {',
      '  private RabbitTemplate rabbit;',
      '  public void publish() {',
      `    rabbit.convertAndSend("items", "${name}.changed", "");`,
      '  }',
      `  @RabbitListener(queues = "${others[0]}.queue")`,
      '  public void consume(String text) {',
      '  }',
      '}',
      '',
    ].join('\n'),
  );
  for (let part = 0; part < parts; part++) {
    const body = part + 1 < parts ? `new Part${part + 1}().compute(value) + ${part}` : `value * ${part}`;
    const logic = Array.from(
      { length: 6 },
      (_, at) => `  public int step${at}(int value) {\n    return step${(at + 1) % 6}(value - 1) + Math.max(value, ${at});\n  }\n`,
    );
    write(
      `${source}/Part${part}.java`,
      [...head, `public class Part${part} {`, '  public int compute(int value) {', `    return step0(${body});`, '  }', '', ...logic, '}', ''].join('\n'),
    );
  }
  return { file: `${source}/Area0Controller.java`, from: '@GetMapping("/items")', to: '@GetMapping("/edited")', path: '/area0/edited' };
}

const LANGUAGES = [typescript, python, go, java];
