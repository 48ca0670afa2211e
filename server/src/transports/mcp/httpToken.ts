import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface HttpToken {
  /** Where clients are told to find it. */
  readonly path: string;
  /** Whether the value of an `Authorization` header carries it; takes as long for any value. */
  admits(authorization: string | null): boolean;
}

const TOKEN = /^[\w-]{43}$/;

/**
 * The bearer token of MCP over HTTP: one per user, in the data folder, kept over restarts so that what clients were told stays true.
 * One that others on this machine could have read is replaced. Rejects as the file system does.
 */
export async function httpToken(dataFolder: string): Promise<HttpToken> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, 'mcp-token');
  const token = (await privateToken(path)) ?? (await newToken(path));
  const expected = digest(`Bearer ${token}`);
  return { path, admits: authorization => timingSafeEqual(digest((authorization ?? '').replace(/^bearer +/i, 'Bearer ')), expected) };
}

async function privateToken(path: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) return undefined;
    const text = (await readFile(path, 'utf8')).trim();
    return TOKEN.test(text) ? text : undefined;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

async function newToken(path: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(draft, `${token}\n`, { mode: 0o600, flag: 'wx' });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
  return token;
}

/** Of equal length whatever comes in. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
