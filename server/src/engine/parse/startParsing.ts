import { join } from 'node:path';
import { optimizeLess } from './compileGrammar';
import { ParsePool, type ParsePoolOptions } from './parsePool';

/** Parse workers of a process, started when the first file comes or by `begin`. `distFolder` holds their bundle, the grammars and the wasm runtime. */
export function startParsing(distFolder: string, { clock, log, yieldTurn }: Pick<ParsePoolOptions, 'clock' | 'log' | 'yieldTurn'>): ParsePool {
  optimizeLess();
  return new ParsePool({ workerFile: join(distFolder, 'parseWorker.js'), distFolder, clock, log, yieldTurn });
}
