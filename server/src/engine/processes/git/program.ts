import { stat } from 'node:fs/promises';

/**
 * Where a program may lie, by the folders of PATH in their order. Relative ones are left out, and so is the current folder,
 * which Windows would look into first: a repository must not be able to bring its own git.
 */
export function placesOf(program: string, path: string, platform: NodeJS.Platform): readonly string[] {
  const isWindows = platform === 'win32';
  const folders = path.split(isWindows ? ';' : ':').map(folder => (isWindows ? folder.replace(/^"(?<inner>.*)"$/, '$1') : folder));
  const isAbsolute = (folder: string): boolean => (isWindows ? /^(?:[a-zA-Z]:[\\/]|\\\\)/ : /^\//).test(folder);
  return folders.filter(isAbsolute).map(folder => `${folder.replace(/[\\/]+$/, '')}${isWindows ? `\\${program}.exe` : `/${program}`}`);
}

/** The first place where the program is a file that may be run; `undefined` when there is none. */
export async function findProgram(program: string): Promise<string | undefined> {
  for (const place of placesOf(program, process.env['PATH'] ?? process.env['Path'] ?? '', process.platform)) {
    const found = await stat(place).catch(() => undefined);
    if (found?.isFile() === true && (process.platform === 'win32' || (found.mode & 0o111) !== 0)) return place;
  }
  return undefined;
}
