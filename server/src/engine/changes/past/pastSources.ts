import type { WorkspacePath } from '../../../base/path';
import type { Clock, Timers } from '../../../base/ports';
import type { WorkspaceSettings } from '../../../model/settings';
import type { PackFile } from '../../../store/packs';
import type { Parsing } from '../../parse/parsing';
import type { KeptLinks } from './keptLinks';

/** What past states of a checkout are made of, whoever makes them. */
export interface PastSources {
  readonly root: string;
  readonly caseInsensitive: boolean;
  /** Names in git's object store of files that read as git has them. */
  readonly checkedOut: () => Promise<ReadonlyMap<WorkspacePath, string>>;
  readonly links: KeptLinks;
  readonly parsing: Parsing;
  readonly pack: PackFile | undefined;
  readonly settings: () => WorkspaceSettings;
  readonly clock: Clock;
  readonly timers: Timers;
}
