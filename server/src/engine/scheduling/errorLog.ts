import { Cancelled } from '../../base/cancellation';
import type { Log } from '../../base/ports';

/** Writes what went wrong behind everybody's back, and what was being done; that something was cancelled is no error. */
export type LogError = (what: string, error: unknown) => void;

/** Logs what failed in the background; cancellations are no failures. */
export function errorLog(log: Log): LogError {
  return (what, error) => {
    if (error instanceof Cancelled) return;
    log.write('error', `${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  };
}
