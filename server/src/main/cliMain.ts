/** Entry of `dist/cli.js`: the command `lattice`. */
import { CancellationSource } from '../base/cancellation';
import { runCli } from '../transports/commandLine';
import { EXIT } from '../transports/exitCodes';
import { processIo } from './processIo';
import { transportHost } from './transportHost';

const source = new CancellationSource();
let terminated = false;
let asked = 0;
/** How long a command may take to end in good order once it was asked to, in milliseconds. */
const END_LIMIT_MS = 3000;

/** The first signal asks the command to end in good order, the second one ends it, and so does time. */
function onSignal(exit: number): void {
  asked++;
  terminated = exit === EXIT.terminated;
  source.cancel();
  if (asked > 1) process.exit(exit);
  setTimeout(() => process.exit(exit), END_LIMIT_MS).unref();
}

process.on('SIGINT', () => onSignal(EXIT.interrupted));
process.on('SIGTERM', () => onSignal(EXIT.terminated));
// A reader that has gone (`lattice export | head`) is noticed where it is written to; here it must only not be fatal.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

void runCli({ words: process.argv.slice(2), host: transportHost(__dirname), io: processIo(), now: () => performance.now(), token: source.token }).then(exit => {
  process.exitCode = exit === EXIT.interrupted && terminated ? EXIT.terminated : exit;
  // Nothing may keep a one-shot command alive; stdout has taken everything by now.
  process.exit();
});
