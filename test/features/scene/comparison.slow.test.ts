import { afterEach, expect, test } from 'vitest';
import { COMPARED } from '../../../server/protocol/graphView';
import { closeAll } from '../../engine/repository';
import { ask, branch } from '../compare/shopBranch';

afterEach(closeAll);

test('the graph of a comparison shows what came, went and changed in columns and by file, with the code that breaks', async () => {
  const made = branch();
  made.checkout.write({
    'src/money.ts': `export function add(a: number, b: string) {\n  return a + b;\n}\nexport function fresh() {\n  return add(1, '2');\n}\n`,
  });
  const asking = await made.checkout.open();
  const scene = await ask(asking, 'graphScene', { start: 'compare' });
  expect(scene.nodes.map(({ breaking, change, id, parent }) => [id, change, breaking, parent])).toEqual([
    ['src/money.ts::add', 'signature', true, 'frame:src/money.ts'],
    ['src/money.ts::Till', 'removed', true, 'frame:src/money.ts'],
    ['src/money.ts::fresh', 'added', undefined, 'frame:src/money.ts'],
    ['src/shop.ts::pay', undefined, undefined, 'frame:src/shop.ts'],
  ]);
  expect(scene.layout).toBe('sheet');
  expect(scene.nodes.map(({ column }) => COMPARED[column - 1])).toEqual(['Breaking', 'Breaking', 'Added', 'Code that breaks']);
  expect(scene.groups.map(({ label, size }) => [label, size])).toEqual([
    ['src/money.ts', 3],
    ['src/shop.ts', 1],
  ]);
  expect(scene.edges.map(({ change, source, target }) => [source, target, change])).toEqual([
    ['src/money.ts::fresh', 'src/money.ts::add', 'added'],
    ['src/shop.ts::pay', 'src/money.ts::add', undefined],
    ['src/shop.ts::pay', 'src/money.ts::Till', 'removed'],
  ]);
  expect(scene.summary).toBe('1 added, 1 removed, 1 changed; 3 breaking changes.');
  const breaking = await ask(asking, 'graphScene', { start: 'compare', target: 'main', to: 'working', breaking: true });
  expect(breaking.nodes.map(({ id }) => id)).not.toContain('src/money.ts::fresh');
  const head = `commit:${made.git('rev-parse', 'HEAD')}`;
  const titles = await Promise.all(
    [{}, { label: 'before lunch' }].map(async more => (await ask(asking, 'graphScene', { start: 'compare', target: head, ...more })).title),
  );
  expect(titles).toEqual([`${head.slice('commit:'.length, 'commit:'.length + 7)} → current code`, 'before lunch → current code']);
});

test('changes of tests are counted apart, as in the list of the changes', async () => {
  const made = branch();
  made.checkout.write({
    'src/money.ts': 'export function add(a: number, b: number) {\n  return b + a;\n}\n',
    'test/shop.test.ts': 'export function twice(x: number) {\n  return 2 * x;\n}\nexport function thrice(x: number) {\n  return 3 * x;\n}\n',
  });
  const asking = await made.checkout.open();
  const { summary } = await ask(asking, 'graphScene', { start: 'compare' });
  const { symbols } = await ask(asking, 'branchImpact', {});
  const inTests = symbols.filter(({ isTest }) => isTest).length;
  const code = symbols.length - inTests;
  expect(summary).toMatch(new RegExp(`, ${inTests} in tests; `));
  const [added = 0, removed = 0, changed = 0] = (/^(\d+) added, (\d+) removed, (\d+) changed/.exec(summary) ?? []).slice(1).map(Number);
  expect([added + removed + changed, inTests > 1]).toEqual([code, true]);
});

test('generated code comes last, in the picture and in the list of the changes', async () => {
  const made = branch();
  made.checkout.write({
    'src/money.pb.go': 'package money\n\nfunc Written() int { return 1 }\n\nfunc Uses() int { return Written() }\n\nfunc Also() int { return Written() }\n',
    'src/zero.ts': 'export function zero() {\n  return 0;\n}\n',
  });
  const asking = await made.checkout.open();
  const added = ['src/zero.ts::zero', 'src/money.pb.go::Written'];
  const drawn = (await ask(asking, 'graphScene', { start: 'compare' })).nodes.filter(({ change }) => change === 'added').map(({ id }) => id);
  expect(drawn.slice(0, 2)).toEqual(added);
  const { symbols } = await ask(asking, 'branchImpact', {});
  expect(
    symbols
      .filter(({ change }) => change === 'added')
      .map(({ id }) => id)
      .slice(0, 2),
  ).toEqual(added);
});
