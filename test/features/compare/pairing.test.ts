import { expect, test } from 'vitest';
import { runAtOnce } from '../../../server/src/base/steps';
import type { GraphView, NodeHandle } from '../../../server/src/code/graph/graphView';
import { pairNodes, pairRenamed, type ReadSymbol } from '../../../server/src/features/compare/pairing';
import { graphOf, type SymbolSketch, type WorkspaceSketch } from '../../helpers/graphOf';
import type { Pick } from '../../helpers/randomCode';

/** Names and texts clash as often as they can: whatever can be paired in two ways is. */
const PATHS = ['a.ts', 'b.ts', 'lib/a.ts', 'lib/c.ts'];
const TEXTS = ['1', '2', '3'];
const NAMES = ['alpha', 'beta', 'alpha#2', 'One', 'Two', 'One.alpha', 'One.beta', 'Two.alpha', 'One.alpha.gamma', 'Two.alpha.gamma'];

function random(seed: number): Pick {
  let state = seed;
  return items => {
    state = (state * 48_271) % 0x7fffffff;
    return items[state % items.length] as (typeof items)[number];
  };
}

function workspace(pick: Pick): WorkspaceSketch {
  const symbolsOf = (): SymbolSketch[] => {
    const there = new Set(NAMES.filter(() => pick([true, true, false])));
    const all = NAMES.filter(name => there.has(name) && (!name.includes('.') || there.has(name.slice(0, name.lastIndexOf('.')))));
    return all.map((name, at) => ({
      name,
      kind: name.startsWith('O') || name.startsWith('T') ? 'class' : 'function',
      lines: [at + 1, at + 1],
      hash: pick(TEXTS),
    }));
  };
  return Object.fromEntries(PATHS.filter(() => pick([true, true, false])).map(path => [path, { hash: pick(['x', 'y', `${path} z`]), symbols: symbolsOf() }]));
}

const read: ReadSymbol = ({ contentHash, name }) => Promise.resolve(`function ${name}() { return "${contentHash}, and more"; }`);

async function pairsOf(before: GraphView, after: GraphView): Promise<string[]> {
  const pairing = runAtOnce(pairNodes(before, after));
  await pairRenamed(pairing, read, read);
  const next = (node: NodeHandle): string => {
    const partner = pairing.successors.get(node);
    return partner === undefined ? '' : after.idOf(partner);
  };
  for (const node of before.nodes()) {
    const partner = pairing.successors.get(node);
    if (partner !== undefined) expect(pairing.predecessors.get(partner)).toBe(node);
  }
  return [...before.nodes()].flatMap(node => (next(node) === '' ? [] : [`${before.idOf(node)} = ${next(node)}`])).sort();
}

test('the same nodes are partners from either side', async () => {
  const kinds = { paired: 0, moved: 0 };
  for (let seed = 1; seed <= 400; seed++) {
    const pick = random(seed * 7919);
    const [before, after] = [graphOf(workspace(pick)).view, graphOf(workspace(pick)).view];
    const there = await pairsOf(before, after);
    const back = (await pairsOf(after, before)).map(pair => pair.split(' = ').reverse().join(' = '));
    expect(back.sort(), `seed ${seed}`).toEqual(there);
    kinds.paired += there.length;
    kinds.moved += there.filter(pair => new Set(pair.split(' = ')).size > 1).length;
  }
  expect(kinds.paired).toBeGreaterThan(3000);
  expect(kinds.moved).toBeGreaterThan(400);
});

test('many new symbols elsewhere do not keep a renamed one from being found, from either side', async () => {
  const fillers = Array.from({ length: 500 }, (_, at) => ({ name: `filler${at}`, hash: `filler ${at}` }));
  const place = { name: 'kept', hash: 'kept' };
  const before = graphOf({ 'a.ts': { symbols: [place, { name: 'old', hash: 'same' }] } }).view;
  const after = graphOf({ 'a.ts': { symbols: [place, { name: 'fresh', hash: 'same' }] }, 'many.ts': { symbols: fillers } }).view;
  expect(await pairsOf(before, after)).toContain('a.ts::old = a.ts::fresh');
  expect(await pairsOf(after, before)).toContain('a.ts::fresh = a.ts::old');
});

test('an overload that comes between others does not shift them, though all of them were edited', async () => {
  const overloads = (text: string, types: readonly string[]): SymbolSketch[] =>
    types.map((type, at) => ({
      name: at === 0 ? 'value' : `value#${at + 1}`,
      kind: 'method',
      signature: `Writer value(${type} value)`,
      hash: `${text} ${type}`,
    }));
  const before = graphOf({ 'w.java': { hash: '1', symbols: overloads('old', ['String', 'double', 'long']) } }).view;
  const after = graphOf({ 'w.java': { hash: '2', symbols: overloads('new', ['String', 'float', 'double', 'long']) } }).view;
  const pairs = await pairsOf(before, after);
  expect(pairs.filter(pair => pair.includes('::'))).toEqual([
    'w.java::value = w.java::value',
    'w.java::value#2 = w.java::value#3',
    'w.java::value#3 = w.java::value#4',
  ]);
  expect((await pairsOf(after, before)).map(pair => pair.split(' = ').reverse().join(' = ')).sort()).toEqual(pairs);
});
