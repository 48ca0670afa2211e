import { describe, expect, test } from 'vitest';
import type { CancellationToken } from '../../../server/src/base/cancellation';
import type { Disposable } from '../../../server/src/base/disposable';
import { type Change, ChangeBatcher, DEFAULT_BATCHING, type WatcherState } from '../../../server/src/code/files/batcher';

/** Time that stands still until told to go on. */
class HandTurnedTime {
  #now = 0;
  #timers: { readonly due: number; readonly action: () => void }[] = [];

  readonly clock = { now: () => 1_000_000 + this.#now, monotonic: () => this.#now };
  readonly timers = {
    after: (milliseconds: number, action: () => void): Disposable => {
      const timer = { due: this.#now + milliseconds, action };
      this.#timers.push(timer);
      return { dispose: () => void (this.#timers = this.#timers.filter(other => other !== timer)) };
    },
  };

  async advance(milliseconds: number): Promise<void> {
    const end = this.#now + milliseconds;
    for (;;) {
      await settled();
      const next = this.#timers.filter(timer => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter(timer => timer !== next);
      this.#now = next.due;
      next.action();
    }
    this.#now = end;
    await settled();
  }
}

/** Lets every promise that can settle do so. */
async function settled(): Promise<void> {
  for (let i = 0; i < 20; i++) await Promise.resolve();
}

function changed(...paths: string[]): Change[] {
  return paths.map(path => ({ path, kind: 'changed' }));
}

function setUp(detect: (changes: readonly Change[]) => Promise<readonly Change[]> | readonly Change[] = changes => changes) {
  const time = new HandTurnedTime();
  const runs: { readonly paths: string[]; readonly at: number; readonly token: CancellationToken }[] = [];
  const states: WatcherState[] = [];
  const control: { held: boolean; fails: number; gate: Promise<void> | undefined } = { held: false, fails: 0, gate: undefined };
  const batcher = new ChangeBatcher({
    ...DEFAULT_BATCHING,
    clock: time.clock,
    timers: time.timers,
    detect,
    isHeld: async () => control.held,
    rebuild: async (changes, token) => {
      runs.push({ paths: changes.map(change => (change.kind === 'removed' ? `-${change.path}` : change.path)), at: time.clock.monotonic(), token });
      await control.gate;
      if (control.fails > 0) {
        control.fails--;
        throw new Error('no space left');
      }
      return { txId: `tx${runs.length}` };
    },
  });
  batcher.onStateChanged(state => states.push(state));
  return { time, runs, states, control, batcher, ran: () => runs.map(run => [run.at, run.paths.join(' ')]) };
}

/** A promise and the hand that resolves it. */
function gate(): { readonly promise: Promise<void>; open(): void } {
  let open = (): void => undefined;
  const promise = new Promise<void>(resolve => {
    open = resolve;
  });
  return { promise, open: () => open() };
}

describe('the change batcher', () => {
  test('starts idle, or with one rebuild of the differences', async () => {
    const quiet = setUp();
    quiet.batcher.start([]);
    expect(quiet.states).toEqual(['idle']);
    const busy = setUp();
    busy.batcher.start(changed('a', 'b'));
    await settled();
    expect(busy.states).toEqual(['rebuilding', 'idle']);
    expect(busy.ran()).toEqual([[0, 'a b']]);
  });

  test('waits for quiet, then runs once', async () => {
    const { time, batcher, ran, states } = setUp();
    batcher.start([]);
    for (const path of ['a', 'b', 'a', 'c', 'a']) {
      batcher.add(changed(path));
      await time.advance(100);
    }
    expect(batcher.pendingChanges).toBe(3);
    await time.advance(1000);
    expect(ran()).toEqual([[900, 'b c a']]);
    expect(states).toEqual(['idle', 'detecting', 'debouncing', 'rebuilding', 'idle']);
    expect(batcher.pendingChanges).toBe(0);
  });

  test('runs after the longest wait when saves do not stop', async () => {
    const { time, batcher, ran } = setUp();
    batcher.start([]);
    for (let i = 0; i < 12; i++) {
      batcher.add(changed('a'));
      await time.advance(300);
    }
    expect(ran()).toEqual([[3000, 'a']]);
  });

  test('the later kind of change wins', async () => {
    const { time, batcher, ran } = setUp();
    batcher.start([]);
    batcher.add(changed('a', 'b'));
    batcher.add([{ path: 'a', kind: 'removed' }]);
    await time.advance(500);
    expect(ran()).toEqual([[500, 'b -a']]);
  });

  test('ignored changes never queue', async () => {
    const { time, batcher, runs, states } = setUp(async changes => changes.filter(change => change.path !== 'x'));
    batcher.start([]);
    batcher.add(changed('x'));
    expect(batcher.state).toBe('detecting');
    await time.advance(5000);
    expect([runs, states]).toEqual([[], ['idle', 'detecting', 'idle']]);
  });

  test('a detection that fails keeps the changes', async () => {
    const { time, batcher, ran } = setUp(async () => Promise.reject(new Error('no')));
    batcher.start([]);
    batcher.add(changed('a'));
    await time.advance(1000);
    expect(ran()).toEqual([[500, 'a']]);
  });

  test('a change during a rebuild is in the next one, as soon as it is quiet', async () => {
    const { time, batcher, ran, control, states } = setUp();
    const held = gate();
    control.gate = held.promise;
    batcher.start([]);
    batcher.add(changed('a'));
    await time.advance(600);
    batcher.add(changed('a', 'b'));
    expect([batcher.state, batcher.pendingChanges]).toEqual(['rebuilding', 2]);
    await time.advance(100);
    held.open();
    await time.advance(0);
    expect([batcher.state, batcher.pendingChanges]).toEqual(['rebuilding', 2]);
    batcher.add(changed('c'));
    await time.advance(499);
    expect(ran()).toEqual([[500, 'a']]);
    await time.advance(1);
    expect(ran()).toEqual([
      [500, 'a'],
      [1200, 'a b c'],
    ]);
    expect([states.at(-1), batcher.pendingChanges]).toEqual(['idle', 0]);
  });

  test('retries three times, gives up, and takes the files along later', async () => {
    const { time, batcher, ran, control } = setUp();
    control.fails = 4;
    batcher.start([]);
    batcher.add(changed('a'));
    await time.advance(500);
    expect([batcher.state, batcher.pendingChanges]).toEqual(['debouncing', 1]);
    await time.advance(60_000);
    expect(ran().map(([at]) => at)).toEqual([500, 5500, 10_500, 15_500]);
    expect([batcher.state, batcher.pendingChanges, batcher.lastError]).toEqual(['idle', 1, 'no space left']);
    batcher.add(changed('b'));
    await time.advance(500);
    expect(ran().at(-1)).toEqual([61_000, 'a b']);
    expect([batcher.state, batcher.pendingChanges, batcher.lastError]).toEqual(['idle', 0, undefined]);
  });

  test('a newer change of a failed file is kept', async () => {
    const { time, batcher, control, ran } = setUp();
    const held = gate();
    control.gate = held.promise;
    control.fails = 1;
    batcher.start(changed('a', 'b'));
    await settled();
    batcher.add([{ path: 'a', kind: 'removed' }]);
    held.open();
    await time.advance(6000);
    expect(ran().at(-1)).toEqual([5000, '-a b']);
  });

  test('git at work holds a batch, but not for ever and not twice for one merge', async () => {
    const { time, batcher, control, ran } = setUp();
    batcher.start([]);
    control.held = true;
    batcher.add(changed('a'));
    await time.advance(29_000);
    expect([ran(), batcher.state]).toEqual([[], 'debouncing']);
    await time.advance(2000);
    expect(ran()).toEqual([[30_500, 'a']]);
    batcher.add(changed('b'));
    await time.advance(500);
    expect(ran().at(-1)).toEqual([31_500, 'b']);
    control.held = false;
    batcher.add(changed('c'));
    await time.advance(500);
    control.held = true;
    batcher.add(changed('d'));
    await time.advance(1000);
    control.held = false;
    await time.advance(500);
    expect(ran().slice(2)).toEqual([
      [32_000, 'c'],
      [33_500, 'd'],
    ]);
  });

  test('stop cancels the run and forgets the rest', async () => {
    const { time, batcher, control, runs } = setUp();
    const held = gate();
    control.gate = held.promise;
    batcher.start(changed('a'));
    batcher.add(changed('b'));
    await settled();
    const stopped = batcher.stop();
    expect(runs[0]?.token.isCancellationRequested).toBe(true);
    held.open();
    await stopped;
    batcher.add(changed('c'));
    await time.advance(10_000);
    expect([batcher.state, batcher.pendingChanges, runs.length]).toEqual(['not_started', 0, 1]);
    batcher.start(changed('d'));
    await settled();
    expect(runs[1]?.token.isCancellationRequested).toBe(false);
  });

  test('flush does not wait for quiet', async () => {
    const { batcher, control, ran } = setUp();
    batcher.start([]);
    batcher.add(changed('a'));
    await batcher.flush();
    expect([ran(), batcher.state]).toEqual([[[0, 'a']], 'idle']);
    control.fails = 1;
    batcher.add(changed('b'));
    await batcher.flush();
    expect([batcher.state, batcher.pendingPaths]).toEqual(['debouncing', ['b']]);
  });

  test('remembers the last ten events', async () => {
    const { time, batcher } = setUp();
    batcher.start([]);
    for (let i = 0; i < 8; i++) {
      batcher.add(changed('a'));
      await time.advance(500);
    }
    expect(batcher.recentEvents).toHaveLength(10);
    expect(batcher.recentEvents.at(-1)).toEqual({ at: 1_004_000, kind: 'rebuilt', files: 1, txId: 'tx8' });
  });
});
