import { expect, test } from 'vitest';
import { type ServiceRow, serviceLines, serviceRows } from '../../../client/src/services/servicesRows';
import type { ServicesAnswer } from '../../../server/protocol/features';

const nowhere = { file: '', line: 0 };
const ANSWER: ServicesAnswer = {
  services: [
    { name: 'orders', role: 'service', root: 'src/orders', language: 'Go', framework: 'fastapi', file: 'compose.yaml', line: 3, stores: ['db'] },
    { name: 'web', role: 'gateway', root: 'web', language: 'TypeScript', framework: '', ...nowhere, stores: [] },
  ],
  endpoints: [
    {
      id: 'e',
      service: 'orders',
      method: 'GET',
      path: '/orders/{id}',
      handler: 'h',
      file: 'src/orders/a.go',
      line: 7,
      contractFile: 'api/orders.yaml',
      contractLine: 42,
      callers: [{ service: 'web', file: 'web/b.ts', line: 9 }],
    },
  ],
  events: [{ name: 'placed', publishers: [{ service: 'orders', file: 'src/orders/a.go', line: 8 }], consumers: [] }],
  stores: [{ name: 'db', product: 'postgresql', kind: 'database', usedBy: ['orders'], file: 'compose.yaml', line: 5 }],
  entities: [],
  calls: [{ source: 'web', target: 'orders', kinds: ['http'], endpoints: ['GET /orders/{id}'], file: 'web/b.ts', line: 9 }],
  problems: [
    { code: 'missing-endpoint', severity: 'warning', message: 'web calls GET /x.', service: 'web', file: 'web/b.ts', line: 4, related: [] },
    { code: 'unreadable', severity: 'error', message: 'Not YAML.', service: '', file: 'x.yaml', line: 2, related: [] },
  ],
  flow: [],
  skipped: 0,
};

/** Rows as indented lines: label, description, where they lead. */
function lines(rows: readonly ServiceRow[], indent = ''): string[] {
  return rows.flatMap(({ children, description, file, label, line }) => [
    `${indent}${[label, description, file === '' ? '' : `→ ${file}:${line}`].filter(part => part !== '').join(' | ')}`,
    ...lines(children, `${indent}  `),
  ]);
}

test('each service has sections for what it offers and uses; empty ones are left out; problems of no service stand last', () => {
  expect(lines(serviceRows(ANSWER))).toEqual([
    'orders | FastAPI · src/orders | → compose.yaml:3',
    '  Endpoints | 1',
    '    GET /orders/{id} | called by web | → src/orders/a.go:7',
    '      Contract | orders.yaml:42 | → api/orders.yaml:42',
    '      web | b.ts:9 | → web/b.ts:9',
    '  Called By | 1',
    '    web | http | → web/b.ts:9',
    '      GET /orders/{id} | → src/orders/a.go:7',
    '  Publishes | 1',
    '    placed | consumed by no service | → src/orders/a.go:8',
    '  Stores | 1',
    '    db | postgresql | → compose.yaml:5',
    'web | gateway · TypeScript',
    '  Calls | 1',
    '    orders | http | → web/b.ts:9',
    '      GET /orders/{id} | → src/orders/a.go:7',
    '  Problems | 1',
    '    web calls GET /x. | b.ts:4 | → web/b.ts:4',
    'Other Problems | 1',
    '  Not YAML. | x.yaml:2 | → x.yaml:2',
  ]);
  expect(serviceRows({ ...ANSWER, services: [], problems: [] })).toEqual([]);
});

test('in the chat each service is one line with what it offers and uses, and each problem another', () => {
  expect(serviceLines(ANSWER)).toEqual([
    'orders: FastAPI · 1 endpoint · publishes placed · uses db',
    'web: gateway · TypeScript · calls orders',
    'web calls GET /x. (web/b.ts:4)',
    'Not YAML. (x.yaml:2)',
  ]);
  const events = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => ({ name, publishers: [], consumers: [{ service: 'web', file: '', line: 0 }] }));
  expect(serviceLines({ ...ANSWER, events, problems: [] })[1]).toBe('web: gateway · TypeScript · calls orders · consumes a, b, c, d, e and 1 more');
});
