import { neverCancelled } from '../../../server/src/base/cancellation';
import type { FileHost } from '../../../server/src/code/files/host';
import { nodeHost } from '../../../server/src/code/files/nodeHost';
import { DEFAULT_MAX_FILE_SIZE_KB, type Scan, type ScanOptions, scan } from '../../../server/src/code/files/scan';

export function optionsFor(root: string, changes: Partial<ScanOptions> = {}): ScanOptions {
  return {
    root,
    host: nodeHost,
    caseInsensitive: false,
    respectGitignore: true,
    maxFileSizeKb: DEFAULT_MAX_FILE_SIZE_KB,
    ignorePatterns: [],
    excludeGlobs: [],
    ...changes,
  };
}

export async function scanned(root: string, changes: Partial<ScanOptions> = {}): Promise<Scan> {
  const result = await scan(optionsFor(root, changes), neverCancelled);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

export async function pathsOf(root: string, changes: Partial<ScanOptions> = {}): Promise<string[]> {
  return (await scanned(root, changes)).files.map(file => file.path);
}

/** The disk, with faults: a path (or its end) mapped to a POSIX code makes every access of the given kind fail. */
export function faultyHost(faults: Readonly<Record<string, { readonly code: string; readonly on: readonly (keyof FileHost)[] }>>): FileHost {
  const check = (kind: keyof FileHost, path: string): void => {
    for (const [end, fault] of Object.entries(faults)) {
      if (path.endsWith(end) && fault.on.includes(kind)) throw Object.assign(new Error(fault.code), { code: fault.code });
    }
  };
  return {
    list: async path => (check('list', path), nodeHost.list(path)),
    stat: async path => (check('stat', path), nodeHost.stat(path)),
    realPath: async path => (check('realPath', path), nodeHost.realPath(path)),
    read: async (path, limit) => (check('read', path), nodeHost.read(path, limit)),
  };
}
