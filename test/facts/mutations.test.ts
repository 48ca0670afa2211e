import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, expect, test } from 'vitest';
import { decodeFacts, encodeFacts } from '../../server/src/engine/parse/factsCodec';
import { LANGUAGES, type LanguageId } from '../../server/src/model/languages';
import { FactsReader, processorMs } from '../helpers/extract';
import { mutated, random, readSeeds } from '../helpers/mutate';
import { brokenRules } from '../helpers/soundFacts';

const isSoak = process.env['LATTICE_SOAK'] === '1';

/** Inputs per language. */
const ROUNDS = isSoak ? 20_000 : 200;
/**
 * Processor time that one input of some thousand characters may take, in milliseconds; the parser gives up a file at the same bound.
 * It is 2 s where a soak run has the machine for itself: a core that is shared, and taken away at times, counts several times as much for the same work.
 */
const LIMIT_MS = isSoak ? 2000 : 10_000;
/** The heap after a collection may be this much larger at the end than after the first tenth: tables of the parser grow to their largest file. */
const GROWTH_BYTES = 24 * 1024 * 1024;

/** The parser stopped in time: a grammar that repairs without end (Kotlin's, once in some ten thousand inputs). The file is listed by name then. */
const GIVEN_UP = 'given up';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

let reader: FactsReader;
const seeds = readSeeds();

beforeAll(async () => {
  reader = await FactsReader.create({ timeoutMs: LIMIT_MS });
});

function used(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** What is wrong with the facts of one text; `undefined` when nothing is. */
async function faultOf(language: LanguageId, seed: number): Promise<string | undefined> {
  const text = mutated(seeds.get(language) ?? [], random(seed));
  const before = processorMs();
  try {
    const facts = await reader.facts(language, text);
    const spent = processorMs() - before;
    const broken = brokenRules(facts);
    if (spent > LIMIT_MS) broken.push(`${Math.round(spent)} ms`);
    if (seed % 20 === 0) {
      const packed = encodeFacts(facts);
      if (Buffer.compare(encodeFacts(decodeFacts(packed) ?? facts), packed) !== 0) broken.push('packed and read again');
      if (Buffer.compare(encodeFacts(await reader.facts(language, text)), packed) !== 0) broken.push('twice the same');
    }
    return broken.length === 0 ? undefined : broken.join(', ');
  } catch (fault) {
    if (fault instanceof Error && fault.message.startsWith('Parsing took longer')) return GIVEN_UP;
    return fault instanceof Error ? (fault.stack ?? fault.message).slice(0, 600) : String(fault);
  }
}

test.each(LANGUAGES.map(row => row.id))('broken %s gives sound facts, soon, and keeps no memory', async language => {
  const faults: string[] = [];
  let unparsed = 0;
  let settled = 0;
  for (let seed = 1; seed <= ROUNDS && faults.length < 10; seed++) {
    const fault = await faultOf(language, seed);
    if (fault === GIVEN_UP) unparsed++;
    else if (fault !== undefined) faults.push(`seed ${seed}: ${fault}`);
    if (seed === ROUNDS / 10) settled = used();
  }
  expect(faults).toEqual([]);
  expect(unparsed).toBeLessThanOrEqual(Math.max(1, ROUNDS / 5000));
  expect(used() - settled).toBeLessThan(GROWTH_BYTES);
});
