import { join } from 'node:path';
import type { Clock, Log } from '../../base/ports';
import { optimiseLess } from './compileGrammar';
import { ParsePool } from './parsePool';

/** Parse workers of a process, started when the first file comes or by `begin`. `distFolder` holds their bundle, the grammars and the wasm runtime. */
export function startParsing(distFolder: string, clock: Clock, log: Log): ParsePool {
  optimiseLess();
  return new ParsePool({ workerFile: join(distFolder, 'parseWorker.js'), distFolder, clock, log });
}
