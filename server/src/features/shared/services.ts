import { dirname, type WorkspacePath } from '../../base/path';

/** Folders whose direct children are services, when nothing else says so. */
const SERVICE_FOLDER = /^(?:services|apps|packages)\/(?<name>[^/]+)\//;

/** The service that a path lies in, by its folder; `''` for none. */
export function serviceOf(path: WorkspacePath): string {
  return SERVICE_FOLDER.exec(`${dirname(path)}/`)?.groups?.['name'] ?? '';
}
