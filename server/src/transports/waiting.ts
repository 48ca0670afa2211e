import { type CancellationToken, orCancelled } from '../base/cancellation';
import type { Disposable } from '../base/disposable';
import { err, type Failure, ok, type Result } from '../base/result';
import type { Gateway } from '../session/gateway';
import type { IndexProgress } from '../workspace/snapshot';

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
export async function waitUntilIndexed(gateway: Gateway, tell: (progress: IndexProgress) => void, token: CancellationToken): Promise<Result<void, Failure>> {
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
