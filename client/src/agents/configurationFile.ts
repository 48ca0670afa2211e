import { randomUUID } from 'node:crypto';
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../refusal';

/** Text of a configuration file; `undefined` when there is none. */
export async function readConfiguration(path: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Refusal(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const text = bytes.toString('utf8');
  if (!Buffer.from(text, 'utf8').equals(bytes)) throw new Refusal(`${path} is not a UTF-8 text file and was not changed.`);
  return text;
}

/**
 * Replaces the file as a whole, keeping its permissions and following a link to it; an empty `after` removes it.
 * Refuses when it no longer holds `before`: somebody else changed it meanwhile.
 */
export async function writeConfiguration(path: string, before: string | undefined, after: string): Promise<void> {
  if ((await readConfiguration(path)) !== before) throw new Refusal(`${path} was changed by another program and was not written. Run the command again.`);
  if (after === '') return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true });
  const target = before === undefined ? path : await realpath(path);
  const mode = before === undefined ? 0o644 : (await stat(target)).mode;
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, after, { mode, flag: 'wx' });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new Refusal(`${path} could not be written: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
