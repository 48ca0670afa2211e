import { join } from 'node:path';
import type { Disposable } from '../base/disposable';
import type { Clock, Log } from '../base/ports';
import { optimiseLess } from './parse/compileGrammar';
import { ParsePool } from './parse/parsePool';
import type { Parsing } from './parsing';

/** Parse workers of a process, started when the first file comes. `distFolder` holds their bundle, the grammars and the wasm runtime. */
export function startParsing(distFolder: string, clock: Clock, log: Log): Parsing & Disposable {
  optimiseLess();
  return new ParsePool({ workerFile: join(distFolder, 'parseWorker.js'), distFolder, clock, log });
}
