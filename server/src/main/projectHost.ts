import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { neverCancelled, orCancelled } from '../base/cancellation';
import { type Disposable, DisposableStore } from '../base/disposable';
import { relativeTo } from '../base/path';
import type { Log } from '../base/ports';
import { err, type Failure, ok, type Result } from '../base/result';
import { findGit, isGitBusy } from '../code/files/git';
import { nodeHost } from '../code/files/nodeHost';
import { createFileWatcher } from '../code/files/watch';
import type { CheckoutEngine } from '../engine/engine';
import { openFactsPack } from '../engine/factsPack';
import type { Parsing } from '../engine/parse/parsing';
import { startParsing } from '../engine/parse/startParsing';
import { exportKnowledge } from '../features/knowledge/syncExport';
import { importKnowledge } from '../features/knowledge/syncImport';
import { endSession } from '../features/memory/claims';
import { knowledgeOf } from '../knowledge/view';
import { communityLayer } from '../layers/communityLayer';
import { EpisodeLayer } from '../layers/memory/episodeLayer';
import { MemoryLayer } from '../layers/memory/memoryLayer';
import { transactionLayer } from '../layers/memory/transactionLayer';
import { ServicesLayer } from '../layers/services/servicesLayer';
import { DEFAULT_SETTINGS, readSettings, type WorkspaceSettings } from '../model/settings';
import type { AttachedCheckout, AttachOptions, CheckoutHost, WatchMode } from '../session/checkoutHost';
import { replaceFile } from '../store/atomicFile';
import { StoreDatabase } from '../store/database';
import { checkoutFolder, prepareCheckout, prepareProject, projectFolder, sizeOf } from '../store/dataFolder';
import type { Disk } from '../store/disk';
import type { Fence } from '../store/fence';
import { STORE_MIGRATIONS } from '../store/migrations';
import type { PackFile } from '../store/packs';
import { ProjectRecords } from '../store/projectRecords';
import { ProjectStore } from '../store/projectStore';
import { StoreBackups } from '../store/upkeep/backups';
import { pinnedTransactions } from '../store/upkeep/checkpoints';
import { composeEngine } from './composeEngine';
import { isCaseInsensitive, randomId, systemClock, systemTimers, yieldTurn } from './platform';
import { ANSWERED_KIND, RESTORED_TABLES, ROOM_KINDS, ROOM_MIGRATIONS, VERSIONED_RESTORES } from './rooms';
import { DailyBackup } from './upkeep/dailyBackup';
import { KnowledgeAutoSync } from './upkeep/knowledgeAutoSync';
import { MemoryKeeper } from './upkeep/memoryKeeper';
import { projectIdIn } from './upkeep/recordFindings';
import { readSessionEnds, removeSessionEnd } from './upkeep/sessionEnds';

export interface ProjectHostOptions {
  /** Git common directory, else the folder's real path. */
  readonly identity: string;
  readonly dataFolder: string;
  readonly distFolder: string;
  readonly disk: Disk;
  readonly log: Log;
  readonly engineVersion: string;
  /** This process's hold on the project. */
  readonly fence: Fence;
  /** Added to the settings of every checkout. */
  readonly ignorePatterns: readonly string[];
}

/** An engine goes this long after its last client has left, so that a client that comes back finds it warm. */
const LINGER_MS = 30_000;
/** Long enough for the first index of most folders, and never in the way of a short command. */
const COMPACT_AFTER_MS = 120_000;

function projectIdOf({ dataFolder, identity }: ProjectHostOptions): string {
  return projectIdIn(projectFolder(dataFolder, identity));
}

interface OpenCheckout {
  readonly engine: CheckoutEngine;
  readonly memory: MemoryLayer;
  readonly episodes: EpisodeLayer;
  readonly claims: MemoryKeeper;
  readonly knowledge: KnowledgeAutoSync;
  readonly clients: Set<AttachOptions>;
  linger: Disposable | undefined;
}

/** The engines of one project and what they share: journal, facts and parse workers. */
export class ProjectHost implements CheckoutHost {
  readonly #options: ProjectHostOptions;
  readonly #store: ProjectStore;
  readonly #records: ProjectRecords;
  readonly #backups: StoreBackups;
  readonly #daily: DailyBackup;
  readonly #facts: PackFile | undefined;
  readonly #parsing: Parsing & Disposable;
  #closed = false;
  readonly #open = new Map<string, Promise<Result<OpenCheckout>>>();
  /** Checkouts that are being closed: their engine may still write its files. */
  readonly #leaving = new Map<string, Promise<void>>();
  #nextClient = 1;
  #compaction: Disposable | undefined;

  static async create(options: ProjectHostOptions): Promise<Result<ProjectHost>> {
    const { dataFolder, disk, distFolder, fence, identity, log } = options;
    const project = projectFolder(dataFolder, identity);
    const prepared = await prepareProject(disk, project, identity, [identity]);
    if (!prepared.ok) return prepared;
    const facts = await openFactsPack(disk, project.factsPack);
    if (!facts.ok) log.write('warn', facts.error.message);
    const parsing = startParsing(distFolder, { clock: systemClock, log, yieldTurn });
    // Nothing has been parsed: the workers get ready while the store opens and files are looked for.
    if (facts.ok && facts.value.size === 0) parsing.begin();
    const store = await ProjectStore.open({
      project,
      projectId: projectIdOf(options),
      disk,
      fence,
      clock: systemClock,
      timers: systemTimers,
      log,
      random: randomId,
      sqlWasm: () => readFile(join(distFolder, 'sql-wasm.wasm')),
      kinds: ROOM_KINDS,
      migrations: ROOM_MIGRATIONS,
    });
    if (!store.ok) {
      parsing.dispose();
      return store;
    }
    if (facts.ok) await store.value.noteRecovered(facts.value.problems);
    return ok(new ProjectHost(options, store.value, facts.ok ? facts.value : undefined, parsing));
  }

  private constructor(options: ProjectHostOptions, store: ProjectStore, facts: PackFile | undefined, parsing: Parsing & Disposable) {
    this.#options = options;
    this.#store = store;
    this.#records = new ProjectRecords({ store, projectId: projectIdOf(options), checkout: options.identity, newId: randomUUID });
    const { dataFolder, disk, fence, identity, log: backupLog } = options;
    this.#backups = new StoreBackups({
      folder: projectFolder(dataFolder, identity).backups,
      projectId: projectIdOf(options),
      disk,
      clock: systemClock,
      log: backupLog,
      random: randomId,
      sqlWasm: () => readFile(join(options.distFolder, 'sql-wasm.wasm')),
      migrations: [...STORE_MIGRATIONS, ...ROOM_MIGRATIONS],
      tables: RESTORED_TABLES,
      revising: VERSIONED_RESTORES,
      records: this.#records,
      exportView: () => store.exportView(),
      mayWrite: () => fence.holds(),
    });
    void knowledgeOf(this.#records).prepare(() => yieldTurn().then(() => !this.#closed));
    this.#daily = new DailyBackup(this.#backups, this.#records, systemTimers);
    this.#facts = facts;
    this.#parsing = parsing;
  }

  async attach(root: string, options: AttachOptions): Promise<Result<AttachedCheckout, Failure>> {
    let real: string;
    try {
      real = await nodeHost.realPath(root);
    } catch {
      return err({ code: 'NOT_FOUND', message: `The folder ${root} does not exist.` });
    }
    if (this.#closed) return err({ code: 'CLOSING', message: 'The process that owns the index is shutting down. Try again.' });
    let opening = this.#open.get(real);
    if (opening === undefined) {
      opening = (this.#leaving.get(real) ?? Promise.resolve())
        .then(() => this.#openCheckout(real, options.settings))
        .catch((error: unknown) => err({ code: 'UNAVAILABLE', message: error instanceof Error ? error.message : String(error) }));
      this.#open.set(real, opening);
    } else if (options.settings !== undefined) {
      const open = await opening;
      if (open.ok) open.value.engine.configure(options.settings);
    }
    const open = await opening;
    if (!open.ok) {
      this.#open.delete(real);
      return open;
    }
    await this.#endSessions();
    return ok(this.#client(open.value, options));
  }

  /** Reads what hooks recorded while no process served the project; before the first answer. */
  async #endSessions(): Promise<void> {
    const { dataFolder, disk, identity, log } = this.#options;
    const project = projectFolder(dataFolder, identity);
    try {
      for (const { agentId, at, sessionId } of await readSessionEnds(disk, project)) {
        const released = await endSession({ records: this.#records }, { agentId, sessionId }, at);
        if (released.ok) await removeSessionEnd(disk, project, sessionId);
        else log.write('warn', `Claims of a session that has ended could not be released: ${released.error.message}`);
      }
    } catch (error) {
      log.write('warn', `The ended sessions of agents could not be read: ${String(error)}`);
    }
  }

  recall(idempotencyKey: string): string | undefined {
    const known = this.#store.resultOf(idempotencyKey)?.result;
    return typeof known === 'string' ? known : undefined;
  }

  async remember(idempotencyKey: string, answer: string): Promise<void> {
    const written = await this.#store.append({ kind: ANSWERED_KIND, payload: {}, key: idempotencyKey, result: answer });
    if (!written.ok) this.#options.log.write('warn', written.error.message);
  }

  async close(): Promise<void> {
    this.#closed = true;
    // A timer that is still to come would hold the whole host with its store.
    this.#compaction?.dispose();
    const open = [...this.#open.values()];
    this.#open.clear();
    for (const opening of open) {
      const checkout = await opening;
      if (!checkout.ok) continue;
      checkout.value.linger?.dispose();
      await endRecords(checkout.value);
      await checkout.value.engine.close();
    }
    await Promise.all(this.#leaving.values());
    this.#daily.dispose();
    await this.#backups.settled();
    if (this.#options.fence.holds()) {
      await this.#facts?.flush();
      await this.#store.close();
    } else await this.#store.abandon();
    await this.#facts?.close();
    this.#parsing.dispose();
  }

  async #openCheckout(root: string, asked: Partial<WorkspaceSettings> | undefined): Promise<Result<OpenCheckout>> {
    const { dataFolder, disk, engineVersion, fence, identity, log } = this.#options;
    const mayWrite = (): boolean => fence.holds();
    const folder = checkoutFolder(projectFolder(dataFolder, identity), root);
    const prepared = await prepareCheckout(disk, folder, root);
    if (!prepared.ok) return prepared;
    const settingsPath = join(folder.folder, 'settings.json');
    const settings = { ...DEFAULT_SETTINGS, ...(await keptSettings(disk, settingsPath)), ...asked };
    const git = await findGit(root, nodeHost);
    const services = new ServicesLayer();
    const memory = new MemoryLayer(this.#records, { root, caseInsensitive: isCaseInsensitive });
    const episodes = new EpisodeLayer(this.#records);
    const engine = composeEngine({
      root,
      git,
      host: nodeHost,
      caseInsensitive: isCaseInsensitive,
      settings,
      ownIgnorePatterns: [...this.#options.ignorePatterns, ...(await dataFolderPatterns(root, dataFolder))],
      parsing: this.#parsing,
      factsPack: this.#facts,
      store: this.#store,
      records: this.#records,
      newServicesLayer: () => new ServicesLayer(),
      layers: [services, memory, transactionLayer(this.#records, root), communityLayer(), episodes],
      services,
      backups: this.#backups,
      openDatabase: async content => StoreDatabase.create(await readFile(join(this.#options.distFolder, 'sql-wasm.wasm')), content),
      disk,
      graphPackPath: folder.graphPack,
      pastChangesPack: folder.pastChangesPack,
      servicesPack: folder.servicesPack,
      serviceFileWorker: join(this.#options.distFolder, 'serviceFileWorker.js'),
      versionsPack: folder.versionsPack,
      pins: () => pinnedTransactions(this.#records, root),
      vectors: { packPath: folder.vectorPack, workerFile: join(this.#options.distFolder, 'vectorWorker.js') },
      dataFolder,
      packBytes: async () =>
        (await sizeOf(disk, projectFolder(dataFolder, identity).factsPack)) +
        (await sizeOf(disk, folder.graphPack)) +
        (await sizeOf(disk, folder.vectorPack)) +
        (await sizeOf(disk, folder.pastChangesPack)) +
        (await sizeOf(disk, folder.servicesPack)) +
        (await sizeOf(disk, folder.versionsPack)),
      clock: systemClock,
      timers: systemTimers,
      log,
      yieldTurn,
      newId: randomUUID,
      mayWrite,
      engineVersion,
      onSettings: changed => {
        void saveSettings(disk, settingsPath, changed, log);
        updateKnowledge(open);
      },
    });
    const knowledge = new KnowledgeAutoSync({
      root,
      records: this.#records,
      timers: systemTimers,
      log,
      settings: () => engine.settings.knowledge,
      mayWrite,
      watcher: () => createFileWatcher({ caseInsensitive: isCaseInsensitive }),
      isGitBusy: async () => git !== undefined && (await isGitBusy(git, nodeHost)),
      exportFiles: () => exportKnowledge(engine.workspace(undefined), {}, neverCancelled),
      importFiles: () => importKnowledge(engine.workspace(undefined), {}, neverCancelled),
    });
    const claims = new MemoryKeeper(engine, log);
    const open: OpenCheckout = { engine, memory, episodes, claims, knowledge, clients: new Set(), linger: undefined };
    if (asked !== undefined) await saveSettings(disk, settingsPath, settings, log);
    engine.start();
    this.#compactLater();
    return ok(open);
  }

  #client(open: OpenCheckout, options: AttachOptions): AttachedCheckout {
    const { engine } = open;
    const name = `${this.#nextClient++}`;
    const viewers = new Set<string>();
    const listeners = new DisposableStore();
    const client = { ...options };
    open.linger?.dispose();
    open.linger = undefined;
    open.clients.add(client);
    engine.watch(strongest(open.clients));
    updateKnowledge(open);
    const viewerOf = (viewer: string): string => `${name}:${viewer}`;
    return {
      root: engine.root,
      workspace: viewer => engine.workspace(viewer === undefined ? undefined : viewerOf(viewer)),
      answering: find => engine.answering(find),
      ready: token => orCancelled(engine.ready(!options.longLived), token),
      health: () => engine.health(),
      notifyFiles: events => engine.notifyFiles(events),
      overlay: (viewer, changes) => {
        viewers.add(viewerOf(viewer));
        engine.overlay(viewerOf(viewer), changes);
      },
      configure: settings => engine.configure(settings),
      onProgress: listener => listeners.add(engine.onProgress(listener)),
      onRevision: listener => listeners.add(engine.onRevision(listener)),
      onRecords: listener => listeners.add(this.#records.onWritten(listener)),
      dispose: () => {
        listeners.dispose();
        for (const viewer of viewers) engine.dropViewer(viewer);
        if (!open.clients.delete(client)) return;
        engine.watch(strongest(open.clients));
        updateKnowledge(open);
        if (open.clients.size === 0) open.linger = systemTimers.after(LINGER_MS, () => void this.#closeCheckout(open));
      },
    };
  }

  #compactLater(): void {
    this.#compaction?.dispose();
    this.#compaction = systemTimers.after(COMPACT_AFTER_MS, () => void this.#compact());
  }

  /** Drops facts that no checkout uses. Only when all checkouts of the project are open: of the others nobody knows what they need. */
  async #compact(): Promise<void> {
    const { dataFolder, disk, fence, identity, log } = this.#options;
    const open = (await Promise.all(this.#open.values())).flatMap(checkout => (checkout.ok ? [checkout.value.engine] : []));
    const known = await disk.list(join(projectFolder(dataFolder, identity).folder, 'checkouts')).catch(() => []);
    if (this.#closed || !fence.holds() || open.length < known.length || open.some(engine => engine.progress.phase !== 'ready')) return;
    const live = new Set((await Promise.all(open.map(engine => engine.factsKeys()))).flatMap(keys => [...keys]));
    const compacted = await this.#facts?.compact(live);
    if (compacted?.ok === false) log.write('warn', compacted.error.message);
  }

  async #closeCheckout(open: OpenCheckout): Promise<void> {
    if (open.clients.size > 0) return;
    const { root } = open.engine;
    this.#open.delete(root);
    const left = endRecords(open)
      .then(() => open.engine.close())
      .catch((error: unknown) => this.#options.log.write('error', `closing ${root}: ${String(error)}`))
      .finally(() => this.#leaving.delete(root));
    this.#leaving.set(root, left);
    await left;
  }
}

/** Keeps a data folder inside the workspace (a home folder, say) out of the index: it changes with every revision. */
async function dataFolderPatterns(root: string, dataFolder: string): Promise<string[]> {
  const path = relativeTo(root, await nodeHost.realPath(dataFolder), isCaseInsensitive);
  return path === undefined || path === '' ? [] : [`/${path.replace(/[\\*?[\]!# ]/g, '\\$&')}/`];
}

/** A process that only answers one query reads and writes files on request. */
function updateKnowledge({ clients, knowledge }: OpenCheckout): void {
  knowledge.update(strongest(clients) !== 'none');
}

async function endRecords({ claims, episodes, knowledge, memory }: OpenCheckout): Promise<void> {
  memory.dispose();
  episodes.dispose();
  knowledge.dispose();
  await claims.close();
  await knowledge.settled();
}

/** An editor that tells of changes makes a watcher of our own unnecessary. */
function strongest(clients: Iterable<AttachOptions>): WatchMode {
  const modes = new Set([...clients].map(client => client.watch));
  return (['editor', 'files'] as const).find(mode => modes.has(mode)) ?? 'none';
}

async function keptSettings(disk: Disk, path: string): Promise<Partial<WorkspaceSettings>> {
  try {
    const bytes = await disk.read(path);
    return bytes === undefined ? {} : readSettings(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return {};
  }
}

async function saveSettings(disk: Disk, path: string, settings: WorkspaceSettings, log: Log): Promise<void> {
  try {
    await replaceFile(disk, path, [Buffer.from(JSON.stringify(settings))]);
  } catch (error) {
    log.write('warn', `The settings of the workspace could not be saved: ${String(error)}`);
  }
}
