import type { Disposable } from '../../base/disposable';
import type { Log, Timers } from '../../base/ports';
import type { FileWatcher } from '../../code/files/watch';
import type { Records } from '../../model/records';
import type { KnowledgeSettings } from '../../model/settings';

export interface KnowledgeAutoSyncOptions {
  /** Real path of the checkout. */
  readonly root: string;
  readonly records: Records;
  readonly timers: Timers;
  readonly log: Log;
  readonly settings: () => KnowledgeSettings;
  /** False once another process owns the project. */
  readonly mayWrite: () => boolean;
  readonly watcher: () => FileWatcher;
  /** While git is at work on the checkout, files are neither read nor written. */
  readonly isGitBusy: () => Promise<boolean>;
  readonly exportFiles: () => Promise<unknown>;
  readonly importFiles: () => Promise<unknown>;
}

const FOLDER = '.lattice/knowledge';
/** From the first write that is not in the files yet. */
const EXPORT_AFTER_MS = 2_000;
/** Without a further change of the files; git changes many. */
const IMPORT_AFTER_MS = 500;

/**
 * Keeps the knowledge files of a checkout in step with what is kept, where the user wants that (`lattice.knowledge.sync` = `auto`):
 * an export after a write, an import after a change of the files. Does nothing in a workspace that its user does not trust.
 */
export class KnowledgeAutoSync implements Disposable {
  readonly #options: KnowledgeAutoSyncOptions;
  readonly #listening: Disposable;
  #watched = false;
  #watcher: FileWatcher | undefined;
  #export: Disposable | undefined;
  #import: Disposable | undefined;
  #running: Promise<void> = Promise.resolve();
  #disposed = false;

  constructor(options: KnowledgeAutoSyncOptions) {
    this.#options = options;
    this.#listening = options.records.onWritten(areas => {
      if (areas.includes('knowledge') && this.#isActive) this.#exportSoon();
    });
  }

  /** `watched`: somebody stays who wants news of changes. To be called when that or the settings change. */
  update(watched: boolean): void {
    this.#watched = watched;
    const wasActive = this.#watcher !== undefined;
    if (this.#isActive === wasActive) return;
    if (wasActive) this.#stop();
    else this.#start();
  }

  dispose(): void {
    this.#disposed = true;
    this.#listening.dispose();
    this.#stop();
  }

  /** Resolves when nothing of this is under way any more. */
  async settled(): Promise<void> {
    await this.#running;
  }

  get #isActive(): boolean {
    const { mayWrite, settings } = this.#options;
    const { sync, trusted } = settings();
    return !this.#disposed && this.#watched && sync === 'auto' && trusted && mayWrite();
  }

  #start(): void {
    const watcher = this.#options.watcher();
    this.#watcher = watcher;
    watcher.onEvents(() => this.#importSoon());
    watcher.onProblem(problem => this.#options.log.write('warn', `knowledge files: ${problem.message}`));
    // What changed before the first event is found by a first look; then what the files lack is written.
    watcher
      .start(this.#options.root, path => !isOnTheWay(path))
      .catch((error: unknown) => this.#complain('watching', error))
      .finally(() => {
        if (this.#watcher !== watcher) return;
        this.#importSoon();
        this.#exportSoon();
      });
  }

  #stop(): void {
    this.#import?.dispose();
    this.#export?.dispose();
    this.#import = undefined;
    this.#export = undefined;
    void this.#watcher?.stop();
    this.#watcher = undefined;
  }

  #importSoon(): void {
    if (!this.#isActive) return;
    this.#import?.dispose();
    this.#import = this.#options.timers.after(IMPORT_AFTER_MS, () => {
      this.#import = undefined;
      this.#run('import', this.#options.importFiles, () => this.#importSoon());
    });
  }

  #exportSoon(): void {
    this.#export ??= this.#options.timers.after(EXPORT_AFTER_MS, () => {
      this.#export = undefined;
      this.#run('export', this.#options.exportFiles, () => this.#exportSoon());
    });
  }

  #run(what: string, work: () => Promise<unknown>, later: () => void): void {
    this.#running = this.#running.then(async () => {
      try {
        if (!this.#isActive) return;
        if (await this.#options.isGitBusy()) later();
        else await work();
      } catch (error) {
        this.#complain(what, error);
      }
    });
  }

  #complain(what: string, error: unknown): void {
    this.#options.log.write('warn', `knowledge files, ${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** The folder may come and go with a branch, so it is watched from the root of the checkout, and nothing beside it. */
function isOnTheWay(path: string): boolean {
  return path === '.lattice' || path === FOLDER || path.startsWith(`${FOLDER}/`);
}
