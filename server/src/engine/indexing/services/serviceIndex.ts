import { createHash } from 'node:crypto';
import { type CancellationToken, Cancelled, neverCancelled, orCancelled } from '../../../base/cancellation';
import type { WorkspacePath } from '../../../base/path';
import type { Clock } from '../../../base/ports';
import { runSteps } from '../../../base/steps';
import type { Turn } from '../../../base/yield';
import type { GraphView } from '../../../code/graph/graphView';
import { isManifest } from '../../../code/resolve/resolver';
import type { FileFacts } from '../../../model/facts';
import { languageRow } from '../../../model/languages';
import type { ServiceSettings } from '../../../model/settings';
import { buildModel, keptSurfaces, type ModelSources } from '../../../services/buildModel';
import { NO_SERVICES, type ServiceModel } from '../../../services/model';
import type { CodeSurface } from '../../../services/surface';
import type { ServicesPort } from '../../../workspace/services';
import type { LogError } from '../../scheduling/errorLog';
import type { FileTable, TrackedFile } from '../fileTable';
import { codeReader } from './codeReader';
import type { SurfaceStore } from './savedSurface';
import type { ServiceFiles, ServiceFilesRead } from './serviceFiles';

/** Texts that stand in for files, as the graph and the facts of their code have them. */
export interface StandIns {
  readonly graph: GraphView;
  readonly code: readonly { readonly tracked: TrackedFile; readonly digest: string }[];
  /** Of files beside the code, by path. */
  readonly texts: ReadonlyMap<WorkspacePath, string>;
}

export interface ServicesPreview {
  readonly saved: ServiceModel;
  readonly typed: ServiceModel;
}

/** What a model is made of in one state of the files. */
interface Build extends Pick<ModelSources, 'digests' | 'surface' | 'onSurface' | 'graph'> {
  readonly isKept: boolean;
  readonly tracked: readonly TrackedFile[];
  readonly read: ServiceFilesRead;
}

interface KeyedDigest {
  /** Of the facts. */
  readonly key: string;
  readonly digest: string;
}

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
  /** `FileFacts.digest` of a file of the table; undefined where its facts are lost. */
  readonly digestOf: (tracked: TrackedFile) => Promise<string | undefined>;
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
  /** What the code said when the last model was made. */
  #surface: CodeSurface | undefined;
  /** What is kept of it by groups of languages. */
  readonly #surfaces = keptSurfaces();
  #digests = new Map<WorkspacePath, KeyedDigest>();
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
    // One after another: a request while a model is made starts the next one if it is not of the newest graph.
    this.#making = this.#making.then(() => this.#update());
    await orCancelled(this.#making, token);
    return this.current;
  }

  /** Takes down what the code of a file says while its facts are at hand. */
  note({ factsKey: key, record: { isTest, path } }: TrackedFile, { digest }: FileFacts): void {
    if (key !== undefined && !isTest && this.settings.enabled) this.#digests.set(path, { key, digest });
  }

  /** The digest of a file as it is indexed, `''` for one without. */
  async digestOf(path: WorkspacePath): Promise<string> {
    const tracked = this.options.table.get(path);
    return tracked === undefined ? '' : ((await this.#digest(tracked))?.digest ?? '');
  }

  /** The model of the files, and the one that it would be with other texts in place of some of them; neither the layer nor the index knows of that. Undefined as long as there is none. */
  async preview(standIns: StandIns, token: CancellationToken): Promise<ServicesPreview | undefined> {
    const made = this.#making.then(async () => {
      await this.#update();
      const saved = this.current;
      if (this.#isClosed || saved === undefined) return undefined;
      const pause = this.#pause(this.options.turn());
      const { files, table } = this.options;
      const read = await files.replacing(standIns.texts);
      const code = new Map(standIns.code.map(({ digest, tracked }) => [tracked.record.path, { digest, tracked }]));
      const tracked = Array.from(table.values()).map(one => code.get(one.record.path)?.tracked ?? one);
      const isCodeSame = code.size === 0 && [...files.configurations()].every(([path, text]) => read.configurations.get(path) === text);
      const digests = async (): Promise<readonly (readonly [WorkspacePath, string])[]> =>
        (await this.#digestsNow(this.options.turn())).map(row => [row[0], code.get(row[0])?.digest ?? row[1]] as const);
      const typed = await this.#build({ graph: standIns.graph, tracked, read, digests, surface: isCodeSame ? this.#surface : undefined, isKept: false }, pause);
      return { saved, typed };
    });
    this.#making = made.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await orCancelled(made, token);
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      this.options.logError('services of unsaved text', error);
      return undefined;
    }
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
    const { clock, files, saved, sink, table, turn: newTurn } = this.options;
    const began = clock.monotonic();
    if (!this.settings.enabled) {
      if (this.#model !== undefined) sink.follow(failed(undefined), []);
      this.#model = undefined;
      return;
    }
    const turn = newTurn();
    const pause = this.#pause(turn);
    await files.update(pause);
    const key = await this.#surfaceKey(pause);
    const known = await saved.read(key);
    if (known !== undefined) await runSteps(this.#surfaces.adopt(known, { graph, configurations: files.configurations() }), pause);
    const tracked = Array.from(table.values());
    const read = { files: files.files(), configurations: files.configurations() };
    let found: CodeSurface | undefined;
    const onSurface = (surface: CodeSurface): void => {
      found = surface;
    };
    const model = await this.#build({ graph, tracked, read, digests: () => this.#digestsNow(turn), surface: known, onSurface, isKept: true }, pause);
    sink.follow(
      model,
      tracked.map(({ record }) => record.path),
    );
    this.#surface = found ?? known;
    if (found !== undefined) await saved.keep(key, found);
    this.#model = model;
    this.#built = { at: clock.now(), durationMs: Math.round(clock.monotonic() - began) };
  }

  #pause(turn: Turn): () => Promise<void> | undefined {
    return () => {
      if (this.#isClosed) throw new Cancelled();
      return turn.check(neverCancelled);
    };
  }

  async #build({ digests, graph, isKept, onSurface, read, surface, tracked }: Build, pause: () => Promise<void> | undefined): Promise<ServiceModel> {
    const workspaceFiles: ModelSources['workspaceFiles'][number][] = [];
    for (const { record, syntax } of tracked) {
      workspaceFiles.push({
        path: record.path,
        isCode: record.language !== undefined && !record.isGenerated,
        isTest: record.isTest,
        lines: syntax?.lines ?? 0,
        language: record.language === undefined ? '' : languageRow(record.language).name,
      });
      await pause();
    }
    return buildModel(
      {
        workspaceName: this.options.workspaceName,
        ...read,
        workspaceFiles,
        graph,
        digests,
        surface,
        surfaces: { of: this.#surfaces, isKept },
        ...(onSurface === undefined ? {} : { onSurface }),
        code: codeReader(graph),
        asyncapi2: this.settings.asyncapi2,
        interfaces: parsedJson(this.#interfaces),
      },
      pause,
    );
  }

  /** Stands for all that the surface of the code is read from: files and their facts, what they resolve to, and configuration. Of other files only that they are there. */
  async #surfaceKey(pause: () => Promise<void> | undefined): Promise<string> {
    const { files, signature, table } = this.options;
    const hash = createHash('sha256').update(signature());
    const tracked = Array.from(table.values()).sort((a, b) => (a.record.path < b.record.path ? -1 : 1));
    for (const { factsKey, record } of tracked) {
      const { contentHash, isGenerated, isStale, isTest, path } = record;
      const content = record.language === undefined && !isManifest(path) ? '' : contentHash;
      hash.update(`${path}\0${content}\0${factsKey ?? ''}\0${isTest}\0${isGenerated}\0${isStale === true}\n`);
      await pause();
    }
    for (const [path, text] of [...files.configurations()].sort(([a], [b]) => (a < b ? -1 : 1))) hash.update(`${path}\0${text}\0`);
    return hash.digest('hex');
  }

  /** Digests of all files, those of changed files read anew. */
  async #digestsNow(turn: Turn): Promise<readonly (readonly [WorkspacePath, string])[]> {
    const now = new Map<WorkspacePath, KeyedDigest>();
    for (const tracked of Array.from(this.options.table.values())) {
      const { isTest, path } = tracked.record;
      const read = isTest ? undefined : this.#digest(tracked);
      const digest = read instanceof Promise ? await read : read;
      if (digest !== undefined) now.set(path, digest);
      const pause = turn.check(neverCancelled);
      if (pause !== undefined) await pause;
    }
    this.#digests = now;
    return [...now].flatMap(([path, { digest }]) => (digest === '' ? [] : [[path, digest] as const]));
  }

  #digest(tracked: TrackedFile): KeyedDigest | Promise<KeyedDigest> | undefined {
    const { factsKey: key, record } = tracked;
    if (key === undefined) return undefined;
    const known = this.#digests.get(record.path);
    return known?.key === key ? known : this.options.digestOf(tracked).then((digest = '') => ({ key, digest }));
  }
}

function failed(error: unknown): ServiceModel {
  const message = error instanceof Error ? error.message : String(error);
  return { ...NO_SERVICES, problems: error === undefined ? [] : [{ file: '', line: 0, message }] };
}

/** Interfaces given by an agent must not prevent the model from being made. */
function parsedJson(text: string): unknown {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
