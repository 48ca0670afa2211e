import { createHash, randomBytes } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, rmdir, stat } from 'node:fs/promises';
import { posix } from 'node:path';
import { makeFolders } from '../base/folders';
import { err, ok, type Result } from '../base/result';

/** Longest address of a unix socket that every platform takes (`sun_path` is 104 bytes on macOS, 108 on Linux). */
export const MAX_ADDRESS_BYTES = 100;

/** The parts of the machine that decide where sockets live; a value so that every platform can be tested on each. */
export interface SocketPlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly tmpdir: string;
  /** Numeric user id, or -1 on Windows. */
  readonly uid: number;
  /** Sockets of different data folders never meet. */
  readonly dataFolder: string;
}

/** Folder for sockets: `XDG_RUNTIME_DIR`, else the temporary folder, else `/tmp` when the paths would grow too long. `undefined` on Windows, which needs none. */
export function runtimeFolder(place: SocketPlace): string | undefined {
  if (place.platform === 'win32') return undefined;
  const name = `lattice-${place.uid}-${shortHash(place.dataFolder)}`;
  const bases = [place.env['XDG_RUNTIME_DIR'], place.tmpdir, '/tmp'].filter(base => base !== undefined && base.startsWith('/'));
  const folders = bases.map(base => posix.join(base ?? '/tmp', name));
  const longestName = `/${'x'.repeat(SOCKET_NAME_LENGTH)}`;
  return folders.find(folder => Buffer.byteLength(folder + longestName) <= MAX_ADDRESS_BYTES) ?? posix.join('/tmp', name);
}

/** Whether a folder was made for sockets. */
export function isRuntimeFolder(folder: string): boolean {
  return /^lattice-\d+-[0-9a-f]{8}$/.test(posix.basename(folder));
}

const SOCKET_NAME_LENGTH = 22;

/** A fresh address that no other process has or will have: half of it is random. */
export function socketAddress(place: SocketPlace, projectKey: string): string {
  const name = `${projectPrefix(projectKey)}${randomBytes(6).toString('hex')}`;
  const folder = runtimeFolder(place);
  return folder === undefined ? `\\\\.\\pipe\\lattice-${shortHash(place.dataFolder)}-${name}` : posix.join(folder, `${name}.s`);
}

/** All sockets of the project where this process would make one, those of dead processes too. Empty on Windows. */
export async function socketsOf(place: SocketPlace, projectKey: string): Promise<readonly string[]> {
  const folder = runtimeFolder(place);
  if (folder === undefined) return [];
  const names = await readdir(folder).catch(() => []);
  return names.filter(name => name.startsWith(projectPrefix(projectKey))).map(name => posix.join(folder, name));
}

function projectPrefix(projectKey: string): string {
  return `${shortHash(projectKey).slice(0, 6)}-`;
}

/** Makes the folder and its parents; one that exists is left as it is. Rejects with the system's error. */
export function makeFolder(folder: string, mode = 0o700): Promise<void> {
  return makeFolders(folder, { make: path => mkdir(path, { mode }), isFolder: async path => (await stat(path)).isDirectory() });
}

/** Makes the folder (0700) or checks that nobody else can reach into it. */
export async function ensurePrivateFolder(folder: string, uid: number): Promise<Result<void>> {
  try {
    await makeFolder(folder);
    const status = await lstat(folder);
    if (!status.isDirectory()) return err({ code: 'FORBIDDEN', message: `${folder} is not a folder. Remove it and try again.` });
    if (uid >= 0 && status.uid !== uid)
      return err({ code: 'FORBIDDEN', message: `${folder} belongs to another user. Set XDG_RUNTIME_DIR to a folder of your own.` });
    if (uid >= 0 && (status.mode & 0o077) !== 0) await chmod(folder, 0o700);
    return ok(undefined);
  } catch (error) {
    return err({ code: 'UNAVAILABLE', message: `The folder ${folder} for sockets cannot be created: ${messageOf(error)}` });
  }
}

/**
 * The place with a folder for sockets that can be used, made if it was missing. `XDG_RUNTIME_DIR` may name one that is not there or is another user's
 * (after `su`, in containers); then the temporary folder serves. Where another user has taken the name of the folder, which can be guessed, one with a
 * random name does: others find it in the owner's card. Codes: those of the first place tried.
 */
export async function usablePlace(place: SocketPlace): Promise<Result<SocketPlace>> {
  const unguessed = `${place.dataFolder}#${randomBytes(16).toString('hex')}`;
  const candidates: readonly [SocketPlace, ...SocketPlace[]] = [
    place,
    { ...place, env: {} },
    { ...place, env: {}, tmpdir: '/tmp' },
    { ...place, env: {}, dataFolder: unguessed },
  ];
  let problem: Result<never> | undefined;
  for (const candidate of candidates) {
    const folder = runtimeFolder(candidate);
    const usable = folder === undefined ? ok(undefined) : await ensurePrivateFolder(folder, place.uid);
    if (usable.ok) return ok(candidate);
    problem ??= usable;
  }
  return problem ?? ok(place);
}

/** Removes the folder for sockets if no socket is in it; it is created again when it is needed. Never rejects. */
export async function removeSocketPlace(place: SocketPlace): Promise<void> {
  const folder = runtimeFolder(place);
  if (folder !== undefined) await removeIfUnused(folder);
}

/** The same for a folder that may be another than one for sockets, which stays. */
export async function removeIfUnused(folder: string): Promise<void> {
  if (isRuntimeFolder(folder)) await rmdir(folder).catch(() => undefined);
}

export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What the user can do, before what the system said: for failures to write in the data folder. */
export function withAdvice(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const advice = ADVICE[code];
  return advice === undefined ? messageOf(error) : `${advice} (${messageOf(error)})`;
}

const NOT_WRITABLE = 'the data folder is not writable. Change its permissions, or set LATTICE_HOME to another folder.';
const ADVICE: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space and try again.',
  EDQUOT: 'your disk quota is exceeded. Free some space and try again.',
  EROFS: NOT_WRITABLE,
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
};
