import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { neverCancelled } from '../../server/src/base/cancellation';
import { VersionLog } from '../../server/src/engine/changes/versions/versionLog';
import { Runs } from '../../server/src/engine/scheduling/runs';
import { openWorkspace } from '../../server/src/main/compose';

const [, , repository = '', count = '1000', base = '', distFolder = ''] = process.argv;
const MAX_SHARE = 0.05;
const MAX_BYTES = 64 << 20;
/** Transactions of which the differences until now are asked for, twice each. */
const ASKED = 10;

/** Milliseconds, by what they were spent on. */
const spent = { firstIndex: 0, firstRecording: 0, transactions: 0, recording: 0 };

const { note } = VersionLog.prototype;
VersionLog.prototype.note = async function (txId, run) {
  const began = performance.now();
  const counts = await note.call(this, txId, run);
  spent[run.isFirst ? 'firstRecording' : 'recording'] += performance.now() - began;
  return counts;
};
const { committed, recorded } = Runs.prototype;
Runs.prototype.committed = async function (...given) {
  const began = performance.now();
  const answer = await committed.apply(this, given);
  spent.firstIndex += performance.now() - began;
  return answer;
};
Runs.prototype.recorded = async function (...given) {
  const began = performance.now();
  const answer = await recorded.apply(this, given);
  if (answer.ok && answer.value.txId !== undefined) spent.transactions += performance.now() - began;
  return answer;
};

const work = join(base, 'work');
const data = join(base, 'data');
const git = (...words: readonly string[]): string =>
  execFileSync('git', ['-c', 'advice.detachedHead=false', ...words], { cwd: work, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'ignore'] });

function historyBytes(folder = data): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += historyBytes(path);
    else if (entry.name === 'versions.pack') bytes += statSync(path).size;
  }
  return bytes;
}

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

async function main(): Promise<number> {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repository, work]);
  const [first = '', ...commits] = git('rev-list', '--first-parent', '-n', String(Number(count) + 1), 'HEAD')
    .trim()
    .split('\n')
    .reverse();
  git('checkout', '-q', '-f', first);
  const opened = await openWorkspace({ root: work, distFolder, dataFolder: data, longLived: false, watch: 'none', log: { write: () => undefined } });
  if (!opened.ok) throw new Error(opened.error.message);
  const gateway = opened.value;
  const caller = { agentId: undefined, sessionId: 'bench', kind: 'agent' } as const;
  await gateway.ready(neverCancelled);
  console.log(
    `first index ${Math.round(spent.firstIndex)} ms, recording ${spent.firstRecording.toFixed(1)} ms (${percent(spent.firstRecording / spent.firstIndex)})`,
  );
  const ids: string[] = [];
  let share = 0;
  let perTransaction = 0;
  const tell = (): void => {
    share = spent.recording / spent.transactions;
    perTransaction = historyBytes() / Math.max(1, ids.length);
    const times = `${Math.round(spent.transactions)} ms, recording ${Math.round(spent.recording)} ms (${percent(share)})`;
    console.log(`${ids.length} transactions ${times}, history ${Math.round(historyBytes() / 1024)} KiB (${(perTransaction / 1024).toFixed(1)} each)`);
  };
  for (const commit of commits) {
    git('checkout', '-q', '-f', commit);
    const done = await gateway.query('catchUp', {}, caller, neverCancelled);
    if (!done.ok) throw new Error(done.error.message);
    const { latestTxId } = await gateway.health();
    if (latestTxId !== undefined && latestTxId !== ids.at(-1)) ids.push(latestTxId);
    if (ids.length % 100 === 0) tell();
  }
  tell();
  const times: number[] = [];
  for (const since of ids.slice(-ASKED - 1, -1)) {
    for (const isAgain of [false, true]) {
      const began = performance.now();
      const answer = await gateway.query('diffSince', { since }, caller, neverCancelled);
      if (!answer.ok) throw new Error(answer.error.message);
      if (isAgain) times.push(performance.now() - began);
    }
  }
  times.sort((a, b) => a - b);
  console.log(`diff_since, from memory: median ${(times[times.length >> 1] ?? 0).toFixed(1)} ms, longest ${(times.at(-1) ?? 0).toFixed(1)} ms`);
  await gateway.close();
  return spent.firstRecording > spent.firstIndex * MAX_SHARE || share > MAX_SHARE || perTransaction * 1_000 > MAX_BYTES ? 1 : 0;
}

void main().then(code => process.exit(code));
