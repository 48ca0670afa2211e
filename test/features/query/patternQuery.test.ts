import { expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import { patternQuery } from '../../../server/src/features/query/patternQuery';
import { shop } from '../../helpers/shop';
import { workspaceOf } from '../../helpers/workspaceOf';

async function records(query: string, parameters: Readonly<Record<string, unknown>> = {}, timeoutMs = 5000): Promise<unknown> {
  const found = await patternQuery(workspaceOf(shop), { query, parameters, timeoutMs }, neverCancelled);
  return found.ok ? found.value.records.map(record => Object.values(record)) : found.error.code;
}

test.each([
  ["MATCH (a)-[:CALLS]->(b) WHERE b.name = 'total' RETURN a.name ORDER BY a.name", [['add'], ['report'], ['testTotal']]],
  ["MATCH (b:Function {name: 'total'})<-[r:calls]-(a:method) RETURN a.name, r.confidence >= 0.8 AS sure, type(r)", [['add', true, 'calls']]],
  ["MATCH (b {name: 'total'})-[:called_by]->(a) RETURN count(*)", [[3]]],
  ["MATCH (a {name: 'checkout'})-[:CALLS*1..3]->(b) RETURN b.name", [['add'], ['total']]],
  ["MATCH (a {name: 'checkout'})-[:CALLS*2]->(b) RETURN b.name", [['total']]],
  [
    'MATCH (f:file) WHERE f.path STARTS WITH $folder AND NOT f.path CONTAINS "lone" RETURN f.path ORDER BY f.path DESC LIMIT 2',
    [['src/report.ts'], ['src/pay.ts']],
  ],
  ['MATCH (f:file) RETURN f.path ORDER BY f.path SKIP 4 LIMIT 1', [['test/checkout.test.ts']]],
  [
    'MATCH (a)-[:CALLS]->(b) RETURN b.name AS name, count(a) AS users ORDER BY users DESC, name LIMIT 2',
    [
      ['total', 3],
      ['add', 1],
    ],
  ],
  ["MATCH (b {name: 'total'}) OPTIONAL MATCH (b)-[:RAISES]->(e) RETURN b.name, e", [['total', null]]],
  ["MATCH (a)-[:CALLS]->(b {name: 'total'}) RETURN collect(a.name)", [[['add', 'report', 'testTotal']]]],
  ["MATCH (a {name: 'total'})--(b:file) RETURN DISTINCT b.path", [['src/pay.ts']]],
  ["MATCH (a) WHERE a.name IN ['lonely', 'x'] AND a.doc = '' OR a.id = 'src/lonely.ts' RETURN id(a)", [['src/lonely.ts'], ['src/lonely.ts::lonely']]],
  ['MATCH (a {id: "src/lonely.ts"}) RETURN a', [[{ id: 'src/lonely.ts', kind: 'file', line: 1 }]]],
  ["MATCH (a {name: 'nothing'}) RETURN count(a)", [[0]]],
])('%s', async (query, rows) => {
  expect(await records(query, { folder: 'src/' })).toEqual(rows);
});

test.each([
  ['MATCH (n) DELETE n', 'READ_ONLY'],
  ['MATCH (n) set n.name = 1 RETURN n', 'READ_ONLY'],
  ["CREATE (n {name: 'x'})", 'READ_ONLY'],
  ['MATCH (n) WITH n RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n:Banana) RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n)-[:EATS]->(m) RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n)-[*1..9]->(m) RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n) RETURN m', 'VALIDATION_ERROR'],
  ['MATCH (n) RETURN avg(n.line)', 'VALIDATION_ERROR'],
  ['MATCH (n) WHERE n.name = $missing RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n RETURN n', 'VALIDATION_ERROR'],
  ['MATCH (n) RETURN n LIMIT -1', 'VALIDATION_ERROR'],
  ['find me the money ~', 'VALIDATION_ERROR'],
])('%s is refused with %s', async (query, code) => {
  expect(await records(query)).toBe(code);
});

test.each([
  ['MATCH (n:Banana) RETURN n', /^Unknown label: Banana\. Use file, symbol, .*task/],
  ['MATCH (n)-[:EATS]->(m) RETURN n', /^Unknown relation: EATS\. Use CALLS, .*BELONGS_TO/],
])('%s is told which names there are', async (query, message) => {
  expect(await patternQuery(workspaceOf(shop), { query }, neverCancelled)).toMatchObject({ ok: false, error: { message: expect.stringMatching(message) } });
});

test('a query that looks at too much ends', async () => {
  expect(await records('MATCH (a)--(b)--(c)--(d)--(e) RETURN count(*)', {}, 1)).toBe('TIMEOUT');
});
