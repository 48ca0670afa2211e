/**
 * What is promised of memory, coordination and packs, and the tests that prove it. Those without a place of their own are below.
 *
 * | Promise | Proven in |
 * |---|---|
 * | each tool in each profile: whole envelope, estimate by formula, within its budget; errors have a code and a hint | `tools.test.ts`, `parameters.test.ts`, `memoryTools.test.ts` (answers about much) |
 * | fields fall in the order of their priority, a long required list is shortened, one huge item is `BUDGET_EXCEEDED` | `tools.test.ts` |
 * | a slot ends at the first item that would overflow it | here |
 * | the contract of each type names every missing field; agents add no `REFLECTION` or `LEARNING` | `memoryTools.test.ts` |
 * | episodes survive a kill after the answer, and rebuilds; they stand in the chain of agent and session | `memoryTools.test.ts`, `storage/kill.test.ts`, `session/agentsAtWork.slow.test.ts` |
 * | scores to three decimals; half of the recency is gone after 14 days; `decision_query` prefers the file | `memoryTools.test.ts` |
 * | sensitive episodes are on no default path | `memoryTools.test.ts`, `features/memory/oversight.test.ts` |
 * | three edits become a learning of 0.70, two nothing, the same twice nothing new, weak patterns are only told | `memoryTools.test.ts` |
 * | another agent is told of a conflict, twenty claims have one winner, the same agent gets its claim again | `claimTools.test.ts`, `session/claims.slow.test.ts` |
 * | claims end by events, for the right reason, and never by time | `claimTools.test.ts` |
 * | completing a task does all its steps; a failing reflection keeps the status | `claimTools.test.ts` |
 * | personal PageRank sums to 1, is the same twice and ranks a callee above a stranger | `unit/algorithms/algorithms.test.ts`, `unit/algorithms/metrics.test.ts` |
 * | a pack has a summary and a core symbol within any budget, the implementation of an abstract seed, and claims of others as blockers | `features/pack/contextPack.test.ts`, `briefing.test.ts`, here |
 * | 500 ms at 10,000 nodes, 800 ms at 70,000 | `node test/bench/contextPack.mjs` |
 * | slices are exact, have callers and callees, decisions and learnings; a name falls back to search, a misspelling suggests | `features/explain/slice.test.ts`, `features/shared/target.test.ts`, `memoryTools.test.ts` |
 * | nothing that is sent ends inside a unit | `features/pack/shorterForms.test.ts`, `features/explain/slice.test.ts` |
 * | two projects share nothing | `memoryTools.test.ts` |
 * | the agent card is there over HTTP and not on stdio | `transports/mcpHttp.test.ts` |
 */
import { expect, test } from 'vitest';
import { neverCancelled } from '../../server/src/base/cancellation';
import { contextPack } from '../../server/src/features/pack/contextPack';
import { fillSlot } from '../../server/src/tools/shaping';
import type { WorkspaceSketch } from '../helpers/graphOf';
import { workspaceOf } from '../helpers/workspaceOf';

test('a slot is filled in order and ends at the first item that would overflow it, though a later one would fit', () => {
  expect(fillSlot([40, 50, 20, 5], item => item, 100)).toEqual({ selected: [40, 50], usedTokens: 90 });
  expect(fillSlot([40, 60], item => item, 100)).toEqual({ selected: [40, 60], usedTokens: 100 });
  expect(fillSlot([101, 1], item => item, 100)).toEqual({ selected: [], usedTokens: 0 });
});

test('with an interface that the task finds comes what implements it', async () => {
  const sketch: WorkspaceSketch = {
    'src/storage.ts': { symbols: [{ name: 'Storage', kind: 'interface', lines: [1, 3], doc: 'Keeps receipts.' }] },
    'src/disk.ts': {
      symbols: [{ name: 'Disk', kind: 'class', lines: [1, 3] }],
      references: [{ from: 'Disk', relation: 'IMPLEMENTS', to: 'src/storage.ts::Storage', line: 1 }],
    },
    'src/weather.ts': { symbols: [{ name: 'Forecast', kind: 'class', lines: [1, 3] }] },
  };
  const texts = Object.fromEntries(Object.keys(sketch).map(path => [path, 'x {\n  y;\n}\n']));
  const found = await contextPack(workspaceOf(sketch, { texts }), { task: 'storage keeps receipts' }, neverCancelled);
  const symbols = found.ok ? found.value.symbols.map(({ name, why }) => [name, why]) : [];
  expect(symbols).toContainEqual(['Disk', ['implements Storage']]);
  expect(symbols.map(([name]) => name)).not.toContain('Forecast');
});
