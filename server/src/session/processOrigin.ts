import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Where a process runs: what its id means there, and for how long. Parts that a system does not tell are empty. */
export interface ProcessOrigin {
  readonly host: string;
  /** Of this start of the machine. */
  readonly boot: string;
  /** Among whom process ids are given out: containers count their own. */
  readonly pids: string;
}

/** Where this process runs: what tells machines, boots and containers apart. */
export function processOrigin(): ProcessOrigin {
  return {
    host: hostname(),
    boot: readOrEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pids: readOrEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** True only when it is certain: no such process, where its id means the same here, or the machine was started anew. An id may have been given out again. */
export function isProcessGone(pid: number, seat: ProcessOrigin): boolean {
  const own = processOrigin();
  if (seat.host !== own.host) return false;
  if (seat.boot !== own.boot) return true;
  return seat.pids === own.pids && !processExists(pid);
}

function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function readOrEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
