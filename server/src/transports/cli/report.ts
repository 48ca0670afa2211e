import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { hashText } from '../../base/hash';
import { err, type Failure, ok, type Result } from '../../base/result';
import { makeFolder } from '../../session/addresses';
import type { Gateway } from '../../session/gateway';
import { askFeature } from '../asking';
import type { CommandContext } from './command';
import { renderReportHtml } from './reportHtml';

/** Collects the report's data and writes the page. Answers its absolute path. */
export async function writeReport(
  context: CommandContext,
  gateway: Gateway,
  named: string | undefined,
): Promise<Result<{ readonly path: string; readonly data: unknown }, Failure>> {
  const answer = await askFeature(gateway, 'report', {}, context.options.caller, context.token, context.ofThePast);
  if (!answer.ok) return answer;
  const { host, io } = context.options;
  const data = { ...answer.value, version: host.version, madeAt: new Date().toISOString() };
  const path = named === undefined ? defaultPath(host.data.folder, gateway.root) : isAbsolute(named) ? named : resolve(io.cwd, named);
  try {
    const [script, style] = await Promise.all([bundleFile(host.bundleFolder, 'webview.js'), bundleFile(host.bundleFolder, 'webview.css')]);
    await replaceFile(path, renderReportHtml({ data, title: `Lattice: ${basename(gateway.root)}`, script, style }), named === undefined);
  } catch (error) {
    return err({ code: 'UNAVAILABLE', message: `The report could not be saved to ${path}: ${error instanceof Error ? error.message : String(error)}` });
  }
  return ok({ path, data });
}

/** Outside the workspace; one file per checkout, so that reports do not pile up. */
function defaultPath(dataFolder: string, root: string): string {
  const name = basename(root).replace(/[^A-Za-z0-9._-]+/g, '-') || 'workspace';
  return join(dataFolder, 'reports', `${name}-${hashText(root).slice(0, 6)}.html`);
}

async function bundleFile(folder: string, name: string): Promise<string> {
  return readFile(join(folder, name), 'utf8');
}

/** The page names everything in the workspace: in the data folder it is for its user only. */
async function replaceFile(path: string, text: string, isPrivate: boolean): Promise<void> {
  await makeFolder(dirname(path), isPrivate ? 0o700 : 0o777);
  // The folder may be one of the workspace: a name that cannot be known, and no link that waits there.
  const fresh = `${path}.${randomUUID()}.new`;
  try {
    await writeFile(fresh, text, { mode: isPrivate ? 0o600 : 0o666, flag: 'wx' });
    await rename(fresh, path);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}
