import type { Disposable } from './disposable';

/** The outside world as the core sees it. `main` gives the real ones, tests give fakes. */

export interface Clock {
  /** Milliseconds since the Unix epoch; may jump when the system clock is set. */
  now(): number;
  /** Milliseconds from an arbitrary origin; never goes back. */
  monotonic(): number;
}

/** How much a message matters, least first. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Never given source text, secrets or tokens. */
export interface Log {
  write(level: LogLevel, message: string): void;
}

/** Gives the event loop a turn; resolves on the next macrotask. */
export type YieldTurn = () => Promise<void>;

/** Timers of the process, given by its entry so that tests can move the clock. */
export interface Timers {
  /** Calls `action` once after `ms`; disposing before then cancels it. Never keeps the process alive by itself. */
  after(ms: number, action: () => void): Disposable;
}
