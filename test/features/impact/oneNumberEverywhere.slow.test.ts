import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { neverCancelled } from '../../../server/src/base/cancellation';
import type { Answer, FeatureName } from '../../../server/src/features/catalogue/catalogue';
import { Checkout } from '../../engine/checkout';
import { type Doors, doorDifferences, hotspotsOfAll } from '../../helpers/doors';
import { copySources, type SourceName } from '../../helpers/realSources.mjs';

const SYMBOLS = 200;
/** Clones to look at instead of the sources that registries carry. */
const CLONES = (process.env['LATTICE_DOORS_REPOSITORIES'] ?? '').split(',').filter(path => path !== '');
const SOURCES: readonly SourceName[] = ['flask', 'gin'];

/** Members of literals that no type holds: code may reach them by their names alone. */
const MEMBER_OF_LITERAL = /^[^:]+\.[cm]?[jt]sx?::[^:]+$/;
const MAX_MEMBERS = 100;

/** Half of them the symbols with most incoming links, the other half spread over all that are left; in JavaScript members of literals besides. */
async function symbolsOf(doors: Doors): Promise<readonly string[]> {
  const isTest = new Set((await doors.ask('categorizeTests', {})).tests.map(({ file }) => file));
  const symbols: string[] = [];
  const members: string[] = [];
  const incoming = new Map<string, number>();
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const part: Answer<'exportGraph'> = await doors.ask('exportGraph', { offset });
    for (const row of part.rows) {
      if (row.type === 'node' && row.nodeType === 'symbol' && !isTest.has(row.file)) symbols.push(row.id);
      if (row.type === 'node' && row.kind === 'method' && MEMBER_OF_LITERAL.test(row.id) && !isTest.has(row.file)) members.push(row.id);
      if (row.type === 'edge') incoming.set(row.target, (incoming.get(row.target) ?? 0) + 1);
    }
    offset = part.nextOffset;
  }
  const byLinks = symbols.toSorted((a, b) => (incoming.get(b) ?? 0) - (incoming.get(a) ?? 0) || (a < b ? -1 : 1));
  const [hubs, others] = [byLinks.slice(0, SYMBOLS / 2), byLinks.slice(SYMBOLS / 2).sort()];
  const spread = Array.from({ length: Math.min(others.length, SYMBOLS / 2) }, (_, at) => others[Math.floor((at * others.length) / (SYMBOLS / 2))] ?? '');
  return [...new Set([...hubs, ...spread, ...members.slice(0, MAX_MEMBERS)])];
}

let checkout: Checkout | undefined;
afterEach(() => checkout?.dispose());

test.each(CLONES.length > 0 ? CLONES : SOURCES)('every door shows the same numbers for 200 symbols of %s, and opens as many rows', async source => {
  checkout = new Checkout({});
  if (CLONES.length === 0) copySources(source as SourceName, checkout.root);
  else execFileSync('git', ['clone', '-q', source, '.'], { cwd: checkout.root });
  const asking = await checkout.open();
  const doors: Doors = {
    ask: async <Name extends FeatureName>(name: Name, params: object) => {
      const answer = await asking.gateway.query(name, params, asking.caller('editor'), neverCancelled);
      if (!answer.ok) throw new Error(`${name} ${JSON.stringify(params)}: ${answer.error.message}`);
      return answer.value as Answer<Name>;
    },
    summary: async (tool, input) => (await asking.call(tool, input)).envelope.summary,
  };
  const ids = await symbolsOf(doors);
  if (CLONES.length === 0) expect(ids.length).toBeGreaterThanOrEqual(SYMBOLS);
  const hotspots = await hotspotsOfAll(doors);
  const differences: string[] = [];
  for (const id of ids) differences.push(...(await doorDifferences(doors, id, hotspots)));
  expect(differences, basename(source)).toEqual([]);
});
