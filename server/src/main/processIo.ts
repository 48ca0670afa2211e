import type { ProcessIo } from '../transports/processIo';
import { exitImmediately } from './ending';

/** The process as the transports see it. */
export function processIo(): ProcessIo {
  return {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    platform: process.platform,
    exitImmediately,
  };
}
