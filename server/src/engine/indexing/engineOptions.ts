import type { Clock, Log, Timers, YieldTurn } from '../../base/ports';
import type { GitPlace } from '../../code/files/git';
import type { FileHost } from '../../code/files/host';
import type { LayerSource } from '../../layers/layer';
import type { Backups } from '../../model/backups';
import type { Records } from '../../model/records';
import type { WorkspaceSettings } from '../../model/settings';
import type { Disk } from '../../store/disk';
import type { PackFile } from '../../store/packs';
import type { ProjectStore } from '../../store/projectStore';
import type { ServicesOfState } from '../changes/past/pastServices';
import type { Parsing } from '../parse/parsing';
import type { CoverageFilesOptions } from '../view/testCoverage/coverageFiles';
import type { ServicesSink } from './services/serviceIndex';

/** What an engine is made of. */
export interface EngineOptions {
  /** Real path of the checkout. */
  readonly root: string;
  readonly git: GitPlace | undefined;
  readonly host: FileHost;
  readonly caseInsensitive: boolean;
  readonly settings: WorkspaceSettings;
  /** Added to those of the settings, whatever a client sets; in gitignore syntax. */
  readonly ownIgnorePatterns: readonly string[];
  readonly parsing: Parsing;
  readonly factsPack: PackFile | undefined;
  readonly store: ProjectStore;
  readonly records: Records;
  /** What the layers above the code are fed by. */
  readonly layers: readonly LayerSource[];
  /** Where the model of the services goes. */
  readonly services: ServicesSink;
  /** The layer of the services of a past state, still empty. */
  readonly newServicesLayer: () => ServicesOfState;
  readonly backups?: Backups;
  /** Reads an SQLite database into memory. Throws when it is none. */
  readonly openDatabase: CoverageFilesOptions['openDatabase'];
  readonly disk: Disk;
  readonly graphPackPath: string;
  /** Path of the pack of vectors, and the bundle of the thread that computes them. */
  readonly vectors: { readonly packPath: string; readonly workerFile: string };
  /** Path of the pack that records which past commits changed which symbols. */
  readonly pastChangesPack: string;
  /** Path of the pack that records what the code offers to other services and uses of them. */
  readonly servicesPack: string;
  /** Bundle of the thread that parses large service files. */
  readonly serviceFileWorker: string;
  /** Path of the pack that records what each transaction changed. */
  readonly versionsPack: string;
  /** Transactions whose states outlive every limit. */
  readonly pins: () => Iterable<string>;
  readonly dataFolder: string;
  readonly packBytes: () => Promise<number>;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly log: Log;
  readonly yieldTurn: YieldTurn;
  readonly newId: () => string;
  /** False once another process owns the project: nothing may be written any more. */
  readonly mayWrite: () => boolean;
  readonly engineVersion: string;
  /** Settings were changed by a client: to be kept for the next start. */
  readonly onSettings: (settings: WorkspaceSettings) => void;
}
