import { type CancellationToken, orCancelled } from '../base/cancellation';
import type { Disposable } from '../base/disposable';
import { err, type Failure, ok, type Result } from '../base/result';
import type { Gateway } from '../session/gateway';
import type { EngineHealth, IndexProgress } from '../workspace/snapshot';

/** Resolves true when `promise` settles within `limitMs`. */
export async function within(promise: Promise<unknown>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>(resolve => {
    timer = setTimeout(() => resolve(false), limitMs);
  });
  try {
    return await Promise.race([promise.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the index is complete and on disk, or has failed; tells of progress on the way. */
export async function untilIndexed(gateway: Gateway, tell: (progress: IndexProgress) => void, token: CancellationToken): Promise<Result<void, Failure>> {
  let listening: Disposable | undefined;
  const end = new Promise<IndexProgress>(resolve => {
    listening = gateway.onProgress(progress => {
      tell(progress);
      if (progress.phase === 'ready' || progress.phase === 'failed') resolve(progress);
    });
  });
  try {
    const ready = await orCancelled(gateway.ready(token), token);
    if (!ready.ok) return ready;
    const now = (await gateway.health()).progress;
    const last = now.phase === 'ready' || now.phase === 'failed' ? now : await orCancelled(end, token);
    return last.phase === 'ready' ? ok(undefined) : err({ code: 'UNAVAILABLE', message: last.problem ?? 'Indexing failed.' });
  } finally {
    listening?.dispose();
  }
}

/** Resolves when the transaction has ended and nothing is being indexed, or indexing has failed. Rejects with `Cancelled`. */
export async function untilTransaction(gateway: Gateway, txId: string, token: CancellationToken): Promise<void> {
  let listening: Disposable | undefined;
  const end = new Promise<void>((resolve, reject) => {
    const look = (): void => {
      gateway.health().then(health => {
        if (hasEnded(health, txId)) resolve();
      }, reject);
    };
    // Every run ends with a report, which comes after its transaction has been written.
    listening = gateway.onProgress(({ phase }) => {
      if (phase === 'ready' || phase === 'failed') look();
    });
    look();
  });
  try {
    await orCancelled(end, token);
  } finally {
    listening?.dispose();
  }
}

function hasEnded({ latestTxId, progress, recentEvents }: EngineHealth, txId: string): boolean {
  if (progress.phase === 'failed') return true;
  return progress.phase === 'ready' && (latestTxId === txId || recentEvents.some(event => event.txId === txId));
}
