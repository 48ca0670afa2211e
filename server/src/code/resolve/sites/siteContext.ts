import type { Evaluator } from '../evaluate/evaluator';
import type { FileState } from '../fileState';
import type { Guesses } from '../guesses';
import type { PreciseFile } from '../precise/preciseFile';
import type { MissedSites } from './missedSites';
import type { SiteWriter } from './siteWriter';

/** What the writers of one file's sites work with. */
export interface SiteContext {
  readonly ev: Evaluator;
  readonly file: FileState;
  readonly writer: SiteWriter;
  readonly guesses: Guesses;
  readonly missed: MissedSites;
  /** What a precise index knows of the file, where one covers it. */
  readonly precise: PreciseFile | undefined;
}
