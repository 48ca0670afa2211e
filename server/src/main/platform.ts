import { randomBytes } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { shownLines } from '../../protocol/shownText';
import type { Clock, Log, LogLevel, Timers, YieldTurn } from '../base/ports';
import type { SocketPlace } from '../session/addresses';
import { dataRoot } from '../store/dataFolder';

/** The real outside world. */
export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() };

export const systemTimers: Timers = {
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    timer.unref();
    return { dispose: () => clearTimeout(timer) };
  },
};

/** Loops that gave way, in the order in which they did. */
const waiting: (() => void)[] = [];

/**
 * One loop goes on in each turn of the event loop. Node runs all immediates that wait in a row: of five loops that each keep to their budget, others would
 * wait for all five.
 */
export const yieldTurn: YieldTurn = () =>
  new Promise(done => {
    if (waiting.push(done) === 1) setImmediate(wakeOne);
  });

function wakeOne(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wakeOne);
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error'];

/** Writes to stderr what is at least as grave as `LATTICE_LOG` (default `warn`). */
export function stderrLog(env: NodeJS.ProcessEnv): Log {
  const asked = LEVELS.indexOf((env['LATTICE_LOG'] ?? 'warn') as LogLevel);
  const least = asked < 0 ? LEVELS.indexOf('warn') : asked;
  return {
    write: (level, message) => {
      if (LEVELS.indexOf(level) >= least) process.stderr.write(`lattice ${level}: ${shownLines(message)}\n`);
    },
  };
}

/** Per-user data folder: `LATTICE_HOME`, else the platform's convention. Absolute. */
export function defaultDataFolder(env: NodeJS.ProcessEnv, home: () => string = homedir): string {
  return resolve(dataRoot({ platform: process.platform, home: homeOr(home), env }));
}

/** A user that the system does not know (a container with `--user`) has no home, and asking for it throws: the root then, as container engines have it. */
function homeOr(home: () => string): string {
  try {
    return home();
  } catch {
    return '/';
  }
}

export function socketPlace(dataFolder: string): SocketPlace {
  return { platform: process.platform, env: process.env, tmpdir: tmpdir(), uid: process.getuid?.() ?? -1, dataFolder };
}

/** Sixteen hex digits that no other process has. */
export function randomId(): string {
  return randomBytes(8).toString('hex');
}

/** How names compare on the file systems that are usual on this platform. */
export const isCaseInsensitive: boolean = process.platform === 'win32' || process.platform === 'darwin';
