import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { ProgramSession } from '../../memory/claims';
import { replaceFile } from '../../store/atomicFile';
import type { ProjectFolder } from '../../store/dataFolder';
import type { Disk } from '../../store/disk';

/** The end of a session as its program's hook told it. */
export interface SessionEnd extends ProgramSession {
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Ends that wait for an owner; more are not kept. */
const MAX_ENDS = 1_000;

/**
 * The end of a session is often the end of its MCP server too, so nobody may be there to hear of it.
 * The hook leaves a note first and takes it back when the owner has heard; the next owner, and an owner that somebody comes to, read what lies there.
 */
export async function recordSessionEnd(disk: Disk, project: ProjectFolder, end: SessionEnd): Promise<void> {
  const folder = folderOf(project);
  if ((await disk.list(folder)).length >= MAX_ENDS) return;
  await disk.makeFolder(folder);
  await replaceFile(disk, pathOf(project, end.sessionId), [Buffer.from(JSON.stringify(end))]);
}

export async function removeSessionEnd(disk: Disk, project: ProjectFolder, sessionId: string): Promise<void> {
  await disk.remove(pathOf(project, sessionId));
}

/** Notes in the order of the ends; what is no note is removed. */
export async function readSessionEnds(disk: Disk, project: ProjectFolder): Promise<readonly SessionEnd[]> {
  const folder = folderOf(project);
  const ends: SessionEnd[] = [];
  for (const name of (await disk.list(folder)).filter(entry => entry.endsWith(ENDING))) {
    const end = readEnd(await disk.read(join(folder, name)));
    if (end === undefined) await disk.remove(join(folder, name));
    else ends.push(end);
  }
  return ends.sort((a, b) => a.at - b.at);
}

const ENDING = '.json';

function folderOf({ folder }: ProjectFolder): string {
  return join(folder, 'sessionEnds');
}

function pathOf(project: ProjectFolder, sessionId: string): string {
  return join(folderOf(project), `${createHash('sha256').update(sessionId).digest('hex').slice(0, 32)}${ENDING}`);
}

function readEnd(bytes: Uint8Array | undefined): SessionEnd | undefined {
  try {
    const { agentId, at, sessionId } = JSON.parse(Buffer.from(bytes ?? []).toString('utf8')) as Partial<Record<keyof SessionEnd, unknown>>;
    const isWhole = typeof agentId === 'string' && agentId !== '' && typeof sessionId === 'string' && sessionId !== '' && typeof at === 'number';
    return isWhole ? { agentId, sessionId, at } : undefined;
  } catch {
    return undefined;
  }
}
