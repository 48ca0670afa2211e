/** Entry of `dist/mcp.js`: `lattice mcp` as a bundle of its own, which starts faster. Takes the same flags. */
import { CancellationSource } from '../base/cancellation';
import { runCli } from '../transports/commandLine';
import { endOnSignals } from './ending';
import { processIo } from './processIo';
import { transportHost } from './transportHost';

const source = new CancellationSource();
endOnSignals(source, () => undefined);
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const words = process.argv.slice(2);
void runCli({
  words: words[0] === 'mcp' ? words : ['mcp', ...words],
  host: transportHost(__dirname),
  io: processIo(),
  now: () => performance.now(),
  token: source.token,
}).then(exit => process.exit(exit));
