import { randomUUID } from 'node:crypto';
import * as files from 'node:fs/promises';
import * as paths from 'node:path';
import { type SafePlace, safePlace, writeWorkspaceFile } from '../../server/protocol/workspaceFile';
import { Refusal } from './refusal';

const DISK = { files, paths, newName: randomUUID };

/** Writes a file of a folder, named relative to it with `/`. Refuses where links lead out of the folder or to nothing. */
export async function writeInWorkspace(folder: string, path: string, text: string): Promise<void> {
  accepted(await writeWorkspaceFile(DISK, folder, path, text));
}

/** The same question without writing. */
export async function refuseUnsafePlace(folder: string, path: string): Promise<void> {
  accepted(await safePlace(DISK, folder, path));
}

function accepted(place: SafePlace): void {
  if ('problem' in place) throw new Refusal(`${place.problem} Nothing was written.`);
}
