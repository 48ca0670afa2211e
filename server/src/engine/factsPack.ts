import type { Result } from '../base/result';
import type { Disk } from '../store/disk';
import { PackFile } from '../store/packs';
import { FACTS_VERSION } from './indexing/fileLoader';

/** The facts of a project by content hash, shared by all of its checkouts. Facts of another version are left behind. */
export function openFactsPack(disk: Disk, path: string): Promise<Result<PackFile>> {
  return PackFile.open({ path, version: FACTS_VERSION, disk });
}
