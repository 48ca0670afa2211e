import type { CancellationSource } from '../base/cancellation';
import { endTrees } from '../engine/processTree';

/** How long a process may take to end in good order once it was asked to, in milliseconds. */
const MAX_END_MS = 3000;

export type EndSignal = 'SIGINT' | 'SIGTERM';

/**
 * Ends this process at once, as the signal does by default. `process.exit` waits for file operations under way,
 * so that one which never returns (a dead network drive, a pipe in place of a file) would keep the process alive forever.
 */
export function exitImmediately(signal: EndSignal = 'SIGTERM'): void {
  endTrees();
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** The first signal asks for an end in good order; the second one ends the process, and so does time. */
export function endOnSignals(source: CancellationSource, asked: (signal: EndSignal) => void): void {
  let isAsked = false;
  const onSignal = (signal: EndSignal): void => {
    if (isAsked) return exitImmediately(signal);
    isAsked = true;
    asked(signal);
    source.cancel();
    setTimeout(() => exitImmediately(signal), MAX_END_MS).unref();
  };
  process.on('SIGINT', () => onSignal('SIGINT'));
  process.on('SIGTERM', () => onSignal('SIGTERM'));
}
