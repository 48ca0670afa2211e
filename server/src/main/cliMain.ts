#!/usr/bin/env node
/** Entry of `dist/cli.js`: the command `lattice`. */
import { CancellationSource } from '../base/cancellation';
import { runCli } from '../transports/commandLine';
import { EXIT } from '../transports/exitCodes';
import { endOnSignals } from './ending';
import { processIo } from './processIo';
import { transportHost } from './transportHost';

const source = new CancellationSource();
let terminated = false;
endOnSignals(source, signal => {
  terminated = signal === 'SIGTERM';
});
// A reader that has gone (`lattice export | head`) is noticed where it is written to; here it must only not be fatal.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

void runCli({ words: process.argv.slice(2), host: transportHost(__dirname), io: processIo(), now: () => performance.now(), token: source.token }).then(exit => {
  process.exitCode = exit === EXIT.interrupted && terminated ? EXIT.terminated : exit;
  // Nothing may keep a one-shot command alive; stdout has taken everything by now.
  process.exit();
});
