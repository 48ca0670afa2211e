/** One harness for all that may happen at once. `npm run test:soak -- --minutes N [--seed S] [--script FILE]`; a small part runs with the slow suite. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shortest } from './shrinking';
import { numbers, randomScript, type Step } from './steps';
import { hasNamespaces, World } from './world';

const minutes = Number(process.env['LATTICE_SOAK_MINUTES'] ?? 0);
const seed = Number(process.env['LATTICE_SOAK_SEED'] ?? (minutes > 0 ? Date.now() % 1_000_000 : 13));
const given = process.env['LATTICE_SOAK_SCRIPT'];
const STEPS = minutes > 0 ? 30 : 12;
const MINUTE_MS = 60_000;

/** What went wrong, if anything did. */
async function failureOf(script: readonly Step[], tell: (world: World) => void = () => undefined): Promise<string | undefined> {
  const world = new World();
  try {
    await world.run(script);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    tell(world);
    await world.dispose();
  }
}

/** The same failure has other numbers and names each time. */
function kindOf(failure: string | undefined): string | undefined {
  return failure?.replace(/[^a-z]+/gi, ' ').slice(0, 40);
}

test(`${minutes > 0 ? `for ${minutes} minutes` : 'for a short while'}, all operations in random order (seed ${seed}): every guarantee holds`, {
  timeout: (minutes + 60) * MINUTE_MS,
}, async () => {
  const untilMs = performance.now() + minutes * MINUTE_MS;
  const next = numbers(seed);
  const total = { eras: 0, steps: 0, writes: 0, conflicts: 0, refusals: 0, maxMemoryMb: 0, longestBlockMs: 0 };
  do {
    const script = given === undefined ? randomScript(next, STEPS, hasNamespaces) : (JSON.parse(readFileSync(given, 'utf8')) as readonly Step[]);
    const failure = await failureOf(script, ({ ledger, longestBlockMs, maxMemoryMb }) => {
      total.eras++;
      total.steps += script.length;
      total.writes += ledger.acknowledged;
      total.conflicts += ledger.conflicts;
      total.refusals += ledger.refusals.length;
      total.maxMemoryMb = Math.round(Math.max(total.maxMemoryMb, maxMemoryMb));
      total.longestBlockMs = Math.max(total.longestBlockMs, longestBlockMs);
    });
    if (failure !== undefined) {
      console.log(`seed ${seed}, era ${total.eras}: ${failure}\nlooking for the shortest script that fails …`);
      const short = minutes > 0 ? await shortest(script, async part => kindOf(await failureOf(part)) === kindOf(failure)) : script;
      console.log(`npm run test:soak -- --minutes 1 --script FILE, with this in FILE:\n${JSON.stringify(short)}`);
      expect.fail(`seed ${seed}, era ${total.eras}: ${failure}`);
    }
    if (minutes > 0) console.log(JSON.stringify(total));
  } while (performance.now() < untilMs);
  console.log(`seed ${seed}: ${JSON.stringify(total)}`);
});
