import { join } from 'node:path';
import type { Log } from '../base/ports';
import { err, type Failure, ok, type Result } from '../base/result';
import { identify } from '../code/files/git';
import { nodeHost } from '../code/files/nodeHost';
import { runFeature } from '../features/catalogue/catalogue';
import type { WorkspaceSettings } from '../model/settings';
import type { Answering } from '../session/answering';
import type { WatchMode } from '../session/checkoutHost';
import type { Gateway } from '../session/gateway';
import { OWN_PROTOCOL } from '../session/messages';
import { openGateway } from '../session/projectSession';
import { highestGeneration, projectFolder } from '../store/dataFolder';
import { nodeDisk } from '../store/disk';
import { TOOLS } from '../tools/catalogue';
import { invoke } from '../tools/invoke';
import { defaultDataFolder, socketPlace, stderrLog } from './platform';
import { ProjectHost } from './projectHost';
import { version } from './version';

export { defaultDataFolder };

/** Where and how a transport wants a workspace. */
export interface OpenOptions {
  /** A folder in any spelling; the checkout is its real path. */
  readonly root: string;
  /** Holds the bundles, the grammars and the wasm files. */
  readonly distFolder: string;
  /** Default: `defaultDataFolder`. */
  readonly dataFolder?: string;
  /** A server stays and watches; a one-shot command waits until folder and graph agree, and hands over when it goes. */
  readonly longLived: boolean;
  readonly watch: WatchMode;
  /** Only what the user was asked for; absent leaves the checkout's settings as they are. */
  readonly settings?: Partial<WorkspaceSettings>;
  readonly log?: Log;
}

/**
 * All wiring: a gateway to the engine of a folder, in this process or in the one that owns the project already.
 * Resolves before the index is done. Codes: `NOT_FOUND`, `FORBIDDEN`, `UNAVAILABLE`.
 */
export async function openWorkspace(options: OpenOptions): Promise<Result<Gateway, Failure>> {
  const log = options.log ?? stderrLog(process.env);
  const { distFolder, longLived, root, settings, watch } = options;
  const dataFolder = options.dataFolder ?? defaultDataFolder(process.env);
  const found = await whereabouts(root);
  if (!found.ok) return found;
  const { checkout, project } = found.value;
  const disk = nodeDisk();
  return openGateway({
    root: checkout,
    lockFolder: join(projectFolder(dataFolder, project).folder, 'owner'),
    projectKey: project,
    place: socketPlace(dataFolder),
    attach: { watch, settings, longLived },
    versions: OWN_PROTOCOL,
    engineVersion: version,
    answering,
    log,
    lowestGeneration: async () => 1 + (await highestGeneration(disk, projectFolder(dataFolder, project))),
    createHost: fence =>
      ProjectHost.create({
        identity: project,
        dataFolder,
        distFolder,
        disk,
        log,
        engineVersion: version,
        fence,
        ignorePatterns: (process.env['LATTICE_IGNORE_PATTERNS'] ?? '').split(',').filter(pattern => pattern.trim() !== ''),
      }),
  });
}

/** Tools and features as every owner runs them. */
const answering: Answering = {
  callTool: (workspace, call, token) => {
    const { agentId, isAdmin = false, mayClaim = false, sessionId } = call.caller;
    const invocation = { name: call.name, input: call.input, agentId, sessionId, isAdmin, mayClaim, idempotencyKey: `${call.idempotencyKey}/w` };
    return invoke(TOOLS, workspace, invocation, token);
  },
  query: (workspace, feature, params, token) => runFeature(feature, workspace, params, token),
  changes: name => TOOLS.some(tool => tool.name === name && tool.effect !== 'read'),
};

async function whereabouts(root: string): Promise<Result<{ readonly checkout: string; readonly project: string }>> {
  try {
    const found = await identify(root, nodeHost);
    if ((await nodeHost.stat(found.checkout)).kind !== 'directory') return err({ code: 'NOT_FOUND', message: `${root} is not a folder.` });
    await nodeHost.list(found.checkout);
    return ok(found);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'EACCES' || code === 'EPERM') return err({ code: 'FORBIDDEN', message: `The folder ${root} cannot be read (permission denied).` });
    return err({ code: 'NOT_FOUND', message: `The folder ${root} does not exist.` });
  }
}
