/** Looks after the data folder for `lattice doctor`, `gc` and `reset`, without opening a workspace. */
import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, readdir, readFile, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { CancellationToken } from '../../base/cancellation';
import { throwIfCancelled } from '../../base/cancellation';
import { err, type Failure, ok, type Result } from '../../base/result';
import { identify } from '../../code/files/git';
import { nodeHost } from '../../code/files/nodeHost';
import { livenessOf } from '../../session/liveness';
import { readNewestCard } from '../../session/ownerLock';
import { type CheckoutFolder, checkoutFolder, highestGeneration, listData, type ProjectFolder, projectFolder, removeData } from '../../store/dataFolder';
import { nodeDisk } from '../../store/disk';
import { checkStore, repairStore } from '../../store/doctor';
import type { DataAdministration, Finding } from '../../transports/host';
import { socketPlace } from '../platform';
import { withProjectLock } from '../projectLock';
import { backupFindings, recordFindings, repairRecords } from './recordFindings';

export interface DataAdministrationOptions {
  readonly dataFolder: string;
  readonly grammarFolder: string;
}

/** Folder of the owner lock in the folder of a project. */
const LOCK = 'owner';
/** Free space below which an index may not fit, in bytes. */
const LITTLE_SPACE_BYTES = 500_000_000;
/** First bytes of every WebAssembly module, with its version. */
const WASM_MAGIC = Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]);
/** Watches that one large workspace may need on Linux. */
const ENOUGH_WATCHES = 65_536;

export function dataAdministration({ dataFolder, grammarFolder }: DataAdministrationOptions): DataAdministration {
  const disk = nodeDisk();
  return {
    folder: dataFolder,
    inspect: async (root, repair, token) => [
      ...(await folderFindings(dataFolder)),
      ...(await grammarFindings(grammarFolder)),
      ...(await watcherFindings(process.platform)),
      ...(await storeFindings({ dataFolder, root, repair, sqlWasmPath: join(dirname(grammarFolder), 'sql-wasm.wasm') }, token)),
    ],
    vanished: async () => {
      const entries = await listData(disk, dataFolder);
      const gone = entries.filter(entry => entry.vanished);
      // What lies inside a project that goes as a whole is counted with it.
      return gone
        .filter(entry => !gone.some(other => other !== entry && entry.folder.startsWith(join(other.folder, '/'))))
        .map(({ path, folder, sizeBytes }) => ({ root: path, folder, sizeBytes }));
    },
    drop: async folder => {
      const entry = (await listData(disk, dataFolder)).find(each => each.folder === folder && each.vanished);
      if (entry === undefined) return ok(undefined);
      // A folder may vanish under a window or an agent that still has it open.
      const project = entry.kind === 'project' ? entry.folder : dirname(dirname(entry.folder));
      const lowestGeneration = lowestOf({ journal: join(project, 'journal') });
      return withProjectLock({ lockFolder: join(project, LOCK), place: socketPlace(dataFolder), lowestGeneration }, () => removeData(disk, entry));
    },
    reset: (root, all) => reset(dataFolder, root, all),
  };
}

async function reset(dataFolder: string, root: string, all: boolean): Promise<Result<readonly string[], Failure>> {
  const disk = nodeDisk();
  const places = await placesOf(dataFolder, root);
  const folder = all ? places.project.folder : places.checkout.folder;
  if ((await disk.stat(folder)) === undefined) return ok([]);
  return withProjectLock({ lockFolder: places.lockFolder, place: socketPlace(dataFolder), lowestGeneration: lowestOf(places.project) }, async () => {
    try {
      // The lock stays, because other processes may wait for it, and so does the name of the folder whose data it was.
      const names = all ? (await disk.list(folder)).filter(name => name !== LOCK && name !== basename(places.project.description)) : [''];
      for (const name of names) await disk.remove(join(folder, name));
    } catch (error) {
      return err({ code: 'UNAVAILABLE', message: `${folder} cannot be deleted: ${messageOf(error)}` });
    }
    return ok([folder]);
  });
}

/** The owner lock of a project goes on from what its journal says. */
function lowestOf(project: Pick<ProjectFolder, 'journal'>): () => Promise<number> {
  return async () => 1 + (await highestGeneration(nodeDisk(), project));
}

interface Places {
  readonly project: ProjectFolder;
  readonly checkout: CheckoutFolder;
  readonly lockFolder: string;
}

/** Where the data of a checkout lies, as `openWorkspace` decides it. */
async function placesOf(dataFolder: string, root: string): Promise<Places> {
  const found = await identify(root, nodeHost);
  const project = projectFolder(dataFolder, found.project);
  return { project, checkout: checkoutFolder(project, found.checkout), lockFolder: join(project.folder, LOCK) };
}

/** Process id of the owner, if it answers. */
async function livingOwner(lockFolder: string): Promise<number | undefined> {
  try {
    const card = await readNewestCard(lockFolder);
    return card !== undefined && (await livenessOf(card, lockFolder)) === 'alive' ? card.pid : undefined;
  } catch {
    return undefined;
  }
}

async function folderFindings(folder: string): Promise<Finding[]> {
  const subject = 'Data folder';
  try {
    await nodeDisk().makeFolder(folder);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return [
      {
        level: 'error',
        subject,
        message: `${folder} cannot be written: ${messageOf(error)}`,
        advice: 'Change its permissions, or set LATTICE_HOME to another folder.',
      },
    ];
  }
  const findings: Finding[] = [{ level: 'ok', subject, message: folder }];
  const { mode } = await stat(folder);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0)
    findings.push({ level: 'warning', subject, message: 'Other users can read it.', advice: `chmod 700 ${folder}` });
  const space = await statfs(folder);
  const free = space.bavail * space.bsize;
  if (free < LITTLE_SPACE_BYTES)
    findings.push({
      level: 'warning',
      subject: 'Disk',
      message: `Only ${Math.round(free / 1e6)} MB free.`,
      advice: 'Free some disk space, for example with `lattice gc`.',
    });
  return findings;
}

/** Compares the grammars with the hashes locked at build time, where the lock was shipped; else only looks whether each is a module. */
async function grammarFindings(folder: string): Promise<Finding[]> {
  const subject = 'Grammars';
  const advice = 'Reinstall Lattice, or run `npm run build` in its repository.';
  let names: string[];
  try {
    names = (await readdir(folder)).filter(name => name.endsWith('.wasm'));
  } catch {
    return [{ level: 'error', subject, message: `${folder} is missing.`, advice }];
  }
  const locked = await lockedHashes(join(folder, 'grammars.lock.json'));
  const wrong: string[] = [];
  for (const name of names) {
    const bytes = await readFile(join(folder, name));
    const expected = locked?.get(name.slice(0, -'.wasm'.length));
    const sound =
      expected === undefined ? bytes.subarray(0, WASM_MAGIC.length).equals(WASM_MAGIC) : createHash('sha256').update(bytes).digest('hex') === expected;
    if (!sound) wrong.push(name);
  }
  const missing = [...(locked?.keys() ?? [])].filter(name => !names.includes(`${name}.wasm`));
  if (wrong.length + missing.length > 0) return [{ level: 'error', subject, message: `Missing or modified: ${[...wrong, ...missing].join(', ')}.`, advice }];
  return [{ level: 'ok', subject, message: `${names.length} grammars${locked === undefined ? '' : ', verified'}` }];
}

async function lockedHashes(path: string): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const rows = JSON.parse(await readFile(path, 'utf8')) as readonly { readonly grammar?: string; readonly sha256: string }[];
    return new Map(rows.flatMap(row => (row.grammar === undefined ? [] : [[row.grammar, row.sha256]])));
  } catch {
    return undefined;
  }
}

async function watcherFindings(platform: string): Promise<Finding[]> {
  if (platform !== 'linux') return [];
  const subject = 'File watcher';
  try {
    const watches = Number((await readFile('/proc/sys/fs/inotify/max_user_watches', 'utf8')).trim());
    if (watches >= ENOUGH_WATCHES) return [{ level: 'ok', subject, message: `up to ${watches.toLocaleString('en')} folders` }];
    return [
      {
        level: 'warning',
        subject,
        message: `The system allows only ${watches.toLocaleString('en')} file watches. Changes in large workspaces may be detected late.`,
        advice: 'sudo sysctl fs.inotify.max_user_watches=524288',
      },
    ];
  } catch {
    return [];
  }
}

const LEVELS = { ok: 'ok', warning: 'warning', damaged: 'error' } as const;

interface StoreInspection {
  readonly dataFolder: string;
  readonly root: string;
  readonly repair: boolean;
  readonly sqlWasmPath: string;
}

async function storeFindings({ dataFolder, repair, root, sqlWasmPath }: StoreInspection, token: CancellationToken): Promise<Finding[]> {
  const subject = 'Store';
  const disk = nodeDisk();
  try {
    const { project, lockFolder } = await placesOf(dataFolder, root);
    if ((await disk.stat(project.folder)) === undefined) return [{ level: 'ok', subject, message: `${root} is not indexed yet.` }];
    const owner = await livingOwner(lockFolder);
    const findings: Finding[] = [];
    if (owner !== undefined) findings.push({ level: 'ok', subject: 'Owner', message: `process ${owner}` });
    throwIfCancelled(token);
    if (repair) {
      const repaired = await withProjectLock({ lockFolder, place: socketPlace(dataFolder), lowestGeneration: lowestOf(project) }, async fence => {
        const files = await repairStore(disk, project);
        const rows = await repairRecords({ disk, project, sqlWasmPath }, fence);
        return rows.ok ? ok([...files, ...rows.value]) : rows;
      });
      if (repaired.ok) for (const done of repaired.value) findings.push({ level: 'ok', subject, message: done });
      else {
        const advice = 'Close all editor windows and agents that use this workspace, and try again.';
        findings.push({ level: 'warning', subject, message: `Not repaired: ${repaired.error.message}`, advice });
      }
    }
    for (const { what, severity, message } of await checkStore(disk, project)) {
      const advice = severity === 'damaged' ? { advice: 'Run `lattice doctor --repair`.' } : {};
      findings.push({ level: LEVELS[severity], subject, message: `${relative(project.folder, what) || what}: ${message}`, ...advice });
    }
    throwIfCancelled(token);
    findings.push(...(await recordFindings({ disk, project, sqlWasmPath })), ...(await backupFindings({ disk, project, sqlWasmPath })));
    return findings;
  } catch (error) {
    return [{ level: 'error', subject, message: messageOf(error) }];
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
