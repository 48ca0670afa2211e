import { createHash } from 'node:crypto';
import { type CancellationToken, Cancelled, neverCancelled, orCancelled } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { Clock } from '../../../base/ports';
import type { Turn } from '../../../base/yield';
import type { GraphView } from '../../../code/graph/graphView';
import type { FileFacts } from '../../../model/facts';
import { languageRow } from '../../../model/languages';
import type { ServiceSettings } from '../../../model/settings';
import { buildModel, type ModelSources } from '../../../services/buildModel';
import { NO_SERVICES, type ServiceModel } from '../../../services/model';
import type { CodeSurface } from '../../../services/surface';
import type { ServicesPort } from '../../../workspace/services';
import type { LogError } from '../../scheduling/errorLog';
import type { FileTable, TrackedFile } from '../fileTable';
import { codeReader } from './codeReader';
import type { SurfaceStore } from './savedSurface';
import type { ServiceFiles } from './serviceFiles';

/** Where a model goes when it is made. */
export interface ServicesSink {
  follow(model: ServiceModel, files: Iterable<WorkspacePath>): void;
}

export interface ServiceIndexOptions {
  readonly workspaceName: string;
  readonly table: FileTable;
  readonly files: ServiceFiles;
  readonly saved: SurfaceStore;
  /** What else than the files of the table the graph is made of. */
  readonly signature: () => string;
  readonly graph: () => GraphView | undefined;
  /** Facts of a file of the table; undefined where they are lost. */
  readonly factsOf: (tracked: TrackedFile) => Promise<FileFacts | undefined>;
  readonly sink: ServicesSink;
  readonly settings: () => ServiceSettings;
  readonly clock: Clock;
  readonly turn: () => Turn;
  readonly logError: LogError;
}

/** Keeps the model of the services in step with the index: made anew when what it rests on has changed and somebody asks, or in the background. */
export class ServiceIndex implements ServicesPort {
  #model: ServiceModel | undefined;
  #built: ServicesPort['built'];
  /** The graph and the settings that the model was made of. */
  #made: { readonly graph: GraphView; readonly settings: string } | undefined;
  #digests: ReadonlyMap<WorkspacePath, { readonly key: string; readonly digest: string }> = new Map();
  /** What others found, as JSON. */
  #interfaces = '';
  #isClosed = false;
  #making: Promise<void> = Promise.resolve();

  constructor(private readonly options: ServiceIndexOptions) {}

  /** Nothing is made any more: what it would be made of is closed. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.options.files.dispose();
    await this.#making;
    await this.options.saved.close();
  }

  get settings(): ServiceSettings {
    return this.options.settings();
  }

  get current(): ServiceModel | undefined {
    return this.settings.enabled ? this.#model : undefined;
  }

  get built(): ServicesPort['built'] {
    return this.#built;
  }

  async model(
    token: CancellationToken = neverCancelled,
    { anew = false, interfaces }: NonNullable<Parameters<ServicesPort['model']>[1]> = {},
  ): Promise<ServiceModel | undefined> {
    if (interfaces !== undefined) this.#interfaces = interfaces.trim();
    if (anew) {
      this.options.files.forget();
      this.#made = undefined;
    }
    // One after another: whoever asks while a model is made has the next one made if that is not of the newest graph.
    this.#making = this.#making.then(() => this.#update());
    await orCancelled(this.#making, token);
    return this.current;
  }

  async #update(): Promise<void> {
    const graph = this.options.graph();
    const settings = JSON.stringify(this.settings);
    if (this.#isClosed || graph === undefined || (this.#made?.graph === graph && this.#made.settings === settings)) return;
    try {
      await this.#make(graph);
    } catch (error) {
      if (error instanceof Cancelled) return;
      this.options.logError('services', error);
      this.#model = failed(error);
    }
    this.#made = { graph, settings };
  }

  async #make(graph: GraphView): Promise<void> {
    const { clock, files, sink, table, turn: newTurn, workspaceName } = this.options;
    const { asyncapi2, enabled } = this.settings;
    const began = clock.monotonic();
    if (!enabled) {
      if (this.#model !== undefined) sink.follow(failed(undefined), []);
      this.#model = undefined;
      return;
    }
    const turn = newTurn();
    const pause = (): Promise<void> | undefined => {
      if (this.#isClosed) throw new Cancelled();
      return turn.check(neverCancelled);
    };
    await files.update(pause);
    const workspaceFiles: ModelSources['workspaceFiles'][number][] = [];
    for (const { record, syntax } of Array.from(table.values())) {
      workspaceFiles.push({
        path: record.path,
        isCode: record.language !== undefined && !record.isGenerated,
        isTest: record.isTest,
        lines: syntax?.lines ?? 0,
        language: record.language === undefined ? '' : languageRow(record.language).name,
      });
      await pause();
    }
    const key = await this.#surfaceKey(pause);
    const surface = await this.options.saved.read(key);
    let read: CodeSurface | undefined;
    const model = await buildModel(
      {
        workspaceName,
        files: files.files(),
        workspaceFiles,
        graph,
        digests: () => this.#digestsNow(turn),
        surface,
        onSurface: found => {
          read = found;
        },
        configurations: files.configurations(),
        code: codeReader(graph),
        asyncapi2,
        interfaces: parsedJson(this.#interfaces),
      },
      pause,
    );
    sink.follow(
      model,
      workspaceFiles.map(({ path }) => path),
    );
    if (read !== undefined) await this.options.saved.keep(key, read);
    this.#model = model;
    this.#built = { at: clock.now(), durationMs: Math.round(clock.monotonic() - began) };
  }

  /** Stands for all that the surface of the code is read from: files and their facts, what they resolve to, and configuration. */
  async #surfaceKey(pause: () => Promise<void> | undefined): Promise<string> {
    const { files, signature, table } = this.options;
    const hash = createHash('sha256').update(signature());
    const tracked = Array.from(table.values()).sort((a, b) => (a.record.path < b.record.path ? -1 : 1));
    for (const { factsKey, record } of tracked) {
      const { contentHash, isGenerated, isStale, isTest, path } = record;
      hash.update(`${path}\0${contentHash}\0${factsKey ?? ''}\0${isTest}\0${isGenerated}\0${isStale === true}\n`);
      await pause();
    }
    for (const [path, text] of [...files.configurations()].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${path}\0${text}\0`);
    return hash.digest('hex');
  }

  /** Digests of all files, those of changed files read anew. */
  async #digestsNow(turn: Turn): Promise<readonly (readonly [WorkspacePath, string])[]> {
    const { factsOf, table } = this.options;
    const now = new Map<WorkspacePath, { readonly key: string; readonly digest: string }>();
    for (const tracked of Array.from(table.values())) {
      const { factsKey: key, record } = tracked;
      if (key === undefined || record.isTest) continue;
      const known = this.#digests.get(record.path);
      now.set(record.path, known?.key === key ? known : { key, digest: (await factsOf(tracked))?.digest ?? '' });
      await turn.check(neverCancelled);
    }
    this.#digests = now;
    return [...now].flatMap(([path, { digest }]) => (digest === '' ? [] : [[path, digest] as const]));
  }
}

function failed(error: unknown): ServiceModel {
  const message = error instanceof Error ? error.message : String(error);
  return { ...NO_SERVICES, problems: error === undefined ? [] : [{ file: '', line: 0, message }] };
}

/** What an agent gave must not keep the model from being made for everybody. */
function parsedJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
